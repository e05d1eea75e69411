package outcome

import (
	"math"
	"strconv"
)

// Quantities of a result. Each type has a unit and is rounded to a fixed number of digits when it
// is made, so that files contain exactly the computed value, equal runs give equal bytes, and
// reading a quantity back gives the same one.
type (
	Count   float64 // of players or matches; whole, or in an aggregate a mean with up to 3 digits
	Seconds float64 // 3 digits
	Millis  float64 // 2 digits
	Share   float64 // a fraction of 1, 5 digits
	Average float64 // a mean of counts, 3 digits
	Degrees float64 // latitude or longitude, 4 digits
	Value   float64 // of an attribute whose unit is unknown, 6 significant digits
)

// RoundCount rounds to the digits of a Count.
func RoundCount(x float64) Count { return Count(round(x, 1e3)) }

// RoundSeconds rounds to the digits of Seconds.
func RoundSeconds(x float64) Seconds { return Seconds(round(x, 1e3)) }

// RoundMillis rounds to the digits of Millis.
func RoundMillis(x float64) Millis { return Millis(round(x, 1e2)) }

// RoundShare rounds to the digits of a Share.
func RoundShare(x float64) Share { return Share(round(x, 1e5)) }

// RoundAverage rounds to the digits of an Average.
func RoundAverage(x float64) Average { return Average(round(x, 1e3)) }

// RoundDegrees rounds to the digits of Degrees.
func RoundDegrees(x float64) Degrees { return Degrees(round(x, 1e4)) }

// RoundValue rounds to 6 significant digits by formatting and parsing them.
func RoundValue(x float64) Value {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 5, 64), 64)
	return Value(v)
}

// round returns x rounded to 1/unit, halves away from zero. The quotient of two whole numbers is
// the float nearest to the decimal fraction, the same as parsing the printed digits.
func round(x, unit float64) float64 { return math.Round(x*unit) / unit }

// Ratio returns a/b, and 0 if b is 0: statistics without players.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Given returns a count that may be absent, which is 0.
func Given(c *Count) Count {
	if c == nil {
		return 0
	}
	return *c
}

// ShareOf returns count as a share of all, 0 if all is 0.
func ShareOf[N int | uint64 | Count](count, all N) Share {
	return RoundShare(Ratio(float64(count), float64(all)))
}

// String returns the number as in files: a whole number without a decimal point.
func (x Count) String() string { return strconv.FormatFloat(float64(x), 'f', -1, 64) }

// String returns the number as it stands in files, without unit.
func (x Seconds) String() string { return strconv.FormatFloat(float64(x), 'f', 3, 64) }

// String returns the number as it stands in files, without unit.
func (x Millis) String() string { return strconv.FormatFloat(float64(x), 'f', 2, 64) }

// String returns the number as it stands in files.
func (x Share) String() string { return strconv.FormatFloat(float64(x), 'f', 5, 64) }

// String returns the number as it stands in files.
func (x Average) String() string { return strconv.FormatFloat(float64(x), 'f', 3, 64) }

// String returns the number as it stands in files, without unit.
func (x Degrees) String() string { return strconv.FormatFloat(float64(x), 'f', 4, 64) }

// String returns the number as it stands in files.
func (x Value) String() string { return strconv.FormatFloat(float64(x), 'g', -1, 64) }

// MarshalJSON writes a whole number without a point, and a mean with up to 3 digits.
func (x Count) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// MarshalJSON writes the number with its fixed digits.
func (x Seconds) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// MarshalJSON writes the number with its fixed digits.
func (x Millis) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// MarshalJSON writes the number with its fixed digits.
func (x Share) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// MarshalJSON writes the number with its fixed digits.
func (x Average) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// MarshalJSON writes the number with its fixed digits.
func (x Degrees) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }

// MarshalJSON writes the shortest digits that give the number back.
func (x Value) MarshalJSON() ([]byte, error) { return []byte(x.String()), nil }
