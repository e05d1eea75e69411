package around

import (
	"math"
	"sort"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Reason describes the rule that keeps a candidate apart from a seed. Value is what the rule
// compares and Bound is its current limit. Both are NaN unless the rule compares numbers.
type Reason struct {
	Rule         int // index in Ruleset.RuleNames, or -1 if the reason applies only to sessions
	Name         string
	Value, Bound float64
}

// These rules have no name in the configuration. Their indexes in Ruleset.RuleNames are RegionAt
// plus these offsets.
const (
	OtherAttributes = 1 + iota
	SamePlayer
	BlockedPlayer
)

// RegionAt returns the index of the region rule in Ruleset.RuleNames.
func (r *Rules) RegionAt() int { return len(r.Set.Distances) + len(r.Set.Options) }

// Fixed returns the reason for a rule whose outcome does not change with waiting time.
func (r *Rules) Fixed(rule int) Reason {
	return Reason{Rule: rule, Name: r.names[rule], Value: math.NaN(), Bound: math.NaN()}
}

// SessionOnly returns a reason that applies only to sessions.
func SessionOnly(name string) Reason {
	return Reason{Rule: -1, Name: name, Value: math.NaN(), Bound: math.NaN()}
}

// Waiting returns the reason for a rule whose outcome may change as the rows wait. The rule
// compared value with bound.
func (r *Rules) Waiting(rule int, value, bound float64) Reason {
	return Reason{Rule: rule, Name: r.names[rule], Value: value, Bound: bound}
}

// ShareRegion reports whether a seed and a candidate may be matched in a common region. The
// parameters ofSeed and ofCandidate are the region limits of the seed and of the candidate.
func (r *Rules) ShareRegion(seed, row Row, ofSeed, ofCandidate *Limit) bool {
	g := r.Regions
	if r.Rows.Kind[seed] == store.Session {
		at := r.Traits[seed].Region
		return at == matcher.NoRegion || g.Table.Mask(ofCandidate, row)&g.Only(at) != 0
	}
	mask := g.Table.Mask(ofCandidate, row)
	if ofSeed.Optional {
		mask = g.candidateMask(ofSeed, row)
	}
	return g.orAny(seed, g.Table.Mask(ofSeed, seed))&g.orAny(row, mask) != 0
}

// Suits reports whether row, which is either the seed or a candidate of the seed, may be matched
// in a region.
func (r *Rules) Suits(seed, row Row, region matcher.Region) bool {
	g := r.Regions
	switch {
	case region == matcher.NoRegion:
		return true
	case r.Rows.Kind[row] == store.Session:
		at := r.Traits[row].Region
		return at == matcher.NoRegion || at == region
	case r.Rows.Kind[seed] == store.Session: // a ticket cannot join a session if it reaches no region
		return g.rule.Ignored || g.Reach(row)&g.Only(region) != 0
	case g.inTurn && g.Reach(seed) == 0: // such a seed may be matched anywhere and accepts every candidate
		return true
	case row == seed:
		return g.orAny(seed, g.Reach(seed))&g.Only(region) != 0
	}
	return g.CandidateMask(&r.Limits(seed)[g.At], row)&g.Only(region) != 0
}

// LowestRTT takes the higher of the two rows' round-trip times to each region, and returns the
// lowest of these in ms. A row without measurements counts as 0 ms. If the seed is a session,
// only the candidate's round-trip time to the session's region counts.
func (r *Rules) LowestRTT(seed, row Row) float64 {
	g, session := r.Regions, r.Rows.Kind[seed] == store.Session
	x, y, lowest := g.Of(seed), g.Of(row), math.Inf(1)
	for bit := range y {
		switch {
		case session && g.Region(bit) != r.Traits[seed].Region:
		case session || !g.Measured(seed):
			lowest = min(lowest, y[bit])
		case !g.Measured(row):
			lowest = min(lowest, x[bit])
		default:
			lowest = min(lowest, max(x[bit], y[bit]))
		}
	}
	return lowest
}

// Allowed returns the first instant from now on at which a seed and a candidate may be matched, or
// matcher.Never. apart reports whether a rule or the sizes of teams keep the two apart under the
// given limits. It is called for later instants. Between two changes of distances, sizes, options or
// PivotRegion.OneWayAfterMS, rows only reach more regions, so a binary search finds the instant. The
// mean of two waits changes like the wait of a row that was created at the mean instant, rounded up.
func (r *Rules) Allowed(seed, row Row, apart func(ofSeed, ofCandidate []Limit, atMS int64) bool) int64 {
	a, b := r.Rows.CreatedMS[seed], r.Rows.CreatedMS[row]
	created := [3]int64{a, b, a + (b-a)>>1 + (b-a)&1}
	allows := func(atMS int64) bool {
		ofSeed, ofCandidate := r.StageAt(max(0, atMS-created[0])), r.StageAt(max(0, atMS-created[1]))
		return !apart(ofSeed.Limits, ofCandidate.Limits, atMS)
	}
	const horizon = 1 << 40 // 34 years in ms; no ticket waits that long
	for from := r.Rows.NowMS; ; {
		to := matcher.Never
		for _, createdMS := range created {
			if change := r.Turn(max(0, from-createdMS)); change < matcher.Never-max(0, createdMS) {
				to = min(to, createdMS+change)
			}
		}
		n := int(min(to-from, horizon))
		if after := sort.Search(n, func(i int) bool { return allows(from + int64(i)) }); after < n {
			return from + int64(after)
		}
		if to == matcher.Never {
			return matcher.Never
		}
		from = to
	}
}

// Turn returns the first wait, in ms, after waitMS at which a distance rule, an option, the sizes of
// teams or the regions that count for a candidate change. It returns matcher.Never if there is none.
func (r *Rules) Turn(waitMS int64) int64 {
	_, next := r.Set.SizesAt(waitMS)
	for i := range r.Set.Distances {
		_, untilMS := r.Set.Distances[i].Max.Stage(waitMS)
		next = min(next, untilMS)
	}
	for i := range r.Set.Options {
		_, untilMS := r.Set.Options[i].Enforced.Stage(waitMS)
		next = min(next, untilMS)
	}
	if oneWay := r.Set.Region.OneWayAfterMS; oneWay < matcher.Never && waitMS <= oneWay {
		next = min(next, oneWay+1)
	}
	return next
}
