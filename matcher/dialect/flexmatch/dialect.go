package flexmatch

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Dialect is the entry of FlexMatch rule sets in the table of dialects.
func Dialect() vendor.Dialect {
	return vendor.Dialect{Name: "flexmatch", Title: "a FlexMatch rule set", Recognises: Recognises, Compile: compileRules}
}

// compileRules compiles the rule set of a document.
func compileRules(root jsontree.Value, o vendor.Options) ([]*vendor.Rules, error) {
	set, warnings, err := Compile(root, Options{Strict: o.Strict})
	if err != nil {
		return nil, err
	}
	rules := set.Rules(o.Budget, o.Batch)
	rules.Seats.Backfills = o.Backfill
	if err := rules.Validate(); err != nil {
		return nil, root.Errorf("%v", err)
	}
	return []*vendor.Rules{{Description: set.describe(), Warnings: warnings, Lint: set.Lint, Queue: set.capabilities(rules)}}, nil
}

func (r *Ruleset) describe() string {
	plural := func(n int, what string) string {
		if n == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", n, what)
	}
	return fmt.Sprintf("FlexMatch rule set %s, %s for up to %s, %s",
		r.Name, plural(len(r.Teams), "team"), plural(r.MaxPlayers(), "player"), plural(len(r.rules), "rule"))
}

// capabilities says what the rule set needs and can do.
func (r *Ruleset) capabilities(rules *matcher.Ruleset) *vendor.Queue {
	alone := r.hasLatency()
	any := slices.ContainsFunc(r.rules, func(x rule) bool {
		_, is := x.(*latency)
		return is
	})
	return &vendor.Queue{
		Rules: rules, Schema: r.Schema, TakesBackfill: true,
		PicksRegion: any, ReadsLatencies: any, NeedsLatencies: alone,
		Reads:       r.reads(),
		DayWarnings: r.dayWarnings(),
		CheckSize:   r.checkSize,
		Player: func(id string, attributes, _ jsontree.Value) (matcher.Player, error) {
			return r.Player(id, attributes)
		},
	}
}

// hasLatency reports whether every match must keep a latency rule: one that no compound names,
// or one that is combined with others only by "and".
func (r *Ruleset) hasLatency() bool {
	return slices.ContainsFunc(r.rules, func(x rule) bool { return !x.Common().Named && needsLatencies(x.language()) })
}

func needsLatencies(r matcher.SeatRule) bool {
	var within func(*matcher.Statement) bool
	within = func(s *matcher.Statement) bool {
		return s.Rule != nil && needsLatencies(s.Rule) || s.Operator == "and" && slices.ContainsFunc(s.Parts, within)
	}
	switch r := r.(type) {
	case *matcher.Latency:
		return true
	case *matcher.Compound:
		return within(r.Statement)
	}
	return false
}

// dayWarnings warns of sorts by maps, because no column of data holds a map.
func (r *Ruleset) dayWarnings() (list []string) {
	for _, x := range r.rules {
		if s, ok := x.(*sorting); ok && s.KeyColumn != nil {
			list = append(list, fmt.Sprintf("rule %s sorts by the numbers of a map, which players of a simulated day do not have: it has no effect", s.Name))
		}
	}
	return list
}

// checkSize returns an error if no team has room for a ticket of a number of players.
func (r *Ruleset) checkSize(players int) error {
	largest := 0.0
	for i := range r.Teams {
		for _, s := range r.Teams[i].Max {
			largest = max(largest, s.Value)
		}
	}
	if players < 1 || float64(players) > largest {
		return fmt.Errorf("%d players in a ticket, expected 1 to %v: all join one team", players, largest)
	}
	return nil
}

// reads lists the attributes that rules use, and the attributes without which the service
// refuses a ticket. The ids of players come from a column of the data.
func (r *Ruleset) reads() (list []matcher.Read) {
	if r.readsPeople {
		list = append(list, matcher.Read{Names: []string{"player_id"}, Rule: "[playerId]", Kind: matcher.IsText, Column: r.people})
	}
	for i, a := range r.Attributes {
		kind := []matcher.Kind{matcher.IsNumber, matcher.IsText, matcher.IsSet, matcher.IsSet}[a.Type]
		if !r.read[i] && a.Default.Kind() != jsontree.Null {
			continue
		}
		read := matcher.Read{Names: []string{a.Name}, Rule: a.Name, Kind: kind, Column: a.Column}
		if a.Default.Kind() == jsontree.Null {
			read.Refusal = fmt.Errorf("attribute %q is missing and has no default", a.Name)
		} else if a.Type != IsNumberMap {
			p := matcher.Player{Values: make([]matcher.Value, r.Schema.Columns())}
			r.load(&p, &r.Attributes[i], a.Default)
			read.Default = p.Values[a.Column]
		}
		list = append(list, read)
	}
	return list
}
