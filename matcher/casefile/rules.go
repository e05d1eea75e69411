package casefile

import (
	"errors"
	"slices"

	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// RunnableRules are the compiled rules of a case, with a Runner for its scene.
type RunnableRules struct {
	*vendor.CompiledRules
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
func (c *Case) Compile(options vendor.CompileOptions) (*RunnableRules, error) {
	options.Follow = c.Follow
	_, compiled, err := dialect.Compile(c.Dialect, c.Rules, c.RulesetName, options)
	var several *dialect.SeveralError
	if errors.As(err, &several) {
		return nil, c.Rules.Errorf("got rules with %d queues, expected one: remove the queues that the case does not test, or name a file and one of its queues, such as queues.json#%s", len(several.Names), several.Names[0])
	}
	if err != nil {
		return nil, err
	}
	if options.Strict {
		if err := c.root.StrictErr(); err != nil {
			return nil, err
		}
	}
	if w, relaxed := c.root.Relaxed(); relaxed && !slices.Contains(compiled.Warnings, w) {
		compiled.Warnings = slices.Concat([]jsontree.Warning{w}, compiled.Warnings)
	}
	rules := &RunnableRules{CompiledRules: compiled}
	if rules.Placement != nil {
		rules.Runner = &placementRules{rules.Placement}
	} else {
		rules.Runner = &queueRules{rules.Queue}
	}
	return rules, nil
}

// Run compiles the rules, makes the pass and adds the warnings of the rules to the outcome. It
// returns an error if the rules or the scene are invalid.
func (c *Case) Run(options vendor.CompileOptions) (*Outcome, error) {
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
