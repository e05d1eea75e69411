package accelbyte

import (
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Limits of this package, far above the needs of real rulesets.
const (
	bytesMax   = 4 << 20
	entriesMax = 200 // elements of any list in a ruleset
)

// Ruleset is a compiled ruleset.
type Ruleset struct {
	Rules  *matcher.Ruleset
	Schema *matcher.Schema

	same       matcher.Column // ticket attributes that must be equal
	playerIDs  matcher.Column
	blocked    matcher.Column
	newOnly    matcher.Column
	platforms  matcher.Column // current platforms of the ticket's players
	numbers    []number
	options    []option
	freeOthers bool             // attributes that match_options does not declare need not be equal
	service    bool             // rules behave as the service does
	equal      []matcher.Column // only with service: the column of each name in alwaysEqual

	value    jsontree.Value // whole ruleset object, for positions of warnings
	flexing  []flexing
	alliance []jsontree.Value // alliance, then the entries of alliance_flexing_rule; indexed like Rules.Pivot.Sizes
}

// number is a numeric player attribute that a rule reads.
type number struct {
	attribute string
	column    matcher.Column
}

// option is a ticket attribute that match_options declares.
type option struct {
	name   string
	column matcher.Column // NoColumn if the type of the option is disable
}

// Read compiles the ruleset in text. Messages begin with file, the name of its file.
func Read(file string, text []byte, options vendor.Options) (*Ruleset, []jsontree.Warning, error) {
	return vendor.Read(file, text, bytesMax, options, compile)
}

// compile compiles a ruleset. root is either the ruleset object or, in an export, an object with
// the ruleset under its key data. Each error and warning names the field.
func compile(root jsontree.Value, options vendor.Options) (*Ruleset, []jsontree.Warning, error) {
	return vendor.Compile(root, bytesMax, func(problems *jsontree.Problems) *Ruleset {
		if list := split(root, nil, false); len(list) == 1 {
			root = list[0].Value
		}
		c := compiler{Options: options, problems: problems}
		set := c.ruleset(root)
		// A ruleset without errors should be valid. If it is not, report an error here rather than
		// let the engine panic.
		if problems.Count() == 0 {
			if err := set.Rules.Validate(); err != nil {
				problems.Errorf(root, "%v", err)
			}
		}
		return set
	})
}

// Recognises reports whether a JSON value looks like a ruleset of this vendor.
func Recognises(root jsontree.Value) bool {
	for _, key := range []string{"alliance", "alliance_flexing_rule", "matching_rule", "flexing_rule", "match_options", "auto_backfill"} {
		if _, ok := member(root, key); ok {
			return true
		}
	}
	if list := root.Elements(); len(list) > 0 { // the data of a list of rulesets
		return list[0].Kind() == jsontree.Struct && Recognises(list[0])
	}
	data, ok := root.Member("data")
	return ok && Recognises(data)
}

// split lists the rulesets of a document. An answer of the service's API has a ruleset under its key
// data, with its name beside it, or a list of such objects under data.
func split(root jsontree.Value, _ *jsontree.Problems, _ bool) []vendor.Ruleset {
	data, ok := root.Member("data")
	switch {
	case root.Kind() == jsontree.List && Recognises(root):
		var list []vendor.Ruleset
		for _, e := range root.Elements() {
			list = append(list, split(e, nil, false)...)
		}
		return list
	case ok && data.Kind() == jsontree.List && Recognises(data):
		return split(data, nil, false)
	case ok && Recognises(data):
		root, data = data, root
	}
	name, _ := data.Member("name")
	return []vendor.Ruleset{{Name: name.Text(), Value: root}}
}

// compiler holds the state of one call of compile.
type compiler struct {
	vendor.Options
	problems *jsontree.Problems
	set      *Ruleset
	pivot    *matcher.PivotRules
}

// ruleset reads the whole object.
func (c *compiler) ruleset(root jsontree.Value) *Ruleset {
	c.pivot = &matcher.PivotRules{}
	c.set = &Ruleset{Rules: &matcher.Ruleset{Pivot: c.pivot, Budget: c.Budget}, Schema: new(matcher.Schema), value: root}
	o, ok := c.object(root, "")
	if !ok {
		return c.set
	}
	s := c.set
	s.same, s.playerIDs = s.Schema.Column("other attributes"), s.Schema.Column("player")
	s.blocked, s.newOnly = s.Schema.Column(blockedPlayers), s.Schema.Column("new_session_only")
	s.platforms = s.Schema.Column("current_platform")
	c.pivot.Same, c.pivot.People, c.pivot.Blocked, c.pivot.NewOnly = s.same, s.playerIDs, s.blocked, s.newOnly
	c.pivot.Backfill = o.bool("auto_backfill", false)
	if c.followsService() {
		c.service()
	}
	c.sizes(o)
	c.distances(o)
	c.matchOptions(o)
	c.region(o)
	c.blocking(o)
	c.rebalance(o)
	c.unsupported(o)
	// The following keys do not affect matching. Read them, so that they are not reported as
	// unknown.
	o.bool("ticket_observability_enable", false)
	o.whole("max_delay_ms", 0)
	o.get("extra_attributes")
	c.unknown(o)
	return c.set
}

// blocking reads whether two players may play together if one of them blocks the other.
func (c *compiler) blocking(o *object) {
	v, ok := o.get("blocked_player_option")
	switch text := v.Text(); {
	case !ok, v.Kind() == jsontree.Text && text == "", text == "blockedPlayerCannotMatch":
		c.pivot.Blocking = matcher.KeepApart
	case text == "blockedPlayerCanMatchOnDifferentTeam":
		c.pivot.Blocking = matcher.OtherTeams
	case text == "blockedPlayerCanMatch":
		c.pivot.Blocking = matcher.IgnoreBlocks
	default:
		o.misfit(v, "blocked_player_option", "blockedPlayerCannotMatch, blockedPlayerCanMatchOnDifferentTeam or blockedPlayerCanMatch")
	}
}

// rebalance reads whether teams are balanced. It treats rebalance_version 1 as version 2, which
// divides players at least as evenly.
func (c *compiler) rebalance(o *object) {
	c.pivot.Balance = o.bool("rebalance_enable", true)
	if c.followsService() {
		c.pivot.InTurn.SmallestFirst = !c.pivot.Balance
	}
	v, ok := o.get("rebalance_version")
	if !ok {
		return
	}
	if c.followsService() && strings.ContainsAny(v.String(), ".eE") {
		o.misfit(v, "rebalance_version", "a whole number without a decimal point")
		return
	}
	if version, whole := v.Float(); !whole {
		o.misfit(v, "rebalance_version", "1 or 2")
	} else if version != 2 {
		o.warnf(v, "rebalance_version", "got %v, but mmsim always balances teams as version 2 does", v)
	}
}

// unsupported records errors about keys that affect matching but are not implemented.
func (c *compiler) unsupported(o *object) {
	if v, ok := o.get("sub_game_modes"); ok && (v.Kind() != jsontree.Struct || len(v.Members()) > 0) {
		c.problems.Errorf(v, "sub_game_modes: sub game modes are not supported, expected none")
	}
}
