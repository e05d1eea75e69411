package pivot

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/textset"
)

// Reason is a rule that keeps a seed and a candidate apart.
type Reason struct {
	Rule int    // place among Ruleset.RuleNames; -1 where it only keeps out of sessions
	Name string // the rule's
	kind reasonKind
}

type reasonKind uint8

const (
	fixed    reasonKind = iota // waiting changes nothing
	distance                   // Rule is its place among the distances
	region
)

// The places of what has no name in the configuration, behind the region.
const (
	otherAttributes = 1 + iota
	samePlayer
	blockedPlayer
)

// regionAt returns the place of the region among the names of all rules.
func (r *Rules) regionAt() int { return len(r.Set.Distances) + len(r.Set.Options) }

// named returns the reason that a rule is, by its place.
func (r *Rules) named(rule int, kind reasonKind) Reason { return Reason{rule, r.names[rule], kind} }

// keepsApart returns the place of the first rule that keeps a seed and a candidate of the
// same kind apart whatever their waits.
func (r *Rules) keepsApart(seed, candidate Row) (rule int, apart bool) {
	a, b := &r.traits[seed], &r.traits[candidate]
	if a.named && b.named {
		if textset.Meet(a.people, b.people) {
			return r.regionAt() + samePlayer, true
		}
		if r.Set.Blocking == matcher.KeepApart && r.Block(seed, candidate) {
			return r.regionAt() + blockedPlayer, true
		}
	}
	for i := range r.Set.Options {
		if !allows(r.Set.Options[i].Kind, a.options[i], b.options[i], a.own[i], b.own[i]) {
			return len(r.Set.Distances) + i, true
		}
	}
	return 0, false
}

// allows tells whether an option lets two sets of it meet, that of a seed and that of a
// candidate.
func allows(kind matcher.OptionKind, a, b, ownA, ownB []matcher.Text) bool {
	switch {
	case kind == matcher.SameSet:
		return slices.Equal(a, b)
	case kind == matcher.NoRepeat:
		return !textset.Meet(a, b) && (len(a) == 0 || len(b) > 0)
	case len(a) == 0 || len(b) == 0:
		return len(a) == len(b)
	case !textset.Contains(b, ownA) || !textset.Contains(a, ownB):
		return false
	}
	return len(ownA) > 0 && len(ownB) > 0 || textset.Meet(a, b)
}

// Fixed returns the first reason, of those that no waiting changes, that keeps a seed and a
// candidate apart.
func (r *Rules) Fixed(seed, candidate Row) (why Reason, apart bool) {
	if r.rows.Kind[seed] == store.Session {
		switch {
		case !r.Set.Backfill:
			return Reason{Rule: -1, Name: "no backfill"}, true
		case r.traits[candidate].newOnly:
			return Reason{Rule: -1, Name: "new matches only"}, true
		}
	}
	if r.kinds.same[seed] != r.kinds.same[candidate] {
		return r.named(r.regionAt()+otherAttributes, fixed), true
	}
	rule, apart := r.keepsApart(seed, candidate)
	return r.named(rule, fixed), apart
}

// Waiting returns the first rule that keeps a seed and a candidate apart as long as they
// have waited now.
func (r *Rules) Waiting(seed, candidate Row) (why Reason, apart bool) {
	waits := r.waits(seed, candidate)
	for i := range r.Set.Distances {
		if !r.near(i, seed, candidate, waits) {
			return r.named(i, distance), true
		}
	}
	if r.regionMatters(seed, candidate) && !r.shareRegion(seed, candidate, waits) {
		return r.named(r.regionAt(), region), true
	}
	return Reason{}, false
}

// waits returns how long two rows have waited, in ms.
func (r *Rules) waits(seed, candidate Row) [2]int64 {
	return [2]int64{r.rows.WaitMS(seed), r.rows.WaitMS(candidate)}
}

// near tells whether a distance lets two rows meet after waits.
func (r *Rules) near(i int, seed, candidate Row, waits [2]int64) bool {
	difference := r.difference(i, seed, candidate)
	for _, waitMS := range waits {
		if l := distanceAt(&r.Set.Distances[i], waitMS); !lets(&l, difference) {
			return false
		}
	}
	return true
}

func (r *Rules) difference(i int, seed, candidate Row) float64 {
	return math.Abs(r.numbers.of(seed)[i] - r.numbers.of(candidate)[i])
}

// regionMatters tells whether two rows have to share a region.
func (r *Rules) regionMatters(seed, candidate Row) bool {
	if r.rows.Kind[seed] == store.Session {
		return r.Regions.sessions[seed] != matcher.NoRegion
	}
	return r.Regions.profiles[seed].measured || r.Regions.profiles[candidate].measured
}

