package jsontree

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Limits are the bounds of a number. Both are allowed values.
type Limits struct {
	Least, Most float64
	Above       bool   // Least itself is not allowed
	Whole       bool   // only whole numbers are allowed, in any notation that Format allows
	Noun        string // what the number is, for messages, such as "seconds"; "" for "a number"
}

// Limits that several formats have.
var (
	AnyNumber = Limits{Least: -math.MaxFloat64, Most: math.MaxFloat64}
	AtLeast0  = Limits{Least: 0, Most: math.MaxFloat64}
	Above0    = Limits{Least: 0, Most: math.MaxFloat64, Above: true}
	Unsigned  = Limits{Least: 0, Most: math.MaxUint32, Whole: true}
)

// huge is a limit that only protects calculations from overflow. Messages do not mention such a limit.
const huge = 1e100

// String describes the allowed numbers for a message, such as "a whole number from 1 to 200".
func (l Limits) String() string {
	noun := l.Noun
	switch {
	case noun != "":
	case l.Whole:
		noun = "a whole number"
	default:
		noun = "a number"
	}
	unlimited := l.Most >= huge
	switch {
	case l.Least <= -huge:
		return noun
	case l.Above && unlimited:
		return fmt.Sprintf("%s above %s", noun, decimal(l.Least))
	case l.Above:
		return fmt.Sprintf("%s above %s and at most %s", noun, decimal(l.Least), decimal(l.Most))
	case unlimited:
		return fmt.Sprintf("%s of %s or more", noun, decimal(l.Least))
	}
	return fmt.Sprintf("%s from %s to %s", noun, decimal(l.Least), decimal(l.Most))
}

// decimal formats a limit. The limits of whole numbers are written without an exponent.
func decimal(x float64) string {
	if math.Abs(x) < 1e10 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Allow reports whether a number is within the limits.
func (l Limits) Allow(x float64) bool {
	return x >= l.Least && x <= l.Most && !(l.Above && x == l.Least) && !(l.Whole && x != math.Trunc(x))
}

// nearest0 returns a number that replaces an invalid one until the error is reported.
func (l Limits) nearest0() float64 { return max(0, l.Least) }

// Format describes how a format differs from the usual reading of JSON.
type Format struct {
	Strict      bool // an unknown member of an object is an error instead of a warning
	FoldCase    bool // the letter case of the names of members is ignored
	TextNumbers bool // a number may be written as a text
	PlainWhole  bool // a whole number must have neither a decimal point nor an exponent
}

// NumberOf returns the number that a value denotes. It returns false if there is none.
func (f Format) NumberOf(v Value) (float64, bool) {
	if v.kind == Text && f.TextNumbers {
		x, err := strconv.ParseFloat(v.text, 64)
		return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
	}
	return v.Float()
}

// Number returns a value as a number within limits. If it is not, Number records an error. label is
// the name of the value in messages.
func (p *Problems) Number(v Value, label string, l Limits) float64 {
	x, ok := p.NumberOf(v)
	if !ok || !l.Allow(x) || l.Whole && p.PlainWhole && strings.ContainsAny(v.text, ".eE") {
		p.Errorf(v, "%s: got %v, expected %v", label, v, l)
		return l.nearest0()
	}
	return x
}
