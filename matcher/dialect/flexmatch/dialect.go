package flexmatch

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/internal/ranges"
)

// Dialect returns the dialect of FlexMatch rule sets.
func Dialect() vendor.Dialect {
	return vendor.Dialect{Name: "flexmatch", Title: "a FlexMatch rule set", Recognises: Recognises, Split: split, Compile: compileRules}
}

// compileRules compiles a rule set.
func compileRules(root jsontree.Value, o vendor.CompileOptions) (*vendor.CompiledRules, error) {
	set, warnings, err := compile(root, o)
	if err != nil {
		return nil, err
	}
	rules := set.Rules(o.Budget, o.Batch)
	rules.Seats.Backfill = o.Backfill
	if err := rules.Validate(); err != nil {
		return nil, root.Errorf("%v", err)
	}
	return &vendor.CompiledRules{Description: set.describe(), Warnings: warnings, Lint: set.Lint, Queue: set.capabilities(rules)}, nil
}

func (r *Ruleset) describe() string {
	return fmt.Sprintf("FlexMatch rule set %s, %s for up to %s, %s", r.Name, jsontree.Count(len(r.Teams), "team"),
		jsontree.Count(r.MaxPlayers(), "player"), jsontree.Count(len(r.rules), "rule"))
}

// capabilities returns what the rule set requires and what it can do.
func (r *Ruleset) capabilities(rules *matcher.Ruleset) *vendor.Queue {
	latencyRule := slices.ContainsFunc(r.rules, func(x rule) bool {
		_, is := x.SeatRule.(*matcher.Latency)
		return is
	})
	return &vendor.Queue{
		Rules: rules, Schema: r.Schema, TakesBackfill: true,
		PicksRegion: latencyRule, ReadsLatencies: latencyRule, NeedsLatencies: r.needsLatencies(),
		Reads:       r.reads(),
		DayWarnings: r.dayWarnings(),
		CheckSize:   r.checkSize,
		Player: func(id string, attributes, _ jsontree.Value) (matcher.Player, error) {
			return r.Player(id, attributes)
		},
	}
}

// needsLatencies reports whether every match must satisfy a latency rule. This is the case if no
// compound rule refers to the latency rule, or if a compound rule joins it to other rules only by
// "and".
func (r *Ruleset) needsLatencies() bool {
	return slices.ContainsFunc(r.rules, func(x rule) bool { return !x.Common().Named && requiresLatency(x.SeatRule) })
}

// requiresLatency reports whether a match can satisfy a rule only if it satisfies a latency rule.
func requiresLatency(r matcher.SeatRule) bool {
	var needs func(*matcher.Statement) bool
	needs = func(s *matcher.Statement) bool {
		return s.Rule != nil && requiresLatency(s.Rule) || s.Operator == "and" && slices.ContainsFunc(s.Parts, needs)
	}
	switch r := r.(type) {
	case *matcher.Latency:
		return true
	case *matcher.Compound:
		return needs(r.Statement)
	}
	return false
}

// dayWarnings warns about sort rules that have no effect on a simulated day. They sort by a map,
// and players of a simulated day have no map attributes.
func (r *Ruleset) dayWarnings() (list []string) {
	for _, x := range r.rules {
		if s, ok := x.SeatRule.(*matcher.Sort); ok && s.KeyColumn != nil {
			list = append(list, fmt.Sprintf("rule %s has no effect: it sorts by the numbers of a map, which players in a simulated day do not have", s.Name))
		}
	}
	return list
}

// checkSize returns an error if no team has room for a ticket with this number of players.
func (r *Ruleset) checkSize(players int) error {
	largest := 0.0
	for _, t := range r.Teams {
		largest = max(largest, ranges.Of(t.Max).High)
	}
	if players < 1 || float64(players) > largest {
		return fmt.Errorf("%s in the ticket, expected 1 to %v, because all of them join the same team", jsontree.Count(players, "player"), largest)
	}
	return nil
}

// reads lists the attributes that the rules use and those that the service requires. If an
// expression uses player ids, they come from the column player_id. A map that has a default is not listed,
// see dayWarnings.
func (r *Ruleset) reads() (list []matcher.Read) {
	if r.readsIDs {
		list = append(list, matcher.Read{Names: []string{"player_id"}, Rule: "[playerId]", Kind: matcher.IsText, Column: r.playerIDs, Identity: true})
	}
	for i, a := range r.Attributes {
		kind := []matcher.ValueKind{matcher.IsNumber, matcher.IsText, matcher.IsSet, matcher.IsSet}[a.Type]
		if a.Default.Kind() != jsontree.Null && (!r.read[i] || a.Type == IsNumberMap) {
			continue
		}
		read := matcher.Read{Names: []string{a.Name}, Rule: a.Name, Kind: kind, Map: a.Type == IsNumberMap, Column: a.Column}
		if a.Default.Kind() == jsontree.Null {
			read.Refusal = fmt.Errorf("attribute %q is missing and has no default", a.Name)
		} else {
			p := matcher.Player{Values: make([]matcher.Value, r.Schema.Columns())}
			r.load(&p, &r.Attributes[i], a.Default)
			read.Default = p.Values[a.Column]
		}
		list = append(list, read)
	}
	return list
}

