package flexmatch

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// format describes how the service reads JSON.
var format = jsontree.Format{TextNumbers: true}

// compile compiles a rule set.
func compile(root jsontree.Value, options vendor.CompileOptions) (*Ruleset, []jsontree.Warning, error) {
	return vendor.Compile(root, bytesMax, options, format, func(problems *jsontree.Problems) *Ruleset {
		c := compiler{CompileOptions: options, problems: problems, set: &Ruleset{Schema: new(matcher.Schema), value: root}, properties: map[string]property{}}
		c.ruleset(root)
		return c.set
	})
}

// Recognises reports whether a JSON value looks like a FlexMatch rule set.
func Recognises(root jsontree.Value) bool {
	return vendor.HasMember(root, "ruleLanguageVersion", "playerAttributes") || len(exported(root)) > 0
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
	o.Done()
}
