package playfab

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Limits of a queue. The service documents all except the last two.
const (
	matchSizeMin      = 2
	matchSizeMax      = 100
	matchSizeTeamsMax = 32
	rulesMax          = 20
	queueNameMax      = 64
	ruleNameMax       = 255
	weightMax         = 1000
	// teamsMax is a limit of this package. A match with teams has at most 32 players, so with more
	// than 32 teams, at least one team would have no player.
	teamsMax = matchSizeTeamsMax
	// bytesMax is the maximum size of a document. A queue that reaches all limits has about 20 kB.
	bytesMax = 4 << 20
)

// Queue is a compiled queue.
type Queue struct {
	Name    string
	Ruleset *matcher.Ruleset
	Schema  *matcher.Schema
	// Attributes lists the attributes that the rules read. Attributes that differ in path, source
	// or kind are listed separately.
	Attributes []Attribute
	// ShowPlayers and ShowTimeToMatch tell which statistics players may see.
	ShowPlayers, ShowTimeToMatch bool

	latencies *Attribute // where the region rule finds a player's latencies; nil without a region rule
	value     jsontree.Value
	rules     []jsontree.Value // in the order of Ruleset.Rules
}

// namePattern matches valid names of queues, teams and rules.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// queue reads one queue. The result is valid only if there was no error.
func (c *compiler) queue(v jsontree.Value) *Queue {
	o, ok := c.problems.Object(v, "")
	if !ok {
		return nil
	}
	c.current = &Queue{
		Schema:  &matcher.Schema{},
		Ruleset: &matcher.Ruleset{ExpansionBasis: c.ExpansionBasis, OptionalBasis: c.OptionalBasis, Budget: c.Budget, PartitionAbove: c.PartitionAbove},
		value:   v,
	}
	q := c.current
	q.Name = c.name(o, queueNameMax)
	q.Ruleset.Name = q.Name
	c.teams(o)
	c.sizes(o)
	c.rules(o)
	c.allocation(o)
	if show, ok := o.Object("StatisticsVisibilityToPlayers"); ok {
		q.ShowPlayers = c.requiredBool(show, "ShowNumberOfPlayersMatching")
		q.ShowTimeToMatch = c.requiredBool(show, "ShowTimeToMatch")
		show.Done()
	}
	o.Done()
	return q
}

// name reads the Name of a queue, team or rule.
func (c *compiler) name(o *jsontree.Object, longest int) string {
	name := o.Text("Name")
	if v, ok := o.Get("Name"); ok && v.Kind() == jsontree.Text && (len(name) > longest || !namePattern.MatchString(name)) {
		o.Misfit(v, "Name", fmt.Sprintf("1 to %d letters, digits, _ and -, beginning with a letter or a digit", longest))
	}
	return name
}

func (c *compiler) requiredBool(o *jsontree.Object, name string) bool {
	if _, ok := o.Get(name); !ok {
		o.Missing(name, "true or false")
	}
	return o.BoolOr(name, false)
}

// sizes reads the minimum and maximum sizes of matches and tickets.
func (c *compiler) sizes(o *jsontree.Object) {
	set := c.current.Ruleset
	set.MinPlayers = int(o.Number("MinMatchSize", wholeIn(matchSizeMin, math.MaxUint32)))
	set.MaxPlayers = int(o.Number("MaxMatchSize", wholeIn(0, matchSizeMax)))
	v, ok := o.Get("MaxMatchSize")
	switch {
	case !ok || set.MaxPlayers == 0:
	case len(set.Teams) > 0 && set.MaxPlayers > matchSizeTeamsMax:
		o.Misfit(v, "MaxMatchSize", fmt.Sprintf("at most %d in a queue with Teams", matchSizeTeamsMax))
	case set.MaxPlayers < set.MinPlayers:
		o.Misfit(v, "MaxMatchSize", fmt.Sprintf("at least MinMatchSize, which is %d", set.MinPlayers))
	}
	set.MaxTicket = int(o.NumberOr("MaxTicketSize", 0, wholeIn(1, math.MaxUint32)))
	c.fitTeams(o)
}

func wholeIn(from, to float64) jsontree.Limits {
	return jsontree.Limits{Least: from, Most: to, Whole: true}
}

// fitTeams warns if the team sizes allow no match. This is not an error, because one of the
// vendor's samples has such teams.
func (c *compiler) fitTeams(o *jsontree.Object) {
	set := c.current.Ruleset
	least, most := 0, 0
	for _, team := range set.Teams {
		least, most = least+team.Min, most+team.Max
	}
	teams, ok := o.Get("Teams")
	switch {
	case !ok || len(set.Teams) == 0 || set.MaxPlayers == 0 || set.MinPlayers == 0:
	case least > set.MaxPlayers:
		o.Warnf(teams, "Teams", "no match is possible: MinTeamSize of all teams adds up to %d, but MaxMatchSize is %d", least, set.MaxPlayers)
	case most < set.MinPlayers:
		o.Warnf(teams, "Teams", "no match is possible: MaxTeamSize of all teams adds up to %d, but MinMatchSize is %d", most, set.MinPlayers)
	}
}

// teams reads the teams. An empty list is the same as none.
func (c *compiler) teams(o *jsontree.Object) {
	list := o.List("Teams")
	if v, _ := o.Get("Teams"); len(list) == 1 || len(list) > teamsMax {
		c.problems.Errorf(v, "Teams: got %s, expected none or 2 to %d", jsontree.Count(len(list), "team"), teamsMax)
		return
	}
	for _, team := range o.Entries("Teams", teamsMax) {
		name := c.name(team, queueNameMax)
		smallest, largest := int(team.Whole("MinTeamSize")), int(team.Number("MaxTeamSize", wholeIn(1, matchSizeMax)))
		if v, ok := team.Get("MinTeamSize"); ok && team.Has("MaxTeamSize") && smallest > largest {
			team.Misfit(v, "MinTeamSize", fmt.Sprintf("at most MaxTeamSize, which is %d", largest))
		}
		c.unique(team, name, c.current.Ruleset.TeamNames())
		team.Done()
		c.current.Ruleset.Teams = append(c.current.Ruleset.Teams, matcher.Team{Name: name, Min: smallest, Max: largest})
	}
}

// unique checks that a name differs from earlier ones. If two names differ only in letter case, it
// warns instead of recording an error: the documentation contradicts itself on this, and the
// service has accepted a queue with such names.
func (c *compiler) unique(o *jsontree.Object, name string, earlier []string) {
	v, ok := o.Get("Name")
	if !ok {
		return
	}
	for _, other := range earlier {
		switch {
		case other == name:
			o.Misfit(v, "Name", "a unique name")
			return
		case strings.EqualFold(other, name):
			o.Warnf(v, "Name", "%q and %q differ only in letter case", other, name)
			return
		}
	}
}

// allocation checks the settings for server allocation, which have no effect on matching.
func (c *compiler) allocation(o *jsontree.Object) {
	v, _ := o.Get("ServerAllocationEnabled")
	enabled := o.BoolOr("ServerAllocationEnabled", false)
	o.TextOr("BuildId", "")
	if alias, ok := o.Object("BuildAliasParams"); ok {
		alias.Text("AliasId")
		alias.Done()
	}
	if !enabled {
		return
	}
	if !c.hasRule("RegionSelectionRule") {
		c.problems.Errorf(v, "ServerAllocationEnabled: got true, which requires a RegionSelectionRule")
	}
	if !o.Has("BuildId") && !o.Has("BuildAliasParams") {
		c.problems.Errorf(v, "ServerAllocationEnabled: got true, which requires BuildId or BuildAliasParams")
	}
}
