package joinfile

import (
	"fmt"
	"time"

	"mmsim/datasets"
	"mmsim/datasets/internal/csvfile"
	"mmsim/datasets/internal/wording"
)

const timeExpected = "expected HH:MM:SS[.fff], a date and a time such as 2026-03-14T15:04:05Z, or a number: " +
	"seconds since midnight (below 86400), or seconds (above 1e9) or milliseconds (above 1e12) since 1970"

// clock turns the times of a file into milliseconds since a midnight. A file has times
// of day alone or times with a date alone.
type clock struct {
	zone  *time.Location // of times without an offset, and of midnights
	date  time.Time      // midnight of the day that is asked for; zero: all days
	merge bool           // the days of the file become one

	read  bool // at least one time
	dated bool // they have a date
	line  int  // of the first one
	first string

	// origin is the instant that times with a date are counted from, in milliseconds
	// since 1970: with a date or merged a midnight, else MaxDays days before that of
	// the first row, since later rows may be earlier.
	origin int64

	exactMS bool  // a time on a whole second says so: it might have had milliseconds
	hasMS   bool  // any time has milliseconds other than 0
	skipped int   // joins on other days than the one that is asked for
	low     int64 // earliest and latest time with a date, in milliseconds since 1970
	high    int64

	calendar
}

// newClock returns the clock of a file.
func newClock(o *Options) *clock {
	c := &clock{zone: o.Zone, merge: o.Merge, date: o.Date}
	if c.zone == nil {
		c.zone = time.UTC
	}
	if !c.date.IsZero() {
		c.date = midnight(c.date, c.zone)
	}
	c.calendar.zone = c.zone
	return c
}

