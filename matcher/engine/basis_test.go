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
				s.solo(0, 100)
				s.solo(10_000, 105)
				if gotMS := s.matchedMS(); gotMS != wantMS {
					t.Errorf("by the %s wait, oldest %v: got a match at %d ms, want %d", basis, oldest, gotMS, wantMS)
				}
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
