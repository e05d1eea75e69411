package scan

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/textset"
)

// Judge marks the rules, except those about teams, that a match around a seed breaks. The match
// was made outside the engine. broken is indexed like Ruleset.RuleNames. The group contains the
// seed. Candidates that are not in the match have no effect.
func (r *Rules) Judge(broken []bool, seed Row, group []Row, region matcher.Region) {
	distances, at := len(r.Set.Distances), len(r.Set.Distances)+len(r.Set.Options)
	mine, own := r.limits(seed), r.of(seed)
	broken[at] = !r.seedReaches(seed, region)
	for _, row := range group {
		if row == seed {
			continue
		}
		theirs, other := r.limits(row), r.of(row)
		for i := range distances {
			broken[i] = broken[i] || mine[i].Active && math.Abs(other[i]-own[i]) > min(mine[i].Bound, r.reference(i, theirs))
		}
		a, b := &r.traits[seed], &r.traits[row]
		newOnly := r.rows.Kind[seed] == store.Session && b.newOnly
		broken[at] = broken[at] || !r.reaches(seed, row, region)
		broken[at+otherAttributes] = broken[at+otherAttributes] || newOnly || !r.sameAttributes(seed, row)
		broken[at+samePlayer] = broken[at+samePlayer] || textset.Meet(a.people, b.people)
		for i := range r.Set.Options {
			broken[distances+i] = broken[distances+i] || !optionPasses(r.Set.Options[i].Kind, a.options[i], a.own[i], b.options[i], b.own[i])
		}
	}
	for i := range r.Set.Options {
		_, holds := r.common(nil, i, group)
		broken[distances+i] = broken[distances+i] || !holds
	}
	for i, a := range group {
		blocks := func(b Row) bool { return r.Block(a, b) }
		broken[at+blockedPlayer] = broken[at+blockedPlayer] || r.Set.Blocking == matcher.KeepApart && slices.ContainsFunc(group[:i], blocks)
	}
}

// seedReaches reports whether the seed allows a match in a region. A seed that reaches no
// region may go anywhere.
func (r *Rules) seedReaches(seed Row, region matcher.Region) bool {
	if region == matcher.NoRegion || r.rows.Kind[seed] == store.Session {
		return true
	}
	reach := r.regions.Reach(seed)
	return reach == 0 || reach>>region&1 != 0
}

// reaches reports whether a candidate may be in a region, as in Theirs. A candidate that
// reaches no region cannot join a session.
func (r *Rules) reaches(seed, row Row, region matcher.Region) bool {
	if region == matcher.NoRegion {
		return true
	}
	if r.rows.Kind[seed] == store.Session {
		return r.regions.Ignored || r.regions.Reach(row)>>region&1 != 0
	}
	return r.regions.Reach(seed) == 0 || r.regions.Theirs(&r.limits(seed)[r.regions.At], row)>>region&1 != 0
}

// Block reports whether one of two rows blocks the other.
func (r *Rules) Block(a, b Row) bool {
	x, y := &r.traits[a], &r.traits[b]
	return textset.Meet(x.blocked, y.people) || textset.Meet(y.blocked, x.people)
}

// Blocks reports whether a ticket blocks a player of a session.
func (r *Rules) Blocks(row Row, member *matcher.Player) bool {
	name := member.Value(r.Set.People)
	return name.Kind == matcher.IsText && slices.Contains(r.traits[row].blocked, name.Text)
}
