package reports

import (
	"fmt"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// rttClasses are the upper limits of the classes of Ramp but the last, in ms.
// They follow the thresholds of the run: a colour says which state would do.
type rttClasses [len(chart.Ramp) - 1]float64

func newRTTClasses(t *outcome.Thresholds) rttClasses {
	ideal, expand := float64(t.Ideal), float64(t.Expand)
	return rttClasses{ideal / 2, ideal, (ideal + expand) / 2, expand, 2 * expand}
}

// of returns the class of an RTT in ms.
func (c rttClasses) of(rtt float64) int {
	for i, limit := range c {
		if rtt <= limit {
			return i
		}
	}
	return len(c)
}

// names are the classes as a legend calls them. With equal thresholds the classes
// between them are empty and have none.
func (c rttClasses) names() (names [len(chart.Ramp)]string) {
	for i, limit := range c {
		switch {
		case i == 0:
			names[i] = fmt.Sprintf("at most %g ms", limit)
		case limit > c[i-1]:
			names[i] = fmt.Sprintf("%g–%g", c[i-1], limit)
		}
	}
	names[len(c)] = fmt.Sprintf("more than %g ms", c[len(c)-1])
	return names
}

// key is the legend of the classes.
func (c rttClasses) key() []chart.KeyEntry {
	var key []chart.KeyEntry
	for i, name := range c.names() {
		if name != "" {
			key = append(key, chart.KeyEntry{Text: name, Colour: chart.Ramp[i]})
		}
	}
	return key
}

func limits(t *outcome.Thresholds) []chart.Limit {
	return []chart.Limit{
		{Name: "ideal " + words.Threshold(t.Ideal), Value: float64(t.Ideal)},
		{Name: "expand " + words.Threshold(t.Expand), Value: float64(t.Expand)},
	}
}
