package figure

import (
	"image/color"

	"mmsim/reports/chart"
	"mmsim/reports/grade"
	"mmsim/reports/words"
)

// This does not compile unless chart.Ramp has a colour for every class.
var _ [grade.ClassCount]color.RGBA = chart.Ramp

// classKey returns the legend of the RTT classes.
func classKey(c grade.RTTClasses) []chart.KeyEntry {
	var key []chart.KeyEntry
	for i, name := range c.Names() {
		if name != "" {
			key = append(key, chart.KeyEntry{Text: name, Colour: chart.Ramp[i]})
		}
	}
	return key
}

// limits returns the two RTT limits as lines to draw in a panel.
func limits(r grade.RTTs) []chart.Limit {
	return []chart.Limit{
		{Name: r.GoodName + " " + words.Threshold(r.Good), Value: float64(r.Good)},
		{Name: r.FairName + " " + words.Threshold(r.Fair), Value: float64(r.Fair)},
	}
}