// midnight returns when the date of a time begins in a time zone.
func midnight(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

// Rows of other days than the one that is asked for are left out.
const otherDay = -1

// at returns the milliseconds from the clock's origin to a time, otherDay for a row
// that is left out, and whether the time has no fraction of a second. What is wrong
// with the time is returned as a message.
func (c *clock) at(cell []byte, line int) (ms int64, wholeSecond bool, message string) {
	t, ok := c.parse(cell)
	if !ok {
		return 0, false, fmt.Sprintf("time %s: %s", wording.Quoted(cell), timeExpected)
	}
	if t.dated != c.dated || !c.read {
		if message := c.begin(t, cell, line); message != "" {
			return 0, false, message
		}
	}
	c.hasMS = c.hasMS || t.ms%1000 != 0
	if !t.dated {
		return t.ms, t.wholeSecond, ""
	}
	c.low, c.high = min(c.low, t.ms), max(c.high, t.ms)
	ms = t.ms - c.origin
	switch {
	case c.merge:
		const day = datasets.MillisPerDay
		ms = (ms%day + day) % day
	case !c.date.IsZero():
		if ms < 0 || ms >= datasets.MillisPerDay {
			c.skipped++
			return otherDay, false, ""
		}
	case ms < 0 || ms >= (2*datasets.MaxDays+1)*datasets.MillisPerDay:
		return 0, false, fmt.Sprintf("time %s: more than %d days (MaxDays) from line %d (%s); --date picks one day",
			wording.Quoted(cell), datasets.MaxDays, c.line, c.first)
	}
	return ms, t.wholeSecond, ""
}

// begin decides by the first time of the file whether it has dates, and complains
// about a later one that differs.
func (c *clock) begin(t instant, cell []byte, line int) (message string) {
	if c.read {
		forms := map[bool]string{false: "a time of day", true: "a time with a date"}
		return fmt.Sprintf("time %s is %s, but line %d has %s (%s): expected one form in the whole file",
			wording.Quoted(cell), forms[t.dated], c.line, forms[c.dated], c.first)
	}
	if !t.dated && !c.date.IsZero() {
		return fmt.Sprintf("time %s has no date, but --date %s is given: expected times such as 2026-03-14T15:04:05Z",
			wording.Quoted(cell), c.date.Format(time.DateOnly))
	}
	c.read, c.dated, c.line, c.first = true, t.dated, line, wording.Quoted(cell)
	if !t.dated {
		return ""
	}
	c.low, c.high = t.ms, t.ms
	switch {
	case !c.date.IsZero():
		c.origin = c.date.UnixMilli()
	case c.merge:
		c.origin = c.midnightOf(t.ms).UnixMilli()
	default:
		c.origin = c.midnightOf(t.ms).UnixMilli() - datasets.MaxDays*datasets.MillisPerDay
	}
	return ""
}

// midnightOf returns the midnight before an instant in milliseconds since 1970.
func (c *clock) midnightOf(ms int64) time.Time {
	return midnight(time.UnixMilli(ms).In(c.zone), c.zone)
}

// forget takes a row back that turned out to be malformed, if it was the first one: it
// decides nothing then.
func (c *clock) forget(line int) {
	if c.line == line {
		c.read = false
	}
}

// firstMidnight returns the first midnight of the days in the file, and how many
// milliseconds behind the clock's origin it is. It is the zero time for times of day
// alone and for merged days.
func (c *clock) firstMidnight() (time.Time, int64) {
	switch {
	case !c.dated || c.merge:
		return time.Time{}, 0
	case !c.date.IsZero():
		return c.date, 0
	}
	first := c.midnightOf(c.low)
	return first, first.UnixMilli() - c.origin
}

// tooLong complains about more days than a run may have.
func (c *clock) tooLong() (message string) {
	first, _ := c.firstMidnight()
	if first.IsZero() || !c.date.IsZero() {
		return ""
	}
	if days := (c.high-first.UnixMilli())/datasets.MillisPerDay + 1; days > datasets.MaxDays {
		return fmt.Sprintf("joins of %d days from %s: expected at most %d (MaxDays); --date picks one",
			days, first.Format(time.DateOnly), datasets.MaxDays)
	}
	return ""
}

// nothingLeft says why no row is on the day that is asked for, "" if that is not it.
func (c *clock) nothingLeft() (message string) {
	if c.skipped == 0 {
		return ""
	}
	day := func(ms int64) string { return time.UnixMilli(ms).In(c.zone).Format(time.DateOnly) }
	return fmt.Sprintf("no joins on %s: expected a date from %s to %s", c.date.Format(time.DateOnly), day(c.low), day(c.high))
}

// wholeSeconds reports whether no time has a fraction of a second. Programs that write
// dates often write .000 always, and epochs in milliseconds or timestamps of Parquet
// have no other form: there a file without any milliseconds has none to give. A time
// of day that a person can read has a fraction if it is written.
func (c *clock) wholeSeconds() bool { return !c.hasMS && (c.dated || c.exactMS) }

// instant is a time as it is written.
type instant struct {
	ms          int64 // since midnight; with a date: since 1970
	dated       bool
	wholeSecond bool // without a fraction
}

// parse reads any form of a time.
func (c *clock) parse(cell []byte) (instant, bool) {
	switch {
	case len(cell) >= 8 && cell[2] == ':':
		ms, wholeSecond, ok := parseTimeOfDay(cell)
		return instant{ms: int64(ms), wholeSecond: wholeSecond}, ok
	case len(cell) >= 19 && cell[4] == '-':
		return c.parseDateTime(cell)
	}
	return parseEpoch(cell)
}

// Numbers that are times.
const (
	epochSecondsAbove = 1_000_000_000
	epochMillisAbove  = 1_000_000_000_000
	epochMillisMost   = 253_402_300_799_999 // the end of the year 9999
)

// parseEpoch reads a number: seconds since midnight, or seconds or milliseconds since
// 1970, as its size tells.
func parseEpoch(cell []byte) (instant, bool) {
	n, i := int64(0), 0
	for ; i < len(cell) && csvfile.IsDigit(cell[i]); i++ {
		if n = n*10 + int64(cell[i]-'0'); n > epochMillisMost {
			return instant{}, false
		}
	}
	if i == 0 {
		return instant{}, false
	}
	fraction, wholeSecond, ok := parseFraction(cell[i:])
	switch {
	case !ok:
		return instant{}, false
	case n < datasets.MillisPerDay/1000:
		return instant{ms: n*1000 + int64(fraction), wholeSecond: wholeSecond}, true
	case n > epochMillisAbove:
		return instant{ms: n, dated: true}, true
	case n > epochSecondsAbove && n <= epochMillisMost/1000:
		return instant{ms: n*1000 + int64(fraction), dated: true, wholeSecond: wholeSecond}, true
	}
	return instant{}, false
}

// calendar knows the last date that was read: those of neighbouring rows are the same.
type calendar struct {
	zone  *time.Location
	known [10]byte // YYYY-MM-DD
	utc   int64    // when it begins in UTC, in milliseconds since 1970
	local int64    // and in the time zone
	even  bool     // it has 24 hours there: clocks do not change
}

// look finds out about a date.
func (c *calendar) look(date [10]byte) bool {
	number := func(digits []byte) (n int, ok bool) {
		for _, d := range digits {
			if !csvfile.IsDigit(d) {
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

// parseDateTime reads ISO 8601 and SQL: a date, T or a blank, a time of day with its
// seconds, and an offset from UTC or none. Without seconds it is refused: a minute of
// joins would all come at its beginning.
func (c *calendar) parseDateTime(cell []byte) (instant, bool) {
	if date := [10]byte(cell); date != c.known && !c.look(date) {
		return instant{}, false
	}
	if cell[10] != 'T' && cell[10] != ' ' && cell[10] != 't' {
		return instant{}, false
	}
	seconds, ok := parseHMS(cell[11:])
	if !ok {
		return instant{}, false
	}
	rest := cell[19:]
	end := 0
	for end < len(rest) && (csvfile.IsDigit(rest[end]) || rest[end] == '.' || rest[end] == ',') {
		end++
	}
	fraction, wholeSecond, ok := parseFraction(rest[:end])
	if !ok {
		return instant{}, false
	}
	t := instant{ms: int64(seconds)*1000 + int64(fraction), dated: true, wholeSecond: wholeSecond}
	offset, hasOffset, ok := parseOffset(rest[end:])
	switch {
	case hasOffset:
		t.ms += c.utc - offset
	case c.even:
		t.ms += c.local
	default: // clocks change on this day
		year, month, day := time.UnixMilli(c.utc).UTC().Date()
		t.ms = time.Date(year, month, day, int(seconds/3600), int(seconds/60%60), int(seconds%60), int(fraction)*1e6, c.zone).UnixMilli()
	}
	return t, ok
}

// parseOffset reads how far a time is from UTC: Z, UTC, GMT, ±HH, ±HHMM or ±HH:MM.
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
	hours, ok := twoDigits(text[1:])
	minutes, ok2 := uint32(0), true
	if rest := text[3:]; len(rest) > 0 {
		if rest[0] == ':' {
			rest = rest[1:]
		}
		if len(rest) != 2 {
			return 0, false, false
		}
		minutes, ok2 = twoDigits(rest)
	}
	ms = int64(hours*60+minutes) * 60_000
	if text[0] == '-' {
		ms = -ms
	}
	return ms, true, ok && ok2 && hours <= 23 && minutes <= 59
}
