package result

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
	"mmsim/sim"
)

// Load reads the files of a result directory. An error begins with the name of the file, then the
// line and column if they are known. Load does not read datacenters.csv, continents.csv and
// hours.csv, which repeat numbers of summary.json.
func Load(dir fs.FS) (*Result, error) {
	r, err := LoadBrief(dir)
	if err != nil {
		return nil, err
	}
	summary := &r.Summary
	if r.Series, err = readSeries(dir, seriesTable, summary.Run.Reached, MinuteLength); err != nil {
		return nil, err
	}
	if r.Windows, err = readSeries(dir, windowsTable, summary.Run.Reached, WindowLength); err != nil {
		return nil, err
	}
	if len(summary.Queues) > 0 {
		if r.QueueMaps, err = readOptional(dir, queueMapsTable); err != nil {
			return nil, err
		}
	}
	if r.RegionHours, err = readOptional(dir, regionsTable); err != nil {
		return nil, err
	}
	if r.Spreads, err = readOptional(dir, spreadsTable); err != nil { // none without attributes
		return nil, err
	}
	if r.Steps, err = readOptional(dir, stepsTable); err != nil { // none if nothing opens
		return nil, err
	}
	if r.Timelapse, err = readLapse(dir, summary); err != nil {
		return nil, err
	}
	if summary.Servers != nil {
		if r.Servers, err = readSeries(dir, serversTable, summary.Run.Reached, WindowLength); err != nil {
			return nil, err
		}
	}
	if summary.Fleet != nil {
		r.Machines, err = readSeries(dir, machinesTable, summary.Run.Reached, WindowLength)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // as above
			return nil, err
		}
	}
	return r, nil
}

// LoadBrief reads only the files that WriteBrief writes, as Load does.
func LoadBrief(dir fs.FS) (*Result, error) {
	summary, err := outcome.LoadSummary(dir)
	if err != nil {
		return nil, err
	}
	r := &Result{Summary: *summary}
	if r.Distributions, err = LoadDistributions(dir); err == nil {
		r.Map, err = readTable(dir, mapTable)
	}
	if err == nil {
		r.Ratings, err = readOptional(dir, ratingsTable)
	}
	if err == nil {
		r.Predictions, err = readOptional(dir, predictionsTable)
	}
	return r, err
}

// Kept returns a result with a copy of the summary alone or, if brief, with the parts that WriteBrief writes.
func (r *Result) Kept(brief bool) *Result {
	kept := &Result{Summary: r.Summary}
	if brief {
		kept.Distributions, kept.Map, kept.Ratings, kept.Predictions = r.Distributions, r.Map, r.Ratings, r.Predictions
	}
	return kept
}

// Of returns a result with only a summary, or nil without one.
func Of(s *outcome.Summary) *Result {
	if s == nil {
		return nil
	}
	return &Result{Summary: *s}
}

func readTable[T any](dir fs.FS, t *table[T]) ([]T, error) {
	file, err := dir.Open(t.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return t.read(file)
}

// readOptional is like readTable, but returns no rows if there is no such file. A result of an earlier
// version, or without what the table is about, has none.
func readOptional[T any](dir fs.FS, t *table[T]) ([]T, error) {
	rows, err := readTable(dir, t)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return rows, err
}

// readSeries reads a table that has a row for every length seconds of the run. Missing rows are
// an error, because pictures would show hours without players.
func readSeries[T any](dir fs.FS, t *table[T], reached outcome.Seconds, length int) ([]T, error) {
	rows, err := readTable(dir, t)
	if err != nil {
		return nil, err
	}
	want := RowsUpTo(sim.Instant(math.Round(float64(reached)*float64(sim.Second))), length)
	if len(rows) != want {
		return nil, fmt.Errorf("%s:%d:1: %s, want %d: one for every %d s up to %g s, the \"reached_s\" of %s",
			t.file, min(len(rows), want)+2, words.Plural(len(rows), "row"), want, length, float64(reached), outcome.SummaryFile)
	}
	return rows, nil
}

// LoadMap reads map.csv of a result. It returns nil if there is no such file.
func LoadMap(dir fs.FS) ([]Cell, error) {
	return readOptional(dir, mapTable)
}

// LoadDistributions reads distributions.csv of a result.
func LoadDistributions(dir fs.FS) ([]Distribution, error) {
	rows, err := readTable(dir, binsTable)
	if err != nil {
		return nil, err
	}
	return collect(rows), nil
}

// collect groups the rows of distributions.csv by measure. A measure without players has no rows.
func collect(rows []binRow) []Distribution {
	distributions := make([]Distribution, Measures)
	at := map[string]int{}
	for m := range Measures {
		distributions[m].Measure, at[m.String()] = m, int(m)
	}
	for _, row := range rows {
		i, known := at[row.Measure]
		if !known {
			d, _ := DistributionNamed(row.Measure) // binsTable has checked the name
			i = len(distributions)
			at[row.Measure], distributions = i, append(distributions, d)
		}
		distributions[i].Bins = append(distributions[i].Bins, row.Bin)
	}
	return distributions
}

// RowsUpTo returns the number of rows of length seconds up to the time reached. The last row may
// cover less time.
func RowsUpTo(reached sim.Instant, length int) int {
	span := sim.Duration(length) * sim.Second
	return int((sim.Duration(reached) + span - 1) / span)
}
