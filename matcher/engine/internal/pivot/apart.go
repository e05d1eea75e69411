package pivot

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/textset"
)

// Reason is the rule that keeps a seed and a candidate apart.
type Reason struct {
	Rule int    // index in Ruleset.RuleNames; -1: the reason applies only to sessions
	Name string // the rule's
	kind reasonKind
}

type reasonKind uint8

const (
	fixed    reasonKind = iota // independent of the waits
	distance                   // Rule is its index in the distances
	region
)

// Rules without a name in the configuration, by their offset from the region's index.
const (
	otherAttributes = 1 + iota
	samePlayer
	blockedPlayer
)

// regionAt returns the index of the region in the names of all rules.
func (r *Rules) regionAt() int { return len(r.Set.Distances) + len(r.Set.Options) }

// named returns the reason for a rule, given its index.
func (r *Rules) named(rule int, kind reasonKind) Reason { return Reason{rule, r.names[rule], kind} }

// keepsApart returns the index of the first rule that keeps two rows of the same kind out of
// one match whatever their waits. seed is set if the first row is the seed: a seed with a
// NoRepeat option does not accept candidates without it.
func (r *Rules) keepsApart(x, y Row, seed bool) (rule int, apart bool) {
	a, b := &r.traits[x], &r.traits[y]
	if a.named && b.named {
		if textset.Meet(a.people, b.people) {
			return r.regionAt() + samePlayer, true
		}
		if r.Set.Blocking == matcher.KeepApart && r.Block(x, y) {
			return r.regionAt() + blockedPlayer, true
		}
	}
	for i := range r.Set.Options {
		kind := r.Set.Options[i].Kind
		wanting := seed && kind == matcher.NoRepeat && len(a.options[i]) > 0 && len(b.options[i]) == 0
		if wanting || !allows(kind, a.options[i], b.options[i], a.own[i], b.own[i]) {
			return len(r.Set.Distances) + i, true
		}
	}
	return 0, false
}

// allows reports whether an option lets two tickets with these sets of values meet.
func allows(kind matcher.OptionKind, a, b, ownA, ownB []matcher.Text) bool {
	switch {
	case kind == matcher.SameSet:
		return slices.Equal(a, b)
	case kind == matcher.NoRepeat:
		return !textset.Meet(a, b)
	case len(a) == 0 || len(b) == 0:
		return len(a) == len(b)
	case !textset.Contains(b, ownA) || !textset.Contains(a, ownB):
		return false
	}
	return len(ownA) > 0 && len(ownB) > 0 || textset.Meet(a, b)
}

// Fixed returns the first reason that keeps a seed and a candidate apart and does not depend on
// their waits.
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
	rule, apart := r.keepsApart(seed, candidate, true)
	return r.named(rule, fixed), apart
}

// Waiting returns the first rule that keeps a seed and a candidate apart at their current
// waits.
func (r *Rules) Waiting(seed, candidate Row) (why Reason, apart bool) {
	waits := r.waits(seed, candidate)
	for i := range r.Set.Distances {
		if !r.near(i, seed, candidate, waits) {
			return r.named(i, distance), true
		}
	}
	if !r.shareRegion(seed, candidate, waits) {
		return r.named(r.regionAt(), region), true
	}
	return Reason{}, false
}

// waits returns the current waits of two rows, in ms.
func (r *Rules) waits(seed, candidate Row) [2]int64 {
	return [2]int64{r.rows.WaitMS(seed), r.rows.WaitMS(candidate)}
}

// near reports whether a distance lets two rows meet after waits.
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

// regionsAfter returns the regions that a row reaches after a wait.
func (r *Rules) regionsAfter(row Row, waitMS int64) uint64 {
	reachMS, _ := r.Set.Region.ReachMS.At(waitMS)
	return r.Regions.within(row, reachMS, reach.Unkept)
}

// shareRegion reports whether two rows reach a common region after waits. A row without
// measurements may go anywhere, except into a session that has a region.
func (r *Rules) shareRegion(seed, candidate Row, waits [2]int64) bool {
	g := &r.Regions
	if r.rows.Kind[seed] == store.Session {
		at := g.sessions[seed]
		return at == matcher.NoRegion || g.Profile(candidate).Measured && r.regionsAfter(candidate, waits[1])>>at&1 != 0
	}
	theirs := r.regionsAfter(candidate, waits[1])
	if waits[0] > r.Set.Region.OneWayAfterMS {
		theirs = g.within(candidate, math.Inf(1), 0)
	}
	return r.regionsAfter(seed, waits[0])&theirs != 0
}

// rttTo returns the higher round-trip time of two rows to a region. A row without measurements
// counts as 0, and so does a session in that region.
func (r *Rules) rttTo(region matcher.Region, seed, candidate Row) float64 {
	x, y := r.Regions.Profile(seed), r.Regions.Profile(candidate)
	switch {
	case r.rows.Kind[seed] == store.Session && region != r.Regions.sessions[seed]:
		return math.Inf(1)
	case r.rows.Kind[seed] == store.Session || !x.Measured:
		return y.To(region)
	case !y.Measured:
		return x.To(region)
	}
	return max(x.To(region), y.To(region))
}

// Observed returns, for a rule returned by Waiting, the value that it compares, the current
// threshold, and the first instant at which the rule lets the two rows meet; matcher.Never.
func (r *Rules) Observed(why Reason, seed, candidate Row) (value, bound float64, openMS int64) {
	if why.kind == distance {
		return r.distanceObserved(why.Rule, seed, candidate)
	}
	return r.regionObserved(seed, candidate)
}

func (r *Rules) distanceObserved(i int, seed, candidate Row) (value, bound float64, openMS int64) {
	d, waits := &r.Set.Distances[i], r.waits(seed, candidate)
	bound = min(distanceAt(d, waits[0]).Bound, distanceAt(d, waits[1]).Bound)
	next := func(waitMS int64) int64 { return nextDistance(d, waitMS) }
	openMS = r.opens(waits, next, func(waits [2]int64) bool { return r.near(i, seed, candidate, waits) })
	return r.difference(i, seed, candidate), bound, openMS
}

func (r *Rules) regionObserved(seed, candidate Row) (value, bound float64, openMS int64) {
	rule, waits := &r.Set.Region, r.waits(seed, candidate)
	reachMS, _ := rule.ReachMS.At(min(waits[0], waits[1]))
	bound = limit(rule, reachMS, min(r.Regions.Profile(seed).BestMS, r.Regions.Profile(candidate).BestMS))
	value = math.Inf(1)
	for region := range matcher.Region(r.schema.Regions()) {
		value = min(value, r.rttTo(region, seed, candidate))
	}
	next := func(waitMS int64) int64 { return nextRegion(rule, waitMS) }
	openMS = r.opens(waits, next, func(waits [2]int64) bool { return r.shareRegion(seed, candidate, waits) })
	return value, bound, openMS
}

// opens returns the first instant, from now on, at which a rule lets two rows with these
// current waits meet; matcher.Never. next returns the next wait at which the rule changes.
func (r *Rules) opens(waits [2]int64, next func(waitMS int64) int64, lets func(waits [2]int64) bool) int64 {
	at := r.rows.NowMS
	const maxChanges = 20_000 // more than the number of changes of any limit in milliseconds
	for range maxChanges {
		step := min(next(waits[0])-waits[0], next(waits[1])-waits[1])
		if step >= matcher.Never-max(waits[0], waits[1]) {
			break
		}
		at, waits[0], waits[1] = at+step, waits[0]+step, waits[1]+step
		if lets(waits) {
			return at
		}
	}
	return matcher.Never
}
