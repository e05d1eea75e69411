package accelbyte

import (
	"fmt"
	"unicode/utf8"

	"mmsim/matcher"
)

// crossPlatform is an option with a special meaning: its values must contain the current_platform
// of every other ticket in the match.
const crossPlatform = "cross_platform"

// matchOptions reads match_options.
func (c *compiler) matchOptions(o *object) {
	c.set.freeOthers = o.bool("match_options_referred_for_backfill", false)
	v, ok := o.get("match_options")
	if !ok {
		return
	}
	options, ok := c.object(v, "match_options")
	if !ok {
		return
	}
	for i, v := range options.list("options") {
		if entry, ok := c.object(v, fmt.Sprintf("match_options.options[%d]", i)); ok {
			c.matchOption(entry)
			c.unknown(entry)
		}
	}
	c.unknown(options)
}

// matchOption reads one entry of match_options.
func (c *compiler) matchOption(o *object) {
	v, ok := o.get("name")
	name := v.Text()
	if !ok {
		o.Missing("name", "the name of a parameter")
	} else if name == "" || utf8.RuneCountInString(name) > nameMax {
		o.misfit(v, "name", fmt.Sprintf("a name of 1 to %d characters", nameMax))
	}
	compiled := matcher.PivotOption{Name: "match_options " + name, Column: c.set.Schema.Column("ticket " + name), Own: matcher.NoColumn}
	v, ok = o.get("type")
	switch {
	case !ok:
		o.Missing("type", "all, any, unique or disable")
		return
	case v.Text() == "all":
		compiled.Kind = matcher.SameSet
	case v.Text() == "any":
		if compiled.Kind = matcher.SharedValue; name == crossPlatform {
			compiled.Own = c.set.platforms
		}
	case v.Text() == "unique":
		compiled.Kind = matcher.NoRepeat
	case v.Text() == "disable":
		c.set.options = append(c.set.options, option{name, matcher.NoColumn})
		return
	default:
		o.misfit(v, "type", "all, any, unique or disable")
		return
	}
	c.pivot.Options = append(c.pivot.Options, compiled)
	c.set.options = append(c.set.options, option{name, compiled.Column})
}
