package joinfile

import (
	"fmt"

	"mmsim/datasets/internal/tables"
)

// A TimeFormat says how to read times whose form leaves their meaning open.
type TimeFormat string

// Values of a TimeFormat.
const (
	TimesAuto       TimeFormat = "auto"      // the whole file decides
	TimesDayFirst   TimeFormat = "day/month" // dates with slashes begin with the day
	TimesMonthFirst TimeFormat = "month/day" // dates with slashes begin with the month
	TimesSeconds    TimeFormat = "seconds"   // numbers below 86,400 are seconds since midnight
	TimesExcel      TimeFormat = "excel"     // numbers below 86,400 are Excel's fractions of a day or serial dates
)

// TimeFormats lists the values of a TimeFormat.
var TimeFormats = []string{string(TimesAuto), string(TimesDayFirst), string(TimesMonthFirst), string(TimesSeconds), string(TimesExcel)}

// dateOrder is the order of day and month in a date with slashes.
type dateOrder uint8

const (
	orderOpen dateOrder = iota
	dayFirst
	monthFirst
)

func (o dateOrder) String() string {
	return [...]string{"the day or the month first", "the day first", "the month first"}[o]
}

// reading is the meaning of times whose form leaves it open.
type reading struct {
	order     dateOrder // of dates with slashes
	orderLine int       // line of the date that decided the order; 0 if Options.TimeFormat did
	orderText string
	excel     bool // numbers below 86,400 are times of Excel
}

// readingOf returns what Options.TimeFormat decides.
func readingOf(f TimeFormat) (r reading) {
	switch f {
	case TimesDayFirst:
		r.order = dayFirst
	case TimesMonthFirst:
		r.order = monthFirst
	case TimesExcel:
		r.excel = true
	}
	return r
}

// decide sets the order if a date leaves no doubt.
func (r *reading) decide(d *civil, cell []byte, line int) {
	if r.order != orderOpen || d.separator != '/' || d.yearFirst {
		return
	}
	switch {
	case d.first > 12 && d.second <= 12:
		r.order = dayFirst
	case d.second > 12 && d.first <= 12:
		r.order = monthFirst
	default:
		return
	}
	r.orderLine, r.orderText = line, tables.Quoted(cell)
}

// because says what decided the order.
func (r *reading) because() string {
	if r.orderLine == 0 {
		return fmt.Sprintf("dataset.time_format puts %s", r.order)
	}
	return fmt.Sprintf("line %d (%s) has %s", r.orderLine, r.orderText, r.order)
}

// orderExpected is the end of messages about dates that leave the order open.
const orderExpected = "expected dataset.time_format (--time-format) day/month or month/day"

// misfit returns the message about a time that the clock cannot read.
func (c *clock) misfit(cell []byte) string {
	d, ok := readCivil(cell)
	switch {
	case !ok || d.separator != '/' || d.yearFirst:
	case c.order == orderOpen && d.first <= 12 && d.second <= 12:
		return fmt.Sprintf("time %s may have the day or the month first: %s", tables.Quoted(cell), orderExpected)
	case c.order == dayFirst && d.first <= 12 && d.second > 12, c.order == monthFirst && d.second <= 12 && d.first > 12:
		other := monthFirst
		if c.order == monthFirst {
			other = dayFirst
		}
		return fmt.Sprintf("time %s has %s, but %s: expected one order in the whole file, or dates such as 2026-03-14",
			tables.Quoted(cell), other, c.because())
	}
	if c.excel {
		return fmt.Sprintf("time %s: expected a time of Excel, as in the rest of the file: a fraction of a day, "+
			"or a date from 2000 to 2099 as a number (36526 to 73050); dataset.time_format (--time-format) seconds makes all numbers seconds since midnight", tables.Quoted(cell))
	}
	return fmt.Sprintf("time %s: %s", tables.Quoted(cell), timeExpected)
}

// formOf describes the form of the first time, for readers of the results.
func (c *clock) formOf(cell []byte) string {
	if d, ok := readCivil(cell); ok {
		switch {
		case d.separator == '-':
			return "dates with times"
		case d.yearFirst:
			return "dates with the year first"
		case d.separator == '.':
			return "dates with the day first"
		case c.orderLine > 0:
			return fmt.Sprintf("dates with %s, as line %d shows (%s)", c.order, c.orderLine, c.orderText)
		}
		return fmt.Sprintf("dates with %s (dataset.time_format)", c.order)
	}
	t, isNumber := parseEpoch(cell)
	switch {
	case c.excel && (!isNumber || !t.dated):
		if c.dated {
			return "Excel's serial dates"
		}
		return "Excel's fractions of a day"
	case !isNumber && c.dated:
		return "dates with times"
	case !isNumber:
		return "times of day"
	case !t.dated:
		return "seconds since midnight"
	}
	return epochUnit(cell) + " since 1970"
}

// epochUnit returns the unit of a number since 1970, from the number of its digits.
func epochUnit(cell []byte) string {
	n := 0.0
	for _, digit := range cell {
		if digit < '0' || digit > '9' {
			break
		}
		n = float64(n*10) + float64(digit-'0')
	}
	switch {
	case n > epochNanosAbove:
		return "nanoseconds"
	case n > epochMicrosAbove:
		return "microseconds"
	case n > epochMillisAbove:
		return "milliseconds"
	}
	return "seconds"
}
