package latencymap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Columns of a file of samples. The first four are required.
const (
	columnDatacenter = iota
	columnLatitude
	columnLongitude
	columnRTT
	columnTime
	columnWeight
	sampleColumns
	columnsRequired = columnTime
)

var columnNames = [sampleColumns]string{"datacenter", "latitude", "longitude", "rtt_ms", "time", "weight"}

// columnNamed has other usual names of columns, so that the message about a missing
// column can point at one of them.
var columnNamed = map[string]int{
	"timestamp": columnTime,
	"dc":        columnDatacenter, "server": columnDatacenter, "region": columnDatacenter,
	"lat": columnLatitude, "lon": columnLongitude, "long": columnLongitude, "lng": columnLongitude,
	"rtt": columnRTT, "latency": columnRTT, "ping": columnRTT, "latency_ms": columnRTT, "ping_ms": columnRTT,
}

// WeightMax is the largest weight of a sample.
const WeightMax = 1_000_000

// sampleReader reads one file of samples into a Builder.
type sampleReader struct {
	*Builder
	name  string
	rows  *rows
	at    [sampleColumns]int // the index of each column, -1 if it is missing
	width int
}

// Read reads a file of samples: CSV in UTF-8, not compressed. The first row names
// the columns, in any order:
//
//	datacenter           by name
//	latitude, longitude  of the player, degrees
//	rtt_ms               above 0; empty, 0, negative, NaN or infinite is a failed
//	                     measurement; above SampleMaxMS, such as the usual 5000 and
//	                     9999, is a timeout. Both are counted
//	time or timestamp    see ParseInstant; optional without a window
//	weight               how many measurements the row stands for, 1 to WeightMax;
//	                     optional, 1 without
//
// Other columns are ignored with a warning. Messages begin with NAME:LINE:COLUMN. More
// than BuildOptions.MaxBadRows malformed rows, over all files, are an error; the rows
// before it are counted. Reading takes about 0.35 µs a row.
func (b *Builder) Read(r io.Reader, name string) error {
	s := &sampleReader{Builder: b, name: name, rows: newRows(r)}
	if err := s.readHeader(); err != nil {
		return err
	}
	for {
		f, err := s.rows.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, s.rows.line, err)
		}
		s.stats.Rows++
		if f == nil {
			f = s.addRow()
		}
		if f != nil {
			if err := s.reject(f); err != nil {
				return err
			}
		}
	}
}

func (s *sampleReader) place(f *fault) error {
	return fmt.Errorf("%s:%d:%d: %s", s.name, s.rows.line, f.column, f.message)
}

// reject counts a malformed row; it is an error when there are too many.
func (s *sampleReader) reject(f *fault) error {
	err := s.place(f)
	if s.firstBad == nil {
		s.firstBad = err
	}
	s.stats.BadRows++
	switch {
	case s.stats.BadRows <= s.options.MaxBadRows:
		return nil
	case s.options.MaxBadRows == 0:
		return err
	}
	return fmt.Errorf("%w (malformed row number %d, at most %d are tolerated; the first: %w)",
		err, s.stats.BadRows, s.options.MaxBadRows, s.firstBad)
}

// readHeader reads the names of the columns.
func (s *sampleReader) readHeader() error {
	f, err := s.rows.next()
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s:1:1: the file is empty, expected a header with %s", s.name, requiredColumns())
	case err != nil:
		return fmt.Errorf("%s:%d: %w", s.name, s.rows.line, err)
	}
	if f == nil {
		f = s.setColumns()
	}
	if f != nil {
		return s.place(f)
	}
	return nil
}

func requiredColumns() string { return strings.Join(columnNames[:columnsRequired], ", ") }

