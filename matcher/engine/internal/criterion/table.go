package criterion

import (
	"fmt"
	"math"

	"mmsim/matcher"
)

// New compiles a rule of a ruleset.
func New(rule matcher.Rule, of *matcher.Ruleset, schema *matcher.Schema) Criterion {
	b := newBase(rule, BasisOf(of, rule))
	switch r := rule.(type) {
	case *matcher.EqualText:
		return &text{base: b, rule: r}
	case *matcher.NumberDistance:
		return &number{base: b, rule: r}
	case *matcher.SetOverlap:
		return &set{base: b, rule: r}
	case *matcher.MatchTotal:
		return &Total{base: b, rule: r, highest: math.Inf(-1)}
	case *matcher.ReachRegion:
		return newRegion(b, schema)
	case *matcher.TeamGap:
		return &TeamGap{base: b, rule: r}
	case *matcher.TeamBalance:
		return &teamBalance{b}
	case *matcher.LargeParties:
		return &largeParties{b}
	}
	panic(fmt.Sprintf("criterion: unknown rule type %T", rule))
}
