package outcome

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"reflect"
)

// SummaryFile is the name of the file with the Summary of a result.
const SummaryFile = "summary.json"

// MaxSummaryBytes limits the size of summary.json. The summary of a day takes less than 100 kB,
// so the limit leaves room for a hundred times as many queues, rules and groups.
const MaxSummaryBytes = 16 << 20

// Write writes the text of summary.json.
func (s *Summary) Write(w io.Writer) error { return WriteJSON(w, s) }

// WriteJSON writes document as indented JSON that ends with a line break.
func WriteJSON(w io.Writer, document any) error {
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// LoadSummary reads summary.json from a directory. An error begins with the name of the file,
// then the line and column if they are known.
func LoadSummary(dir fs.FS) (*Summary, error) {
	file, err := dir.Open(SummaryFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxSummaryBytes+1))
	if err == nil && len(text) > MaxSummaryBytes {
		err = fmt.Errorf("%s: larger than %d MiB (limit MaxSummaryBytes), expected the summary of a result", SummaryFile, MaxSummaryBytes>>20)
	}
	if err != nil {
		return nil, err
	}
	return ParseSummary(text)
}

// ParseSummary parses the text of a summary.json. It ignores unknown keys, because a later
// version may add keys without a new schema. Every key that this version always writes must be
// present exactly once and have a possible value, because a missing number does not mean 0; see
// form.
func ParseSummary(text []byte) (*Summary, error) {
	var s Summary
	if err := readForm(SummaryFile, text, Schema, schema(), reflect.ValueOf(&s).Elem()); err != nil {
		return nil, err
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

// longestRun is longer than any run, and short enough to draw.
const longestRun Seconds = 366 * 24 * 3600

// fault describes a value that no run can have written. It returns "" if there is none.
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
				Quoted(d.Name), float64(d.Latitude), float64(d.Longitude))
		}
	}
	return ""
}

// metricsFault describes the first fault of replications.metrics in an aggregate, or returns "" if
// there is none. An entry must not have more runs than the aggregate. A number of the summary must
// have an entry, because a reader would take a metric without one for a metric that was never
// measured.
func (s *Summary) metricsFault() string {
	if s.Replications == nil {
		return ""
	}
	runs := map[string]int{}
	for _, m := range s.Replications.Metrics {
		runs[m.Name] = m.Runs
	}
	for _, n := range s.MetricValues() {
		switch of := runs[n.Name]; {
		case of > 0 && math.IsNaN(n.Value):
			return fmt.Sprintf("replications.metrics has %q, expected none: the summary says that it was not measured", n.Name)
		case of == 0 && !math.IsNaN(n.Value):
			return fmt.Sprintf("replications.metrics has no %q of at least 1 run, expected one: the summary has the number", n.Name)
		case of > s.Replications.Runs:
			return fmt.Sprintf("replications.metrics.%s.runs is %d, expected at most the %d of replications.runs", n.Name, of, s.Replications.Runs)
		}
	}
	return ""
}
