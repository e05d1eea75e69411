package outcome

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Unit is the unit of a metric: "s", "ms", "%", the thing that it counts ("players", "matches"),
// or "" if the unit is unknown.
type Unit string

// Units of metrics that are not counts, and that of players.
const (
	UnitNone    Unit = ""
	UnitSeconds Unit = "s"
	UnitMillis  Unit = "ms"
	UnitShare   Unit = "%" // a fraction of 1 that is shown in percent
	unitPlayers Unit = "players"
)

// Sign returns the unit as it is written after a number, or "" if it is not written.
func (u Unit) Sign() string {
	switch u {
	case UnitSeconds, UnitMillis, UnitShare:
		return string(u)
	}
	return ""
}

// Types of the numbers in a result. Each type has a unit and a fixed number of digits. Numbers
// are rounded when they are computed, not when they are written. So a file contains exactly the
// number that was in memory, and equal runs write equal bytes.
//
// A statistic that describes nobody, such as the mean wait of no players, was not measured. It is NaN:
// null in JSON, empty in CSV and a dash in texts, and never 0. A Count is always measured.
type (
	Count   float64 // of players, matches or other things: a whole number, or in an aggregate a mean with up to 3 decimal places
	Seconds float64 // 3 decimal places
	Millis  float64 // 2 decimal places
	Share   float64 // a fraction of 1, 5 decimal places
	Average float64 // a mean of counts, 3 decimal places
	Degrees float64 // latitude or longitude, 4 decimal places
	Value   float64 // of an attribute or another number whose unit is unknown, 6 significant digits

	// Optional is a number of a decision, which may be missing. It is then NaN, like a statistic that was
	// not measured. JSON has 9 significant digits: with more, the rounding errors of differences between
	// decimal fractions would show.
	Optional float64
)

// A quantity has what all numbers of a type have in common.
type quantity struct {
	unit      Unit    // UnitNone if the tag unit says what is counted
	step      float64 // see Step.Amount
	low, high float64 // bounds in a file
	noun      string  // for messages about a file
	round     func(x float64) float64
}

// endless is above every number in a file. Values of attributes, scores and ends of intervals have no
// bounds.
const endless = 1e300

var quantities = map[reflect.Type]quantity{
	reflect.TypeFor[Count]():    {UnitNone, 1, 0, endless, "a number", rounding(RoundCount)},
	reflect.TypeFor[Seconds]():  {UnitSeconds, 1e-3, 0, endless, "seconds", rounding(RoundSeconds)},
	reflect.TypeFor[Millis]():   {UnitMillis, 1e-2, 0, endless, "milliseconds", rounding(RoundMillis)},
	reflect.TypeFor[Share]():    {UnitShare, 1e-5, 0, 1, "a share", rounding(RoundShare)},
	reflect.TypeFor[Average]():  {UnitNone, 1e-3, 0, endless, "a number", rounding(RoundAverage)},
	reflect.TypeFor[Degrees]():  {UnitNone, 1e-4, -endless, endless, "a number", rounding(RoundDegrees)},
	reflect.TypeFor[Value]():    {UnitNone, 0, -endless, endless, "a number", rounding(RoundValue)},
	reflect.TypeFor[Optional](): {UnitNone, 0, -endless, endless, "a number", nil},
}

// quantityOf returns the quantity of a type or, for a pointer, of the type that it points to. Other
// numbers, such as int, are counts.
func quantityOf(t reflect.Type) quantity {
	if q, is := quantities[elem(t)]; is {
		return q
	}
	return quantities[reflect.TypeFor[Count]()]
}

// elem returns the type that a pointer points to, and any other type unchanged.
func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func rounding[T ~float64](round func(x float64) T) func(float64) float64 {
	return func(x float64) float64 { return float64(round(x)) }
}

// These functions round x to the decimal places of a type.

func RoundCount(x float64) Count     { return Count(round(x, 1e3)) }
func RoundSeconds(x float64) Seconds { return Seconds(round(x, 1e3)) }
func RoundMillis(x float64) Millis   { return Millis(round(x, 1e2)) }
func RoundShare(x float64) Share     { return Share(round(x, 1e5)) }
func RoundAverage(x float64) Average { return Average(round(x, 1e3)) }
func RoundDegrees(x float64) Degrees { return Degrees(round(x, 1e4)) }

// RoundValue rounds x to 6 significant digits by formatting and parsing it.
func RoundValue(x float64) Value {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 5, 64), 64)
	return Value(v)
}

// round rounds x to a multiple of 1/unit, halves away from zero. unit is a whole number. Dividing
// two whole numbers gives the float64 nearest to the decimal, so parsing the printed number
// returns exactly this result.
func round(x, unit float64) float64 { return math.Round(x*unit) / unit }

// Ratio returns a/b, or 0 if b is 0, as for statistics without players.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Given returns the count, or 0 if c is nil.
func Given(c *Count) Count {
	if c == nil {
		return 0
	}
	return *c
}

// ShareOf returns count as a share of all, or 0 if all is 0.
func ShareOf[N int | uint64 | Count](count, all N) Share {
	return RoundShare(Ratio(float64(count), float64(all)))
}

// String formats a number as in files, without its unit. A statistic that was not measured is "".
// A whole Count has no decimal point.

func (x Count) String() string   { return text(float64(x), 'f', -1) }
func (x Seconds) String() string { return text(float64(x), 'f', 3) }
func (x Millis) String() string  { return text(float64(x), 'f', 2) }
func (x Share) String() string   { return text(float64(x), 'f', 5) }
func (x Average) String() string { return text(float64(x), 'f', 3) }
func (x Degrees) String() string { return text(float64(x), 'f', 4) }
func (x Value) String() string   { return text(float64(x), 'g', -1) }

// text formats a number, or returns "" if it was not measured.
func text(x float64, format byte, digits int) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, format, digits, 64)
}

// MarshalJSON writes the text of String, or null.

func (x Count) MarshalJSON() ([]byte, error)   { return write(x) }
func (x Seconds) MarshalJSON() ([]byte, error) { return write(x) }
func (x Millis) MarshalJSON() ([]byte, error)  { return write(x) }
func (x Share) MarshalJSON() ([]byte, error)   { return write(x) }
func (x Average) MarshalJSON() ([]byte, error) { return write(x) }
func (x Degrees) MarshalJSON() ([]byte, error) { return write(x) }
func (x Value) MarshalJSON() ([]byte, error)   { return write(x) }

// MarshalJSON writes 9 significant digits, or null.
func (x Optional) MarshalJSON() ([]byte, error) {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'e', 8, 64), 64)
	if math.IsNaN(rounded) || err != nil {
		return []byte("null"), err
	}
	return json.Marshal(rounded)
}

func write(x fmt.Stringer) ([]byte, error) { return []byte(cmp.Or(x.String(), "null")), nil }
