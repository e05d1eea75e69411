package joinfile

import (
	"math"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// instant is a time as written in a file.
type instant struct {
	ms          int64 // since midnight or, if there is a date, since 1970
	dated       bool
	wholeSecond bool // written without a fraction
}

// Ranges of numbers that represent times. A second of the years 2001 to 2262 has another size in
// each unit.
const (
	epochSecondsAbove = 1_000_000_000
	epochMillisAbove  = 1_000_000_000_000
	epochMicrosAbove  = 1_000_000_000_000_000
	epochNanosAbove   = 1_000_000_000_000_000_000
	epochMillisMax    = 253_402_300_799_999 // the end of the year 9999
)

// parseEpoch reads a number as a time. Depending on its size, it counts seconds since midnight, or
// seconds, milliseconds, microseconds or nanoseconds since 1970.
func parseEpoch(cell []byte) (instant, bool) {
	n, i := int64(0), 0
	for ; i < len(cell) && tables.IsDigit(cell[i]); i++ {
		if n > (math.MaxInt64-9)/10 {
			return instant{}, false
		}
		n = n*10 + int64(cell[i]-'0')
	}
	if i == 0 {
		return instant{}, false
	}
	fraction, wholeSecond, ok := tables.Fraction(cell[i:])
	switch {
	case !ok:
		return instant{}, false
	case n < datasets.MillisPerDay/1000:
		return instant{ms: n*1000 + int64(fraction), wholeSecond: wholeSecond}, true
	case n > epochNanosAbove:
		return instant{ms: n / 1_000_000, dated: true}, true
	case n > epochMicrosAbove && n/1000 <= epochMillisMax:
		return instant{ms: n / 1000, dated: true}, true
	case n > epochMillisAbove && n <= epochMillisMax:
		return instant{ms: n, dated: true}, true
	case n > epochSecondsAbove && n <= epochMillisMax/1000:
		return instant{ms: n*1000 + int64(fraction), dated: true, wholeSecond: wholeSecond}, true
	}
	return instant{}, false
}

// parseOffset reads a UTC offset: Z, UTC, GMT, ±HH, ±HHMM or ±HH:MM.
func parseOffset(text []byte) (ms int64, is, ok bool) {
	if len(text) == 0 {
		return 0, false, true
	}
	if len(text) == 1 && text[0]|0x20 == 'z' {
		return 0, true, true
	}
	if text[0] == ' ' {
		text = text[1:]
	}
	switch string(text) {
	case "Z", "UTC", "GMT":
		return 0, true, true
	}
	if len(text) < 3 || text[0] != '+' && text[0] != '-' {
		return 0, false, false
	}
	hours, ok := tables.Two(text[1], text[2])
	minutes, ok2 := uint32(0), true
	if rest := text[3:]; len(rest) > 0 {
		if rest[0] == ':' {
			rest = rest[1:]
		}
		if len(rest) != 2 {
			return 0, false, false
		}
		minutes, ok2 = tables.Two(rest[0], rest[1])
	}
	ms = int64(hours*60+minutes) * 60_000
	if text[0] == '-' {
		ms = -ms
	}
	return ms, true, ok && ok2 && hours <= 23 && minutes <= 59
}
