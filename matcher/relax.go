package matcher

import (
	"math"
	"slices"
)

// What keeps tickets apart under PivotRules beside its distances, options and region.
const (
	otherAttributes = "other attributes"
	samePlayer      = "same player"
	blockedPlayer   = "blocked player"
	teamSizes       = "team sizes"
	unnamedOfPivot  = 4
)

// RuleNames returns the names of all that may keep tickets apart or relaxes with
// their waits, in the order in which it is looked at: the Rules, or of PivotRules their
// distances, options, region, and at last what has no name in the configuration.
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

// TeamNames returns the names of the teams in their order; nil where teams have none.
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

// WithoutRegion returns a copy of the ruleset that does not look at round-trip
// times, for a caller who settles by himself where tickets may play. Its proposals
// have NoRegion.
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

// Relaxed is how far a rule had given way when a match was made.
type Relaxed struct {
	Stage    int  // steps it had taken, 0 as at the start; only those that can change something count
	Inactive bool // its stage did not enforce it
	Optional bool // it had become optional; of the pivot's region: candidates need not reach it by their own wait
}

// Relaxation appends, for each of RuleNames, how far it had given way for a match
// whose tickets had waited so long, ms, the seed first. Whose wait counts is up to
// the bases of the ruleset; under PivotRules it is the seed's.
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

// steps returns the stage that brought the threshold of a wait: later ones that leave it
// as it is do not count.
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
