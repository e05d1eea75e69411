package engine

import (
	"errors"
	"fmt"
	"math"
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"slices"
	"strings"
	"testing"
)

// scene is a pool of solos for tests by hand: one skill, three regions.
type scene struct {
	*Pool
	schema *matcher.Schema
}

func newScene(t *testing.T, rules *matcher.Ruleset) *scene {
	t.Helper()
	schema := new(matcher.Schema)
	schema.Column("skill")
	for _, name := range []string{"west", "east", "north"} {
		schema.Region(name)
	}
	pool, err := NewPool(rules, schema)
	if err != nil {
		t.Fatal(err)
	}
	return &scene{pool, schema}
}

func (s *scene) solo(createdMS int64, skill float64, rtt ...float64) Row {
	row, err := s.Add(matcher.Ticket{CreatedMS: createdMS, Players: []matcher.Player{{Values: []matcher.Value{matcher.NumberValue(skill)}, RTTMS: rtt}}})
	if err != nil {
		panic(err)
	}
	return row
}

func skillRule(max matcher.Schedule) *matcher.NumberDistance {
	return &matcher.NumberDistance{Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: matcher.Never}, Max: max, MissingAny: true}
}

func TestRefusals(t *testing.T) {
	rules := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 8, MaxTicket: 6, Teams: []matcher.Team{{Name: "red", Min: 1, Max: 3}, {Name: "blue", Min: 1, Max: 4}}}
	s := newScene(t, rules)
	for players, want := range map[int]string{0: "without players", 8: "match size of 8", 7: "at most 6", 5: "no team holds more than 4", 4: ""} {
		_, err := s.Add(matcher.Ticket{Players: make([]matcher.Player, players)})
		var refusal matcher.Refusal
		if want == "" && err != nil || want != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d players: %v, want %q", players, err, want)
		}
	}
	for want, player := range map[string]matcher.Player{
		"the number +Inf": {Values: []matcher.Value{matcher.NumberValue(math.Inf(1))}},
		"the number NaN":  {Values: []matcher.Value{matcher.NumberValue(math.NaN())}},
		"time of -1 ms":   {RTTMS: []float64{math.NaN(), -1}},
		"time of +Inf ms": {RTTMS: []float64{math.Inf(1)}},
	} {
		_, err := s.Add(matcher.Ticket{Players: []matcher.Player{player}})
		_, errSession := s.AddSession(matcher.Session{Members: []matcher.Member{{Player: player, Team: matcher.NoTeam}}})
		if err == nil || errSession == nil || !strings.Contains(err.Error(), want) || err.Error() != errSession.Error() {
			t.Errorf("%v and %v, want %q", err, errSession, want)
		}
	}
	if _, err := s.AddSession(matcher.Session{Members: []matcher.Member{{Team: 2}}}); err == nil || !strings.Contains(err.Error(), "team 2 of 2") {
		t.Errorf("a member of a team that does not exist: %v", err)
	}
	if _, err := s.AddSession(matcher.Session{Capacity: 1, Members: make([]matcher.Member, 2)}); err == nil || !strings.Contains(err.Error(), "at most 1") {
		t.Errorf("more members than seats: %v", err)
	}
}

// Regions come by the worst round-trip time, then by the mean, then by name; only
// those that all players measured.
func TestRegionsOfAMatch(t *testing.T) {
	rule := &matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: 30_000}, MaxRTTMS: matcher.Fixed(100)}
	for _, c := range []struct {
		name string
		a, b []float64 // west, east, north
		at   int64
		want string
	}{
		{"lowest worst first", []float64{90, 25, 40}, []float64{80, 35, 10}, 0, "[east north west]"},
		{"then the lower mean", []float64{50, 50, 90}, []float64{50, 20, 90}, 0, "[east west north]"},
		{"then the name", []float64{50, 50, 50}, []float64{50, 50, 50}, 0, "[east north west]"},
		{"not measured, not available", []float64{50, math.NaN(), 60}, []float64{50, 10}, 0, "[west]"},
		{"beyond the limit once optional", []float64{150, 400, 500}, []float64{300, 200}, 30_000, "[west east]"},
		{"none in common once optional", []float64{math.NaN(), 20}, []float64{20}, 30_000, "[]"},
	} {
		s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{rule}})
		s.solo(0, 0, c.a...)
		s.solo(0, 0, c.b...)
		out := s.Pass(c.at)
		if len(out.Matches) != 1 {
			t.Errorf("%s: %d matches", c.name, len(out.Matches))
			continue
		}
		var names []string
		for _, region := range out.Matches[0].Regions {
			names = append(names, s.schema.RegionName(region))
		}
		if fmt.Sprint(names) != c.want || len(names) > 0 && out.Matches[0].Region != out.Matches[0].Regions[0] {
			t.Errorf("%s: %v (%v), want %s", c.name, names, out.Matches[0].Region, c.want)
		}
	}
}

