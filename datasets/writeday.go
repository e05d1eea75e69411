package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"mmsim/datasets/internal/tables"
)

// DayFormat is a CSV format for a day.
type DayFormat uint8

// Formats for a day.
const (
	Headed  DayFormat = iota + 1 // all columns, with a header
	Article                      // HH:MM:SS[.fff],lat,long without a header; other columns are lost
)

// ErrSeveralDays is returned if a format cannot represent several days.
var ErrSeveralDays = errors.New("the article's format cannot hold more than one day; --date selects one")

// WriteDay writes a day in order of time. joinfile.Read returns the same joins. Positions have the 0.01°
// resolution of a place. Times have milliseconds, or no fraction if they had none. The file does
// not record the kinds of columns. A kind that was declared in joinfile.Options.Columns must be declared
// again to read the file, because the kind inferred from the values may differ. The cost is about
// 0.1 µs per join.
//
// If there are several days, the format Headed writes times with a date and a Z, and the format
// Article returns an error.
//
// Texts are written unchanged, even if a spreadsheet would interpret them as formulas. The file is
// meant for joinfile.Read, and escaping would change the data.
func WriteDay(w io.Writer, d *Day, f DayFormat) error {
	out := bufio.NewWriterSize(w, 1<<16)
	writer := dayWriter{day: d}
	if d.Days() > 1 && f == Article {
		return fmt.Errorf("joins of %d days: %w", d.Days(), ErrSeveralDays)
	}
	if f == Headed {
		writer.findCells()
		writer.line = writer.header(writer.line)
		out.Write(writer.line) // bufio returns the first error from Flush
	}
	for j := range d.Joins() {
		line := writer.line[:0]
		if d.Days() > 1 {
			line = appendInstant(line, d, j)
		} else {
			line = appendTime(line, j)
		}
		line = appendHundredths(append(line, ','), d.Places[j.Place].LatHundredths)
		line = appendHundredths(append(line, ','), d.Places[j.Place].LonHundredths)
		if f == Headed {
			line = writer.others(line, j)
		}
		writer.line = append(line, '\n')
		if _, err := out.Write(writer.line); err != nil {
			return fmt.Errorf("writing joins: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing joins: %w", err)
	}
	return nil
}

// dayWriter writes the headed format. It writes continent, country and a column of measured RTTs
// only if a place has a value.
type dayWriter struct {
	day                *Day
	line               []byte
	continent, country bool
	measured           []int32                 // datacenters for which any place has a measured RTT
	ms                 [MaxDatacenters]float32 // measured RTTs of the row by datacenter; 0 if not measured
}

func (w *dayWriter) findCells() {
	var measured [MaxDatacenters]bool
	for i, p := range w.day.Places {
		w.continent = w.continent || p.Continent != 0
		w.country = w.country || p.Country != 0
		for _, m := range w.day.Measured(uint32(i)) {
			measured[m.Datacenter] = true
		}
	}
	for datacenter, is := range measured {
		if is {
			w.measured = append(w.measured, int32(datacenter))
		}
	}
}

func (w *dayWriter) header(line []byte) []byte {
	line = append(line, ColumnTime+","+ColumnLatitude+","+ColumnLongitude...)
	if w.continent {
		line = append(line, ","+ColumnContinent...)
	}
	if w.country {
		line = append(line, ","+ColumnCountry...)
	}
	for _, datacenter := range w.measured {
		line = tables.AppendCell(append(line, ','), ColumnMeasured+w.day.Datacenters[datacenter])
	}
	for _, c := range w.day.Columns {
		line = tables.AppendCell(append(line, ','), c.Name)
	}
	return append(line, '\n')
}

func (w *dayWriter) others(line []byte, j Join) []byte {
	p := w.day.Places[j.Place]
	if w.continent {
		line = append(append(line, ','), p.Continent.String()...)
	}
	if w.country {
		line = append(append(line, ','), p.Country.String()...)
	}
	if w.measured != nil {
		clear(w.ms[:])
		for _, m := range w.day.Measured(j.Place) {
			w.ms[m.Datacenter] = m.MS
		}
	}
	for _, datacenter := range w.measured {
		line = append(line, ',')
		if ms := w.ms[datacenter]; ms > 0 {
			line = strconv.AppendFloat(line, float64(ms), 'f', -1, 32)
		}
	}
	for _, c := range w.day.Columns {
		line = append(line, ',')
		if c.Kind != Number {
			line = tables.AppendCell(line, c.Text(j.Row))
		} else if value := c.Numbers[j.Row]; !math.IsNaN(value) {
			line = strconv.AppendFloat(line, value, 'f', -1, 64)
		}
	}
	return line
}

// appendInstant appends the date and time of a join in UTC.
func appendInstant(line []byte, d *Day, j Join) []byte {
	form := "2006-01-02T15:04:05.000Z"
	if j.WholeSecond() {
		form = "2006-01-02T15:04:05Z"
	}
	since := time.Duration(j.Day())*MillisPerDay + time.Duration(j.MS())
	return d.Midnight.Add(since*time.Millisecond).UTC().AppendFormat(line, form)
}

// appendTime appends HH:MM:SS, with the fraction if the file had one.
func appendTime(line []byte, j Join) []byte {
	ms := j.MS()
	seconds := ms / 1000
	line = appendDigits(line, seconds/3600, 2)
	line = appendDigits(append(line, ':'), seconds/60%60, 2)
	line = appendDigits(append(line, ':'), seconds%60, 2)
	if !j.WholeSecond() {
		line = appendDigits(append(line, '.'), ms%1000, 3)
	}
	return line
}

// appendDigits appends a number with leading zeros.
func appendDigits(line []byte, n uint32, width int) []byte {
	for range width {
		line = append(line, '0')
	}
	for i := len(line) - 1; n > 0; i-- {
		line[i] = byte('0' + n%10)
		n /= 10
	}
	return line
}

// appendHundredths appends degrees with two decimals, exactly.
func appendHundredths(line []byte, hundredths int16) []byte {
	h := int32(hundredths)
	if h < 0 {
		line = append(line, '-')
		h = -h
	}
	line = strconv.AppendUint(line, uint64(h/100), 10)
	return appendDigits(append(line, '.'), uint32(h%100), 2)
}

// Compressor returns a writer that compresses to w. The extension of the file name selects the
// format.
func Compressor(w io.Writer, file string) (io.WriteCloser, error) {
	switch filepath.Ext(file) {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		// Use a single goroutine, so that the output does not depend on the number of cores.
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plainFile{w}, nil
}

// plainFile writes without compression.
type plainFile struct{ io.Writer }

func (plainFile) Close() error { return nil }
