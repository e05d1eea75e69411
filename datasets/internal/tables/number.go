package tables

import (
	"bytes"
	"math"
	"strconv"
)

// numberSyntax contains the characters that may occur in decimal numbers.
const numberSyntax = "0123456789+-.eE"

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return c-'0' <= 9 }

// Trim removes blanks around a number, a time or a code.
func Trim(cell []byte) []byte {
	if len(cell) > 0 && (cell[0] <= ' ' || cell[len(cell)-1] <= ' ') {
		return bytes.Trim(cell, " \t")
	}
	return cell
}

// HasNumberSyntax reports whether a cell contains only characters of decimal numbers. This excludes
// forms that the standard library accepts: NaN, Inf, hexadecimal numbers, and underscores.
func HasNumberSyntax(cell []byte) bool {
	return len(cell) > 0 && len(bytes.Trim(cell, numberSyntax)) == 0
}

// pow10 contains the powers of ten that a float64 represents exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// ParseNumber parses a finite decimal number. Numbers of up to 15 digits without exponent need only
// one division, whose operands are exact. All others are left to the standard library. Both ways
// give the nearest float64.
func ParseNumber(cell []byte) (float64, bool) {
	digits := cell
	negative := len(digits) > 0 && digits[0] == '-'
	if negative || len(digits) > 0 && digits[0] == '+' {
		digits = digits[1:]
	}
	mantissa, decimals, point := uint64(0), 0, false
	for _, c := range digits {
		switch {
		case IsDigit(c):
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
	if !HasNumberSyntax(cell) {
		return 0, false
	}
	value, err := strconv.ParseFloat(string(cell), 64)
	return value, err == nil && !math.IsInf(value, 0)
}
