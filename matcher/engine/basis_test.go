package engine

import (
	"testing"

	"mmsim/matcher"
)

// The tickets were created at 0 s and 10 s, and their numbers differ by 5, which the rule allows once
// the wait that counts is 20 s: at 20 s by the longest wait, at 25 s by the mean wait, and at 30 s by
// the shortest. A rule that is enforced for 20 s is the same. No ticket reaches a new stage at 25 s,
// so the pool must try again without such a change.
func TestBasisOfASeatRule(t *testing.T) {
	one := matcher.Steps[float64]{{Value: 1}}
	for basis, wantMS := range []int64{20_000, 25_000, 30_000} {
		for _, oldest := range []bool{false, true} {
			basis := []matcher.ExpansionBasis{matcher.LongestWait, matcher.MeanWait, matcher.ShortestWait}[basis]
			relaxed := &matcher.BatchDistance{SeatCommon: matcher.SeatCommon{Basis: &basis}, Max: matcher.Steps[float64]{{Value: 0}, {AfterMS: 20_000, Value: 5}}}
			off := &matcher.BatchDistance{SeatCommon: matcher.SeatCommon{Basis: &basis, Enforced: matcher.Steps[bool]{{Value: true}, {AfterMS: 20_000}}}, Max: matcher.Steps[float64]{{Value: 0}}}
			for _, rule := range []matcher.SeatRule{relaxed, off} {
				s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Seats: &matcher.SeatRules{
					Teams: []matcher.SeatTeam{{Name: "red", Min: one, Max: one}, {Name: "blue", Min: one, Max: one}}, Rules: []matcher.SeatRule{rule}, Oldest: oldest,
				}})
				first := s.solo(0, 100)
				s.solo(10_000, 105)
				if got := s.Explain(10_000, first)[0].AllowedMS; got != wantMS {
					t.Errorf("by the %s wait, oldest %v: explained to be allowed at %d ms, want %d", basis, oldest, got, wantMS)
				}
				if gotMS := s.matchedMS(); gotMS != wantMS {
					t.Errorf("by the %s wait, oldest %v: got a match at %d ms, want %d", basis, oldest, gotMS, wantMS)
				}
			}
		}
	}
}

// A rule changes after 20 s of wait. The tickets were created at 0 s and 10.001 s, so their waits reach
// that at 20 s and 30.001 s. Their mean wait is rounded down. It is (25,001 + 15,000) / 2 = 20,000 ms at
// 25.001 s and 1 ms less before.
func TestNextTurn(t *testing.T) {
	steps, one := matcher.Steps[float64]{{Value: 0}, {AfterMS: 20_000, Value: 5}}, matcher.Steps[float64]{{Value: 1}}
	seats := func(basis *matcher.ExpansionBasis) *matcher.Ruleset {
		return &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Seats: &matcher.SeatRules{Teams: []matcher.SeatTeam{{Name: "all", Min: matcher.Steps[float64]{{Value: 2}}, Max: matcher.Steps[float64]{{Value: 2}}}},
			Rules: []matcher.SeatRule{&matcher.BatchDistance{SeatCommon: matcher.SeatCommon{Name: "wide"}, Max: one}, &matcher.BatchDistance{SeatCommon: matcher.SeatCommon{Basis: basis}, Max: steps}}}}
	}
	pivot := func(basis *matcher.ExpansionBasis) *matcher.Ruleset {
		return pivotPairs(matcher.PivotRules{Distances: []matcher.PivotDistance{{Name: "wide", Max: one}, {Name: "skill", Basis: basis, Max: steps}}})
	}
	mean, longest := new(matcher.MeanWait), new(matcher.LongestWait)
	own, withMean := []int64{20_000, 30_001, matcher.Never}, []int64{20_000, 25_001, 30_001, matcher.Never}
	for _, c := range []struct {
		rules *matcher.Ruleset
		want  []int64
	}{
		{seats(mean), withMean}, {seats(longest), own}, {seats(nil), own},
		{pivot(mean), withMean}, {pivot(longest), own}, {pivot(nil), own},
		{&matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []matcher.Rule{skillRule(matcher.Custom(0, 20_000, []matcher.Override{{Value: 0}, {Value: 5}}))}}, own},
	} {
		s := newScene(t, c.rules)
		old, young := s.solo(0, 100), s.solo(10_001, 105)
		nowMS := int64(10_001)
		for i, wantMS := range c.want {
			if nowMS = s.NextTurn(nowMS, old, young); nowMS != wantMS {
				t.Errorf("%+v: got turn %d at %d ms, want %d", c.rules, i, nowMS, wantMS)
				break
			}
		}
	}
}

// matchedMS makes a pass every 500 ms from 10 s to 40 s, and returns the instant of the first match, or
// -1 if there is none.
func (s *scene) matchedMS() int64 {
	for nowMS := int64(10_000); nowMS <= 40_000; nowMS += 500 {
		if len(s.Pass(nowMS).Matches) > 0 {
			return nowMS
		}
	}
	return -1
}

