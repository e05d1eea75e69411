package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher/jsontree"
)

// isExport tells whether a value is in one of the service's own formats.
func isExport(root jsontree.Value) bool {
	for _, member := range []string{"scoringConfiguration", "signalWeights", "customSignals", "matchmakingSignalWeights", "customSignalWeights"} {
		if _, ok := root.Member(member); ok {
			return true
		}
	}
	return false
}

// export compiles a configuration as the API returns or takes it, bare or beside
// the schemas of its attributes. Revision, place and deployLimits, which the service
// does not export, may stand beside it too.
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
	// The page of 2025-04 knows no Text Chat, so an export that has it is newer.
	oldest := 0
	if v, ok := body.Value.Member(weights); ok && slices.ContainsFunc(v.Members(), func(m jsontree.Member) bool {
		b := builtInNamed(m.Name)
		return b != nil && b.needs == textChatGroups
	}) {
		oldest = textChatRevision
	}
	c.readRevision(o, oldest)
	c.place(o)
	c.config.PlayerAttributes = c.attributes(o, "player", true)
	c.config.ServerAttributes = c.attributes(o, "server", true)
	c.config.Name = body.TextOr("name", "")
	for _, known := range []string{"id", "universeId", "createdTime", "updatedTime", "description"} {
		body.Get(known)
	}
	c.exportedWeights(body, weights)
	c.exportedCustoms(body)
	if c.template(body) == useDefault {
		c.addDefaults()
	}
	c.unknown(body, false)
	if wrapped {
		c.unknown(o, false)
	}
}

// exportedWeights reads the weights of the service's own signals: numbers in a
// request, objects in an answer.
func (c *compiler) exportedWeights(body *jsontree.Object, member string) {
	o, ok := body.Object(member)
	if !ok {
		return
	}
	for _, m := range o.Value.Members() {
		at, _ := o.Get(m.Name)
		b := builtInNamed(m.Name)
		if b == nil {
			c.problems.Add(m.Errorf("%s: no signal of Roblox's%s", o.What(jsontree.Quote(m.Name)), nearest(m.Name)))
			continue
		}
		weight := 0.0
		if at.Kind() == jsontree.Struct {
			one, _ := c.problems.Object(at, "signal "+jsontree.Quote(m.Name))
			weight = c.weight(one, "weight")
			if v, ok := one.Get("signalType"); ok && builtInNamed(v.Text()) != b {
				one.Misfit(v, "signalType", b.api+", as the entry is called")
			}
			c.unknown(one, false)
		} else {
			weight = c.weight(o, m.Name)
		}
		c.addBuiltIn(at, at, m.Name, b, weight, b.factorIn(c.revision))
	}
}

// exportedCustoms reads the custom signals. A request refers to them by name and
// gives them weights, so they must stand in customSignals as well.
func (c *compiler) exportedCustoms(body *jsontree.Object) {
	defined, ok := body.Object("customSignals")
	weights, requested := body.Object("customSignalWeights")
	if requested {
		for _, m := range weights.Value.Members() {
			if !ok || !defined.Has(m.Name) {
				c.problems.Add(m.Errorf("%s: no such custom signal, expected one that is defined in customSignals", weights.What(jsontree.Quote(m.Name))))
			}
		}
	}
	if !ok {
		return
	}
	for _, m := range defined.Value.Members() {
		v, _ := defined.Get(m.Name)
		o, ok := c.problems.Object(v, "signal "+jsontree.Quote(m.Name))
		if !ok {
			continue
		}
		weight := 0.0
		if requested && weights.Has(m.Name) {
			weight = c.weight(weights, m.Name)
			o.Get("weight")
		} else if !requested || o.Has("weight") {
			weight = c.weight(o, "weight")
		}
		c.exportedCustom(o, m.Name, weight)
	}
}

// configurations are the members in which an export keeps what is particular to a
// kind.
var configurations = map[string]string{
	playerNumerical:   "playerNumericalSignalConfiguration",
	playerCategorical: "playerCategoricalSignalConfiguration",
	serverNumerical:   "serverNumericalSignalConfiguration",
	serverCategorical: "serverCategoricalSignalConfiguration",
}

// exportedCustom reads one custom signal.
func (c *compiler) exportedCustom(o *jsontree.Object, name string, weight float64) {
	if v, ok := o.Get("name"); ok && v.Text() != name {
		o.Misfit(v, "name", fmt.Sprintf("%q, as the entry is called", name))
	}
	c.customName(o, o.Value, "name", name)
	o.TextOr("description", "")
	kind := c.choice(o, "customSignalType", playerNumerical, playerCategorical, serverNumerical, serverCategorical)
	if kind == "" {
		return
	}
	inner, ok := o.Object(configurations[kind])
	if !ok {
		if !o.Has(configurations[kind]) {
			o.Missing(configurations[kind], "an object")
		}
		return
	}
	r := customReader{compiler: c, Object: inner, format: &exportFormat}
	if signal := r.signal(kind, name, weight); signal != nil {
		c.add(entry{o.Value, fmt.Sprintf("signal %q", name), name, nil, weight}, signal)
	}
	c.unknown(inner, false)
	c.unknown(o, false)
}
