package verdicts

import (
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/judge"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// Files of a check, in addition to its page.
const (
	CheckFile = "check.json"
	checkGate = "gate.yaml" // the gate, as text
)

// Check describes the directories that "mmsim check" writes.
var Check = resultdir.Kind{
	Command: "check", Marker: CheckFile, Keys: []string{"passed", "limits"},
}

// CheckFiles lists the files that a check can have.
var CheckFiles = []string{CheckFile, checkGate, results.ConfigFile, results.PageFile}

// WriteCheck writes the files of a check and returns their directory. gate is the text of the
// gate. c is the simulated configuration, or nil if an existing result was checked.
func WriteCheck(g *judge.GateResult, gate string, c *config.Config, dir string, out *resultdir.Dir) (string, error) {
	return out.Write(func(folder string) (bool, error) {
		create := result.Create(resultdir.In(folder))
		err := create.File(CheckFile, g.Write)
		if err == nil {
			err = writeText(create, checkGate, gate)
		}
		if err == nil && c != nil {
			err = writeConfig(create, results.ConfigFile, c, dir)
		}
		if err == nil {
			err = DrawCheck(folder, create)
		}
		return true, err
	})
}

// DrawCheck writes the page of a check from the other files in its directory.
func DrawCheck(folder string, create result.Create) error {
	var g *judge.GateResult
	if err := read(folder, CheckFile, func(text []byte) (err error) {
		g, err = judge.ParseGate(text)
		return err
	}); err != nil {
		return err
	}
	listings, err := results.Listings(folder, checkGate, results.ConfigFile)
	if err != nil {
		return err
	}
	return results.DrawPage(decision.GatePage(g, &decision.Sources{Command: g.Command, Listings: listings}), create)
}
