package matcher

import (
	"fmt"
	"math"
	"testing"
)

// By default the ticket that waited longest sets the stage, and a rule is optional only if all
// tickets have waited long enough. ExpansionBasis and OptionalBasis change this.
func TestRelaxation(t *testing.T) {
	rules := &Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []Rule{
		&NumberDistance{Common: Common{Name: "linear", Weight: 1, OptionalAfterMS: 30_000}, Max: Linear(10, 4, 20, 5000)}, // the thresholds are 10, 14, 18 and 20
		&NumberDistance{Common: Common{Name: "never", Weight: 1, OptionalAfterMS: Never}, Max: Linear(10, 4, 5, 5000)},
		&EqualText{Common: Common{Name: "list", Weight: 1, OptionalAfterMS: Never}, Enabled: Custom(0, 5000, []Override{{}, {Inactive: true}, {}})},
		&ReachRegion{Common{Name: "region", Weight: 1, OptionalAfterMS: Never}, Fixed(50)},
		&MatchTotal{Common{Name: "total", Weight: 1, OptionalAfterMS: 0}, 0, Linear(5, -1, 0, 10_000), Linear(5, 1, math.Inf(1), 5000)},
	}}
	if got := fmt.Sprint(rules.RuleNames()); got != "[linear never list region total]" {
		t.Errorf("got rule names %s, want [linear never list region total]", got)
	}
	for _, c := range []struct {
		stage    ExpansionBasis
		optional OptionalBasis
		waitsMS  []int64
		want     string // for each rule, the stage, followed by i if it is inactive and by o if it is optional
	}{
		{LongestWait, AllWaited, []int64{4999, 0}, "0 0 0 0 0o"},
		{LongestWait, AllWaited, []int64{0, 5000}, "1 0 1i 0 1o"},
		{LongestWait, AllWaited, []int64{40_000, 29_999}, "3 0 2 0 8o"},
		{LongestWait, AllWaited, []int64{40_000, 30_000}, "3o 0 2 0 8o"},
		{ShortestWait, AnyWaited, []int64{40_000, 9000}, "1o 0 1i 0 1o"},
	} {
		rules.ExpansionBasis, rules.OptionalBasis = c.stage, c.optional
		if got := wordsOf(rules.Relaxation(nil, c.waitsMS)); got != c.want {
			t.Errorf("after %v ms: got relaxation %s, want %s", c.waitsMS, got, c.want)
		}
	}
}

// A rule may count by another wait than the ruleset: here the ruleset counts by the oldest ticket, and
// the rules by the ruleset, the oldest and the newest ticket. The waits are 10 s and 5 s, and a stage
// lasts 5 s.
func TestRelaxationOfAPairRuleByOwnBasis(t *testing.T) {
	rules := &Ruleset{MinPlayers: 2, MaxPlayers: 2}
	for _, basis := range []*ExpansionBasis{nil, new(LongestWait), new(ShortestWait)} {
		common := Common{Name: "skill", Weight: 1, OptionalAfterMS: Never, Basis: basis}
		rules.Rules = append(rules.Rules, &NumberDistance{Common: common, Max: Linear(10, 4, 90, 5000)})
	}
	if got := wordsOf(rules.Relaxation(nil, []int64{10_000, 5000})); got != "2 2 1" {
		t.Errorf("got relaxation %s, want 2 2 1", got)
	}
	if rules.OldestDecides() {
		t.Error("the oldest ticket decides, want no, because the newest decides the last rule")
	}
}

// If a stage in a list repeats the threshold of the stage before it, the rule does not count as
// relaxed further.
func TestRelaxationOfRepeats(t *testing.T) {
	list := []Override{{Value: 2}, {Value: 2}, {Value: 1}, {Value: 1}, {Value: 2}, {Inactive: true}, {Inactive: true}}
	rules := &Ruleset{MinPlayers: 2, MaxPlayers: 2, Rules: []Rule{
		&SetOverlap{Common: Common{Name: "maps", Weight: 1, OptionalAfterMS: Never}, MinShared: Custom(2, 5000, list)},
	}}
	for stage, want := range []string{"0", "0", "2", "2", "4", "5i", "5i", "5i"} {
		if got := wordsOf(rules.Relaxation(nil, []int64{int64(stage) * 5000, 0})); got != want {
			t.Errorf("stage %d: got relaxation %s, want %s", stage, got, want)
		}
	}
}

