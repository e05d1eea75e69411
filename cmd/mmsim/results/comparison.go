package results

import (
	"io"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/judge"
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
	Files: append([]string{ComparisonFile, comparisonMarkdown, PageFile}, armFiles...),
	Draw:  drawComparison,
}

// WriteComparison writes the files of a comparison and returns their directory. configs has
// the configurations of A and B. It is empty if existing results were compared.
func WriteComparison(c *judge.Comparison, configs []*config.Config, dir string, out *resultdir.Dir) (string, error) {
	return Comparison.Write(out, c.Complete, func(create result.Create) error {
		err := create.File(ComparisonFile, c.Write)
		if err == nil {
			err = writeText(create, comparisonMarkdown, decision.Comparison(c, nil).Markdown())
		}
		for i, of := range configs {
			if err == nil {
				err = writeConfig(create, armFiles[i], of, dir)
			}
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
	return DrawPage(decision.Comparison(c, &decision.Sources{Command: c.Command, Listings: listings}), create)
}

// writeText writes text to a file.
func writeText(create result.Create, name, text string) error {
	return create.File(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// writeConfig writes a configuration to a file of a result directory.
func writeConfig(create result.Create, name string, c *config.Config, dir string) error {
	text, err := c.Resolved(dir)
	if err != nil {
		return err
	}
	return writeText(create, name, string(text))
}
