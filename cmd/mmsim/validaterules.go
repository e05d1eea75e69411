package main

import (
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// checkJSON checks a .json file: a case file, rules of a vendor, or else a
// configuration. Its content tells which.
func (v *validateCommand) checkJSON(file string) (what string, warnings []string, err error) {
	text, err := input.ReadFile(file, caseLimit)
	if err != nil {
		return "", nil, badInput(err)
	}
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return "", nil, badInput(err)
	}
	language, isRules := dialect.Recognise(root)
	if !isRules && !casefile.IsCase(root) {
		return v.checkConfig(file)
	}
	options, err := v.rules.options()
	if err != nil {
		return "", nil, err
	}
	if casefile.IsCase(root) {
		return checkCase(file, text, options)
	}
	list, err := language.Compile(root, options)
	if err != nil {
		return "", nil, badInput(err)
	}
	var parts []string
	for _, rules := range list {
		parts = append(parts, rules.Description)
		warnings = slices.Concat(warnings, rules.Warnings, rules.Lint(matcher.Never), rules.Differences)
	}
	return strings.Join(parts, "; "), warnings, nil
}

// checkCase checks a case file, the rules in it and its scene, so that "mmsim test" and
// "mmsim match" refuse what is refused here and nothing else. A case that expects to be
// refused is sound when it is.
func checkCase(file string, text []byte, options vendor.Options) (string, []string, error) {
	c, err := parseCase(file, text)
	if err != nil {
		return "", nil, badInput(err)
	}
	rules, err := c.Compile(options)
	if err == nil {
		err = rules.Check(&c.Scene)
	}
	switch {
	case err == nil:
	case c.Compare(nil, err) == nil:
		return "a case that is refused, as it expects", nil, nil
	default:
		return "", nil, badInput(err)
	}
	return "a case, " + rules.Description, slices.Concat(rules.Warnings, rules.Lint(c.Scene.LongestWaitMS())), nil
}
