package engine

import (
	"cmp"

	"mmsim/matcher"
)

// NewPool returns an empty pool for a ruleset, or the error of Ruleset.Validate. The ruleset must
// not change while the pool is in use.
func NewPool(rules *matcher.Ruleset, schema *matcher.Schema) (*Pool, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	p := &Pool{rules: rules, schema: schema, names: rules.RuleNames(), details: make(map[Row]*matcher.Session), budget: cmp.Or(rules.Budget, matcher.DefaultBudget)}
	switch {
	case rules.Pivot != nil && rules.Pivot.InTurn != nil:
		p.method = newAccelService(p)
	case rules.Pivot != nil:
		p.method = newAccelPage(p)
	case rules.Seats != nil:
		p.method = newSeats(p)
	default:
		p.method = newGroups(p)
	}
	p.all = p.NewSubset()
	return p, nil
}