// The same two tickets under pair rules: one about their difference, and one about the difference of
// the averages of two teams. The basis of the rule counts, not that of the ruleset. A second rule that
// never changes counts by the other wait and makes no difference.
func TestBasisOfAPairRule(t *testing.T) {
	for basis, wantMS := range []int64{20_000, 30_000} {
		for _, ofSet := range []matcher.ExpansionBasis{matcher.LongestWait, matcher.ShortestWait} {
			own, other := matcher.ExpansionBasis(basis), matcher.ExpansionBasis(1-basis)
			common := matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: matcher.Never, Basis: &own}
			wide := &matcher.NumberDistance{Common: matcher.Common{Name: "wide", Weight: 1, OptionalAfterMS: matcher.Never, Basis: &other}, Max: matcher.Fixed(9)}
			max := matcher.Custom(0, 20_000, []matcher.Override{{Value: 0}, {Value: 5}})
			for _, rule := range []matcher.Rule{&matcher.NumberDistance{Common: common, Max: max}, &matcher.TeamGap{Common: common, Max: max}} {
				s := newScene(t, &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, ExpansionBasis: ofSet, Rules: []matcher.Rule{rule, wide},
					Teams: []matcher.Team{{Name: "red", Min: 1, Max: 1}, {Name: "blue", Min: 1, Max: 1}}})
				old := s.solo(0, 100)
				s.solo(10_000, 105)
				if _, pairs := rule.(*matcher.NumberDistance); pairs {
					if got := s.Explain(10_000, old)[0].AllowedMS; got != wantMS {
						t.Errorf("by the %s wait, ruleset by the %s wait: the two may meet at %d ms, want %d", own, ofSet, got, wantMS)
					}
				}
				if gotMS := s.matchedMS(); gotMS != wantMS {
					t.Errorf("%T by the %s wait, ruleset by the %s wait: got a match at %d ms, want %d", rule, own, ofSet, gotMS, wantMS)
				}
			}
		}
	}
}

// The same two tickets under pivot rules. Without a basis, the thresholds of both tickets count, so the
// newer one decides.
func TestBasisOfAPivotDistance(t *testing.T) {
	for basis, wantMS := range map[*matcher.ExpansionBasis]int64{
		nil: 30_000, new(matcher.LongestWait): 20_000, new(matcher.MeanWait): 25_000, new(matcher.ShortestWait): 30_000,
	} {
		rule := matcher.PivotDistance{Name: "skill", Basis: basis, Max: matcher.Steps[float64]{{Value: 0}, {AfterMS: 20_000, Value: 5}}}
		other := matcher.PivotDistance{Name: "wide", Max: matcher.Steps[float64]{{Value: 9}}}
		for _, distances := range [][]matcher.PivotDistance{{rule, other}, {other, rule}} {
			s := newScene(t, pivotPairs(matcher.PivotRules{Distances: distances}))
			old, young := s.solo(0, 100), s.solo(10_000, 105)
			for _, row := range []Row{old, young} {
				if got := s.Explain(10_000, row)[0].AllowedMS; got != wantMS {
					t.Errorf("basis %v: row %d may meet the other at %d ms, want %d", basis, row, got, wantMS)
				}
			}
			if gotMS := s.matchedMS(); gotMS != wantMS {
				t.Errorf("basis %v: got a match at %d ms, want %d", basis, gotMS, wantMS)
			}
		}
	}
}

// The tickets were created at 0 s and 10 s, and their sets differ, share nothing or repeat a value. The
// option is enforced for the first 20 s of the older ticket, which is the pivot.
func TestEnforcedOfAPivotOption(t *testing.T) {
	for kind, sets := range map[matcher.OptionKind][2][]matcher.Text{
		matcher.SameSet: {{1}, {1, 2}}, matcher.SharedValue: {{1}, {2}}, matcher.NoRepeat: {{1, 2}, {2}},
	} {
		for _, enforced := range []matcher.Steps[bool]{{{Value: true}, {AfterMS: 20_000}}, nil} {
			s := newScene(t, pivotPairs(matcher.PivotRules{Options: []matcher.PivotOption{{Name: "mode", Column: 0, Kind: kind, Own: matcher.NoColumn, Enforced: enforced}}}))
			var rows [2]Row
			for i, set := range sets {
				row, err := s.Add(matcher.Ticket{CreatedMS: int64(i) * 10_000, Values: []matcher.Value{matcher.SetValue(set)}, Players: []matcher.Player{{}}})
				if err != nil {
					t.Fatal(err)
				}
				rows[i] = row
			}
			wantMS, allowedMS := int64(-1), matcher.Never
			if enforced != nil {
				wantMS, allowedMS = 20_000, 20_000
			}
			if o := s.Explain(10_000, rows[1])[0]; o.Name != "mode" || o.AllowedMS != allowedMS {
				t.Errorf("kind %d, enforced %v: got obstacle %q until %d ms, want mode until %d", kind, enforced, o.Name, o.AllowedMS, allowedMS)
			}
			match := &matcher.Proposal{Tickets: rows[:], Region: matcher.NoRegion, Teams: []matcher.Side{{Tickets: rows[:1]}, {Tickets: rows[1:]}}}
			if got := len(s.Broken(nil, 19_999, nil, match)); got != 1 {
				t.Errorf("kind %d, enforced %v: the match breaks %d rules at 19,999 ms, want 1", kind, enforced, got)
			}
			if gotMS := s.matchedMS(); gotMS != wantMS {
				t.Errorf("kind %d, enforced %v: got a match at %d ms, want %d", kind, enforced, gotMS, wantMS)
			}
		}
	}
}

// pivotPairs returns a ruleset of two teams of one player that ignores regions.
func pivotPairs(rules matcher.PivotRules) *matcher.Ruleset {
	rules.Sizes = []matcher.TeamSizes{{MinTeams: 2, MaxTeams: 2, MinPlayers: 1, MaxPlayers: 1}}
	rules.Region = matcher.PivotRegion{Ignored: true, OneWayAfterMS: matcher.Never}
	rules.Same, rules.People, rules.Blocked, rules.NewOnly = matcher.NoColumn, matcher.NoColumn, matcher.NoColumn, matcher.NoColumn
	return &matcher.Ruleset{MinPlayers: 2, MaxPlayers: 2, Pivot: &rules}
}
