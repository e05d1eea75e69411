package matcher

import (
	"math"
	"slices"
)

// The conditions of PivotRules other than its distances, options and region.
const (
	otherAttributes = "other attributes"
	samePlayer      = "same player"
	blockedPlayer   = "blocked player"
	teamSizes       = "team sizes"
	unnamedOfPivot  = 4
)

// RuleNames returns the names of all conditions that may keep tickets apart or that relax
// with their waits, in the order of evaluation: the Rules; or, of PivotRules, the distances,
// the options, the region, and the conditions without a name in the configuration.
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

// TeamNames returns the names of the teams in their order, nil if the teams have no names.
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

func isRegionRule(rule Rule) bool {
	_, is := rule.(*ReachRegion)
	return is
}

// WithoutRegion returns a copy of the ruleset that ignores round-trip times, for a caller
// that decides itself where tickets may play. Its proposals have NoRegion.
func (r *Ruleset) WithoutRegion() *Ruleset {
	free := *r
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

// Relaxed is how far a rule was relaxed when a match was made.
type Relaxed struct {
	Stage    int  // steps since the start, 0 for none; only steps that can change the threshold count
	Inactive bool // the rule was not enforced in its stage
	Optional bool // the rule had become optional; for the region of PivotRules: candidates need not reach it by their own wait
}

// Relaxation appends, for each of RuleNames, how far the rule was relaxed for a match.
// waitsMS are the waits of its tickets, the seed first. The bases of the ruleset select the
// wait that counts; under PivotRules it is the seed's.
func (r *Ruleset) Relaxation(dst []Relaxed, waitsMS []int64) []Relaxed {
	if r.Pivot != nil {
		return r.Pivot.relaxation(dst, waitsMS[0])
	}
	longest, shortest := slices.Max(waitsMS), slices.Min(waitsMS)
	if r.Seats != nil {
		return r.Seats.relaxation(dst, longest, shortest)
	}
	stageWait, optionalWait := longest, shortest
	if r.ExpansionBasis == ShortestWait {
		stageWait = shortest
	}
	if r.OptionalBasis == AnyWaited {
		optionalWait = longest
	}
	for _, rule := range r.Rules {
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

// steps returns the first stage with the threshold of a wait: later stages that do not
// change the threshold do not count.
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

func (s *PivotRules) relaxation(dst []Relaxed, waitMS int64) []Relaxed {
	for i := range s.Distances {
		d := &s.Distances[i]
		stage := d.stage(waitMS)
		dst = append(dst, Relaxed{Stage: stage, Inactive: d.Max[stage].Absent})
	}
	dst = append(dst, make([]Relaxed, len(s.Options))...)
	reach := s.Region.ReachMS
	reach.Limit = min(reach.Limit, s.Region.MaxMS)
	region := Relaxed{Stage: reach.steps(waitMS), Optional: waitMS > s.Region.OneWayAfterMS}
	if s.Region.Ignored {
		region = Relaxed{Inactive: true}
	}
	dst = append(dst, region)
	return append(append(dst, make([]Relaxed, unnamedOfPivot-1)...), Relaxed{Stage: s.stage(waitMS)})
}
