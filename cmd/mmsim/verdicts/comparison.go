// Package verdicts writes the result directories of compare and check, and draws them again:
// numbers as JSON, and a page with pictures that is drawn from the files in the directory.
package verdicts

import (
	"io"
	"path/filepath"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/judge"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// Files of a comparison, in addition to its page and picture.
const (
	ComparisonFile     = "comparison.json"
	comparisonMarkdown = "comparison.md"
)

// armFiles are the files of the configurations of A and B, written if A and B were simulated.
var armFiles = []string{"config-a.yaml", "config-b.yaml"}

// Comparison is the kind of directory that compare writes.
var Comparison = resultdir.Kind{
	Command: "compare", Marker: ComparisonFile, Keys: []string{"a", "b", "pairs", "settings", "metrics"},
	Unlisted: resultdir.Unlisted("", `comparison\.(json|md)`, `differences\.(png|svg)`),
}

// ComparisonFiles are the names of the files that a comparison can have, apart from pictures.
var ComparisonFiles = append([]string{ComparisonFile, comparisonMarkdown, results.PageFile}, armFiles...)

// WriteComparison writes the files of a comparison and returns where they are. configs are the
// configurations of A and B, empty if existing results were compared.
func WriteComparison(c *judge.Comparison, configs []*config.Config, dir string, out *resultdir.Dir) (string, error) {
	if err := out.Begin(); err != nil {
		return "", err
	}
	defer out.Discard()
	create := result.Create(resultdir.In(out.Temp()))
	err := create.File(ComparisonFile, c.Write)
	if err == nil {
		err = writeText(create, comparisonMarkdown, decision.ComparisonMarkdown(c))
	}
	for i, of := range configs {
		if err == nil {
			err = writeConfig(create, armFiles[i], of, dir)
		}
	}
	if err == nil {
		err = DrawComparison(out.Temp(), create)
	}
	if err != nil {
		return "", out.Fail(err)
	}
	return out.Commit(c.Complete)
}

// DrawComparison writes the page and the picture of a comparison from the other files in its
// folder.
func DrawComparison(folder string, create result.Create) error {
	var c *judge.Comparison
	if err := read(folder, ComparisonFile, func(text []byte) (err error) {
		c, err = judge.ParseComparison(text)
		return err
	}); err != nil {
		return err
	}
	listings, err := results.Listings(folder, armFiles...)
	if err != nil {
		return err
	}
	return results.DrawPage(decision.ComparisonPage(c, &decision.Sources{Command: c.Command, Listings: listings}), create)
}

// markerLimit limits the size of the marker file of a directory.
var markerLimit = input.Limit{Name: "MaxVerdictBytes", Bytes: 64 << 20, Expected: "the result of compare, check or tune"}

// read reads a file that mmsim wrote. Every error is bad input.
func read(folder, name string, parse func(text []byte) error) error {
	file := filepath.Join(folder, name)
	text, err := input.ReadRegular(file, markerLimit)
	if err != nil {
		return input.Bad(err)
	}
	if err := parse(text); err != nil {
		return input.Badf("%s: %w", file, err)
	}
	return nil
}

// writeText writes a text as a file.
func writeText(create result.Create, name, text string) error {
	return create.File(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// writeConfig writes a configuration as a file of a directory.
func writeConfig(create result.Create, name string, c *config.Config, dir string) error {
	text, err := c.Resolved(dir)
	if err != nil {
		return err
	}
	return writeText(create, name, string(text))
}
