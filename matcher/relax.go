package matcher

import (
	"fmt"
	"math"
	"slices"
)

// These are the names of conditions that have no name in a configuration. SeatRules have only the
// last one. PivotRules have all of them; unnamedOfPivot is their number.
const (
	otherAttributes = "other attributes"
	samePlayer      = "same player"
	blockedPlayer   = "blocked player"
	teamSizes       = "team sizes"
	unnamedOfPivot  = 4
)

// RuleNames returns the names of all conditions that may keep tickets apart or that relax while
// tickets wait, in the order of evaluation. With PivotRules, these are the distances, the
// options, the region, and the conditions that have no name in the configuration. With SeatRules,
// the team sizes follow the rules.
func (r *Ruleset) RuleNames() []string {
	var names []string
	for _, rule := range r.Rules {
		names = append(names, rule.Settings().Name)
	}
	if r.Seats != nil {
		return r.Seats.names()
	}
	if r.Pivot == nil {
		return names
	}
	for i := range r.Pivot.Distances {
		names = append(names, r.Pivot.Distances[i].Name)
	}
	for i := range r.Pivot.Options {
		names = append(names, r.Pivot.Options[i].Name)
	}
	return append(names, r.Pivot.Region.Name, otherAttributes, samePlayer, blockedPlayer, teamSizes)
}

// TeamNames returns the names of the teams in their order, or nil if the teams have no names.
func (r *Ruleset) TeamNames() (names []string) {
	for _, team := range r.Teams {
		names = append(names, team.Name)
	}
	if r.Seats != nil {
		for _, team := range r.Seats.Teams {
			names = append(names, team.Name)
		}
	}
	return names
}

// TeamName returns the name of the i-th team of a match, or "team N" if it has no name.
func (r *Ruleset) TeamName(i int) string {
	if names := r.TeamNames(); i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("team %d", i+1)
}

func isRegionRule(rule Rule) bool {
	_, is := rule.(*ReachRegion)
	return is
}

// WithoutRegion returns a copy of the ruleset that ignores round-trip times. It is for callers that
// choose the region themselves. The proposals have NoRegion.
func (r *Ruleset) WithoutRegion() *Ruleset {
	free := *r
	free.Regions = nil
	free.Rules = slices.DeleteFunc(slices.Clone(r.Rules), isRegionRule)
	if r.Seats != nil {
		seats := *r.Seats
		seats.Rules = slices.DeleteFunc(slices.Clone(seats.Rules), isLatency)
		for i, rule := range seats.Rules {
			if c, ok := rule.(*Compound); ok {
				seats.Rules[i] = &Compound{c.SeatCommon, c.Statement.withoutRegion()}
			}
		}
		free.Seats = &seats
	}
	if r.Pivot != nil {
		pivot := *r.Pivot
		pivot.Region.Ignored = true
		free.Pivot = &pivot
	}
	return &free
}

// Relaxed describes how far a rule was relaxed when a match was made.
type Relaxed struct {
	Stage    int  // stage of the threshold; of several stages in a row with the same threshold, the first
	Inactive bool // the rule was not enforced in its stage
	// Optional is set if the rule had become optional. For the region of PivotRules, it is set
	// if candidates no longer had to reach the region by their own wait.
	Optional bool
}

// Relaxation appends how far each rule of RuleNames was relaxed for a match. The slice waitsMS has
// the waits of the match's tickets, the seed first. Ruleset.BasisOf and OptionalBasis select the
// wait that counts. Under PivotRules, the seed's wait counts, except for a PivotDistance with a Basis. Under SeatRules, SeatRules.BasisOf
// does.
func (r *Ruleset) Relaxation(dst []Relaxed, waitsMS []int64) []Relaxed {
	if r.Pivot != nil {
		return r.Pivot.relaxation(dst, waitsMS)
	}
	if r.Seats != nil {
		return r.Seats.relaxation(dst, waitsMS)
	}
	longest, shortest := slices.Max(waitsMS), slices.Min(waitsMS)
	optionalWait := shortest
	if r.OptionalBasis == AnyWaited {
		optionalWait = longest
	}
	for _, rule := range r.Rules {
		stageWait := r.BasisOf(rule).WaitMS(waitsMS)
		relaxed := Relaxed{Optional: optionalWait >= rule.Settings().OptionalAfterMS}
		for _, s := range rule.Schedules() {
			_, active := s.At(stageWait)
			relaxed.Stage = max(relaxed.Stage, s.steps(stageWait))
			relaxed.Inactive = relaxed.Inactive || !active
		}
		dst = append(dst, relaxed)
	}
	return dst
}

// steps returns the stage after a wait. If several stages in a row have the same threshold, it
// returns the first of them.
func (s *Schedule) steps(waitMS int64) int {
	stage := s.Stage(waitMS)
	switch n := int64(len(s.List)); {
	case n > 0:
		stage = min(stage, n-1)
		for stage > 0 && s.List[stage] == s.List[stage-1] {
			stage--
		}
	case s.Step == 0 || (s.Limit-s.Base)/s.Step <= 0:
		return 0
	default:
		stage = int64(min(float64(stage), math.Ceil((s.Limit-s.Base)/s.Step)))
	}
	return int(stage)
}

func (s *PivotRules) relaxation(dst []Relaxed, waitsMS []int64) []Relaxed {
	waitMS := waitsMS[0]
	for i := range s.Distances {
		d, counts := &s.Distances[i], waitMS
		if d.Basis != nil {
			counts = d.Basis.WaitMS(waitsMS)
		}
		stage, _ := d.Max.Stage(counts)
		dst = append(dst, Relaxed{Stage: stage, Inactive: math.IsInf(d.Max[stage].Value, 1)})
	}
	for i := range s.Options {
		enforced, timed := s.Options[i].Enforced.At(waitMS)
		dst = append(dst, Relaxed{Inactive: timed && !enforced})
	}
	reach := s.Region.ReachMS
	reach.Limit = min(reach.Limit, s.Region.MaxMS)
	region := Relaxed{Stage: reach.steps(waitMS), Optional: waitMS > s.Region.OneWayAfterMS}
	if s.Region.Ignored {
		region = Relaxed{Inactive: true}
	}
	dst = append(dst, region)
	sizes, _ := s.SizesAt(waitMS)
	return append(append(dst, make([]Relaxed, unnamedOfPivot-1)...), Relaxed{Stage: sizes})
}
