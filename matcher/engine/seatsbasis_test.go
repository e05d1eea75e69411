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
				gotMS := int64(-1)
				for nowMS := int64(10_000); nowMS <= 40_000 && gotMS < 0; nowMS += 500 {
					if len(s.Pass(nowMS).Matches) > 0 {
						gotMS = nowMS
					}
				}
				if gotMS != wantMS {
					t.Errorf("by the %s wait, oldest %v: got a match at %d ms, want %d", basis, oldest, gotMS, wantMS)
				}
			}
		}
	}
}
