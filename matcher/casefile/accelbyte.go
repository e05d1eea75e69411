package casefile

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/accelbyte"
	"mmsim/matcher/jsontree"
)

// accelbyteDialect is the entry of AccelByte rulesets.
func accelbyteDialect() Dialect {
	return Dialect{"accelbyte", accelbyte.Recognises, func(rules jsontree.Value, o Options) ([]Rules, error) {
		set, warnings, err := accelbyte.Compile(rules, accelbyte.Options{Strict: o.Strict, Budget: o.Budget})
		if err != nil {
			return nil, err
		}
		return []Rules{&accelbyteRules{
			engine: engine{
				set:    set.Rules,
				schema: set.Schema,
				player: func(p *Player) (matcher.Player, error) { return set.Player(p.ID, p.Attributes), nil },
				whole:  set.Values,
			},
			rules:    set,
			warnings: warnings,
		}}, nil
	}}
}

// accelbyteRules runs scenes through one AccelByte ruleset.
type accelbyteRules struct {
	engine
	rules    *accelbyte.Ruleset
	warnings []string
}

func (a *accelbyteRules) Describe() string {
	teams := a.set.Star.Sizes[0]
	return fmt.Sprintf("AccelByte ruleset, %s of %s, %s, %s", span(teams.MinTeams, teams.MaxTeams, "team"),
		span(teams.MinPlayers, teams.MaxPlayers, "player"),
		span(len(a.set.Star.Distances), len(a.set.Star.Distances), "matching rule"),
		span(len(a.set.Star.Options), len(a.set.Star.Options), "match option"))
}

// span words a range of numbers of things.
func span(from, to int, what string) string {
	switch {
	case from != to:
		return fmt.Sprintf("%d to %d %ss", from, to, what)
	case to == 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", to, what)
}

func (a *accelbyteRules) Warnings() []string { return a.warnings }

func (a *accelbyteRules) Lint(giveUpMS int64) []string { return a.rules.Lint(giveUpMS) }

// Run implements Rules.
func (a *accelbyteRules) Run(s *Scene) (*Outcome, error) {
	return a.engine.run(s, make([]error, len(s.Tickets)))
}

// Explain implements Rules.
func (a *accelbyteRules) Explain(s *Scene, outcome *Outcome) ([]Explanation, error) {
	return a.engine.explain(s, make([]error, len(s.Tickets)), outcome)
}
