package accelbyte

import (
	"cmp"
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// sizes reads the keys alliance and alliance_flexing_rule. The active entry of
// alliance_flexing_rule with the longest duration replaces all four numbers of alliance. If two
// entries have the same duration, the later one counts.
func (c *compiler) sizes(o *object) {
	v, ok := o.get("alliance")
	if !ok {
		o.Missing("alliance", "an object with the numbers of teams and players")
	} else if alliance, ok := c.object(v, "alliance"); ok {
		c.pivot.Sizes = append(c.pivot.Sizes, c.teams(alliance))
		c.set.alliance = append(c.set.alliance, v)
		c.combination(alliance)
		c.unknown(alliance)
	}
	type entry struct {
		sizes matcher.TeamSizes
		at    jsontree.Value
	}
	var entries []entry
	for i, v := range o.list("alliance_flexing_rule") {
		flex, ok := c.object(v, fmt.Sprintf("alliance_flexing_rule[%d]", i))
		if !ok {
			continue
		}
		sizes := c.teams(flex)
		sizes.AfterMS = c.duration(flex)
		c.combination(flex)
		c.unknown(flex)
		entries = append(entries, entry{sizes, v})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.sizes.AfterMS, b.sizes.AfterMS) })
	for _, e := range entries {
		c.pivot.Sizes = append(c.pivot.Sizes, e.sizes)
		c.set.alliance = append(c.set.alliance, e.at)
	}
	c.matchSizes()
}

// teams reads the four numbers of alliance or of an alliance_flexing_rule entry.
func (c *compiler) teams(o *object) matcher.TeamSizes {
	var sizes matcher.TeamSizes
	sizes.MinTeams, sizes.MaxTeams = c.bounds(o, "min_number", "max_number")
	sizes.MinPlayers, sizes.MaxPlayers = c.bounds(o, "player_min_number", "player_max_number")
	if least := sizes.MinTeams * sizes.MinPlayers; least > matcher.MaxGroupPlayers {
		c.problems.Errorf(o.Value, "%s: the smallest match has %s of %s, expected at most %d players in a match",
			o.Label("player_min_number"), jsontree.Count(sizes.MinTeams, "team"), jsontree.Count(sizes.MinPlayers, "player"), matcher.MaxGroupPlayers)
	}
	return sizes
}

// bounds reads a minimum and a maximum, both at least 1.
func (c *compiler) bounds(o *object, least, most string) (from, to int) {
	for i, key := range []string{least, most} {
		n, ok := o.whole(key, 1)
		if !ok {
			o.Missing(key, "a whole number of at least 1")
		}
		if i == 0 {
			from = max(1, n)
		} else {
			to = max(1, n)
		}
	}
	if to < from {
		v, _ := o.get(most)
		if n, _ := v.Float(); n >= 1 {
			o.misfit(v, most, fmt.Sprintf("at least %s, which is %d", least, from))
		}
		to = from
	}
	return from, to
}

// combination records an error if role combinations are enabled, which are not supported.
func (c *compiler) combination(o *object) {
	v, ok := o.get("combination")
	if !ok {
		return
	}
	if has, _ := member(v, "has_combination"); has.Bool() {
		c.problems.Errorf(has, "%s: has_combination: role combinations are not supported, expected false", o.Label("combination"))
	}
}

// duration reads the duration of an entry in seconds and returns the wait in ms at which the entry
// becomes active.
func (c *compiler) duration(o *object) int64 {
	seconds, _ := o.whole("duration", 0)
	return c.activeFromMS(int64(seconds) * 1000)
}

// matchSizes derives the number of players in a match from the sizes of its teams.
func (c *compiler) matchSizes() {
	set := c.set.Rules
	set.MinPlayers, set.MaxPlayers = matcher.MaxGroupPlayers, 1
	for _, s := range c.pivot.Sizes {
		set.MinPlayers = min(set.MinPlayers, s.MinTeams*s.MinPlayers)
		most := matcher.MaxGroupPlayers
		if s.MaxTeams < most && s.MaxPlayers < most && s.MaxTeams*s.MaxPlayers > 1 {
			most = min(most, s.MaxTeams*s.MaxPlayers)
		}
		set.MaxPlayers = max(set.MaxPlayers, most)
	}
	// Allow for sessions with the number of teams of one entry and the team size of another,
	// because a session keeps its teams when another entry becomes active.
	if c.followsService() && c.pivot.Backfill {
		teams, players := 1, 1
		for _, s := range c.pivot.Sizes {
			teams, players = min(matcher.MaxGroupPlayers, max(teams, s.MaxTeams)), min(matcher.MaxGroupPlayers, max(players, s.MaxPlayers))
		}
		set.MaxPlayers = min(matcher.MaxGroupPlayers, max(set.MaxPlayers, teams*players))
	}
	set.MaxPlayers = max(set.MaxPlayers, set.MinPlayers)
}