// setColumns finds the index of each column.
func (s *sampleReader) setColumns() *fault {
	s.width = len(s.rows.cells)
	for column := range s.at {
		s.at[column] = -1
	}
	var unused []string
	for i := range s.rows.cells {
		name := string(s.rows.cell(i))
		column := slices.Index(columnNames[:], name)
		if name == "timestamp" {
			column = columnTime
		}
		if column < 0 {
			unused = append(unused, name)
			continue
		}
		if first := s.at[column]; first >= 0 {
			return &fault{s.rows.column(i), fmt.Sprintf("%.40q: column %s is there twice, as columns %d and %d, expected once",
				name, columnNames[column], first+1, i+1)}
		}
		s.at[column] = i
	}
	for column := range columnsRequired {
		if s.at[column] < 0 {
			return &fault{1, missingColumn(column, unused)}
		}
	}
	if s.at[columnTime] < 0 && s.hasWindow() {
		return &fault{1, "column time is missing, expected one (or timestamp) because only a window of time is wanted"}
	}
	if len(unused) > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%s: columns not used: %.200s", s.name, strings.Join(unused, ", ")))
	}
	return nil
}

// missingColumn names the column that may be meant instead of a missing one.
func missingColumn(column int, others []string) string {
	name := columnNames[column]
	for _, other := range others {
		if meant, ok := columnNamed[strings.ToLower(other)]; ok && meant == column {
			return fmt.Sprintf("column %s is missing, expected that name instead of %.40q", name, other)
		}
	}
	return fmt.Sprintf("column %s is missing, expected a header with %s", name, requiredColumns())
}

// addRow counts the sample in the current row.
func (s *sampleReader) addRow() *fault {
	if n := len(s.rows.cells); n != s.width {
		return &fault{s.rows.column(s.width), fmt.Sprintf("%d columns, expected %d as in the header", n, s.width)}
	}
	dc, ok := s.numbers[string(s.rows.cell(s.at[columnDatacenter]))]
	if !ok {
		return s.bad(columnDatacenter, "expected a datacenter of the list: "+s.known())
	}
	lat, ok := s.number(columnLatitude)
	if !ok || !(lat >= -90 && lat <= 90) {
		return s.bad(columnLatitude, "expected degrees from -90 to 90")
	}
	lon, ok := s.number(columnLongitude)
	if !ok || !(lon >= -180 && lon <= 180) {
		return s.bad(columnLongitude, "expected degrees from -180 to 180")
	}
	ms, ok := s.number(columnRTT)
	if !ok && len(s.rows.cell(s.at[columnRTT])) == 0 {
		ms, ok = 0, true
	}
	if !ok {
		return s.bad(columnRTT, "expected milliseconds, or nothing")
	}
	weight := 1
	if s.at[columnWeight] >= 0 {
		weight, ok = digits(s.rows.cell(s.at[columnWeight]))
		if !ok || len(s.rows.cell(s.at[columnWeight])) > len("1000000") || weight < 1 || weight > WeightMax {
			return s.bad(columnWeight, fmt.Sprintf("expected a whole number of measurements from 1 to %d", WeightMax))
		}
	}
	if s.at[columnTime] >= 0 {
		at, ok := parseInstant(s.rows.cell(s.at[columnTime]))
		if !ok {
			return s.bad(columnTime, instantExpected)
		}
		if at < s.from || at >= s.to {
			s.stats.OutsideWindow++
			return nil
		}
		s.first, s.last = min(s.first, at), max(s.last, at)
	}
	s.add(dc, CellOf(lat, lon), ms, uint32(weight))
	return nil
}

// number reads a cell as a number, including NaN and infinities.
func (s *sampleReader) number(column int) (float64, bool) {
	x, err := strconv.ParseFloat(string(s.rows.cell(s.at[column])), 64)
	return x, err == nil
}

// bad returns the fault of a cell with an invalid value.
func (s *sampleReader) bad(column int, expected string) *fault {
	i := s.at[column]
	cell := bytes.ToValidUTF8(s.rows.cells[i], []byte("\ufffd"))
	return &fault{s.rows.column(i), fmt.Sprintf("%s %.40q, %s", columnNames[column], cell, expected)}
}

// known lists some datacenters for a message.
func (b *Builder) known() string {
	const shown = 8
	var names []string
	for _, d := range b.options.Datacenters[:min(shown, len(b.options.Datacenters))] {
		names = append(names, d.Name)
	}
	if more := len(b.options.Datacenters) - shown; more > 0 {
		names = append(names, fmt.Sprintf("… (%d more)", more))
	}
	return strings.Join(names, ", ")
}