// A seed that hits the budget is reported, gives way to the next, and is tried
// again once a candidate of its has left.
func TestBudgetIsReported(t *testing.T) {
	// No three of six 2 and one 2.5 make 7. Each seed tries the second of the group
	// among its candidates, as long as those behind him could add enough: four times.
	s := newScene(t, &matcher.Ruleset{MinPlayers: 3, MaxPlayers: 3, Budget: 3, Rules: []matcher.Rule{
		&matcher.MatchTotal{Common: matcher.Common{Name: "odd", Weight: 1, OptionalAfterMS: matcher.Never}, Column: 0, Min: matcher.Fixed(7), Max: matcher.Fixed(7)},
	}})
	for i := range 6 {
		s.solo(int64(i), 2)
	}
	odd := s.solo(100, 2.5)
	out := s.Pass(1000)
	if len(out.Matches) != 0 || len(out.BudgetHits) != 7 || out.BudgetHits[0] != (matcher.BudgetHit{Seed: 0, What: matcher.GroupSearch}) {
		t.Errorf("%+v, want no match and a budget hit by every seed", out)
	}
	before := searches(s.Pool)
	if again := s.Pass(2000); len(again.BudgetHits) != 0 || searches(s.Pool) != before {
		t.Errorf("%+v: nothing changed, but the search was repeated", again)
	}
	s.Remove(odd)
	if again := s.Pass(3000); len(again.BudgetHits) != 0 || searches(s.Pool) == before {
		t.Errorf("%+v: with one candidate less, want a search of three steps", again)
	}
}

// What did not change is not searched again: the steps of a second pass are none. Nor
// are there any where those who came are too few, or too far for those they found, or
// where wider rules let nobody meet enough others.
func TestUnchangedPassSearchesNothing(t *testing.T) {
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
			t.Errorf("at %d ms: %d groups were looked at, want some: %v", c.nowMS, frames, c.touched)
		}
	}
}

// Going back in time decides what a new pool would.
func TestPassMayGoBackInTime(t *testing.T) {
	s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{skillRule(matcher.Custom(1, 10_000, []matcher.Override{{Value: 9}, {Value: 1}}))}})
	s.solo(0, 0)
	s.solo(0, 5)
	if n := len(s.Pass(10_000).Matches); n != 0 {
		t.Fatalf("%d matches at 10 s, want none", n)
	}
	if n := len(s.Pass(5000).Matches); n != 1 {
		t.Errorf("%d matches back at 5 s, want 1", n)
	}
}

