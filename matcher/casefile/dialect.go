package casefile

import (
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/jsontree"
)

// Options are what neither rules nor scene say.
type Options struct {
	Strict         bool // members that a vendor's schema does not have are errors
	ExpansionBasis matcher.ExpansionBasis
	OptionalBasis  matcher.OptionalBasis
	Budget         int // search steps per seed ticket; 0: the engine's default
	PartitionAbove int // waiting tickets above which PlayFab queues are split; 0: never
}

// Rules are compiled rules that can run scenes.
type Rules interface {
	// Describe says in a few words what the rules are.
	Describe() string
	// Warnings lists what the compilation found doubtful.
	Warnings() []string
	// Lint lists what loads and yet cannot be meant; giveUpMS is the longest
	// wait of a ticket, matcher.Never when it is not known.
	Lint(giveUpMS int64) []string
	// Run makes one matching pass. The error is about the scene.
	Run(*Scene) (*Outcome, error)
	// Explain tells for each ticket that an outcome leaves unmatched what keeps it
	// apart from every other of the scene. The error is about the scene.
	Explain(*Scene, *Outcome) ([]Explanation, error)
	// Live returns the rules for a queue that is kept running, nil where players
	// are placed one by one.
	Live() *Live
}

// Dialect is one vendor's language of rules.
type Dialect struct {
	Name string
	// Recognises tells whether rules look as if they were in this dialect.
	Recognises func(jsontree.Value) bool
	compile    func(jsontree.Value, Options) ([]Rules, error)
}

// Dialects returns the dialects that are known, in the order in which they are
// tried.
func Dialects() []Dialect {
	return []Dialect{playfabDialect(), accelbyteDialect(), robloxDialect()}
}

// dialectOf returns the dialect of rules: the named one, or else the one that
// recognises them.
func dialectOf(name string, rules jsontree.Value) (Dialect, error) {
	for _, d := range Dialects() {
		if d.Name == name || name == "" && d.Recognises(rules) {
			return d, nil
		}
	}
	return Dialect{}, rules.Errorf("rules in no dialect that is known, expected one of %s", dialectNames())
}

// dialectNames lists the dialects for a message.
func dialectNames() string {
	var names []string
	for _, d := range Dialects() {
		names = append(names, d.Name)
	}
	return strings.Join(names, ", ")
}

// CompileRules compiles rules that stand in a file of their own. A file may hold
// several queues. An empty dialect is recognised from the rules. Errors and
// warnings begin FILE:LINE:COLUMN.
func CompileRules(dialect string, rules jsontree.Value, options Options) ([]Rules, error) {
	d, err := dialectOf(dialect, rules)
	if err != nil {
		return nil, err
	}
	return d.compile(rules, options)
}

// Compile compiles the rules of the case.
func (c *Case) Compile(options Options) (Rules, error) {
	list, err := CompileRules(c.Dialect, c.Rules, options)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, c.Rules.Errorf("the rules hold %d queues, expected one: leave the one that the case is about", len(list))
	}
	return list[0], nil
}

// Run compiles the rules, makes the pass and adds the warnings of the rules to
// the outcome. The error refuses the rules or the scene.
func (c *Case) Run(options Options) (*Outcome, error) {
	rules, err := c.Compile(options)
	if err != nil {
		return nil, err
	}
	outcome, err := rules.Run(&c.Scene)
	if err != nil {
		return nil, err
	}
	outcome.Warnings = slices.Concat(rules.Warnings(), outcome.Warnings)
	return outcome, nil
}
