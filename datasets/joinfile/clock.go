package joinfile

import (
	"fmt"
	"math"
	"time"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

const timeExpected = "expected HH:MM:SS[.fff], a date and a time such as 2026-03-14T15:04:05Z or 14.03.2026 15:04:05, or a number: " +
	"seconds since midnight (below 86400), or seconds, milliseconds, microseconds or nanoseconds since 1970"

// clock converts the times in a file to milliseconds since a midnight. A file contains only times
// of day or only times with a date.
type clock struct {
	zone  *time.Location // applies to midnights, and to times without an offset
	date  time.Time      // midnight of the selected day; zero for all days
	merge bool           // merge all days of the file into one
	reading
	survey *survey // not nil while the reading is being decided; times are then only noted

	read  bool // a time was read
	dated bool // times have a date
	line  int  // line of the first time
	first string
	form  string // what the first time is, for readers of the results

	// origin is the instant from which times with a date are counted, in milliseconds since 1970.
	// It is a midnight if a day is selected or if days are merged. Otherwise it is MaxDays days
	// before the midnight of the first row, because later rows may have earlier times.
	origin int64

	exactMS bool  // the format always has milliseconds, even if times were recorded in whole seconds
	hasMS   bool  // some time has milliseconds other than 0
	minutes bool  // some time was written without seconds
	days    int   // most decimals of a time of Excel
	skipped int   // number of joins on days that are not selected
	low     int64 // earliest and latest time with a date, in milliseconds since 1970
	high    int64

	calendar
}

// newClock returns a clock for a file.
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

// midnight returns the beginning of t's date in a time zone.
func midnight(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

// otherDay marks a row that is skipped, because its day is not selected.
const otherDay = -1

// at converts a time to milliseconds since the clock's origin, and reports whether it has no
// fraction of a second. It returns otherDay for a row to skip, and a message if the time is
// invalid.
func (c *clock) at(cell []byte, line int) (ms int64, wholeSecond bool, message string) {
	if c.survey != nil {
		c.survey.note(cell, line)
		return 0, true, ""
	}
	t, ok := c.parse(cell)
	if !ok {
		return 0, false, c.misfit(cell)
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
		message = fmt.Sprintf("time %s: more than %d days (MaxDays) from line %d (%s); --date picks one day",
			tables.Quoted(cell), datasets.MaxDays, c.line, c.first)
		if c.excel {
			message += ", or --time-format seconds makes the numbers seconds since midnight"
		}
		return 0, false, message
	}
	return ms, t.wholeSecond, ""
}

// begin decides from the first time in the file whether times have dates. It returns a message if a
// later time does not agree.
func (c *clock) begin(t instant, cell []byte, line int) (message string) {
	if c.read {
		forms := map[bool]string{false: "a time of day", true: "a time with a date"}
		return fmt.Sprintf("time %s is %s, but line %d has %s (%s): expected the same kind of time in the whole file",
			tables.Quoted(cell), forms[t.dated], c.line, forms[c.dated], c.first)
	}
	if !t.dated && !c.date.IsZero() {
		return fmt.Sprintf("time %s has no date, but --date %s is given: expected times such as 2026-03-14T15:04:05Z",
			tables.Quoted(cell), c.date.Format(time.DateOnly))
	}
	c.read, c.dated, c.line, c.first = true, t.dated, line, tables.Quoted(cell)
	c.form = c.formOf(cell)
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

// midnightOf returns the last midnight at or before a time in milliseconds since 1970.
func (c *clock) midnightOf(ms int64) time.Time {
	return midnight(time.UnixMilli(ms).In(c.zone), c.zone)
}

// forget undoes the decision of begin if the first row turns out to be malformed.
func (c *clock) forget(line int) {
	if c.line == line {
		c.read = false
	}
}

// firstMidnight returns the first midnight of the days in the file, and the milliseconds from the
// clock's origin to it. It returns the zero time for times of day and for merged days.
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

// tooLong returns a message if the file has more days than a run can have.
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

// nothingLeft returns the reason why no row is on the selected day, or "" if no row was skipped for
// its day.
func (c *clock) nothingLeft() (message string) {
	if c.skipped == 0 {
		return ""
	}
	day := func(ms int64) string { return time.UnixMilli(ms).In(c.zone).Format(time.DateOnly) }
	return fmt.Sprintf("no joins on %s: expected a date from %s to %s", c.date.Format(time.DateOnly), day(c.low), day(c.high))
}

// wholeSeconds reports whether all times should count as whole seconds. Programs that write dates
// often write .000, and times in milliseconds since 1970, times of Excel and Parquet timestamps
// always include milliseconds. If all milliseconds in such a file are 0, its times are whole seconds. In contrast,
// a time of day such as 12:00:00.000 has a fraction, because its writer chose to include it.
func (c *clock) wholeSeconds() bool { return !c.hasMS && (c.dated || c.exactMS || c.days > 0) }

// coarse returns a warning if the file writes times less exactly than in seconds.
func (c *clock) coarse() string {
	switch {
	case c.days > 0 && c.days <= excelTooCoarse:
		return fmt.Sprintf("times are numbers of Excel with at most %s, so they are rounded to %g s: export more decimals, or dates with times",
			tables.Counted(c.days, "decimal"), 86_400/math.Pow10(c.days))
	case c.minutes:
		return "some times have no seconds: all joins of such a minute are at its beginning; export times with seconds"
	}
	return ""
}

// parse reads a time in any format.
func (c *clock) parse(cell []byte) (instant, bool) {
	switch {
	case len(cell) >= 8 && cell[2] == ':':
		ms, wholeSecond, ok := tables.TimeOfDay(cell)
		return instant{ms: int64(ms), wholeSecond: wholeSecond}, ok
	case len(cell) >= 19 && cell[4] == '-' && cell[16] == ':':
		if t, ok := c.parseDateTime(cell); ok {
			return t, true
		}
		return c.parseCivil(cell)
	}
	if c.excel {
		if t, is, ok := c.parseExcel(cell); is {
			return t, ok
		}
	}
	if t, ok := parseEpoch(cell); ok {
		return t, true
	}
	return c.parseCivil(cell)
}

// parseCivil reads a date with dots, in which the day is first, or with slashes. It refuses a date
// with slashes whose order is open.
func (c *clock) parseCivil(cell []byte) (instant, bool) {
	d, ok := readCivil(cell)
	if !ok {
		return instant{}, false
	}
	day, month := d.first, d.second
	switch {
	case d.yearFirst:
		day, month = d.second, d.first
	case d.separator == '.':
	case c.order == orderOpen:
		return instant{}, false
	case c.order == monthFirst:
		day, month = d.second, d.first
	}
	t, ok := c.on(isoDate(d.year, month, day), d.time, d.offset)
	c.minutes = c.minutes || ok && d.minutes
	return t, ok
}

// parseExcel reads a time of Excel. It sets is unless the text is no number or the number is too
// high. The time counts as written with a fraction, see wholeSeconds.
func (c *clock) parseExcel(cell []byte) (t instant, is, ok bool) {
	cell, ok = plainNumber(cell)
	if !ok {
		return t, false, false
	}
	days, i := int64(0), 0
	for ; i < len(cell) && tables.IsDigit(cell[i]); i++ {
		if days = days*10 + int64(cell[i]-'0'); days >= datasets.MillisPerDay/1000 {
			return t, false, false
		}
	}
	var decimals []byte
	if i < len(cell) {
		decimals = cell[i+1:]
	}
	t.ms = ofDay(decimals)
	c.days = max(c.days, len(decimals))
	switch {
	case days == 0:
		t.ms = min(t.ms, datasets.MillisPerDay-1)
		return t, true, true
	case days < excelFirst || days >= excelAfter:
		return t, true, false
	}
	year, month, day := time.Unix((days+excelEpoch)*24*60*60, 0).UTC().Date()
	t, ok = c.on(isoDate(year, int(month), day), t, nil)
	return t, true, ok
}
