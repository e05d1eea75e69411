package accelbyte

import (
	"math"
	"slices"
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

// numberMax is the largest number that the service accepts.
const numberMax = math.MaxInt32

// wholeFrom and upTo return the limits of a whole number from least on, and of a number of at most most.
func wholeFrom(least float64) jsontree.Limits {
	return jsontree.Limits{Least: least, Most: numberMax, Whole: true}
}
func upTo(most float64) jsontree.Limits { return jsontree.Limits{Most: most} }

// member returns the value under a key, ignoring letter case. It returns false if the value is
// absent or null.
func member(v jsontree.Value, key string) (jsontree.Value, bool) {
	for _, m := range v.Members() {
		if strings.EqualFold(m.Name, key) {
			return m.Value, m.Value.Kind() != jsontree.Null
		}
	}
	return jsontree.Value{}, false
}

// Ruleset is a compiled ruleset.
type Ruleset struct {
	Rules  *matcher.Ruleset
	Schema *matcher.Schema

	same       matcher.Column // ticket attributes that must be equal
	platforms  matcher.Column // current platforms of the ticket's players
	numbers    []number
	options    []option
	freeOthers bool // attributes that match_options does not declare need not be equal
	service    bool // rules behave as the service does

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

// compile compiles a ruleset. Each error and warning names the field.
func compile(root jsontree.Value, options vendor.CompileOptions) (*Ruleset, []jsontree.Warning, error) {
	// The service ignores the letter case of keys, and accepts 10, but not 10.0 or 1e1.
	format := jsontree.Format{FoldCase: true, PlainWhole: options.Follow == vendor.FollowService}
	return vendor.Compile(root, bytesMax, options, format, func(problems *jsontree.Problems) *Ruleset {
		c := compiler{CompileOptions: options, problems: problems}
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
func Recognises(root jsontree.Value) bool { return vendor.Wrapped(root, isRuleset) }

func isRuleset(v jsontree.Value) bool {
	return slices.ContainsFunc([]string{"alliance", "alliance_flexing_rule", "matching_rule", "flexing_rule", "match_options", "auto_backfill"}, func(key string) bool {
		_, ok := member(v, key)
		return ok
	})
}

// split lists the rulesets of a document. An answer of the service's API has a ruleset under its key
// data, with its name beside it, or a list of such objects under data.
func split(root jsontree.Value, _ *jsontree.Problems) []vendor.Ruleset {
	var list []vendor.Ruleset
	vendor.Unwrap(root, jsontree.Value{}, isRuleset, func(v, answer jsontree.Value) {
		name, _ := answer.Member("name")
		list = append(list, vendor.Ruleset{Name: name.Text(), Value: v})
	})
	return list
}

// compiler holds the state of one call of compile.
type compiler struct {
	vendor.CompileOptions
	problems *jsontree.Problems
	set      *Ruleset
	pivot    *matcher.PivotRules
}

// ruleset reads the whole object.
func (c *compiler) ruleset(root jsontree.Value) *Ruleset {
	c.pivot = &matcher.PivotRules{}
	c.set = &Ruleset{Rules: &matcher.Ruleset{Pivot: c.pivot, Budget: c.Budget}, Schema: new(matcher.Schema), value: root}
	o, ok := c.problems.Object(root, "")
	if !ok {
		return c.set
	}
	s := c.set
	s.same = s.Schema.Column("other attributes")
	c.pivot.Same, c.pivot.People = s.same, s.Schema.Column("player")
	c.pivot.Blocked, c.pivot.NewOnly = s.Schema.Column(blockedPlayers), s.Schema.Column("new_session_only")
	s.platforms = s.Schema.Column("current_platform")
	c.pivot.Backfill = o.BoolOr("auto_backfill", false)
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
	// The following keys do not affect matching, but their types are checked.
	o.BoolOr("ticket_observability_enable", false)
	o.NumberOr("max_delay_ms", 0, wholeFrom(0))
	o.Ignore("extra_attributes")
	o.Done()
	return c.set
}

// blocking reads whether two players may play together if one of them blocks the other.
func (c *compiler) blocking(o *jsontree.Object) {
	v, ok := o.Get("blocked_player_option")
	switch text := v.Text(); {
	case !ok, v.Kind() == jsontree.Text && text == "", text == "blockedPlayerCannotMatch":
		c.pivot.Blocking = matcher.KeepApart
	case text == "blockedPlayerCanMatchOnDifferentTeam":
		c.pivot.Blocking = matcher.OtherTeams
	case text == "blockedPlayerCanMatch":
		c.pivot.Blocking = matcher.IgnoreBlocks
	default:
		o.Misfit(v, "blocked_player_option", "blockedPlayerCannotMatch, blockedPlayerCanMatchOnDifferentTeam or blockedPlayerCanMatch")
	}
}

// rebalance reads whether teams are balanced. It treats rebalance_version 1 as version 2, which
// divides players at least as evenly.
func (c *compiler) rebalance(o *jsontree.Object) {
	c.pivot.Balance = o.BoolOr("rebalance_enable", true)
	if c.followsService() {
		c.pivot.InTurn.SmallestFirst = !c.pivot.Balance
	}
	v, ok := o.Get("rebalance_version")
	if !ok {
		return
	}
	if c.followsService() && strings.ContainsAny(v.String(), ".eE") {
		o.Misfit(v, "rebalance_version", "a whole number without a decimal point")
		return
	}
	if version, whole := v.Float(); !whole {
		o.Misfit(v, "rebalance_version", "1 or 2")
	} else if version != 2 {
		o.Warnf(v, "rebalance_version", "got %v, but mmsim always balances teams as version 2 does", v)
	}
}

// unsupported records errors about keys that affect matching but are not implemented.
func (c *compiler) unsupported(o *jsontree.Object) {
	if v, ok := o.Get("sub_game_modes"); ok && (v.Kind() != jsontree.Struct || len(v.Members()) > 0) {
		c.problems.Errorf(v, "sub_game_modes: sub game modes are not supported, expected none")
	}
}
