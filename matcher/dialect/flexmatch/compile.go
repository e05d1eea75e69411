package flexmatch

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Read compiles the rule set in text. Messages begin with file, the name of its file. See
// [Compile].
func Read(file string, text []byte, options Options) (*Ruleset, []jsontree.Warning, error) {
	root, err := jsontree.ParseAtMost(file, text, bytesMax)
	if err != nil {
		return nil, nil, err
	}
	return Compile(root, options)
}

// Compile compiles a rule set. Each error and warning begins with FILE:LINE:COLUMN. Up to 20 errors
// are joined.
func Compile(root jsontree.Value, options Options) (*Ruleset, []jsontree.Warning, error) {
	if root.Size() > bytesMax {
		return nil, nil, jsontree.TooLarge(root.Place(), root.Size(), bytesMax)
	}
	var problems jsontree.Problems
	c := compiler{Options: options, problems: &problems}
	c.set = &Ruleset{Schema: new(matcher.Schema), value: root}
	c.ruleset(root)
	if err := problems.Err(); err != nil {
		return nil, problems.Warnings(), err
	}
	return c.set, problems.Warnings(), nil
}

// Recognises reports whether a JSON value looks like a FlexMatch rule set.
func Recognises(root jsontree.Value) bool {
	for _, key := range []string{"ruleLanguageVersion", "playerAttributes"} {
		if _, ok := root.Member(key); ok {
			return true
		}
	}
	return len(exported(root)) > 0
}

// languageVersion is the only version of the rule language.
const languageVersion = "1.0"

// ruleset reads the whole object.
func (c *compiler) ruleset(root jsontree.Value) {
	o, ok := c.problems.Object(root, "")
	if !ok {
		return
	}
	if v, ok := o.Get("ruleLanguageVersion"); !ok {
		o.Missing("ruleLanguageVersion", `"`+languageVersion+`"`)
	} else if v.Text() != languageVersion {
		o.Misfit(v, "ruleLanguageVersion", `"`+languageVersion+`"`)
	}
	c.set.Name = o.TextOr("name", "")
	c.set.playerIDs = c.set.Schema.Column("playerId")
	c.attributes(o)
	c.teams(o)
	c.algorithm(o)
	c.rules(o)
	c.expand(o)
	c.unknown(o)
}
