package accelbyte

import (
	"fmt"
	"unicode/utf8"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// crossPlatform is an option with a special meaning: its values must contain the current_platform
// of every other ticket in the match.
const crossPlatform = "cross_platform"

// matchOptions reads match_options.
func (c *compiler) matchOptions(o *jsontree.Object) {
	c.set.freeOthers = o.BoolOr("match_options_referred_for_backfill", false)
	options, ok := o.Object("match_options")
	if !ok {
		return
	}
	for _, entry := range options.Entries("options", entriesMax) {
		c.matchOption(entry)
		entry.Done()
	}
	options.Done()
}

// matchOption reads one entry of match_options.
func (c *compiler) matchOption(o *jsontree.Object) {
	v, ok := o.Get("name")
	name := v.Text()
	if !ok {
		o.Missing("name", "the name of a parameter")
	} else if name == "" || utf8.RuneCountInString(name) > nameMax {
		o.Misfit(v, "name", fmt.Sprintf("a name of 1 to %d characters", nameMax))
	}
	compiled := matcher.PivotOption{Name: "match_options " + name, Column: c.set.Schema.Column("ticket " + name), Own: matcher.NoColumn}
	kinds := map[string]matcher.OptionKind{"all": matcher.SameSet, "any": matcher.SharedValue, "unique": matcher.NoRepeat}
	kind := o.OneOf("type", "all", "any", "unique", "disable")
	if kind == "" {
		return
	}
	if kind == "disable" {
		compiled.Column = matcher.NoColumn
	} else {
		if compiled.Kind = kinds[kind]; kind == "any" && name == crossPlatform {
			compiled.Own = c.set.platforms
		}
		c.pivot.Options = append(c.pivot.Options, compiled)
	}
	c.set.options = append(c.set.options, option{name, compiled.Column})
}
