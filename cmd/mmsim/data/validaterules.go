package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// checkJSON checks a .json file by its content: a case file, rules of a vendor, or else a
// configuration. part is the name of one ruleset to check, or "" for all.
func (v *validation) checkJSON(file, part string) (description string, warnings []jsontree.Warning, err error) {
	text, err := input.ReadFile(file, cli.CaseLimit)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	root, err := jsontree.ParseRelaxed(file, text)
	if err != nil {
		return "", nil, input.Bad(err)
	}
	_, isRules := dialect.Recognise(root)
	switch isCase := casefile.IsCase(root); {
	case !isRules && !isCase:
		if err := dialect.UnsupportedErr(root); err != nil && isConfig(file) {
			return "", nil, input.Bad(err)
		}
		return v.checkSettings(file)
	case isCase && part != "":
		return "", nil, input.Badf("%s#%s: got a part of a case file, expected a file of rulesets", file, part)
	}
	options, err := v.flags.RulesetOptions()
	if err != nil {
		return "", nil, err
	}
	if casefile.IsCase(root) {
		return v.checkCase(file, text, options)
	}
	description, warnings, err = v.checkRules(file, root, part, options)
	return description, warnings, input.Bad(err)
}

// checkRules checks the rulesets of a document, or only the one whose name is part.
func (v *validation) checkRules(file string, root jsontree.Value, part string, options vendor.CompileOptions) (description string, warnings []jsontree.Warning, err error) {
	doc, err := dialect.Read("", root, options)
	if err != nil {
		return "", nil, err
	}
	sets := doc.Rulesets
	if part != "" && part != config.AllParts {
		set, err := doc.Ruleset(part)
		if err != nil {
			return "", nil, err
		}
		sets = []vendor.Ruleset{set}
	}
	var parts []string
	var faults []error
	warnings = doc.Warnings
	for _, set := range sets {
		rules, err := doc.CompileRuleset(set, options)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		parts = append(parts, rules.Description)
		parts[len(parts)-1] += readNames(rules)
		warnings = slices.Concat(warnings, rules.Warnings, rules.Lint(matcher.Never), v.differences(rules, input.Shown(file), vendor.FollowInConfig))
	}
	return strings.Join(parts, "; "), warnings, errors.Join(faults...)
}

// differences lists the differences between a vendor's service and its documentation with --all, or
// else returns one warning with their number.
func (v *validation) differences(rules *vendor.CompiledRules, file string, choose func(vendor.Follow) string) []jsontree.Warning {
	if v.all {
		return rules.Differences
	}
	return rules.Followed(file, choose)
}

// readNames lists the player attributes that a ruleset reads, with their types. It returns "" if
// there are none.
func readNames(rules *vendor.CompiledRules) string {
	var names, optional []string
	for _, a := range binding.Attributes(rules) {
		to := &names
		if a.Optional {
			to = &optional
		}
		*to = append(*to, fmt.Sprintf("%s (%s)", a.Name, config.KindOf(matcher.Read{Kind: a.Kind})))
	}
	text := ""
	if len(names) > 0 {
		text = "; reads " + strings.Join(names, ", ")
	}
	if len(optional) > 0 {
		text += "; where players have them, reads " + strings.Join(optional, ", ")
	}
	return text
}

// checkCase checks a case file, its rules and its scene. It refuses exactly the files that "mmsim
// test" refuses. A case that expects an error is valid if that error occurs.
func (v *validation) checkCase(file string, text []byte, options vendor.CompileOptions) (string, []jsontree.Warning, error) {
	c, err := cli.ParseCase(file, text)
	if err != nil {
		return "", nil, input.Bad(err)
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
		return "", nil, input.Bad(err)
	}
	return "a case, " + rules.Description, slices.Concat(rules.Warnings, rules.Lint(c.Scene.LongestWaitMS()),
		v.differences(rules.CompiledRules, input.Shown(file), vendor.FollowInCase)), nil
}