// rttsTo returns the round-trip times of two rows to a region, 0 of one that goes anywhere
// or is a session there.
func (r *Rules) rttsTo(region matcher.Region, seed, candidate Row) (mine, other float64) {
	x, y := r.Regions.profiles[seed], r.Regions.profiles[candidate]
	if r.rows.Kind[seed] == store.Session {
		if region != r.Regions.sessions[seed] {
			return math.Inf(1), math.Inf(1)
		}
		return 0, y.to(region)
	}
	if x.measured {
		mine = x.to(region)
	}
	if y.measured {
		other = y.to(region)
	}
	return mine, other
}

// reachAfter returns how far a row reaches after a wait.
func (r *Rules) reachAfter(row Row, waitMS int64) float64 {
	reachMS, _ := r.Set.Region.ReachMS.At(waitMS)
	return limit(&r.Set.Region, reachMS, r.Regions.profiles[row].bestMS)
}

// shareRegion tells whether two rows reach a region after waits.
func (r *Rules) shareRegion(seed, candidate Row, waits [2]int64) bool {
	own, others := r.reachAfter(seed, waits[0]), r.reachAfter(candidate, waits[1])
	if r.rows.Kind[seed] == store.Session {
		own = math.MaxFloat64
	} else if waits[0] > r.Set.Region.OneWayAfterMS {
		others = r.Set.Region.MaxMS
	}
	for region := range matcher.Region(r.schema.Regions()) {
		mine, other := r.rttsTo(region, seed, candidate)
		if mine <= own+criterion.Tolerance && other <= others+criterion.Tolerance && !math.IsInf(max(mine, other), 1) {
			return true
		}
	}
	return false
}

// Observed returns what a rule that Waiting returned looks at, the threshold in force, and
// the first instant at which the rule lets the two rows meet; matcher.Never.
func (r *Rules) Observed(why Reason, seed, candidate Row) (value, bound float64, openMS int64) {
	if why.kind == distance {
		return r.distanceObserved(why.Rule, seed, candidate)
	}
	return r.regionObserved(seed, candidate)
}

func (r *Rules) distanceObserved(i int, seed, candidate Row) (value, bound float64, openMS int64) {
	d, waits := &r.Set.Distances[i], r.waits(seed, candidate)
	var after []int64
	for k := range d.Max {
		after = append(after, d.Max[k].AfterMS)
	}
	openMS = r.opens(seed, candidate, after, func(waits [2]int64) bool { return r.near(i, seed, candidate, waits) })
	bound = min(distanceAt(d, waits[0]).Bound, distanceAt(d, waits[1]).Bound)
	return r.difference(i, seed, candidate), bound, openMS
}

func (r *Rules) regionObserved(seed, candidate Row) (value, bound float64, openMS int64) {
	rule, waits := &r.Set.Region, r.waits(seed, candidate)
	reachMS, _ := rule.ReachMS.At(min(waits[0], waits[1]))
	bound = limit(rule, reachMS, min(r.Regions.profiles[seed].bestMS, r.Regions.profiles[candidate].bestMS))
	value = math.Inf(1)
	for region := range matcher.Region(r.schema.Regions()) {
		mine, other := r.rttsTo(region, seed, candidate)
		value = min(value, max(mine, other))
	}
	var after []int64
	const maxStages = 10_000 // more than any limit of milliseconds is away
	for stage := int64(1); rule.ReachMS.EveryMS > 0 && stage <= maxStages; stage++ {
		after = append(after, stage*rule.ReachMS.EveryMS)
		if reachMS, _ := rule.ReachMS.At(stage * rule.ReachMS.EveryMS); reachMS > value {
			break
		}
	}
	if rule.OneWayAfterMS < matcher.Never-1 {
		after = append(after, rule.OneWayAfterMS+1)
	}
	return value, bound, r.opens(seed, candidate, after, func(waits [2]int64) bool { return r.shareRegion(seed, candidate, waits) })
}

// opens returns the first instant from now on, of those at which one of two rows has waited
// so long, at which a rule lets them meet; matcher.Never.
func (r *Rules) opens(seed, candidate Row, afterMS []int64, lets func(waits [2]int64) bool) int64 {
	created := [2]int64{r.rows.CreatedMS[seed], r.rows.CreatedMS[candidate]}
	var instants []int64
	for _, c := range created {
		for _, after := range afterMS {
			if at := c + after; at > r.rows.NowMS {
				instants = append(instants, at)
			}
		}
	}
	slices.Sort(instants)
	for _, at := range instants {
		if lets([2]int64{at - created[0], at - created[1]}) {
			return at
		}
	}
	return matcher.Never
}
