package tables

import (
	"bytes"
	"math/big"
	"strconv"
)

const (
	maxExponent = 60 // maximum exponent of a position; it bounds the size of the exact value
	maxDigits   = 64 // maximum number of digits of a position in scientific notation
)

// TimeOfDay reads HH:MM:SS with an optional decimal fraction, which is truncated to
// milliseconds. It refuses 24:00:00 and leap seconds.
func TimeOfDay(cell []byte) (ms uint32, wholeSecond, ok bool) {
	seconds, ok := HMS(cell)
	if !ok {
		return 0, false, false
	}
	if len(cell) == 8 {
		return seconds * 1000, true, true
	}
	fraction, wholeSecond, ok := Fraction(cell[8:])
	return seconds*1000 + fraction, wholeSecond, ok
}

// HMS reads HH:MM:SS from the first 8 bytes and returns the seconds since midnight.
func HMS(cell []byte) (seconds uint32, ok bool) {
	c := (*[8]byte)(cell)
	hour, ok1 := Two(c[0], c[1])
	minute, ok2 := Two(c[3], c[4])
	second, ok3 := Two(c[6], c[7])
	if !ok1 || !ok2 || !ok3 || c[2] != ':' || c[5] != ':' || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	return hour*3600 + minute*60 + second, true
}

func Two(tens, ones byte) (uint32, bool) {
	return uint32(tens-'0')*10 + uint32(ones-'0'), IsDigit(tens) && IsDigit(ones)
}

// Fraction reads the text after the whole seconds of a time and returns milliseconds. The text
// is empty, or a point or comma followed by at least one digit.
func Fraction(text []byte) (ms uint32, wholeSecond, ok bool) {
	if len(text) == 0 {
		return 0, true, true
	}
	if text[0] != '.' && text[0] != ',' || len(text) == 1 {
		return 0, false, false
	}
	weight := uint32(100)
	for _, c := range text[1:] {
		if !IsDigit(c) {
			return 0, false, false
		}
		ms += uint32(c-'0') * weight
		weight /= 10
	}
	return ms, false, true
}

// FloorHundredths reads a decimal number of degrees between -limit and +limit and rounds it down to
// hundredths. The result is exact: 0.29 gives 29, and -0.005 gives -1.
func FloorHundredths(cell []byte, limit int) (int16, bool) {
	digits := cell
	negative := len(digits) > 0 && digits[0] == '-'
	if negative || len(digits) > 0 && digits[0] == '+' {
		digits = digits[1:]
	}
	whole, i := 0, 0
	for ; i < len(digits) && IsDigit(digits[i]); i++ {
		whole = whole*10 + int(digits[i]-'0')
	}
	hundredths, point, finer := whole*100, i, false
	if i < len(digits) && digits[i] == '.' {
		for i++; i < len(digits) && IsDigit(digits[i]); i++ {
			switch i - point {
			case 1:
				hundredths += 10 * int(digits[i]-'0')
			case 2:
				hundredths += int(digits[i] - '0')
			default:
				finer = finer || digits[i] != '0'
			}
		}
	}
	if i < len(digits) || point > 5 || point == 0 && i <= 1 {
		return floorExact(cell, limit) // scientific notation such as 1234e-2, a long number, or not a number
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

// floorExact is like FloorHundredths for scientific notation, which some programs use for positions
// near Greenwich or the equator. It is slow but also exact.
func floorExact(cell []byte, limit int) (int16, bool) {
	if len(cell) > maxDigits || !HasNumberSyntax(cell) {
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
	floor := new(big.Int).Div(value.Num(), value.Denom()) // Div is Euclidean, which rounds down because denominators are positive
	return int16(floor.Int64()), true
}
