package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/scoring"
)

// Describe returns a short description of the configuration.
func (c *Config) Describe() string {
	name := ""
	if c.Name != "" {
		name = " " + c.Name
	}
	considered := 0
	for _, e := range c.entries {
		if e.weight > 0 {
			considered++
		}
	}
	return fmt.Sprintf("Roblox scoring configuration%s, revision %s, %s", name, c.Revision, jsontree.Count(considered, "signal"))
}

// Lint returns warnings about settings that are valid but probably not intended.
func (c *Config) Lint() []jsontree.Warning {
	var problems jsontree.Problems
	total := 0.0
	for i, e := range c.entries {
		total += e.weight
		if e.weight == 0 && e.builtIn == nil {
			problems.Warnf(e.at, "%s: the weight is 0, so the signal has no effect", e.label)
		}
		if e.weight > 0 {
			c.lintSignal(&problems, e, c.Scoring.Signals[i])
		}
	}
	if c.Scoring.MinScore > total {
		problems.Warnf(c.value, "minScore: %g is more than the sum of all weights, %g, so every player gets a new server", c.Scoring.MinScore, total)
	}
	if c.MaxPlayers > 0 && c.Scoring.KeptSeats >= c.MaxPlayers {
		problems.Warnf(c.value, "place: customSocialSlotsCount: %d of %d seats are kept for friends, so every player without a friend gets a new server",
			c.Scoring.KeptSeats, c.MaxPlayers)
	}
	for _, a := range slices.Concat(c.PlayerAttributes, c.ServerAttributes) {
		if !c.uses(a) {
			problems.Warnf(a.at, "attribute %q: no signal uses it", a.Name)
		}
	}
	return problems.Warnings()
}

// lintSignal checks the comparison of a custom signal.
func (c *Config) lintSignal(problems *jsontree.Problems, e entry, signal scoring.Signal) {
	text, ok := signal.(*scoring.ServerText)
	if !ok || text.To.Constant {
		return
	}
	server := attributeOf(c.ServerAttributes, text.Column)
	player := attributeOf(c.PlayerAttributes, text.To.Column)
	if server.Type != player.Type {
		problems.Warnf(e.at, "%s: the signal compares a %s with a %s, which are equal only if their texts are equal", e.label, server.Type, player.Type)
	}
}

func attributeOf(list []*Attribute, column matcher.Column) *Attribute {
	return list[slices.IndexFunc(list, func(a *Attribute) bool { return a.Column == column })]
}

// uses reports whether attribute a is used by a signal, or as the source of a server attribute's
// default (Attribute.From).
func (c *Config) uses(a *Attribute) bool {
	if slices.ContainsFunc(c.ServerAttributes, func(s *Attribute) bool { return s.From == a }) {
		return true
	}
	return slices.ContainsFunc(c.Scoring.Signals, func(signal scoring.Signal) bool {
		return slices.Contains(columnsOf(signal), a.Column)
	})
}

// columnsOf returns the columns that a signal reads.
func columnsOf(signal scoring.Signal) []matcher.Column {
	own, to := matcher.Column(-1), scoring.Reference{Constant: true}
	switch s := signal.(type) {
	case *scoring.PlayersNumber:
		own, to = s.Column, s.To
	case *scoring.PlayersShare:
		own = s.Column
	case *scoring.PlayersOverlap:
		own = s.Column
	case *scoring.ServerNumber:
		own, to = s.Column, s.To
	case *scoring.ServerText:
		own, to = s.Column, s.To
	}
	if to.Constant {
		return []matcher.Column{own}
	}
	return []matcher.Column{own, to.Column}
}
