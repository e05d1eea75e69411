package reports

import (
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

func groupWaitMean(g *outcome.Group) float64 { return float64(g.WaitMean) }
func groupRTTMean(g *outcome.Group) float64  { return float64(g.RTTMean) }

// worst returns the index of the group with the highest mean, -1 if there is none,
// among those with enough of the matched players to be no accident.
func worst(groups []outcome.Group, matched outcome.Count, mean func(*outcome.Group) float64) int {
	found, enough := -1, max(100, matched/200)
	for i := range groups {
		if groups[i].Players >= enough && (found < 0 || mean(&groups[i]) > mean(&groups[found])) {
			found = i
		}
	}
	return found
}

// decileValues names the values of the decile's players, which may be one.
func decileValues(d *outcome.Decile) string {
	if d.From == d.To {
		return words.Digits(d.From)
	}
	return words.Digits(d.From) + " to " + words.Digits(d.To)
}
