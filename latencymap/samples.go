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

// These are the columns of a file of samples. The first four are required.
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

// columnNamed has other common names of columns. A message about a missing column can then point at
// the column that was probably meant.
var columnNamed = map[string]int{
	"timestamp": columnTime,
	"dc":        columnDatacenter, "server": columnDatacenter, "region": columnDatacenter,
	"lat": columnLatitude, "lon": columnLongitude, "long": columnLongitude, "lng": columnLongitude,
	"rtt": columnRTT, "latency": columnRTT, "ping": columnRTT, "latency_ms": columnRTT, "ping_ms": columnRTT,
}

// WeightMax is the maximum weight of a sample.
const WeightMax = 1_000_000

// sampleReader reads one file of samples into a Builder.
type sampleReader struct {
	*Builder
	name  string
	rows  *rows
	at    [sampleColumns]int // index of each column, or -1 if it is missing
	width int
}

// Read reads a file of samples. It is an uncompressed CSV file in UTF-8. The first row contains the
// column names, in any order:
//
//	datacenter           name of a datacenter
//	latitude, longitude  position of the player, in degrees
//	rtt_ms               RTT in ms, above 0. An empty, zero, negative, NaN or infinite value is a
//	                     failed measurement. A value above SampleMaxMS, such as the usual 5000
//	                     and 9999, is a time-out. Both are counted
//	time or timestamp    time of the measurement, see ParseInstant; required if there is a window
//	weight               number of measurements in this row, 1 to WeightMax; 1 by default
//
// Read ignores other columns with a warning. Messages begin with NAME:LINE:COLUMN. It is an error
// if there are more than BuildOptions.MaxBadRows malformed rows in all files together. The rows
// before the error are counted. Reading takes about 0.35 µs per row.
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

// reject counts a malformed row. It returns an error if there are too many.
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
	return fmt.Errorf("%w (malformed row %d, at most %d are allowed; the first is %w)",
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
			return &fault{s.rows.column(i), fmt.Sprintf("%.40q: column %s appears twice, as columns %d and %d, expected it once",
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
		return &fault{1, "column time or timestamp is missing, expected one because samples are selected by time"}
	}
	if len(unused) > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%s: columns not used: %.200s", s.name, strings.Join(unused, ", ")))
	}
	return nil
}

// missingColumn returns a message about a missing column. If the file has another column with a
// similar meaning, the message names it, because it was probably meant.
func missingColumn(column int, others []string) string {
	name := columnNames[column]
	for _, other := range others {
		if meant, ok := columnNamed[strings.ToLower(other)]; ok && meant == column {
			return fmt.Sprintf("column %s is missing, expected that name instead of %.40q", name, other)
		}
	}
	return fmt.Sprintf("column %s is missing, expected a header with %s", name, requiredColumns())
}

// addRow adds the sample in the current row.
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

// number parses a cell as a number, which may be NaN or infinite.
func (s *sampleReader) number(column int) (float64, bool) {
	x, err := strconv.ParseFloat(string(s.rows.cell(s.at[column])), 64)
	return x, err == nil
}

// bad returns an error about a cell with an invalid value.
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
