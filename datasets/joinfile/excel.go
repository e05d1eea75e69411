package joinfile

import (
	"bytes"
	"strconv"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// Excel stores a time as a number of days: a time of day is a fraction of a day, and a date is the
// number of days since 1899-12-30. The numbers are rounded, often to so few decimals that a second
// no longer shows.
const (
	excelEpoch     = -25_569 // 1899-12-30, in days since 1970
	excelFirst     = 36_526  // 2000-01-01
	excelAfter     = 73_051  // 2100-01-01
	excelDaysMax   = 366     // more days in a file are no dates, but seconds since midnight
	excelDecimals  = 11      // decimals that matter: 1 µs
	excelTooCoarse = 4       // so few decimals are at least 8.64 s apart
)

// ofDay returns the time of day of a fraction of a day, from its decimals. The fraction is rounded.
// If it can be a whole second, it is one. Otherwise it is the nearest millisecond.
func ofDay(decimals []byte) (ms int64) {
	const secondsPerDay = datasets.MillisPerDay / 1000
	if len(decimals) > excelDecimals {
		decimals = decimals[:excelDecimals]
	}
	fraction, unit := int64(0), int64(1)
	for _, digit := range decimals {
		fraction, unit = fraction*10+int64(digit-'0'), unit*10
	}
	exact := fraction * secondsPerDay // in seconds, times unit
	second := (exact + unit/2) / unit
	if off := 2 * (exact - second*unit); off <= secondsPerDay && off >= -secondsPerDay {
		return second * 1000
	}
	return (exact*1000 + unit/2) / unit
}

// plainNumber returns a decimal number without a sign, with decimals only after digits. Excel
// writes times just after midnight with an exponent, such as 4.63E-05.
func plainNumber(cell []byte) ([]byte, bool) {
	i := 0
	for i < len(cell) && tables.IsDigit(cell[i]) {
		i++
	}
	digits := i
	if i < len(cell) && (cell[i] == '.' || cell[i] == ',') {
		for i++; i < len(cell) && tables.IsDigit(cell[i]); i++ {
		}
	}
	switch {
	case digits == 0 || i == digits+1: // no digit before or after the point
		return nil, false
	case i == len(cell):
		return cell, true
	case cell[i] != 'e' && cell[i] != 'E' || i+1 == len(cell) || cell[i+1] != '-':
		return nil, false
	}
	value, err := strconv.ParseFloat(string(bytes.Replace(cell, []byte{','}, []byte{'.'}, 1)), 64)
	return strconv.AppendFloat(nil, value, 'f', -1, 64), err == nil && value < 1
}
