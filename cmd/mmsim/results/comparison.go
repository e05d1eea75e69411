package results

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/present"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// Files of a comparison, in addition to its page and picture.
const (
	ComparisonFile     = "comparison.json"
	comparisonMarkdown = "comparison.md"
)

// armFiles has the names of the files for the configurations of A and B. They are written if A
// and B were simulated.
var armFiles = []string{"config-a.yaml", "config-b.yaml"}

// Comparison describes the directories that "mmsim compare" writes.
var Comparison = Decision{
	Kind: resultdir.Kind{
		Command: "compare", Marker: ComparisonFile, Keys: []string{"a", "b", "pairs", "settings", "metrics"},
	},
	Files: append([]string{ComparisonFile, comparisonMarkdown, PageFile, result.SketchBinsFile, result.SketchMapFile, result.RatingsFile, result.PredictionsFile, result.SketchEventsFile, result.SketchMinutesFile}, armFiles...),
	Draw:  drawComparison,
}

// CompareFolders compares two result directories. The comparison names files relative to folder. The
// overrides are those of report.matters.
func CompareFolders(a, b, folder string, overrides []config.Override) (*judge.Comparison, error) {
	first, warnings, err := LoadSample(a)
	if err != nil {
		return nil, err
	}
	second, more, err := LoadSample(b)
	if err != nil {
		return nil, err
	}
	own, err := config.Load("", overrides)
	if err != nil {
		return nil, err
	}
	second.Matters = append(second.Matters, own.Matters.List()...)
	settings, doubts := Pairs(a, b, folder)
	c := judge.Compare(first, second, settings)
	for _, list := range [][]string{warnings, more, doubts} {
		c.Warnings = append(c.Warnings, list...)
	}
	return c, nil
}

// WriteComparison writes the files of a comparison and returns their directory. configs has
// the configurations of A and B. It is empty if existing results were compared. sides has what the
// pictures of both sides show, or is nil if that is not known.
func WriteComparison(c *judge.Comparison, sides *[2]result.Sketch, configs []*config.Config, dir string, out *resultdir.Dir) (string, error) {
	return Comparison.Write(out, c.Complete, func(create result.Create) error {
		err := cmp.Or(create.File(ComparisonFile, c.Write), create.Text(comparisonMarkdown, decision.Comparison(c, nil).Markdown()))
		if sides != nil {
			err = cmp.Or(err, result.WriteSketches(sides, create))
		}
		for i, of := range configs {
			err = cmp.Or(err, writeConfig(create, armFiles[i], of, dir))
		}
		return err
	})
}

// drawComparison is the Draw of Comparison.
func drawComparison(folder string, create result.Create, _ func(message string)) error {
	c, err := ReadMarker(folder, ComparisonFile, judge.ParseComparison)
	if err != nil {
		return err
	}
	listings, err := Listings(folder, armFiles...)
	if err != nil {
		return err
	}
	sides, err := result.LoadSketches(input.Folder(folder))
	if err != nil {
		return input.Badf("%s%c%w", folder, filepath.Separator, err)
	}
	var plots []present.Item
	if sides != nil {
		plots = present.Pictures(pictures.Sides(c, sides, Coast())...)
	}
	return DrawPage(decision.Comparison(c, &decision.Sources{Command: c.Command, Listings: listings}, plots...), create)
}

// LoadSides adds up what the pictures of both sides of a comparison show, over the complete runs of two result
// directories. It returns nil if one of them has only summaries.
func LoadSides(a, b string) (*[2]result.Sketch, error) {
	var sides [2]result.Sketch
	for i, dir := range [...]string{a, b} {
		folders, err := runFolders(dir)
		if err != nil {
			return nil, err
		}
		for _, folder := range folders {
			r, err := result.LoadBrief(input.Folder(folder))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil, nil
			case err != nil:
				return nil, input.Badf("%s%c%w", folder, filepath.Separator, err)
			case r.Summary.Complete:
				sides[i].AddRun(r.Concealed())
			}
		}
	}
	return &sides, nil
}

// writeConfig writes a configuration to a file of a result directory.
func writeConfig(create result.Create, name string, c *config.Config, dir string) error {
	text, err := c.Resolved(dir)
	if err != nil {
		return err
	}
	return create.Text(name, string(text))
}
