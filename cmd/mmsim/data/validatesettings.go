package data

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker/service"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/tuning"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/outcome"
)

// A format is a form of a YAML file.
type format struct {
	name  string
	has   func(e yamltree.Entry) bool // whether a file of this form may have a key at the top
	check func(v *validation, file string) (string, []jsontree.Warning, error)
}

// settingFormats lists the formats. A file has the format that knows most of its keys, and of several
// the first: a sweep has some keys of a tuning, and a configuration has few of either.
var settingFormats = []format{
	{"Open Match profiles", isOneOf(func() []string { return []string{"profiles"} }), plain(checkProfiles)},
	{"a sweep", isOneOf(search.SweepKeys), overridden(search.CheckSweep)},
	{"a tuning", isOneOf(tuning.Keys), overridden(tuning.Check)},
	{"a site search", isOneOf(search.SiteKeys), overridden(search.CheckSite)},
	{"a gate", gate.IsLine, plain(checkGate)},
	{"a configuration", isOneOf(config.TopKeys), (*validation).checkConfig},
}

func isOneOf(keys func() []string) func(e yamltree.Entry) bool {
	return func(e yamltree.Entry) bool { return slices.Contains(keys(), e.Key.Text) }
}

func plain(check func(file string) (string, error)) func(*validation, string) (string, []jsontree.Warning, error) {
	return overridden(func(file string, _ []config.Override) (string, error) { return check(file) })
}

func overridden(check func(file string, overrides []config.Override) (string, error)) func(*validation, string) (string, []jsontree.Warning, error) {
	return func(v *validation, file string) (string, []jsontree.Warning, error) {
		description, err := check(file, v.flags.Overrides)
		return description, nil, err
	}
}

// keysOf lists the keys of a file that a format has.
func (f *format) keysOf(root yamltree.Node) (keys []string) {
	for _, e := range root.Entries {
		if f.has(e) {
			keys = append(keys, e.Key.Text)
		}
	}
	return keys
}

// formatOf returns the format of a file: the one that has most of its keys. doubt says which other format
// the file may have, because that one has keys that the first has not.
func formatOf(file string) (found *format, doubt error) {
	root, _ := yamltree.ReadFile(file)             // an error is reported when the file is read in its format
	found = &settingFormats[len(settingFormats)-1] // for a file without a known key
	var best []string
	for i := range settingFormats {
		if keys := settingFormats[i].keysOf(root); len(keys) > len(best) {
			found, best = &settingFormats[i], keys
		}
	}
	for i := range settingFormats {
		keys := settingFormats[i].keysOf(root)
		if own := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(best, key) }); len(own) > 0 {
			return found, input.Badf("%s: has keys of %s (%s), but also of %s (%s), expected only one of the two",
				input.Shown(file), found.name, strings.Join(best, ", "), settingFormats[i].name, strings.Join(own, ", "))
		}
	}
	return found, nil
}

// isConfig reports whether a file has no keys of another format.
func isConfig(file string) bool {
	f, _ := formatOf(file)
	return f == &settingFormats[len(settingFormats)-1]
}

// checkSettings checks a YAML file.
func (v *validation) checkSettings(file string) (string, []jsontree.Warning, error) {
	f, doubt := formatOf(file)
	description, warnings, err := f.check(v, file)
	if err != nil {
		err = value.Joined([]error{err, doubt})
	}
	return description, warnings, err
}

func checkProfiles(file string) (string, error) {
	list, err := service.ReadProfiles(file)
	pools := 0
	for i := range list {
		pools += len(list[i].Pools)
	}
	return fmt.Sprintf("%s of Open Match, %s", input.Counted(len(list), "profile"), input.Counted(pools, "pool")), err
}

// checkGate checks a gate. Stars in the metrics stand for groups that only a run knows.
func checkGate(file string) (string, error) {
	g, err := gate.Read(file)
	if err != nil {
		return "", err
	}
	_, err = g.Limits(outcome.Metrics(), true)
	return "a gate with limits for " + input.Counted(len(g.Lines), "metric"), err
}
