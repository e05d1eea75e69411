package dialect

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Document is a vendor's file with one or several rulesets.
type Document struct {
	vendor.Dialect
	Rulesets []vendor.Ruleset   // at least one
	Warnings []jsontree.Warning // about the document around the rulesets
	root     jsontree.Value
}

// Read finds the rulesets in a document. If name, the name of a dialect, is empty, the dialect is
// recognised. A document with comments or trailing commas gives a warning, or an error if
// options.Strict is set.
func Read(name string, root jsontree.Value, options vendor.CompileOptions) (*Document, error) {
	d, err := Of(name, root)
	if err != nil {
		return nil, err
	}
	if options.Strict {
		if err := root.StrictErr(); err != nil {
			return nil, err
		}
	}
	doc := &Document{Dialect: d, Rulesets: []vendor.Ruleset{{Value: root}}, root: root}
	if w, relaxed := root.Relaxed(); relaxed {
		doc.Warnings = append(doc.Warnings, w)
	}
	if d.Split != nil {
		problems := jsontree.Problems{Format: jsontree.Format{Strict: options.Strict}}
		doc.Rulesets = d.Split(root, &problems)
		if err := problems.Err(); err != nil {
			return nil, err
		}
		doc.Warnings = append(doc.Warnings, problems.Warnings()...)
	}
	return doc, nil
}

// SeveralError is the error for a document with several rulesets if none of them is named.
type SeveralError struct {
	Position string   // of the document
	Names    []string // in the order of the document
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("%s: the file has %d rulesets, expected the name of one of them", e.Position, len(e.Names))
}

// Ruleset returns the ruleset with the given name. If the name is empty, the document must have
// exactly one ruleset.
func (d *Document) Ruleset(name string) (vendor.Ruleset, error) {
	var names []string
	found := -1
	for i, r := range d.Rulesets {
		names = append(names, r.Name)
		if r.Name == name {
			if found >= 0 && name != "" {
				return r, r.Value.Errorf("got the name %q twice in the file, expected it once", name)
			}
			found = i
		}
	}
	switch {
	case name == "" && len(names) > 1:
		return vendor.Ruleset{}, &SeveralError{d.root.Position(), names}
	case name == "":
		found = 0
	case found < 0 && len(names) == 1 && names[0] == "":
		return vendor.Ruleset{}, d.root.Errorf("the file has one ruleset without a name, expected no name, not %q", name)
	case found < 0:
		return vendor.Ruleset{}, d.root.Errorf("the file has no ruleset %q, expected one of %s", name, strings.Join(names, ", "))
	}
	return d.Rulesets[found], d.Rulesets[found].Err
}

// CompileRuleset compiles one of the rulesets of d.
func (d *Document) CompileRuleset(r vendor.Ruleset, options vendor.CompileOptions) (*vendor.CompiledRules, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	if options.Strict {
		if err := r.Value.StrictErr(); err != nil {
			return nil, err
		}
	}
	rules, err := d.Compile(r.Value, options)
	if err != nil {
		return nil, err
	}
	// The JSON inside a text of the document may have comments of its own.
	if w, relaxed := r.Value.Relaxed(); relaxed && !slices.Contains(d.Warnings, w) {
		rules.Warnings = slices.Concat([]jsontree.Warning{w}, rules.Warnings)
	}
	rules.Value = r.Value
	return rules, nil
}

// Compile compiles the ruleset with the given name in a document, see [Read] and
// [Document.Ruleset].
func Compile(dialect string, root jsontree.Value, name string, options vendor.CompileOptions) (vendor.Dialect, *vendor.CompiledRules, error) {
	d, err := Read(dialect, root, options)
	if err != nil {
		return vendor.Dialect{}, nil, err
	}
	r, err := d.Ruleset(name)
	if err != nil {
		return d.Dialect, nil, err
	}
	rules, err := d.CompileRuleset(r, options)
	if err != nil {
		return d.Dialect, nil, err
	}
	rules.Warnings = slices.Concat(d.Warnings, rules.Warnings)
	return d.Dialect, rules, nil
}
