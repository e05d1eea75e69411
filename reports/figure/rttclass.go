package figure

import (
	"fmt"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// RTTClasses are the upper limits of the classes of Ramp but the last, in ms.
// They follow the thresholds of the run, so a colour shows which state accepts the RTT.
type RTTClasses [len(chart.Ramp) - 1]float64

func NewRTTClasses(t *outcome.Thresholds) RTTClasses {
	ideal, expand := float64(t.Ideal), float64(t.Expand)
	return RTTClasses{ideal / 2, ideal, (ideal + expand) / 2, expand, 2 * expand}
}

// of returns the class of an RTT in ms.
func (c RTTClasses) of(rtt float64) int {
	for i, limit := range c {
		if rtt <= limit {
			return i
		}
	}
	return len(c)
}

// Names returns the names of the classes in a legend. With equal thresholds the classes
// between them are empty and have no name.
func (c RTTClasses) Names() (Names [len(chart.Ramp)]string) {
	for i, limit := range c {
		switch {
		case i == 0:
			Names[i] = fmt.Sprintf("at most %g ms", limit)
		case limit > c[i-1]:
			Names[i] = fmt.Sprintf("%g–%g", c[i-1], limit)
		}
	}
	Names[len(c)] = fmt.Sprintf("more than %g ms", c[len(c)-1])
	return Names
}

// key is the legend of the classes.
func (c RTTClasses) key() []chart.KeyEntry {
	var key []chart.KeyEntry
	for i, name := range c.Names() {
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
