package main

import (
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/matcher/jsontree"
)

// checkJSON checks a .json file: a case file, rules of a vendor, or else a
// configuration. Its content tells which.
func (v *validateCommand) checkJSON(file string) (what string, warnings []string, err error) {
	text, err := readAtMost(file, jsontree.BytesMax)
	if err != nil {
		return "", nil, badInput(err)
	}
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return "", nil, badInput(err)
	}
	isRules := slices.ContainsFunc(casefile.Dialects(), func(d casefile.Dialect) bool { return d.Recognises(root) })
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
	list, err := casefile.CompileRules("", root, options)
	if err != nil {
		return "", nil, badInput(err)
	}
	var parts []string
	for _, rules := range list {
		parts = append(parts, rules.Describe())
		warnings = slices.Concat(warnings, rules.Warnings(), rules.Lint(matcher.Never))
	}
	return strings.Join(parts, "; "), warnings, nil
}

// checkCase checks a case file and the rules in it. Rules that are refused are
// sound where the case expects just that.
func checkCase(file string, text []byte, options casefile.Options) (string, []string, error) {
	c, err := parseCase(file, text)
	if err != nil {
		return "", nil, badInput(err)
	}
	rules, err := c.Compile(options)
	switch {
	case err == nil:
	case c.Compare(nil, err) == nil:
		return "a case whose rules are refused, as it expects", nil, nil
	default:
		return "", nil, badInput(err)
	}
	return "a case, " + rules.Describe(), slices.Concat(rules.Warnings(), rules.Lint(c.Scene.LongestWaitMS())), nil
}
