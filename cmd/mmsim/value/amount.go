package value

import (
	"math"
	"strconv"
	"strings"
	"time"

	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/outcome"
)

// An Amount is a limit on a metric, or a difference in it: a number, a duration such as 10s, a
// percentage such as 5%, or percentage points such as 1pp.
type Amount struct {
	X    float64 // durations are in s, percentages and points are fractions of 1
	Form AmountForm
}

// AmountForm is the form in which an amount is written.
type AmountForm uint8

const (
	AmountNumber AmountForm = iota // in the unit of the metric
	AmountSpan
	AmountPercent // of the metric's value or, for a share, of 1
	AmountPoints
)

// AmountOf returns a Value for an amount that is not negative.
func AmountOf(p *Amount) Value {
	const expects = "a number such as 10, a duration such as 10s, a percentage such as 5% or percentage points such as 1pp"
	v := Scalar(p, expects, func() Schema {
		return AnySchema(
			Schema{"type": "number", "minimum": 0},
			PatternSchema(`^\s*[-+]?[0-9.][-+0-9.eE]*\s*(%|pp)?\s*$`),
			PatternSchema(`^\s*`+strings.Trim(DurationPattern, "^$")+`\s*$`),
		).With("description", "Expected: "+expects+".")
	}, readAmount)
	v.Write = func(string) any { return p.String() }
	return v
}

func readAmount(n yamltree.Node) (Amount, bool) {
	for _, suffix := range []struct {
		text string
		unit float64
		form AmountForm
	}{{"%", 100, AmountPercent}, {"pp", 100, AmountPoints}, {"", 1, AmountNumber}} {
		text, has := strings.CutSuffix(n.Text, suffix.text)
		text = strings.TrimSpace(text)
		if x, err := strconv.ParseFloat(text, 64); has && err == nil && yamltree.IsDecimal(text) && x >= 0 && !math.IsInf(x, 0) {
			return Amount{x / suffix.unit, suffix.form}, isText(n)
		}
	}
	d, err := ParseDuration(strings.TrimSpace(n.Text))
	return Amount{d.Seconds(), AmountSpan}, err == nil && d >= 0 && isText(n)
}

// In returns the amount in the unit of a metric. wants says what the metric takes instead if the
// amount does not fit; it is "" otherwise. A percentage is returned as it is: the caller decides what
// it is relative to.
func (a Amount) In(u outcome.Unit) (x float64, wants string) {
	switch {
	case a.Form == AmountSpan && u == outcome.UnitMillis:
		return a.X * 1000, ""
	case a.Form == AmountSpan && u != outcome.UnitSeconds:
		return 0, "is not a time, expected a number without a unit"
	case a.Form == AmountPoints && u != outcome.UnitShare:
		return 0, "is not a share, expected a number or a percentage instead of percentage points"
	}
	return a.X, ""
}

// String formats the amount as it is written.
func (a Amount) String() string {
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', 12, 64) }
	switch a.Form {
	case AmountSpan:
		return time.Duration(math.Round(a.X * float64(time.Second))).String()
	case AmountPercent:
		return text(100*a.X) + "%"
	case AmountPoints:
		return text(100*a.X) + "pp"
	}
	return text(a.X)
}
