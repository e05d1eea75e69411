package pivot

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/textset"
)

// Judge marks the rules, except those about teams, that a match around a seed breaks. The match
// was made outside the engine. broken is indexed like Ruleset.RuleNames. The group contains the
// seed.
func (r *Rules) Judge(broken []bool, seed Row, group []Row, region matcher.Region) {
	distances, at := len(r.Set.Distances), r.regionAt()
	broken[at] = region != matcher.NoRegion && !r.reaches(seed, seed, region)
	for _, row := range group {
		if row == seed {
			continue
		}
		for i := range distances {
			broken[i] = broken[i] || !r.near(i, seed, row, r.waits(seed, row))
		}
		broken[at] = broken[at] || region != matcher.NoRegion && !r.reaches(seed, row, region)
		newOnly := r.rows.Kind[seed] == store.Session && r.traits[row].newOnly
		broken[at+otherAttributes] = broken[at+otherAttributes] || newOnly || r.kinds.same[row] != r.kinds.same[seed]
	}
	for i := range r.Set.Options {
		broken[distances+i] = !r.optionHolds(i, seed, group)
	}
	for i, a := range group {
		for _, b := range group[:i] {
			x, y := &r.traits[a], &r.traits[b]
			broken[at+samePlayer] = broken[at+samePlayer] || textset.Meet(x.people, y.people)
			broken[at+blockedPlayer] = broken[at+blockedPlayer] || r.Set.Blocking == matcher.KeepApart && r.Block(a, b)
		}
	}
}

// reaches reports whether a seed, or a candidate of a seed, reaches a region.
func (r *Rules) reaches(seed, row Row, region matcher.Region) bool {
	g := &r.Regions
	switch {
	case r.rows.Kind[row] == store.Session:
		return g.sessions[row] == matcher.NoRegion || g.sessions[row] == region
	case r.rows.Kind[seed] == store.Session: // a ticket without measurements joins no session
		return g.Ignored || g.Profile(row).Measured && r.regionsAfter(row, r.rows.WaitMS(row))>>region&1 != 0
	case row != seed && r.rows.WaitMS(seed) > r.Set.Region.OneWayAfterMS:
		return g.within(row, r.Set.Region.MaxMS, reach.Unkept)>>region&1 != 0
	}
	return r.regionsAfter(row, r.rows.WaitMS(row))>>region&1 != 0
}

// optionHolds reports whether a group complies with an option.
func (r *Rules) optionHolds(i int, seed Row, group []Row) bool {
	kind, own := r.Set.Options[i].Kind, true
	var shared []matcher.Text
	for k, row := range group {
		t, first := &r.traits[row], &r.traits[seed]
		if kind == matcher.NoRepeat && len(first.options[i]) > 0 && len(t.options[i]) == 0 {
			return false
		}
		for _, other := range group[:k] {
			o := &r.traits[other]
			if !allows(kind, o.options[i], t.options[i], o.own[i], t.own[i]) {
				return false
			}
		}
		if own = own && len(t.own[i]) > 0; k == 0 {
			shared = slices.Clone(t.options[i])
		} else {
			shared = textset.Intersect(shared[:0], shared, t.options[i])
		}
	}
	return kind != matcher.SharedValue || own || len(shared) > 0 || len(r.traits[seed].options[i]) == 0
}

// Blocks reports whether a ticket blocks a player of a session.
func (r *Rules) Blocks(row Row, member *matcher.Player) bool {
	name := member.Value(r.Set.People)
	return name.Kind == matcher.IsText && slices.Contains(r.traits[row].blocked, name.Text)
}
