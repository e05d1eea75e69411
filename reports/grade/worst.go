package grade

import (
	"slices"

	"mmsim/reports/outcome"
)

// LongestWaits returns the index of the group with the longest mean wait, or -1 if no group has
// enough players.
func LongestWaits(groups []outcome.Group, matched outcome.Count) int {
	return worst(groups, matched, func(g *outcome.Group) float64 { return float64(g.WaitMean) })
}

// HighestRTTs returns the index of the group with the highest mean RTT, or -1 if no group has
// enough players.
func HighestRTTs(groups []outcome.Group, matched outcome.Count) int {
	return worst(groups, matched, func(g *outcome.Group) float64 { return float64(g.RTTMean) })
}

// worst returns the index of the group with the highest mean, or -1 if there is none. It skips
// groups with fewer than 100 players or less than 0.5 % of the matched players: the mean of so
// few says little.
func worst(groups []outcome.Group, matched outcome.Count, mean func(*outcome.Group) float64) int {
	found, enough := -1, max(100, matched/200)
	for i := range groups {
		if groups[i].Players >= enough && (found < 0 || mean(&groups[i]) > mean(&groups[found])) {
			found = i
		}
	}
	return found
}

// RuledDeciles returns the deciles of the attributes that rules use.
func RuledDeciles(s *outcome.Summary) []outcome.AttributeDeciles {
	return slices.DeleteFunc(slices.Clone(s.ByAttributeDecile), func(d outcome.AttributeDeciles) bool {
		ruled := func(a outcome.Attribute) bool { return a.Name == d.Name && len(a.Rules) > 0 }
		return len(d.Deciles) == 0 || !slices.ContainsFunc(s.Attributes, ruled)
	})
}

// LongestWait returns the decile with the longest mean wait, or nil if none has enough players.
func LongestWait(a *outcome.AttributeDeciles, matched outcome.Count) *outcome.Decile {
	groups := make([]outcome.Group, len(a.Deciles))
	for i := range a.Deciles {
		groups[i] = a.Deciles[i].Group
	}
	if tenth := LongestWaits(groups, matched); tenth >= 0 {
		return &a.Deciles[tenth]
	}
	return nil
}
