package accelpage

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
	"mmsim/matcher/engine/internal/criterion"
	"mmsim/matcher/engine/internal/store"
)

// keepsApart returns the index of the first rule without a threshold that keeps two rows out of the
// same match. The caller compares Traits.Same. seed is set if x is the seed of a search. ofSeed are the
// limits of the seed, or nil to consider only options that are always enforced.
func (r *Rules) keepsApart(x, y Row, seed bool, ofSeed []Limit) (rule int, apart bool) {
	a, b := &r.Traits[x], &r.Traits[y]
	if matcher.SetsMeet(a.People, b.People) {
		return r.RegionAt() + around.SamePlayer, true
	}
	if r.Set.Blocking == matcher.KeepApart && r.Block(x, y) {
		return r.RegionAt() + around.BlockedPlayer, true
	}
	for i := range r.Set.Options {
		missing := seed && r.Set.Options[i].Kind == matcher.NoRepeat && len(a.Options[i]) > 0 && len(b.Options[i]) == 0 // a seed that has values does not accept a candidate without any
		if (missing || !r.allows(i, a, b)) && r.Enforced(i, ofSeed) {
			return len(r.Set.Distances) + i, true
		}
	}
	return 0, false
}

// allows reports whether option i allows two tickets in the same match. It reads only the values that
// the option's kind compares: with four sets as parameters, a pass in which options keep most tickets
// apart took 3 percent more instructions.
func (r *Rules) allows(i int, a, b *around.Traits) bool {
	x, y := a.Options[i], b.Options[i]
	switch kind := r.Set.Options[i].Kind; {
	case kind == matcher.SameSet:
		return slices.Equal(x, y)
	case kind == matcher.NoRepeat:
		return !matcher.SetsMeet(x, y)
	case len(x) == 0 || len(y) == 0:
		return len(x) == len(y)
	case !matcher.SetContains(y, a.Own[i]) || !matcher.SetContains(x, b.Own[i]):
		return false
	}
	return len(a.Own[i]) > 0 && len(b.Own[i]) > 0 || matcher.SetsMeet(x, y)
}

// Fixed returns the first rule that keeps a seed and a candidate apart however long they wait.
func (r *Rules) Fixed(seed, candidate Row) (why around.Reason, apart bool) {
	if r.Rows.Kind[seed] == store.Session {
		switch {
		case !r.Set.Backfill:
			return around.SessionOnly("no backfill"), true
		case r.Traits[candidate].NewOnly:
			return around.SessionOnly("new matches only"), true
		}
	}
	if r.Traits[seed].Same != r.Traits[candidate].Same {
		return r.Rules.Fixed(r.RegionAt() + around.OtherAttributes), true
	}
	rule, apart := r.keepsApart(seed, candidate, true, nil)
	return r.Rules.Fixed(rule), apart
}

// Waiting returns the first rule that keeps a seed and a candidate apart at their current waits.
func (r *Rules) Waiting(seed, candidate Row) (why around.Reason, apart bool) {
	return r.waiting(seed, candidate, r.Limits(seed), r.Limits(candidate), r.Rows.NowMS)
}

// waiting does the same as Waiting at an instant, under given limits of the seed and of the candidate.
func (r *Rules) waiting(seed, candidate Row, ofSeed, ofCandidate []Limit, atMS int64) (why around.Reason, apart bool) {
	for i := range r.Set.Distances {
		difference, bound := r.difference(i, seed, candidate), r.Bound(i, seed, candidate, ofSeed, ofCandidate, atMS)
		if difference > bound+criterion.Tolerance {
			return r.Rules.Waiting(i, difference, bound), true
		}
	}
	if rule, apart := r.keepsApart(seed, candidate, true, ofSeed); apart {
		return r.Rules.Fixed(rule), true
	}
	x, y := &ofSeed[r.Regions.At], &ofCandidate[r.Regions.At]
	if r.ShareRegion(seed, candidate, x, y) {
		return why, false
	}
	bestMS := min(r.Regions.Best(seed), r.Regions.Best(candidate))
	return r.Rules.Waiting(r.RegionAt(), r.LowestRTT(seed, candidate), r.Regions.LimitMS(min(x.Bound, y.Bound), bestMS)), true
}

func (r *Rules) difference(i int, a, b Row) float64 {
	return math.Abs(r.Numbers(a)[i] - r.Numbers(b)[i])
}

// Allowed returns the first instant from now on at which a seed and a candidate may be matched, or
// matcher.Never. No rule keeps the two apart forever.
func (r *Rules) Allowed(seed, candidate Row) int64 {
	players := r.Larger(seed, candidate)
	return r.Rules.Allowed(seed, candidate, func(ofSeed, ofCandidate []Limit, atMS int64) bool {
		_, apart := r.waiting(seed, candidate, ofSeed, ofCandidate, atMS)
		return apart || players > r.SizesOf(ofSeed).MaxPlayers
	})
}

// Judge checks a match that was made outside the engine. It sets broken[i] for every rule i of
// Ruleset.RuleNames that the match breaks, except for rules about teams. group contains the seed.
func (r *Rules) Judge(broken []bool, seed Row, group []Row, region matcher.Region) {
	distances, at := len(r.Set.Distances), r.RegionAt()
	ofSeed := r.Limits(seed)
	for _, row := range group {
		if broken[at] = broken[at] || !r.Suits(seed, row, region); row == seed {
			continue
		}
		for i := range distances {
			broken[i] = broken[i] || r.difference(i, seed, row) > r.Bound(i, seed, row, ofSeed, r.Limits(row), r.Rows.NowMS)+criterion.Tolerance
		}
		newOnly := r.Rows.Kind[seed] == store.Session && r.Traits[row].NewOnly
		broken[at+around.OtherAttributes] = broken[at+around.OtherAttributes] || newOnly || r.Traits[row].Same != r.Traits[seed].Same
	}
	for i := range r.Set.Options {
		broken[distances+i] = r.Enforced(i, ofSeed) && !r.optionHolds(i, seed, group)
	}
	for i, a := range group {
		for _, b := range group[:i] {
			broken[at+around.SamePlayer] = broken[at+around.SamePlayer] || matcher.SetsMeet(r.Traits[a].People, r.Traits[b].People)
			broken[at+around.BlockedPlayer] = broken[at+around.BlockedPlayer] || r.Set.Blocking == matcher.KeepApart && r.Block(a, b)
		}
	}
}

// optionHolds reports whether a group satisfies option i.
func (r *Rules) optionHolds(i int, seed Row, group []Row) bool {
	kind, first, allOwn := r.Set.Options[i].Kind, &r.Traits[seed], true
	shared := slices.Clone(first.Options[i])
	for k, row := range group {
		t := &r.Traits[row]
		if kind == matcher.NoRepeat && len(first.Options[i]) > 0 && len(t.Options[i]) == 0 {
			return false
		}
		for _, other := range group[:k] {
			if !r.allows(i, &r.Traits[other], t) {
				return false
			}
		}
		allOwn = allOwn && len(t.Own[i]) > 0
		shared = matcher.IntersectSets(shared[:0], shared, t.Options[i])
	}
	return kind != matcher.SharedValue || allOwn || len(shared) > 0 || len(first.Options[i]) == 0
}
