package experiment

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/judge"
)

// Differences lists the settings that differ between two inputs. It also compares the queues'
// rulesets and lists differing values under their names in the vendor's file, such as
// rules.DifferenceRules.skill.Difference.
func Differences(a, b *Inputs, folder string) []judge.SettingPair {
	pairs := ruleComparison(a.Config.Differences(b.Config, folder))
	if a.Config.Rules == b.Config.Rules && a.Config.RulesPart == b.Config.RulesPart { // the names are equal, so list only the values in the files
		pairs = slices.DeleteFunc(pairs, func(p judge.SettingPair) bool { return p.Key == "rules" })
	}
	if len(a.rulesets) != len(b.rulesets) {
		return pairs // the setting queues is already in pairs
	}
	for i, set := range a.rulesets {
		other := b.rulesets[i]
		if set == nil || other == nil || set.Dialect != other.Dialect || bytes.Equal(set.Rules.Value.JSON(), other.Rules.Value.JSON()) {
			continue
		}
		pairs.values(a.Config.QueuePrefix(i)+"rules", set.Rules.Value, other.Rules.Value)
	}
	return pairs
}

// ruleComparison collects the differences between two rulesets of the same dialect.
type ruleComparison []judge.SettingPair

// values compares the values that two rulesets have at path.
func (c *ruleComparison) values(path string, a, b jsontree.Value) {
	switch {
	case reflect.DeepEqual(a.Any(), b.Any()):
		return
	case a.Kind() == jsontree.Struct && b.Kind() == jsontree.Struct:
		c.members(path, a.Members(), b.Members(), false)
		return
	case a.Kind() == jsontree.List && b.Kind() == jsontree.List:
		if key := jsontree.Identity(a.Elements(), b.Elements()); key != "" {
			c.members(path, jsontree.Named(a.Elements(), key), jsontree.Named(b.Elements(), key), true)
			return
		}
	}
	*c = append(*c, judge.SettingPair{Key: path, A: compactText(a), B: compactText(b)})
}

// members compares two objects, or two lists whose elements have names. A name that is missing
// on one side has an empty text on that side. The order of the names matters only in lists.
func (c *ruleComparison) members(path string, a, b []jsontree.Member, isList bool) {
	var common, reordered []string
	for _, m := range a {
		i := slices.IndexFunc(b, func(other jsontree.Member) bool { return other.Name == m.Name })
		if i < 0 {
			*c = append(*c, judge.SettingPair{Key: path + "." + m.Name, A: compactText(m.Value)})
			continue
		}
		common = append(common, m.Name)
		c.values(path+"."+m.Name, m.Value, b[i].Value)
	}
	for _, m := range b {
		if slices.Contains(common, m.Name) {
			reordered = append(reordered, m.Name)
			continue
		}
		*c = append(*c, judge.SettingPair{Key: path + "." + m.Name, B: compactText(m.Value)})
	}
	if isList && !slices.Equal(common, reordered) {
		*c = append(*c, judge.SettingPair{Key: path, A: strings.Join(common, ", "), B: strings.Join(reordered, ", ")})
	}
}

// textMax is the maximum number of characters shown of a value.
const textMax = 80

// compactText returns the text of v on one line, shortened to textMax characters.
func compactText(v jsontree.Value) string {
	var line bytes.Buffer
	if err := json.Compact(&line, v.JSON()); err != nil {
		line.Write(v.JSON()) // unreachable: Compact accepts any text that was parsed
	}
	cut, rest := input.Shortened(line.String(), textMax)
	return cut + rest
}