// Under PivotRules only the seed's wait counts.
func TestPivotRelaxation(t *testing.T) {
	rules := &Ruleset{Pivot: &PivotRules{
		Sizes:     []TeamSizes{{0, 2, 2, 5, 5}, {30_000, 2, 2, 3, 5}},
		Distances: []PivotDistance{{Name: "skill", Max: Steps[float64]{{Value: 200}, {AfterMS: 15_000, Value: 300}, {AfterMS: 30_000, Value: 400}, {AfterMS: 45_000, Value: math.Inf(1)}}}},
		Options:   []PivotOption{{Name: "mode"}},
		Region:    PivotRegion{Name: "near", ReachMS: Linear(50, 50, math.Inf(1), 10_000), MaxMS: 350, OneWayAfterMS: 20_000},
	}}
	if got := fmt.Sprint(rules.RuleNames()); got != "[skill mode near other attributes same player blocked player team sizes]" {
		t.Errorf("got rule names %s, want [skill mode near other attributes same player blocked player team sizes]", got)
	}
	for wait, want := range map[int64]string{
		0:       "0 0 0 0 0 0 0",
		15_000:  "1 0 1 0 0 0 0",
		20_001:  "1 0 2o 0 0 0 0",
		30_000:  "2 0 3o 0 0 0 1",
		200_000: "3i 0 6o 0 0 0 1", // the limit is 350 ms: 50 + 6 × 50
	} {
		if got := wordsOf(rules.Relaxation(nil, []int64{wait, 90_000})); got != want {
			t.Errorf("after %d ms: got relaxation %s, want %s", wait, got, want)
		}
	}
	rules.Pivot.Distances[0].Basis, rules.Pivot.Options[0].Enforced = new(LongestWait), Steps[bool]{{0, true}, {10_000, false}}
	if got := wordsOf(rules.Relaxation(nil, []int64{15_000, 30_000})); got != "2 0i 1 0 0 0 0" {
		t.Errorf("by the longest wait: got relaxation %s, want 2 0i 1 0 0 0 0", got)
	}
}

func wordsOf(list []Relaxed) (text string) {
	for i, r := range list {
		if i > 0 {
			text += " "
		}
		text += fmt.Sprint(r.Stage)
		if r.Inactive {
			text += "i"
		}
		if r.Optional {
			text += "o"
		}
	}
	return text
}

// With SeatRules, each rule has the stage of the wait that it counts by. After 25 s and 5 s, the
// longest wait is in the last stage, the mean of 15 s in the middle one, and the shortest in the
// first.
func TestRelaxationByOwnBasis(t *testing.T) {
	steps := Steps[float64]{{0, 1}, {10_000, 2}, {20_000, 3}}
	rule := func(basis *ExpansionBasis, enforced Steps[bool]) SeatRule {
		return &BatchDistance{SeatCommon: SeatCommon{Basis: basis, Enforced: enforced}, Max: steps}
	}
	rules := &Ruleset{Seats: &SeatRules{
		Teams: []SeatTeam{{Min: steps, Max: steps}},
		Rules: []SeatRule{rule(nil, nil), rule(new(ShortestWait), nil), rule(new(MeanWait), nil), rule(new(LongestWait), nil),
			rule(new(MeanWait), Steps[bool]{{0, true}, {15_000, false}}), rule(nil, Steps[bool]{{0, true}, {15_000, false}})},
	}}
	for oldest, want := range map[bool]string{false: "0 0 1 2 1i 0 0", true: "2 0 1 2 1i 2i 2"} {
		rules.Seats.Oldest = oldest
		if got := wordsOf(rules.Relaxation(nil, []int64{5000, 25_000})); got != want {
			t.Errorf("oldest %v: got relaxation %s, want %s", oldest, got, want)
		}
	}
}
