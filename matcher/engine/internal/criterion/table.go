package criterion

import (
	"fmt"

	"mmsim/matcher"
)

// New compiles a rule.
func New(rule matcher.Rule, set *matcher.Ruleset, schema *matcher.Schema) Criterion {
	b := base{common: rule.Settings(), basis: BasisOf(set)}
	switch r := rule.(type) {
	case *matcher.EqualText:
		return newText(b, r)
	case *matcher.NumberDistance:
		return newNumber(b, r)
	case *matcher.SetOverlap:
		return newSet(b, r)
	case *matcher.MatchTotal:
		return newTotal(b, r)
	case *matcher.ReachRegion:
		return newRegion(b, r, schema)
	case *matcher.TeamGap:
		return newTeamGap(b, r)
	case *matcher.TeamBalance:
		return newTeamBalance(b, r)
	case *matcher.LargeParties:
		return newLargeParties(b)
	}
	panic(fmt.Sprintf("matcher: unknown rule type %T", rule))
}
