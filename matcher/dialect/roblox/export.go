package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// isExport reports whether a value is in the service's format.
func isExport(root jsontree.Value) bool {
	return vendor.HasMember(root, "scoringConfiguration", "signalWeights", "customSignals", "matchmakingSignalWeights", "customSignalWeights", "universeId")
}

// export compiles a configuration that the API returns or accepts, alone or with the schemas of its
// attributes. It also accepts JSON members that the service does not export: revision, place and
// deployLimits beside the configuration, and revision inside it.
func (c *compiler) export(o *jsontree.Object) {
	c.limits = o.BoolOr("deployLimits", true)
	body, wrapped := o, false
	if inner, ok := o.Object("scoringConfiguration"); ok {
		body, wrapped = inner, true
	}
	weights := "signalWeights"
	if body.Has("matchmakingSignalWeights") || body.Has("customSignalWeights") {
		weights = "matchmakingSignalWeights"
	}
	// An export with Text Chat must be newer than revision 2025-04, which has no Text Chat.
	oldest := 0
	if v, ok := body.Value.Member(weights); ok && slices.ContainsFunc(v.Members(), func(m jsontree.Member) bool {
		b := builtInNamed(m.Name)
		return b != nil && b.needs == textChatGroups && m.Value.Kind() != jsontree.Null
	}) {
		oldest = textChatRevision
	}
	if wrapped && body.Has("revision") && !o.Has("revision") {
		c.readRevision(body, oldest)
	} else {
		c.readRevision(o, oldest)
	}
	c.place(o)
	c.config.PlayerAttributes = c.attributes(o, "player", true)
	c.config.ServerAttributes = c.attributes(o, "server", true)
	c.config.Name = body.TextOr("name", "")
	body.Ignore("id", "universeId", "createdTime", "updatedTime", "description")
	c.exportedWeights(body, weights)
	definitions := body
	if wrapped && !body.Has("customSignals") {
		definitions = o // in a request, the definitions of signals are beside the weights
	}
	c.exportedCustoms(body, definitions)
	if c.template(body) == useDefault {
		c.addDefaults()
	}
	body.Done()
	if wrapped {
		o.Done()
	}
}

// exportedWeights reads the weights of the service's own signals. They are numbers in a request and
// objects in a response.
func (c *compiler) exportedWeights(body *jsontree.Object, member string) {
	o, ok := body.Object(member)
	if !ok {
		return
	}
	for _, m := range o.Value.Members() {
		at, _ := o.Get(m.Name)
		b := builtInNamed(m.Name)
		if at.Kind() == jsontree.Null {
			continue // the service exports unset members as null
		}
		if b == nil {
			c.problems.MemberErrorf(m, "%s: got an unknown name, expected one of Roblox's signals%s", o.Label(jsontree.Quote(m.Name)), nearest(m.Name))
			continue
		}
		weight := 0.0
		if at.Kind() == jsontree.Struct {
			one, _ := c.problems.Object(at, "signal "+jsontree.Quote(m.Name))
			weight = one.Number("weight", jsontree.AtLeast0)
			if v, ok := one.Get("signalType"); ok && builtInNamed(v.Text()) != b {
				one.Misfit(v, "signalType", b.api+", the name of the entry")
			}
			one.Done()
		} else {
			weight = o.Number(m.Name, jsontree.AtLeast0)
		}
		c.addBuiltIn(at, at, m.Name, b, weight, b.factorIn(c.revision))
	}
}

// exportedCustoms reads the custom signals. A request assigns weights to signals by name, so it
// must also define them.
func (c *compiler) exportedCustoms(body, definitions *jsontree.Object) {
	weights, requested := body.Object("customSignalWeights")
	defined, ok := definitions.Object("customSignals")
	names := map[string]bool{}
	if ok {
		for _, m := range defined.Value.Members() {
			if v, _ := defined.Get(m.Name); v.Kind() != jsontree.Null {
				names[c.exportedCustom(v, m.Name, weights)] = true
			}
		}
	}
	if !requested {
		return
	}
	for _, m := range weights.Value.Members() {
		if !names[m.Name] {
			c.problems.MemberErrorf(m, "%s: got an unknown name, expected a signal that customSignals defines", weights.Label(jsontree.Quote(m.Name)))
		}
	}
}

// exportedWeight reads the weight of a custom signal from the request or, if there is no request,
// from the signal. A signal without a weight in either is not evaluated, so its weight is 0.
func (c *compiler) exportedWeight(o *jsontree.Object, name string, requested *jsontree.Object) float64 {
	switch {
	case requested == nil:
		return o.Number("weight", jsontree.AtLeast0)
	case requested.Has(name):
		o.Ignore("weight")
		return requested.Number(name, jsontree.AtLeast0)
	}
	return o.NumberOr("weight", 0, jsontree.AtLeast0)
}

// configurations maps each kind of custom signal to the JSON member of an export that contains its
// settings.
var configurations = map[string]string{
	playerNumerical:   "playerNumericalSignalConfiguration",
	playerCategorical: "playerCategoricalSignalConfiguration",
	serverNumerical:   "serverNumericalSignalConfiguration",
	serverCategorical: "serverCategoricalSignalConfiguration",
}

// exportedCustom reads a custom signal and returns its name. That is the text of its "name" or, if
// it has none, the name of its entry. weights are the weights of a request, or nil if there is no
// request.
func (c *compiler) exportedCustom(v jsontree.Value, entryName string, weights *jsontree.Object) string {
	name, at := entryName, v
	if own, ok := v.Member("name"); ok && own.Kind() == jsontree.Text {
		name, at = own.Text(), own
	}
	o, ok := c.problems.Object(v, "signal "+jsontree.Quote(name))
	if !ok {
		return name
	}
	o.TextOr("name", name)
	weight := c.exportedWeight(o, name, weights)
	c.customName(o, at, "name", name)
	o.TextOr("description", "")
	kind := o.OneOf("customSignalType", playerNumerical, playerCategorical, serverNumerical, serverCategorical)
	if kind == "" {
		return name
	}
	inner, ok := o.RequireObject(configurations[kind], "an object")
	if !ok {
		return name
	}
	r := customReader{compiler: c, Object: inner, format: &exportFormat}
	if signal := r.signal(kind, name, weight); signal != nil {
		c.add(entry{o.Value, fmt.Sprintf("signal %q", name), name, nil, weight}, signal)
	}
	inner.Done()
	o.Done()
	return name
}
