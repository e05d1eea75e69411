package datasets

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
)

// Numbers and times are read from the bytes of the file, exactly: no float is
// involved where a float could fall on the wrong side of a limit.

const (
	timeExpected      = "expected HH:MM:SS[.fff] or seconds since midnight, below 86400"
	latitudeExpected  = "expected degrees from -90 to 90"
	longitudeExpected = "expected degrees from -180 to 180"

	numberSyntax = "0123456789+-.eE"
	maxExponent  = 60 // of a position in scientific notation; keeps its exact value small
	maxDigits    = 64 // of such a position
)

func isDigit(c byte) bool { return c-'0' <= 9 }

// trim removes the blanks around a number, a time or a code.
func trim(cell []byte) []byte {
	if len(cell) > 0 && (cell[0] <= ' ' || cell[len(cell)-1] <= ' ') {
		return bytes.Trim(cell, " \t")
	}
	return cell
}

// parseTime reads a time of day: HH:MM:SS, or seconds since midnight, both with
// or without a decimal fraction, of which what is finer than a millisecond is
// cut off. 24:00:00 is no time of a day, nor is a leap second.
func parseTime(cell []byte) (stamp, bool) {
	if len(cell) < 8 || cell[2] != ':' {
		return parseSeconds(cell)
	}
	hour, ok1 := twoDigits(cell)
	minute, ok2 := twoDigits(cell[3:])
	second, ok3 := twoDigits(cell[6:])
	if !ok1 || !ok2 || !ok3 || cell[5] != ':' || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	return withFraction(hour*3600+minute*60+second, cell[8:])
}

func twoDigits(b []byte) (uint32, bool) {
	return uint32(b[0]-'0')*10 + uint32(b[1]-'0'), isDigit(b[0]) && isDigit(b[1])
}

// parseSeconds reads seconds since midnight.
func parseSeconds(cell []byte) (stamp, bool) {
	seconds, i := uint32(0), 0
	for ; i < len(cell) && isDigit(cell[i]); i++ {
		if seconds = seconds*10 + uint32(cell[i]-'0'); seconds >= 86400 {
			return 0, false
		}
	}
	if i == 0 {
		return 0, false
	}
	return withFraction(seconds, cell[i:])
}

// withFraction adds what follows the whole seconds of a time: nothing, or a
// point and at least one digit.
func withFraction(seconds uint32, fraction []byte) (stamp, bool) {
	if len(fraction) == 0 {
		return newStamp(seconds*1000, true), true
	}
	if fraction[0] != '.' || len(fraction) == 1 {
		return 0, false
	}
	ms, weight := uint32(0), uint32(100)
	for _, c := range fraction[1:] {
		if !isDigit(c) {
			return 0, false
		}
		ms += uint32(c-'0') * weight
		weight /= 10
	}
	return newStamp(seconds*1000+ms, false), true
}

// floorHundredths reads a decimal number of degrees from -limit to +limit and
// rounds it down to hundredths, exactly: 0.29 is 29, -0.005 is -1.
func floorHundredths(cell []byte, limit int) (int16, bool) {
	digits := cell
	negative := len(digits) > 0 && digits[0] == '-'
	if negative || len(digits) > 0 && digits[0] == '+' {
		digits = digits[1:]
	}
	whole, i := 0, 0
	for ; i < len(digits) && isDigit(digits[i]); i++ {
		if whole = whole*10 + int(digits[i]-'0'); whole > 1000 {
			return floorExact(cell, limit) // 1234e-2 is a number too
		}
	}
	seen, hundredths, finer := i, whole*100, false
	if i < len(digits) && digits[i] == '.' {
		weight := 10
		for i++; i < len(digits) && isDigit(digits[i]); i++ {
			hundredths += int(digits[i]-'0') * weight
			finer = finer || weight == 0 && digits[i] != '0'
			weight /= 10
			seen++
		}
	}
	if i < len(digits) || seen == 0 {
		return floorExact(cell, limit)
	}
	if hundredths > limit*100 || hundredths == limit*100 && finer {
		return 0, false
	}
	if negative {
		hundredths = -hundredths
		if finer {
			hundredths--
		}
	}
	return int16(hundredths), true
}

// floorExact is floorHundredths for scientific notation, as some programs write
// positions close to Greenwich or the equator: slow, and as exact.
func floorExact(cell []byte, limit int) (int16, bool) {
	if len(cell) > maxDigits || !hasNumberSyntax(cell) {
		return 0, false
	}
	if e := bytes.IndexAny(cell, "eE"); e >= 0 {
		if n, err := strconv.Atoi(string(cell[e+1:])); err != nil || n < -maxExponent || n > maxExponent {
			return 0, false
		}
	}
	value, ok := new(big.Rat).SetString(string(cell))
	if !ok {
		return 0, false
	}
	if value.Cmp(big.NewRat(int64(limit), 1)) > 0 || value.Cmp(big.NewRat(int64(-limit), 1)) < 0 {
		return 0, false
	}
	value.Mul(value, big.NewRat(100, 1))
	floor := new(big.Int).Div(value.Num(), value.Denom()) // Euclidean: rounds down, as denominators are positive
	return int16(floor.Int64()), true
}

// hasNumberSyntax keeps out what the standard library reads as well: NaN, Inf,
// hexadecimal, fractions and underscores.
func hasNumberSyntax(cell []byte) bool {
	return len(cell) > 0 && len(bytes.Trim(cell, numberSyntax)) == 0
}

// pow10 holds the powers of ten that a float64 has exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseNumber reads a finite decimal number. Up to 15 digits without exponent
// take one exact division; the rest goes to the standard library. Both give the
// nearest float64.
func parseNumber(cell []byte) (float64, bool) {
	digits := cell
	negative := len(digits) > 0 && digits[0] == '-'
	if negative || len(digits) > 0 && digits[0] == '+' {
		digits = digits[1:]
	}
	mantissa, decimals, point := uint64(0), 0, false
	for _, c := range digits {
		switch {
		case isDigit(c):
			mantissa = mantissa*10 + uint64(c-'0')
			if point {
				decimals++
			}
		case c == '.' && !point:
			point = true
		default:
			return parseAnyNumber(cell)
		}
	}
	count := len(digits)
	if point {
		count--
	}
	if count == 0 || count > 15 {
		return parseAnyNumber(cell)
	}
	value := float64(mantissa) / pow10[decimals]
	if negative {
		value = -value
	}
	return value, true
}

func parseAnyNumber(cell []byte) (float64, bool) {
	if !hasNumberSyntax(cell) {
		return 0, false
	}
	value, err := strconv.ParseFloat(string(cell), 64)
	return value, err == nil && !math.IsInf(value, 0)
}
