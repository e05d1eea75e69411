package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher/dialect/jsontree"
)

// ownSignal reads an entry of signals in our format.
func (c *compiler) ownSignal(v jsontree.Value, place string) {
	label := place
	if name, ok := v.Member("signal"); ok && name.Kind() == jsontree.Text {
		label = fmt.Sprintf("signal %s", name)
	}
	o, ok := c.problems.Object(v, label)
	if !ok {
		return
	}
	name := o.Text("signal")
	at, ok := o.Get("signal")
	if !ok || at.Kind() != jsontree.Text {
		return
	}
	weight := c.weight(o, "weight")
	o.TextOr("description", "")
	if !o.Has("type") {
		c.ownBuiltIn(o, at, name, weight)
		return
	}
	c.customName(o, at, "signal", name)
	kind := c.choice(o, "type", playerNumerical, playerCategorical, serverNumerical, serverCategorical)
	r := customReader{compiler: c, Object: o, format: &ownFormat}
	signal := r.signal(kind, name, weight)
	if kind != "" {
		c.unknown(o, true)
	}
	if signal != nil {
		c.add(entry{v, label, name, nil, weight}, signal)
	}
}

// weight reads a required weight.
func (c *compiler) weight(o *jsontree.Object, member string) float64 {
	v, ok := o.Get(member)
	if !ok {
		o.Missing(member, "a number of 0 or more")
		return 0
	}
	weight, ok := v.Float()
	if !ok || weight < 0 {
		o.Misfit(v, member, "a number of 0 or more")
		return 0
	}
	return weight
}

// ownBuiltIn reads an entry in our format for one of the service's own signals.
func (c *compiler) ownBuiltIn(o *jsontree.Object, at jsontree.Value, name string, weight float64) {
	b := builtInNamed(name)
	if b == nil {
		o.Get("type")
		o.Misfit(at, "signal", "one of Roblox's signals, or a custom signal with a type"+nearest(name))
		return
	}
	scale := b.factorIn(c.revision)
	if b.factor == 0 {
		if v, ok := o.Get("normalizingFactor"); ok {
			o.Misfit(v, "normalizingFactor", "none, because the signal is a ratio")
		}
	} else if _, ok := o.Get("normalizingFactor"); ok {
		scale = c.positive(o, "normalizingFactor")
	}
	c.unknown(o, true)
	c.addBuiltIn(o.Value, at, name, b, weight, scale)
}

// positive reads a required number above 0.
func (c *compiler) positive(o *jsontree.Object, member string) float64 {
	v, ok := o.Get(member)
	if !ok {
		o.Missing(member, "a number above 0")
		return 1
	}
	n, ok := v.Float()
	if !ok || n <= 0 {
		o.Misfit(v, member, "a number above 0")
		return 1
	}
	return n
}

// addBuiltIn adds one of the service's own signals. If it was already added, it records an error.
func (c *compiler) addBuiltIn(v, at jsontree.Value, name string, b *builtIn, weight, scale float64) {
	label := "signal " + jsontree.Quote(name)
	switch {
	case b.weights[c.revision] == absent:
		c.problems.Errorf(at, "%s: revision %s does not have this signal, expected revision %s or later", label, revisions[c.revision], revisions[textChatRevision])
	case slices.ContainsFunc(c.config.entries, func(e entry) bool { return e.builtIn == b }):
		c.problems.Errorf(at, "%s: the signal is listed twice, expected each signal once%s", label, b.aliases())
	default:
		weight = c.weightInPlace(at, b, weight)
		c.add(entry{v, label, b.label, b, weight}, b.signal(c.revision, &c.config.columns, weight, scale))
	}
}

// customName checks the name of a custom signal.
func (c *compiler) customName(o *jsontree.Object, at jsontree.Value, member, name string) {
	most, customs := customSignalsMax, 1
	if !c.limits {
		most = liftedMax
	}
	for _, e := range c.config.entries {
		if e.builtIn != nil {
			continue
		}
		if customs++; e.name == name {
			o.Misfit(at, member, "a unique name")
		}
	}
	switch b := builtInNamed(name); {
	case name == "":
		o.Misfit(at, member, "a name that is not empty")
	case b != nil:
		o.Misfit(at, member, fmt.Sprintf("another name, because %s is one of Roblox's signals", b.label))
	case customs > most:
		c.problems.Errorf(at, "%sgot %d custom signals, expected at most %d%s", o.Label(""), customs, most, c.liftHint())
	}
}