func TestExplain(t *testing.T) {
	rules := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 4, Rules: []matcher.Rule{
		skillRule(matcher.Linear(10, 5, 25, 10_000)),
		&matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: 60_000}, MaxRTTMS: matcher.Custom(50, 20_000, []matcher.Override{{Value: 50}, {Value: 80}})},
		&matcher.MatchTotal{Common: matcher.Common{Name: "total", Weight: 1, OptionalAfterMS: matcher.Never}, Column: 0, Min: matcher.Fixed(0), Max: matcher.Fixed(205)},
	}}
	s := newScene(t, rules)
	me := s.solo(0, 100, 30, 60)
	s.solo(0, 104, 40)                                                         // may meet
	s.solo(1000, 123, 40)                                                      // skill: 23 over 10, from the third step on
	s.solo(1000, 130, 40)                                                      // skill: never
	s.solo(2000, 100, 90, 70)                                                  // region: 70 over 50, from 20 s on
	s.solo(3000, 100, 200)                                                     // region: until it is optional for both
	s.solo(4000, 105.5, 20)                                                    // total 205.5 over 205
	s.Add(matcher.Ticket{CreatedMS: 5000, Players: make([]matcher.Player, 3)}) // may meet: 4 players
	want := []Obstacle{
		{Other: 1, Why: MayMeet, OpenMS: matcher.Never},
		{Other: 2, Why: ByRule, Rule: 0, Value: 23, Bound: 10, OpenMS: 30_000},
		{Other: 3, Why: ByRule, Rule: 0, Value: 30, Bound: 10, OpenMS: matcher.Never},
		{Other: 4, Why: ByRule, Rule: 1, Value: 70, Bound: 50, OpenMS: 20_000},
		{Other: 5, Why: ByRule, Rule: 1, Value: 200, Bound: 50, OpenMS: 63_000},
		{Other: 6, Why: ByRule, Rule: 2, Value: 205.5, Bound: 205, OpenMS: matcher.Never},
		{Other: 7, Why: ByRule, Rule: 1, Value: math.Inf(1), Bound: 50, OpenMS: 65_000},
	}
	got := s.Explain(8000, me)
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// Where an explanation names an instant, the two are apart by that rule until the
// millisecond before and not from then on.
func TestExplanationsComeTrue(t *testing.T) {
	seen := 0
	for seed := range uint64(400) {
		w := newWorld(seed)
		pool, err := NewPool(w.ruleset(), w.schema)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := pool.Add(w.ticket(20_000, 2))
		_, errB := pool.Add(w.ticket(20_000, 2))
		if errA != nil || errB != nil {
			continue
		}
		o := pool.Explain(20_000, a)[0]
		if o.Why != ByRule {
			continue
		}
		apart := func(nowMS int64) bool {
			pool.rows.Advance(nowMS)
			old, young := pool.rows.ByWait(a, o.Other)
			rules := pool.method.(*groups).rules
			l, enforced := rules.Basis.InForce(&pool.rows.Stage[old].Limits[o.Rule], &pool.rows.Stage[young].Limits[o.Rule])
			_, fits := rules.All[o.Rule].(criterion.Ranking).Pair(l, a, o.Other)
			return enforced && !fits
		}
		for now := int64(20_000); now < min(o.OpenMS, 60_000); now += 250 {
			if !apart(now) {
				t.Fatalf("seed %d: %+v, but they may meet at %d", seed, o, now)
			}
		}
		if o.OpenMS < matcher.Never {
			if seen++; apart(o.OpenMS) || !apart(o.OpenMS-1) {
				t.Fatalf("seed %d: %+v is not when it opens", seed, o)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d explanations named an instant", seen)
	}
}

// Regions that the schema learns while tickets and sessions wait are as good as
// those it knew from the start.
func TestRegionsMayBeLearntLate(t *testing.T) {
	names := []string{"west", "east", "north", "alpha"}
	outcome := func(late bool) (text string) {
		schema := new(matcher.Schema)
		rules := &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{
			skillRule(matcher.Fixed(50)), &matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Fixed(60)},
		}}
		pool, err := NewPool(rules, schema)
		if err != nil {
			t.Fatal(err)
		}
		known := 0
		learn := func(n int) {
			for ; known < n; known++ {
				if _, err := schema.Region(names[known]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if learn(1); !late {
			learn(len(names))
		}
		if _, err := pool.AddSession(matcher.Session{Region: matcher.NoRegion, Members: []matcher.Member{{Team: matcher.NoTeam}}}); err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			n := 1 + i/10
			learn(n)
			rtt := make([]float64, n)
			for k := range rtt {
				rtt[k] = float64((i*37 + k*53) % 120)
			}
			if _, err := pool.Add(matcher.Ticket{CreatedMS: int64(i), Players: []matcher.Player{{Values: []matcher.Value{matcher.NumberValue(float64(i * 29 % 97))}, RTTMS: rtt}}}); err != nil {
				t.Fatal(err)
			}
			if i%20 == 19 {
				pool.Remove(Row(i - 15))
			}
		}
		out := pool.Pass(100)
		return fmt.Sprint(out.Backfills, out.Matches)
	}
	if early, late := outcome(false), outcome(true); early != late || !strings.Contains(early, "{") {
		t.Errorf("known from the start: %s\nlearnt late: %s", early, late)
	}
}

// A seed that the budget stopped is tried again when a rule takes a candidate from
// it: that leaves budget for others.
func TestTiredSeedIsWokenByLoss(t *testing.T) {
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
		t.Fatal("the budget was enough")
	}
	if s.Pass(4000); !s.all.alone.byRow[1].exhausted {
		t.Error("nothing changed, but the seed was tried again")
	}
	if s.Pass(5000); s.all.alone.byRow[1].exhausted {
		t.Error("the odd one is out of reach, but the seed was not tried again")
	}
}

// searches returns how many searches a pool has begun.
func searches(p *Pool) int { return p.method.(*groups).search.Runs }
