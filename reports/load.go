package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"mmsim/sim"
)

// Load reads the files of a result directory back. Errors begin with the file, and
// with line and column where they are known. Files that repeat what summary.json
// says (datacenters.csv, continents.csv, hours.csv) are not read.
func Load(dir fs.FS) (*Result, error) {
	text, err := readSummary(dir)
	if err != nil {
		return nil, err
	}
	summary, err := ParseSummary(text)
	if err != nil {
		return nil, err
	}
	r := &Result{Summary: *summary}
	if r.Series, err = readSeries(dir, &seriesTable, summary.Run.Reached, minuteLength); err != nil {
		return nil, err
	}
	if r.Windows, err = readSeries(dir, &windowsTable, summary.Run.Reached, windowLength); err != nil {
		return nil, err
	}
	if r.Map, err = readTable(dir, &mapTable); err != nil {
		return nil, err
	}
	if r.Timelapse, err = readLapse(dir, summary); err != nil {
		return nil, err
	}
	rows, err := readTable(dir, &binsTable)
	if err != nil {
		return nil, err
	}
	r.Distributions = collect(rows)
	if summary.Servers != nil {
		if r.Servers, err = readSeries(dir, &serversTable, summary.Run.Reached, windowLength); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// ParseSummary reads the text of a summary.json. Unknown keys are passed over: a
// later version may have more to say under the same schema. Every key that this version
// writes must be there once and hold a number that a run can have: what is absent is not
// 0. See form.
func ParseSummary(text []byte) (*Summary, error) {
	var head struct{ Schema any }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, jsonError(text, err)
	}
	if version, is := head.Schema.(float64); is && version != Schema {
		return nil, fmt.Errorf("%s: \"schema\" is %v, want %d, the one that this version reads and writes", SummaryFile, version, Schema)
	}
	if err := checkForm(text); err != nil {
		return nil, err
	}
	var s Summary
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, jsonError(text, err)
	}
	if fault := s.fault(); fault != "" {
		return nil, fmt.Errorf("%s: %s", SummaryFile, fault)
	}
	if fault := s.metricsFault(); fault != "" {
		line, column := position(text, max(0, bytes.LastIndex(text, []byte(`"replications"`))))
		return nil, fmt.Errorf("%s:%d:%d: %s", SummaryFile, line, column, fault)
	}
	return &s, nil
}

// longestRun is more than any run lasts, and few enough days to draw.
const longestRun Seconds = 366 * 24 * 3600

// fault says what no run can have written, "" if the summary is sound.
func (s *Summary) fault() string {
	switch {
	case len(s.ByHour) != 24:
		return fmt.Sprintf("\"by_hour\" has %d hours, want 24", len(s.ByHour))
	case s.Run.Duration > longestRun:
		return fmt.Sprintf("\"duration_s\" is %g, want 0 to %g", float64(s.Run.Duration), float64(longestRun))
	case s.Run.Reached > s.Run.Duration:
		return fmt.Sprintf("\"reached_s\" is %g, want 0 to the duration, %g", float64(s.Run.Reached), float64(s.Run.Duration))
	}
	for _, d := range s.ByDatacenter {
		if d.Latitude < -90 || d.Latitude > 90 || d.Longitude < -180 || d.Longitude > 180 {
			return fmt.Sprintf("%s is at %g,%g, want a latitude from -90 to 90 and a longitude from -180 to 180",
				shorten(d.Name), float64(d.Latitude), float64(d.Longitude))
		}
	}
	return ""
}

// metricsFault says which number of an aggregate has no metric, "" if all have one: it
// would be taken for one that was never measured.
func (s *Summary) metricsFault() string {
	if s.Replications == nil {
		return ""
	}
	runs := map[string]int{}
	for _, m := range s.Replications.Metrics {
		runs[m.Name] = m.Runs
	}
	for _, n := range s.Numbers() {
		switch of := runs[n.Name]; {
		case of == 0 && !math.IsNaN(n.Value):
			return fmt.Sprintf("replications.metrics has no %q of at least 1 run, expected one: the summary has the number", n.Name)
		case of > s.Replications.Runs:
			return fmt.Sprintf("replications.metrics.%s.runs is %d, expected at most the %d of replications.runs", n.Name, of, s.Replications.Runs)
		}
	}
	return ""
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
	line, column := position(text, max(0, int(offset)-1))
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

// readSeries reads a table that has a row for every length seconds of the run: one
// with rows missing at the end would be drawn as hours without players.
func readSeries[T any](dir fs.FS, t *table[T], reached Seconds, length int) ([]T, error) {
	rows, err := readTable(dir, t)
	if err != nil {
		return nil, err
	}
	want := rowsUpTo(sim.Instant(math.Round(float64(reached)*float64(sim.Second))), length)
	if len(rows) != want {
		return nil, fmt.Errorf("%s:%d:1: %s, want %d: one for every %d s up to %g s, the \"reached_s\" of %s",
			t.file, min(len(rows), want)+2, plural(len(rows), "row"), want, length, float64(reached), SummaryFile)
	}
	return rows, nil
}

// collect sorts the rows of distributions.csv by measure. A measure without rows
// is one that had no players.
func collect(rows []binRow) []Distribution {
	distributions := make([]Distribution, len(measures))
	for i, measure := range measures {
		distributions[i].Measure = measure
		for _, row := range rows {
			if row.measure == measure {
				distributions[i].Bins = append(distributions[i].Bins, row.Bin)
			}
		}
	}
	return distributions
}
