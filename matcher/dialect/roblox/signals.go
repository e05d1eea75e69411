package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher/dialect/jsontree"
)

// ownSignal reads an entry of signals in our format.
func (c *compiler) ownSignal(o *jsontree.Object) {
	name := o.Text("signal")
	at, ok := o.Get("signal")
	if !ok || at.Kind() != jsontree.Text {
		return
	}
	label := "signal " + at.String()
	o.Relabel(label)
	weight := o.Number("weight", jsontree.AtLeast0)
	o.TextOr("description", "")
	if !o.Has("type") {
		c.ownBuiltIn(o, at, name, weight)
		return
	}
	c.customName(o, at, "signal", name)
	kind := o.OneOf("type", playerNumerical, playerCategorical, serverNumerical, serverCategorical)
	r := customReader{compiler: c, Object: o, format: &ownFormat}
	signal := r.signal(kind, name, weight)
	if kind != "" {
		o.Done()
	}
	if signal != nil {
		c.add(entry{o.Value, label, name, nil, weight}, signal)
	}
}

// ownBuiltIn reads an entry in our format for one of the service's own signals.
func (c *compiler) ownBuiltIn(o *jsontree.Object, at jsontree.Value, name string, weight float64) {
	b := builtInNamed(name)
	if b == nil {
		o.Ignore("type")
		o.Misfit(at, "signal", "one of Roblox's signals, or a custom signal with a type"+nearest(name))
		return
	}
	scale := b.factorIn(c.revision)
	if b.factor == 0 {
		o.Forbid("normalizingFactor", "the signal is a ratio")
	} else {
		scale = o.NumberOr("normalizingFactor", scale, jsontree.Above0)
	}
	o.Done()
	c.addBuiltIn(o.Value, at, name, b, weight, scale)
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
		c.add(entry{v, label, b.label, b, weight}, b.signal(c.revision, c.config.column(b.needs), weight, scale))
	}
}

// customName checks the name of a custom signal.
func (c *compiler) customName(o *jsontree.Object, at jsontree.Value, member, name string) {
	most, customs := c.limit(customSignalsMax), 1
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
