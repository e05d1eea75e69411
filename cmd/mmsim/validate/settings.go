package validate

import (
	"fmt"
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/service"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/outcome"
)

// A format is a form of a YAML file that is no configuration. check checks a file and describes it.
type format struct {
	is    func(root yamltree.Node) bool
	check func(file string, overrides []config.Override) (string, error)
}

// formats lists the formats in the order in which they are recognised. A tuning has the keys of a sweep,
// too.
var formats = []format{
	{hasAny("profiles"), checkProfiles},
	{hasAny("minimise", "maximise", "constraints", "budget", "start", "halve"), search.CheckTuning},
	{hasAny("settings", "guard"), search.CheckSweep},
	{gate.IsGate, checkGate},
}

func hasAny(keys ...string) func(root yamltree.Node) bool {
	return func(root yamltree.Node) bool {
		return slices.ContainsFunc(root.Entries, func(e yamltree.Entry) bool { return slices.Contains(keys, e.Key.Text) })
	}
}

// formatOf returns the format of a file, or nil if it is a configuration or not YAML.
func formatOf(file string) *format {
	root, err := yamltree.ReadFile(file)
	if err != nil {
		return nil // the error is reported when the file is read as a configuration
	}
	for i := range formats {
		if formats[i].is(root) {
			return &formats[i]
		}
	}
	return nil
}

// checkSettings checks a configuration, or a YAML file of another format.
func (v *command) checkSettings(file string) (string, []jsontree.Warning, error) {
	f := formatOf(file)
	if f == nil {
		return v.checkConfig(file)
	}
	description, err := f.check(file, v.flags.Overrides)
	return description, nil, err
}

func checkProfiles(file string, _ []config.Override) (string, error) {
	list, err := service.ReadProfiles(file)
	pools := 0
	for i := range list {
		pools += len(list[i].Pools)
	}
	return fmt.Sprintf("%s of Open Match, %s", input.Counted(len(list), "profile"), input.Counted(pools, "pool")), err
}

// checkGate checks a gate. Stars in the metrics stand for groups that only a run knows.
func checkGate(file string, _ []config.Override) (string, error) {
	g, err := gate.Read(file)
	if err != nil {
		return "", err
	}
	_, err = g.Limits(outcome.Metrics(), true)
	return "a gate with limits for " + input.Counted(len(g.Lines), "metric"), err
}
