package outcome

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Matters is the smallest difference in a metric that matters to a person who decides. A
// difference matters if it reaches all parts that are not 0. The zero Matters lets every
// difference matter.
type Matters struct {
	Absolute float64 // in the unit of the metric; shares are fractions of 1
	Relative float64 // as a fraction of the metric's value before
	Share    float64 // as a fraction of the metric Of
	Of       string  // name of a count; "" if Share is 0
}

// mattersIn returns the difference that matters in a metric of this unit without the struct tag
// `matters`. In counts and in numbers whose unit is unknown, 1 % matters.
func mattersIn(u Unit) Matters {
	switch u {
	case UnitSeconds:
		return Matters{Absolute: 0.2, Relative: 0.05}
	case UnitMillis:
		return Matters{Absolute: 1, Relative: 0.02}
	case UnitShare:
		return Matters{Absolute: 0.005}
	}
	return Matters{Relative: 0.01}
}

// Least returns the smallest absolute difference that matters if the metric was before. valueOf
// returns the value of another metric.
func (m Matters) Least(before float64, valueOf func(name string) float64) float64 {
	least := max(m.Absolute, m.Relative*math.Abs(before))
	if m.Of != "" {
		if all := valueOf(m.Of); !math.IsNaN(all) {
			least = max(least, m.Share*all)
		}
	}
	return least
}

// String describes the difference, such as "5% and 0.2s".
func (m Matters) String() string {
	var parts []string
	if m.Relative > 0 {
		parts = append(parts, percent(m.Relative))
	}
	if m.Absolute > 0 {
		parts = append(parts, strconv.FormatFloat(m.Absolute, 'g', -1, 64))
	}
	if m.Share > 0 {
		parts = append(parts, percent(m.Share)+" of "+m.Of)
	}
	return strings.Join(parts, " and ")
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) + "%" }

// parseMatters parses the struct tag `matters`: "0.1pp" for a share, or parts such as "1%" and
// "0.1% of entries", joined by " and ". resolve returns the full name of a metric.
func parseMatters(tag string, resolve func(string) string) Matters {
	var m Matters
	for part := range strings.SplitSeq(tag, " and ") {
		amount, of, isShare := strings.Cut(part, "% of ")
		switch {
		case isShare:
			m.Share, m.Of = parseAmount(tag, amount)/100, resolve(of)
		case strings.HasSuffix(part, "%"):
			m.Relative = parseAmount(tag, strings.TrimSuffix(part, "%")) / 100
		case strings.HasSuffix(part, "pp"):
			m.Absolute = parseAmount(tag, strings.TrimSuffix(part, "pp")) / 100
		default:
			m.Absolute = parseAmount(tag, part)
		}
	}
	return m
}

func parseAmount(tag, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("outcome: the tag matters:%q has %q, which is not a number", tag, text))
	}
	return x
}

// A Step is the resolution of a metric: the smallest amount by which its value can change.
type Step struct {
	Amount float64 // in the unit of the metric; 0 if the number has 6 significant digits
	// Ticks says that the value usually is a whole number of ticks, as percentiles of waits are,
	// because players who return after a match begin and end their search at a tick.
	Ticks bool
}

// Values of the struct tag `step`.
const (
	stepTick      = "tick"
	stepSixteenth = "1/16" // the resolution in ms in which a run stores RTTs
)

// stepOf returns the resolution of a metric from its type and the struct tag `step`.
func stepOf(t reflect.Type, tag string) Step {
	switch tag {
	case stepTick:
		return Step{Amount: 1e-3, Ticks: true}
	case stepSixteenth:
		return Step{Amount: 1.0 / 16}
	}
	return Step{Amount: quantityOf(t).step}
}
