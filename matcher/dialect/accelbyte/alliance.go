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
func (c *compiler) sizes(o *jsontree.Object) {
	if alliance, ok := o.RequireObject("alliance", "an object with the numbers of teams and players"); ok {
		c.pivot.Sizes = append(c.pivot.Sizes, c.teams(alliance))
		c.set.alliance = append(c.set.alliance, alliance.Value)
		c.combination(alliance)
		alliance.Done()
	}
	type entry struct {
		sizes matcher.TeamSizes
		at    jsontree.Value
	}
	var entries []entry
	for _, flex := range o.Entries("alliance_flexing_rule", entriesMax) {
		sizes := c.teams(flex)
		sizes.AfterMS = c.duration(flex)
		c.combination(flex)
		flex.Done()
		entries = append(entries, entry{sizes, flex.Value})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.sizes.AfterMS, b.sizes.AfterMS) })
	for _, e := range entries {
		c.pivot.Sizes = append(c.pivot.Sizes, e.sizes)
		c.set.alliance = append(c.set.alliance, e.at)
	}
	c.matchSizes()
}

// teams reads the four numbers of alliance or of an alliance_flexing_rule entry.
func (c *compiler) teams(o *jsontree.Object) matcher.TeamSizes {
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
func (c *compiler) bounds(o *jsontree.Object, least, most string) (from, to int) {
	from, to = int(o.Number(least, wholeFrom(1))), int(o.Number(most, wholeFrom(1)))
	if to >= from {
		return from, to
	}
	if v, _ := o.Get(most); v.Kind() == jsontree.Number {
		o.Misfit(v, most, fmt.Sprintf("at least %s, which is %d", least, from))
	}
	return from, from
}

// combination records an error if role combinations are enabled, which are not supported.
func (c *compiler) combination(o *jsontree.Object) {
	v, ok := o.Get("combination")
	if !ok {
		return
	}
	if has, _ := member(v, "has_combination"); has.Bool() {
		c.problems.Errorf(has, "%s: has_combination: role combinations are not supported, expected false", o.Label("combination"))
	}
}

// duration reads the duration of an entry in seconds and returns the wait in ms at which the entry
// becomes active. In the service, that is one millisecond after the duration.
func (c *compiler) duration(o *jsontree.Object) int64 {
	afterMS := int64(o.NumberOr("duration", 0, wholeFrom(0))) * 1000
	if c.followsService() {
		afterMS++
	}
	return afterMS
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
