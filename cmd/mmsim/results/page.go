package results

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/figure"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
	"mmsim/reports/present/page"
	"mmsim/reports/result"
)

// DrawPage writes the page about a decision, and the page's pictures.
func DrawPage(p *present.Page, create result.Create) error {
	return DrawWanted(p, create, config.Output{Plots: true, HTML: true})
}

// DrawWanted writes the page and its pictures, if o asks for them.
func DrawWanted(p *present.Page, create result.Create, o config.Output) error {
	if o.Plots {
		if err := figure.Write(p.Plots(), create); err != nil {
			return err
		}
	}
	if !o.HTML {
		return nil
	}
	return create.File(PageFile, func(w io.Writer) error { return page.WriteDecision(w, p) })
}

// Listings reads files to be shown on a page. It skips missing files. Every error is a bad
// input error.
func Listings(folder string, names ...string) ([]present.Listing, error) {
	var list []present.Listing
	for _, name := range names {
		text, err := input.ReadRegular(filepath.Join(folder, filepath.FromSlash(name)), yamltree.Limit)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, input.Bad(err)
		}
		list = append(list, present.Listing{Title: name, Text: string(text), Closed: true})
	}
	return list, nil
}

// HoldsRuns reports whether a result directory contains replications.
func HoldsRuns(dir string) bool { return IsFolder(filepath.Join(dir, RunsFolder)) }

// LoadRuns reads the aggregate in a result directory, and the replications from which it was
// computed. Every error is a bad input error.
func LoadRuns(dir string) (*outcome.Summary, []*outcome.Summary, error) {
	total, err := loadSummary(dir)
	if err != nil {
		return nil, nil, err
	}
	if total.Replications == nil {
		return nil, nil, input.Badf("%s: not an aggregate, but %s has replications", filepath.Join(dir, outcome.SummaryFile), filepath.Join(dir, RunsFolder))
	}
	runs, err := loadSummaries(dir)
	if err != nil {
		return nil, nil, err
	}
	if runs[0].Replications != nil { // without replications, it is that of the directory
		return nil, nil, input.Badf("%s: has no replications, expected those of %s", filepath.Join(dir, RunsFolder), outcome.SummaryFile)
	}
	return total, countable(runs), nil
}

// DrawRuns writes the page and the pictures of several replications, if o asks for them. total
// is the aggregate of counted, and resolved is the text of ConfigFile.
func DrawRuns(total *outcome.Summary, counted []*outcome.Summary, resolved []byte, create result.Create, o config.Output) error {
	n := 1 + counted[len(counted)-1].Run.Run // after an interruption, one more than the highest number in counted
	from := &decision.Sources{
		Command:  "mmsim run --config " + ConfigFile + " --runs " + strconv.Itoa(n),
		Here:     true,
		Listings: []present.Listing{{Title: ConfigFile, Text: string(resolved), Closed: true}},
	}
	return DrawWanted(decision.Runs(total, &judge.Sample{Runs: counted}, from), create, o)
}
