package results

import (
	"cmp"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/reports/judge"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// Files of a check, in addition to its page.
const (
	CheckFile     = "check.json"
	checkMarkdown = "check.md"
	checkGate     = "gate.yaml" // the gate, as text
)

// Check describes the directories that "mmsim check" writes.
var Check = Decision{
	Kind:  resultdir.Kind{Command: "check", Marker: CheckFile, Keys: []string{"passed", "limits"}},
	Files: []string{CheckFile, checkMarkdown, checkGate, ConfigFile, PageFile},
	Draw:  drawCheck,
}

// WriteCheck writes the files of a check and returns their directory. gate is the text of the
// gate. c is the simulated configuration, or nil if an existing result was checked.
func WriteCheck(g *judge.GateResult, gate string, c *config.Config, dir string, out *resultdir.Dir) (string, error) {
	return Check.Write(out, true, func(create result.Create) error {
		err := cmp.Or(create.File(CheckFile, g.Write), create.Text(checkMarkdown, decision.Gate(g, nil).Markdown()), create.Text(checkGate, gate))
		if err == nil && c != nil {
			err = writeConfig(create, ConfigFile, c, dir)
		}
		return err
	})
}

// drawCheck is the Draw of Check.
func drawCheck(folder string, create result.Create, _ func(message string)) error {
	g, err := ReadMarker(folder, CheckFile, judge.ParseGate)
	if err != nil {
		return err
	}
	listings, err := Listings(folder, checkGate, ConfigFile)
	if err != nil {
		return err
	}
	return DrawPage(decision.Gate(g, &decision.Sources{Command: g.Command, Listings: listings}), create)
}
