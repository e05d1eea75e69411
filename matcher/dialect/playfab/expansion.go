package playfab

import (
	"math"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// limitUse tells whether a linear expansion has the JSON member Limit.
type limitUse uint8

const (
	limitOptional limitUse = iota
	limitRequired
	limitFloor // the threshold decreases to 0, or to Limit, which the API does not have
)

// expansion describes how to read the expansion of a rule with one threshold.
type expansion struct {
	overrides string // name of the JSON member with the overrides of a custom expansion
	whole     bool   // whether thresholds are unsigned 32-bit numbers
	limit     limitUse
}

// schedule reads the expansion of a rule whose initial threshold is base.
func (r *ruleReader) schedule(base float64, e expansion) matcher.Schedule {
	o, linear, ok := r.expansion(true)
	switch {
	case !ok:
		return matcher.Fixed(base)
	case linear:
		return r.linear(o, base, e)
	}
	everyMS := r.interval(o)
	element := numbers
	if e.whole {
		element = wholeNumbers
	}
	list := r.overrides(o, e.overrides, element)
	if !o.Has(e.overrides) {
		o.Missing(e.overrides, "a list of overrides")
	}
	o.Done()
	return custom(base, everyMS, list)
}

// custom returns the schedule of a custom expansion. Without overrides, the threshold is constant.
func custom(base float64, everyMS int64, list []matcher.Override) matcher.Schedule {
	if len(list) == 0 {
		return matcher.Fixed(base)
	}
	return matcher.Custom(base, everyMS, list)
}

// linear reads a linear expansion.
func (r *ruleReader) linear(o *jsontree.Object, base float64, e expansion) matcher.Schedule {
	read := o.Float
	if e.whole {
		read = func(name string) float64 { return float64(o.Whole(name)) }
	}
	everyMS, delta, limit := r.interval(o), read("Delta"), 0.0
	if e.limit == limitFloor {
		delta = -delta
		if v, ok := r.undocumented(o, "Limit"); ok {
			limit = read("Limit")
			o.Warnf(v, "Limit", "the documentation lists this member, but the API does not have it")
		}
	} else if o.Has("Limit") || e.limit == limitRequired {
		limit = read("Limit")
	} else {
		o.Get("Limit") // mark Limit as read, so that null is not reported as unknown
		limit = math.Inf(1)
		if delta < 0 {
			limit = math.Inf(-1)
		}
	}
	o.Done()
	return matcher.Linear(base, delta, limit, everyMS)
}

// undocumented returns a member that the API does not have. With Strict, it leaves the member to
// Done, which makes it an error.
func (r *ruleReader) undocumented(o *jsontree.Object, name string) (v jsontree.Value, ok bool) {
	if r.Strict {
		return v, false
	}
	return o.Get(name)
}

// enabled reads the expansion of a string equality rule, which enables or disables the rule.
func (r *ruleReader) enabled() matcher.Schedule {
	o, _, ok := r.expansion(false)
	if !ok {
		return matcher.Fixed(1)
	}
	everyMS := r.interval(o)
	list := r.overrides(o, "EnabledOverrides", truths)
	if !o.Has("EnabledOverrides") {
		o.Missing("EnabledOverrides", "a list of true and false")
	}
	for i := range list {
		list[i].Inactive = list[i].Value == 0
	}
	o.Done()
	return custom(1, everyMS, list)
}

// bounds reads the expansion of a match total rule, which may replace one bound or both. A bound
// without a list of overrides stays as it is.
func (r *ruleReader) bounds(least, most float64) (lower, upper matcher.Schedule) {
	o, _, ok := r.expansion(false)
	if !ok {
		return matcher.Fixed(least), matcher.Fixed(most)
	}
	everyMS := r.interval(o)
	lower = custom(least, everyMS, r.overrides(o, "MinOverrides", numbers))
	upper = custom(most, everyMS, r.overrides(o, "MaxOverrides", numbers))
	if !o.Has("MinOverrides") && !o.Has("MaxOverrides") {
		o.Missing("MaxOverrides", "MinOverrides or MaxOverrides")
	}
	o.Done()
	return lower, upper
}

// expansion returns the expansion of a rule in either layout, and whether it is linear. If
// linearAllowed is false, the rule has only custom expansions, and their Type may be absent.
func (r *ruleReader) expansion(linearAllowed bool) (body *jsontree.Object, linear, ok bool) {
	found := ""
	for _, name := range []string{"Expansion", "LinearExpansion", "CustomExpansion"} {
		v, present := r.Get(name)
		switch {
		case !present:
			continue
		case found != "":
			r.Misfit(v, name, "only one expansion; the rule also has "+found)
			return nil, false, false
		case name == "LinearExpansion" && !linearAllowed:
			r.Misfit(v, name, "none, because a "+r.kind.name+" can expand only by overrides")
			return nil, false, false
		}
		found = name
		body, ok = r.Object.Object(name)
	}
	if !ok {
		return nil, false, false
	}
	if found != "Expansion" {
		if !linearAllowed {
			r.Warnf(body.Value, found, "read as Expansion")
		}
		return body, found == "LinearExpansion", true
	}
	t, typed := body.Get("Type")
	switch {
	case t.Text() == "Custom" || !typed && !linearAllowed:
		return body, false, true
	case t.Text() == "Linear" && linearAllowed:
		return body, true, true
	case !typed:
		body.Missing("Type", "Linear or Custom")
	case linearAllowed:
		body.Misfit(t, "Type", "Linear or Custom")
	default:
		body.Misfit(t, "Type", "Custom, because a "+r.kind.name+" can expand only by overrides")
	}
	return nil, false, false
}

// interval reads SecondsBetweenExpansions and returns it in ms.
func (r *ruleReader) interval(o *jsontree.Object) int64 {
	return int64(o.Number("SecondsBetweenExpansions", wholeIn(1, math.MaxUint32))) * 1000
}

// override describes how to read one element of a list of overrides.
type override struct {
	expected string // description of an element for messages
	read     func(jsontree.Value) (float64, bool)
}

var (
	numbers      = override{"numbers or null", jsontree.Value.Float}
	wholeNumbers = override{"whole numbers from 0 to 4294967295, or null", func(v jsontree.Value) (float64, bool) {
		n, ok := v.Whole(math.MaxUint32)
		return float64(n), ok
	}}
	truths = override{"true, false or null", func(v jsontree.Value) (float64, bool) {
		if v.Bool() {
			return 1, true
		}
		return 0, v.Kind() == jsontree.Bool
	}}
)

// overrides reads a list of overrides, one for each interval. An override is a plain value, an
// object with a Value, or null if the rule is not active during the interval. overrides also reads
// the text with semicolons that the portal shows instead of a list.
func (r *ruleReader) overrides(o *jsontree.Object, name string, element override) []matcher.Override {
	v, ok := o.Get(name)
	switch {
	case !ok:
		return nil
	case v.Kind() == jsontree.Text:
		return r.portalOverrides(o, name, v, element)
	case v.Kind() != jsontree.List:
		o.Misfit(v, name, "a list of overrides")
		return nil
	case len(v.Elements()) == 0:
		o.Warnf(v, name, "the list is empty and has no effect")
	}
	list := make([]matcher.Override, 0, len(v.Elements()))
	for _, e := range v.Elements() {
		if e.Kind() == jsontree.Struct {
			body, _ := r.problems.Object(e, o.Label(name))
			inner, present := body.Get("Value")
			body.Done()
			if !present {
				inner = jsontree.Value{}
			}
			e = inner
		}
		value, ok := element.read(e)
		if !ok && e.Kind() != jsontree.Null {
			o.Misfit(e, name, element.expected)
		}
		list = append(list, matcher.Override{Value: value, Inactive: e.Kind() == jsontree.Null})
	}
	return list
}

// portalOverrides reads overrides in the format of the portal, such as "0.2;0.3;null".
func (r *ruleReader) portalOverrides(o *jsontree.Object, name string, v jsontree.Value, element override) []matcher.Override {
	o.Warnf(v, name, "the text with semicolons is read as a list of overrides")
	var list []matcher.Override
	for part := range strings.SplitSeq(v.Text(), ";") {
		part = strings.TrimSpace(part)
		parsed, err := jsontree.Parse(name, []byte(part))
		value, ok := element.read(parsed)
		inactive := err == nil && parsed.Kind() == jsontree.Null
		if !ok && !inactive {
			o.Misfit(v, name, element.expected+" between semicolons")
			return nil
		}
		list = append(list, matcher.Override{Value: value, Inactive: inactive})
	}
	return list
}