// format describes how the service reads JSON.
var format = jsontree.Format{TextNumbers: true}

// compile compiles a rule set.
func compile(root jsontree.Value, options vendor.CompileOptions) (*Ruleset, []jsontree.Warning, error) {
	return vendor.Compile(root, bytesMax, options, format, func(problems *jsontree.Problems) *Ruleset {
		c := compiler{CompileOptions: options, problems: problems, set: &Ruleset{Schema: new(matcher.Schema), value: root}, properties: map[string]property{}}
		c.ruleset(root)
		return c.set
	})
}

// Recognises reports whether a JSON value looks like a FlexMatch rule set.
func Recognises(root jsontree.Value) bool {
	return vendor.HasMember(root, "ruleLanguageVersion", "playerAttributes") || len(exported(root)) > 0
}

// languageVersion is the only version of the rule language.
const languageVersion = "1.0"

// ruleset reads the whole object.
func (c *compiler) ruleset(root jsontree.Value) {
	o, ok := c.problems.Object(root, "")
	if !ok {
		return
	}
	if v, ok := o.Get("ruleLanguageVersion"); !ok {
		o.Missing("ruleLanguageVersion", `"`+languageVersion+`"`)
	} else if v.Text() != languageVersion {
		o.Misfit(v, "ruleLanguageVersion", `"`+languageVersion+`"`)
	}
	c.set.Name = o.TextOr("name", "")
	c.set.playerIDs = c.set.Schema.Column("playerId")
	c.attributes(o)
	c.teams(o)
	c.algorithm(o)
	c.rules(o)
	c.expand(o)
	o.Done()
}

// Rules returns the rule set as a matcher.Ruleset for the engine. budget is the number of search
// steps per ticket, or 0 for the engine's default. batch is the number of tickets that a pass
// considers together, or 0 for all waiting tickets.
func (r *Ruleset) Rules(budget, batch int) *matcher.Ruleset {
	seats := r.SeatRules
	for _, rule := range r.rules {
		seats.Rules = append(seats.Rules, rule.SeatRule)
	}
	least, most := 0.0, 0.0
	for _, t := range r.Teams {
		least, most = least+ranges.Of(t.Min).Low, most+ranges.Of(t.Max).High
	}
	return &matcher.Ruleset{Name: r.Name, MinPlayers: max(1, int(least)), MaxPlayers: max(1, int(most)), Seats: &seats, Budget: budget, Batch: batch}
}

// bodyMember is the member of an export that contains a rule set, as a text.
const bodyMember = "RuleSetBody"

// exported returns the rule sets in a document as the service's API returns them: the list RuleSets
// of describe-matchmaking-rule-sets, the single RuleSet of create-matchmaking-rule-set, or one of
// its rule sets alone. It returns nil for any other document.
func exported(root jsontree.Value) []jsontree.Value {
	if list, ok := root.Member("RuleSets"); ok {
		root = list
	}
	if set, ok := root.Member("RuleSet"); ok {
		root = set
	}
	list := root.Elements()
	if root.Kind() == jsontree.Struct {
		list = []jsontree.Value{root}
	}
	for _, set := range list {
		if _, ok := set.Member(bodyMember); !ok {
			return nil
		}
	}
	return list
}

// split lists the rule sets of a document.
func split(root jsontree.Value, problems *jsontree.Problems) []vendor.Ruleset {
	sets := exported(root)
	if len(sets) == 0 {
		name, _ := root.Member("name")
		return []vendor.Ruleset{{Name: name.Text(), Value: root}}
	}
	if root.Size() > bytesMax {
		problems.Add(jsontree.TooLarge(root.Position(), root.Size(), bytesMax))
		return nil
	}
	var list []vendor.Ruleset
	for _, v := range sets {
		o, _ := problems.Object(v, "")
		set := vendor.Ruleset{Name: o.TextOr("RuleSetName", o.TextOr("Name", ""))}
		o.Ignore("RuleSetArn", "CreationTime", "Tags")
		if set.Value, _ = o.Get(bodyMember); set.Value.Kind() == jsontree.Text {
			set.Value, set.Err = set.Value.Inner(bodyMember)
		}
		o.Done()
		list = append(list, set)
	}
	return list
}
