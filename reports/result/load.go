package result

import (
	"errors"
	"io/fs"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Load reads the files of a result directory. An error begins with the name of the file, then the
// line and column if they are known. Load does not read datacenters.csv, continents.csv and
// hours.csv, which repeat numbers of summary.json.
func Load(dir fs.FS) (*Result, error) {
	return load(dir, briefParts, otherParts)
}

// LoadBrief reads only the files that WriteBrief writes, as Load does.
func LoadBrief(dir fs.FS) (*Result, error) {
	return load(dir, briefParts, aroundEvents)
}

func load(dir fs.FS, parts ...[]part) (*Result, error) {
	summary, err := outcome.LoadSummary(dir)
	if err != nil {
		return nil, err
	}
	r := &Result{Summary: *summary}
	return r, r.read(dir, slices.Concat(parts...))
}

func (r *Result) read(dir fs.FS, parts []part) error {
	for _, p := range parts {
		if p.read == nil || p.when != nil && !p.when(&r.Summary) {
			continue
		}
		if err := p.read(dir, r); err != nil && !(p.sparse && errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// Kept returns a result with a copy of the summary alone or, if brief, with the parts that WriteBrief writes: the
// minutes are among them if some are around events.
func (r *Result) Kept(brief bool) *Result {
	kept := &Result{Summary: r.Summary}
	if brief {
		kept.Distributions, kept.Map, kept.Ratings, kept.Predictions = r.Distributions, r.Map, r.Ratings, r.Predictions
		if r.hasMinutesAround() {
			kept.Series = r.Series
		}
	}
	return kept
}

// hasMinutesAround reports whether some minutes are around events. Only those have a WaitP95.
func (r *Result) hasMinutesAround() bool {
	return slices.ContainsFunc(r.Series, func(m Minute) bool { return m.WaitP95 != 0 })
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

// LoadMap reads map.csv of a result. It returns nil if there is no such file.
func LoadMap(dir fs.FS) ([]Cell, error) {
	cells, err := readTable(dir, mapTable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return cells, err
}

// LoadDistributions reads distributions.csv of a result.
func LoadDistributions(dir fs.FS) ([]Distribution, error) {
	r := &Result{}
	err := readDistributions(dir, r)
	return r.Distributions, err
}

func readDistributions(dir fs.FS, r *Result) error {
	rows, err := readTable(dir, binsTable)
	if err == nil {
		r.Distributions = collect(rows)
	}
	return err
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
