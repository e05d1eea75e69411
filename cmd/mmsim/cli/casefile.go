package cli

import (
	"path/filepath"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/jsontree"
)

// MaxCaseBytes limits the size of a case file. It suffices for a ruleset and a scene of 100,000
// tickets.
const MaxCaseBytes = jsontree.BytesMax

// CaseLimit is MaxCaseBytes in the form that input.ReadFile takes.
var CaseLimit = input.Limit{Name: "MaxCaseBytes", Bytes: MaxCaseBytes, Expected: "a case file"}

// ReadCase reads one case file.
func ReadCase(file string) (*casefile.Case, error) {
	text, err := input.ReadFile(file, CaseLimit)
	if err != nil {
		return nil, err
	}
	return ParseCase(file, text)
}

// ParseCase reads the text of a case file. If the case names a file of rules, the name is relative
// to the folder of the case.
func ParseCase(file string, text []byte) (*casefile.Case, error) {
	rules := ""
	c, err := casefile.Read(file, text, func(name string) (jsontree.Value, string, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		name, part := input.SplitPart(name)
		rules = name
		text, err := input.ReadFile(name, config.RulesLimit)
		if err != nil {
			return jsontree.Value{}, "", err
		}
		root, err := jsontree.ParseRelaxed(name, text)
		return root, part, err
	})
	if err == nil {
		c.RulesFile = rules
	}
	return c, err
}
