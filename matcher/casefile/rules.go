package casefile

import (
	"slices"

	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/vendor"
)

// Rules are the compiled rules of a case, with a Runner for its scene.
type Rules struct {
	*vendor.Rules
	Runner
}

// A Runner runs scenes. There are Runners for rules that form matches, for rules that place players
// on servers, and for external matchmakers.
type Runner interface {
	// Run makes one matching pass. It returns an error if the scene is invalid.
	Run(*Scene) (*Outcome, error)
	// Check returns the error that Run would return for a scene, without a pass.
	Check(*Scene) error
	// Explain explains why each unmatched ticket of an outcome was not matched. If the rules place
	// players, it explains each placement instead. It returns an error if the scene is invalid.
	Explain(*Scene, *Outcome) ([]Explanation, error)
}

// Compile compiles the rules of the case.
func (c *Case) Compile(options vendor.Options) (*Rules, error) {
	d, err := dialect.Of(c.Dialect, c.Rules)
	if err != nil {
		return nil, err
	}
	options.Follow = c.Follow
	list, err := d.Compile(c.Rules, options)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, c.Rules.Errorf("got rules with %d queues, expected one: remove the queues that the case does not test", len(list))
	}
	rules := &Rules{Rules: list[0]}
	if rules.Placement != nil {
		rules.Runner = &placementRules{rules.Placement}
	} else {
		rules.Runner = &queueRules{matchRunnerOf(rules.Queue), rules.Queue}
	}
	return rules, nil
}

// Run compiles the rules, makes the pass and adds the warnings of the rules to the outcome. It
// returns an error if the rules or the scene are invalid.
func (c *Case) Run(options vendor.Options) (*Outcome, error) {
	rules, err := c.Compile(options)
	if err != nil {
		return nil, err
	}
	outcome, err := rules.Run(&c.Scene)
	if err != nil {
		return nil, err
	}
	outcome.Warnings = slices.Concat(rules.Warnings, outcome.Warnings)
	return outcome, nil
}
