package accelservice

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
	"mmsim/matcher/engine/internal/store"
)

// Fixed returns the first rule that keeps a candidate apart from a seed however long they wait.
// It does not consider other candidates.
func (r *Rules) Fixed(seed, row Row) (why around.Reason, apart bool) {
	a, b, region := &r.Traits[seed], &r.Traits[row], r.RegionAt()
	switch {
	case r.Rows.Kind[seed] == store.Session && b.NewOnly:
		return around.SessionOnly("new matches only"), true
	case matcher.SetsMeet(a.People, b.People):
		return r.Rules.Fixed(region + around.SamePlayer), true
	case !r.sameAttributes(seed, row):
		return r.Rules.Fixed(region + around.OtherAttributes), true
	case r.Set.Blocking == matcher.KeepApart && r.Block(seed, row), r.blocksItself(seed), r.blocksItself(row):
		return r.Rules.Fixed(region + around.BlockedPlayer), true
	}
	for i := range r.Set.Options {
		if !optionPasses(r.Set.Options[i].Kind, a.Options[i], a.Own[i], b.Options[i], b.Own[i]) {
			return r.Rules.Fixed(len(r.Set.Distances) + i), true
		}
	}
	return why, false
}

// Waiting returns the first rule that keeps a seed and a candidate apart at their current waits.
func (r *Rules) Waiting(seed, row Row) (why around.Reason, apart bool) {
	return r.waiting(seed, row, r.Limits(seed), r.Limits(row))
}

// waiting returns the first rule that keeps a seed and a candidate apart. The parameters ofSeed
// and ofCandidate are the limits of the seed and of the candidate.
func (r *Rules) waiting(seed, row Row, ofSeed, ofCandidate []Limit) (why around.Reason, apart bool) {
	for i := range r.Set.Distances {
		if difference, bound := r.difference(i, seed, row), r.bound(i, ofSeed, ofCandidate); difference > bound {
			return r.Rules.Waiting(i, difference, bound), true
		}
	}
	g := r.Regions
	x, y := &ofSeed[g.At], &ofCandidate[g.At]
	if r.ShareRegion(seed, row, x, y) {
		return why, false
	}
	bound := min(g.LimitMS(x.Bound, g.Best(seed)), g.LimitMS(y.Bound, g.Best(row)))
	return r.Rules.Waiting(r.RegionAt(), r.LowestRTT(seed, row), bound), true
}

func (r *Rules) difference(i int, a, b Row) float64 {
	return math.Abs(r.Numbers(a)[i] - r.Numbers(b)[i])
}

// bound returns the largest difference that distance rule i allows.
func (r *Rules) bound(i int, ofSeed, ofCandidate []Limit) float64 {
	if !ofSeed[i].Active {
		return math.Inf(1)
	}
	return min(ofSeed[i].Bound, r.reference(i, ofCandidate))
}

// Allowed returns the first instant from now on at which a seed and a candidate may be matched, or
// matcher.Never. No rule keeps the two apart forever.
func (r *Rules) Allowed(seed, row Row) int64 {
	players := r.Larger(seed, row)
	return r.Rules.Allowed(seed, row, func(ofSeed, ofCandidate []Limit, _ int64) bool {
		_, apart := r.waiting(seed, row, ofSeed, ofCandidate)
		return apart || players > r.SizesOf(ofSeed).MaxPlayers
	})
}

// Judge checks a match that was made outside the engine. It sets broken[i] for every rule i of
// Ruleset.RuleNames that the match breaks, except for rules about teams. group contains the seed.
// Judge cannot know which candidates were admitted without being matched, so it ignores their
// effect.
func (r *Rules) Judge(broken []bool, seed Row, group []Row, region matcher.Region) {
	distances, at := len(r.Set.Distances), r.RegionAt()
	for _, row := range group {
		if row == seed {
			broken[at] = broken[at] || r.Rows.Kind[seed] == store.Ticket && !r.Suits(seed, seed, region)
			continue
		}
		for i := range distances {
			broken[i] = broken[i] || r.difference(i, seed, row) > r.bound(i, r.Limits(seed), r.Limits(row))
		}
		a, b := &r.Traits[seed], &r.Traits[row]
		newOnly := r.Rows.Kind[seed] == store.Session && b.NewOnly
		broken[at] = broken[at] || !r.Suits(seed, row, region)
		broken[at+around.OtherAttributes] = broken[at+around.OtherAttributes] || newOnly || !r.sameAttributes(seed, row)
		broken[at+around.SamePlayer] = broken[at+around.SamePlayer] || matcher.SetsMeet(a.People, b.People)
		for i := range r.Set.Options {
			broken[distances+i] = broken[distances+i] || !optionPasses(r.Set.Options[i].Kind, a.Options[i], a.Own[i], b.Options[i], b.Own[i])
		}
	}
	for i := range r.Set.Options {
		_, holds := r.common(nil, i, group)
		broken[distances+i] = broken[distances+i] || !holds
	}
	for i, a := range group {
		blocks := func(b Row) bool { return r.Block(a, b) }
		broken[at+around.BlockedPlayer] = broken[at+around.BlockedPlayer] || r.Set.Blocking == matcher.KeepApart && slices.ContainsFunc(group[:i], blocks)
	}
}
