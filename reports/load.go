package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Load reads the files of a result directory back. Errors begin with the file, and
// with line and column where they are known. Files that repeat what summary.json
// says (datacenters.csv, continents.csv, hours.csv) are not read.
func Load(dir fs.FS) (*Result, error) {
	summary, err := LoadSummary(dir)
	if err != nil {
		return nil, err
	}
	r := &Result{Summary: *summary}
	if r.Series, err = readTable(dir, &seriesTable); err != nil {
		return nil, err
	}
	if r.Windows, err = readTable(dir, &windowsTable); err != nil {
		return nil, err
	}
	if r.Map, err = readTable(dir, &mapTable); err != nil {
		return nil, err
	}
	rows, err := readTable(dir, &binsTable)
	if err != nil {
		return nil, err
	}
	r.Distributions, err = collect(rows)
	return r, err
}

// LoadSummary reads summary.json alone.
func LoadSummary(dir fs.FS) (*Summary, error) {
	text, err := fs.ReadFile(dir, SummaryFile)
	if err != nil {
		return nil, err
	}
	return ParseSummary(text)
}

// ParseSummary reads the text of a summary.json. Unknown keys are passed over: a
// later version may have more to say under the same schema.
func ParseSummary(text []byte) (*Summary, error) {
	var s Summary
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, jsonError(text, err)
	}
	if s.Schema != Schema {
		return nil, fmt.Errorf("%s: \"schema\" is %d, want %d, the one that this version reads and writes",
			SummaryFile, s.Schema, Schema)
	}
	if len(s.ByHour) != 24 {
		return nil, fmt.Errorf("%s: \"by_hour\" has %d hours, want 24", SummaryFile, len(s.ByHour))
	}
	return &s, nil
}

// jsonError puts the place of an error in summary.json first. A value of the wrong
// type inside a list of named groups has a place only in its list.
func jsonError(text []byte, err error) error {
	offset := int64(-1)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	if bad, ok := err.(*json.UnmarshalTypeError); ok {
		offset = bad.Offset
	}
	if offset < 0 || offset > int64(len(text)) {
		return fmt.Errorf("%s: %w", SummaryFile, err)
	}
	before := text[:offset]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := max(1, len(before)-1-bytes.LastIndexByte(before, '\n'))
	return fmt.Errorf("%s:%d:%d: %w", SummaryFile, line, column, err)
}

func readTable[T any](dir fs.FS, t *table[T]) ([]T, error) {
	file, err := dir.Open(t.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return t.read(file)
}

// collect sorts the rows of distributions.csv by measure. A measure without rows
// is one that had no players.
func collect(rows []binRow) ([]Distribution, error) {
	distributions := []Distribution{
		{Measure: MeasureWaitFirst}, {Measure: MeasureWaitRepeat}, {Measure: MeasureWait},
		{Measure: MeasureRTT}, {Measure: MeasureDeltaRTT},
	}
	for line, row := range rows {
		i := slices.IndexFunc(distributions, func(d Distribution) bool { return d.Measure == row.measure })
		if i < 0 {
			return nil, fmt.Errorf("%s:%d:1: measure is %s, want one of those of summary.json, such as %q",
				binsFile, line+2, shorten(row.measure), MeasureWait)
		}
		if !(row.From <= row.To) {
			return nil, fmt.Errorf("%s:%d:1: the bin reaches from %v to %v, want to at or above from",
				binsFile, line+2, row.From, row.To)
		}
		distributions[i].Bins = append(distributions[i].Bins, row.Bin)
	}
	return distributions, nil
}
