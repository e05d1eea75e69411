package joinfile

import (
	"fmt"
	"io"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// Some forms of time mean nothing by themselves: 3/4/2026 is in March or in April, and 0.5 is half
// a second or noon. The whole file decides. A survey reads the times of a file until they leave no
// doubt, which nearly always takes one row. The file is then read again from its start, which the
// survey has kept.

// MaxSurveyBytes is the maximum size of the start of a file that leaves open what its times mean,
// because it must be in memory as a whole.
const MaxSurveyBytes = 1 << 30

// survey collects what the times of a file reveal about their meaning.
type survey struct {
	reading
	given   TimeFormat
	decided bool
	faults  int // times that have no known form
	scratch clock

	text string // first date that leaves the order open

	numbers   int // numbers that may be times of Excel, or seconds since midnight
	low, high float64
	fraction  bool // some number has a fraction
}

// note adds a time to the survey.
func (s *survey) note(cell []byte, line int) {
	if d, ok := readCivil(cell); ok {
		s.decide(&d, cell, line)
		s.decided = s.order != orderOpen || d.separator == '.' || d.yearFirst
		switch {
		case s.decided:
		case d.first > 12 || d.second > 12:
			s.faults++ // no such month
		case s.text == "":
			s.text = tables.Quoted(cell)
		}
		return
	}
	plain, ok := plainNumber(cell)
	if ok {
		number, _ := tables.ParseNumber((&cellForm{decimalCommas: true}).number(plain))
		if s.decided = number >= datasets.MillisPerDay/1000 || s.given == TimesSeconds || s.given == TimesExcel; !s.decided {
			s.noteNumber(number)
		}
		return
	}
	if _, ok = s.scratch.parse(cell); ok {
		s.decided = true
		return
	}
	s.faults++
}

// noteNumber adds a number below 86,400.
func (s *survey) noteNumber(number float64) {
	if s.numbers++; s.numbers == 1 {
		s.low, s.high = number, number
	}
	s.low, s.high = min(s.low, number), max(s.high, number)
	s.fraction = s.fraction || number != float64(int64(number))
	s.decided = !s.mayBeExcel()
}

// mayBeExcel reports whether all numbers so far may be times of Excel: either fractions of a day or
// dates.
func (s *survey) mayBeExcel() bool {
	return s.high < 1 || s.low >= excelFirst && s.high < excelAfter && s.high-s.low < excelDaysMax
}

// result returns the meaning of the times, after the last one or when they have decided it.
func (s *survey) result() reading {
	if s.numbers > 0 && !s.decided {
		s.excel = s.fraction && s.mayBeExcel()
	}
	return s.reading
}

// surveyed returns the meaning of the times of a table, which open opens.
func surveyed(name string, o *Options, open func(*dayReader) error) (reading, error) {
	d := newDayReader(name, o)
	s := &survey{reading: readingOf(o.TimeFormat), given: o.TimeFormat, scratch: clock{calendar: d.clock.calendar}}
	d.clock.survey = s
	if err := open(d); err != nil || d.readFirst() != nil {
		return s.reading, nil // the reader that follows reports it
	}
	var ambiguous *tables.Error // the first date that leaves the order open
	for ok, f := true, (*tables.Fault)(nil); !s.decided && (s.faults <= o.MaxBadRows || o.MaxBadShare > 0 || o.AllBadRows); {
		if s.text != "" && ambiguous == nil {
			ambiguous = d.at(&tables.Fault{Column: d.column(d.header.positions[roleTime]), Message: fmt.Sprintf(
				"time %s may have the day or the month first, and no date of the file has a number above 12 that would tell: %s", s.text, orderExpected)})
		}
		if ok, f = d.table.Next(); !ok {
			break
		}
		if position := d.header.positions[roleTime]; f == nil && position < len(d.row.Cells) {
			s.note(d.header.form.number(tables.Trim(d.row.Cells[position])), d.row.Line)
		}
	}
	switch _, err := d.table.State(); {
	case err == errSurvey:
		return s.reading, d.at(&tables.Fault{Column: 1, Message: fmt.Sprintf("the rows up to this one leave open what the times mean, and "+
			"more than %d bytes are too many to remember (MaxSurveyBytes): expected dataset.time_format (--time-format) to say it", MaxSurveyBytes)})
	case err == io.EOF && ambiguous != nil && s.order == orderOpen && s.faults == 0:
		return s.reading, ambiguous
	}
	return s.result(), nil
}

// errSurvey is the error for a survey of more than MaxSurveyBytes.
var errSurvey = tables.Damage("more than MaxSurveyBytes to survey")

// rereader keeps what it reads, until rewind makes it start again.
type rereader struct {
	from io.Reader
	kept []byte
	err  error // error of from that came after kept
	next int   // next byte of kept to read again, or -1 before rewind
	most int   // MaxSurveyBytes, or less in tests
}

func newRereader(from io.Reader) *rereader {
	return &rereader{from: from, next: -1, most: MaxSurveyBytes}
}

func (r *rereader) rewind() { r.next = 0 }

func (r *rereader) Read(p []byte) (n int, err error) {
	switch {
	case r.next < 0 && len(r.kept) >= r.most:
		return 0, errSurvey
	case r.next < 0:
		n, r.err = r.from.Read(p)
		r.kept = append(r.kept, p[:n]...)
		return n, r.err
	case r.next < len(r.kept):
		n = copy(p, r.kept[r.next:])
		if r.next += n; r.next == len(r.kept) {
			r.kept, r.next = nil, 0 // not needed any more
			return n, r.err
		}
		return n, nil
	case r.err != nil:
		return 0, r.err
	}
	return r.from.Read(p)
}
