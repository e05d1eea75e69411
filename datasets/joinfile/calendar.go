package joinfile

import (
	"time"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// calendar caches the last date that was read, because consecutive rows usually have the same date.
type calendar struct {
	zone  *time.Location
	known [10]byte // YYYY-MM-DD
	utc   int64    // midnight in UTC, in milliseconds since 1970
	local int64    // midnight in the time zone
	even  bool     // the day has 24 hours in the time zone, so clocks do not change
}

// look parses a date and stores it as the last date read. It returns false if there is no such
// date.
func (c *calendar) look(date [10]byte) bool {
	number := func(digits []byte) (n int, ok bool) {
		for _, d := range digits {
			if !tables.IsDigit(d) {
				return 0, false
			}
			n = n*10 + int(d-'0')
		}
		return n, true
	}
	year, ok1 := number(date[:4])
	month, ok2 := number(date[5:7])
	day, ok3 := number(date[8:])
	if !ok1 || !ok2 || !ok3 || date[4] != '-' || date[7] != '-' {
		return false
	}
	utc := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if utc.Day() != day || int(utc.Month()) != month {
		return false // no such day
	}
	local, next := midnight(utc, c.zone), midnight(utc.AddDate(0, 0, 1), c.zone)
	c.known, c.utc, c.local = date, utc.UnixMilli(), local.UnixMilli()
	c.even = next.UnixMilli()-c.local == datasets.MillisPerDay && local.Hour() == 0
	return true
}

// parseDateTime reads ISO 8601 and SQL: a date, T or a blank, a time of day with seconds, and an
// optional UTC offset.
func (c *calendar) parseDateTime(cell []byte) (instant, bool) {
	if cell[10] != 'T' && cell[10] != ' ' && cell[10] != 't' {
		return instant{}, false
	}
	seconds, ok := tables.HMS(cell[11:])
	if !ok {
		return instant{}, false
	}
	rest := cell[19:]
	end := 0
	for end < len(rest) && (tables.IsDigit(rest[end]) || rest[end] == '.' || rest[end] == ',') {
		end++
	}
	fraction, wholeSecond, ok := tables.Fraction(rest[:end])
	if !ok {
		return instant{}, false
	}
	return c.on([10]byte(cell), instant{ms: int64(seconds)*1000 + int64(fraction), wholeSecond: wholeSecond}, rest[end:])
}

// on returns a time of day on a date, which is written as YYYY-MM-DD. The offset is as in
// parseOffset.
func (c *calendar) on(date [10]byte, t instant, offset []byte) (instant, bool) {
	if date != c.known && !c.look(date) {
		return instant{}, false
	}
	ofDay := t.ms
	t.dated = true
	fromUTC, hasOffset, ok := parseOffset(offset)
	switch {
	case hasOffset:
		t.ms += c.utc - fromUTC
	case c.even:
		t.ms += c.local
	default: // clocks change on this day
		year, month, day := time.UnixMilli(c.utc).UTC().Date()
		t.ms = time.Date(year, month, day, 0, 0, int(ofDay/1000), int(ofDay%1000)*1e6, c.zone).UnixMilli()
	}
	return t, ok
}
