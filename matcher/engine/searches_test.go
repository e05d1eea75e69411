package engine

import (
	"fmt"
	"testing"

	"mmsim/matcher"
)

// TestBudgetIsReported checks that a seed is reported if its search exceeds the budget. The pass
// must continue with the next seed. The search around the first seed must be repeated once one of
// its candidates has left.
func TestBudgetIsReported(t *testing.T) {
	// There are six tickets with the number 2 and one with 2.5. No three of them add up to 7. Each
	// seed tries another ticket as long as the candidates after it can still add enough, which is
	// four times.
	s := newScene(t, &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3, Budget: 3, Rules: []matcher.Rule{
		&matcher.MatchTotal{Common: matcher.Common{Name: "odd", Weight: 1, OptionalAfterMS: matcher.Never}, Column: 0, Min: matcher.Fixed(7), Max: matcher.Fixed(7)},
	}})
	for i := range 6 {
		s.solo(int64(i), 2)
	}
	odd := s.solo(100, 2.5)
	out := s.Pass(1000)
	if len(out.Matches) != 0 || len(out.BudgetHits) != 7 || out.BudgetHits[0] != (matcher.BudgetHit{Seed: 0, Search: matcher.GroupSearch}) {
		t.Errorf("got %+v, want no match and a budget hit of every seed", out)
	}
	before := searches(s.Pool)
	if again := s.Pass(2000); len(again.BudgetHits) != 0 || searches(s.Pool) != before {
		t.Errorf("got %+v and another search after no change, want the search not to be repeated", again)
	}
	s.Remove(odd)
	if again := s.Pass(3000); len(again.BudgetHits) != 0 || searches(s.Pool) == before {
		t.Errorf("got %+v after a candidate left, want a new search within the budget", again)
	}
}

// A failed search must not be repeated while nothing changes. Nor may it be repeated when too few
// tickets arrive, when they are too far away, or when wider thresholds still leave too few
// candidates.
func TestFailedSearchIsNotRepeated(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3, Rules: []matcher.Rule{skillRule(matcher.Linear(1, 1, 3, 10_000))}})
	for i := range 10 {
		s.solo(0, float64(10*i))
		s.solo(0, float64(10*i))
	}
	count := func(nowMS int64) int {
		before := searches(s.Pool)
		s.Pass(nowMS)
		return searches(s.Pool) - before
	}
	for _, c := range []struct {
		nowMS   int64
		add     float64
		touched bool
	}{{1000, -1, false}, {2000, -1, false}, {9999, -1, false}, {10_000, -1, false}, {15_000, -1, false}, {16_000, 99, false}, {17_000, 91, true}, {20_000, -1, false}, {90_000, -1, false}, {95_000, -1, false}} {
		if c.add >= 0 {
			s.solo(c.nowMS, c.add)
		}
		if frames := count(c.nowMS); (frames > 0) != c.touched {
			t.Errorf("at %d ms: got %d searches, want some: %v", c.nowMS, frames, c.touched)
		}
	}
}

// If a budget ended a search, it must be repeated when a rule excludes one of its candidates,
// because the budget may then be enough for the remaining candidates.
func TestExhaustedSeedIsSearchedAgain(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3, Budget: 3, Rules: []matcher.Rule{
		&matcher.MatchTotal{Common: matcher.Common{Name: "odd", Weight: 1, OptionalAfterMS: matcher.Never}, Column: 0, Min: matcher.Fixed(7), Max: matcher.Fixed(7)},
		skillRule(matcher.Custom(5, 10_000, []matcher.Override{{Value: 5}, {Value: 0.1}})),
	}})
	s.solo(-5000, 2.5)
	for i := range 6 {
		s.solo(int64(i), 2)
	}
	s.Pass(1000)
	if !s.all.alone.byRow[1].exhausted {
		t.Fatal("the seed was searched within the budget, want the budget exhausted")
	}
	if s.Pass(4000); !s.all.alone.byRow[1].exhausted {
		t.Error("the seed was searched again after no change")
	}
	if s.Pass(5000); s.all.alone.byRow[1].exhausted {
		t.Error("the seed was not searched again after a rule excluded a candidate")
	}
}

// If a budget ended the search around a seed, the seed remains a candidate of younger seeds, with
// its own wider threshold. The match must be found although too few tickets reach a region within
// the younger seed's threshold.
func TestExhaustedSeedStaysACandidate(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 8, MaxPlayers: 8, Budget: 6, Rules: []matcher.Rule{
		&matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Linear(50, 50, 100, 10_000)},
	}})
	oldest := rttParty(t, s.Pool, 0, 3, 10, 90, 200)
	solo := rttParty(t, s.Pool, 11_000, 1, 200, 40, 200)
	four := rttParty(t, s.Pool, 11_001, 4, 200, 40, 200)
	for i := range 6 { // the oldest ticket has three players, so pairs cannot bring it to eight
		rttParty(t, s.Pool, int64(11_010+i), 2, 10, 200, 200)
	}
	out := s.Pass(12_000)
	if len(out.BudgetHits) == 0 || out.BudgetHits[0].Seed != oldest {
		t.Fatalf("got budget hits %v, want the first of seed %d", out.BudgetHits, oldest)
	}
	if len(out.Matches) != 2 || fmt.Sprint(out.Matches[0].Tickets) != fmt.Sprint([]Row{solo, four, oldest}) {
		t.Errorf("got matches %v, want two, the first of tickets %d, %d and %d", out.Matches, solo, four, oldest)
	}
}

// searches returns the number of searches that a pool has begun.
func searches(p *Pool) int { return p.method.(*groups).search.Runs }
