package roblox

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

// Reader reads players and servers from their JSON attributes. It records errors in its problems. It
// warns once about each attribute name that is not declared.
type Reader struct {
	*Config
	problems jsontree.Problems
	warned   map[string]bool // by owner and attribute name: whether there was a warning
	mocked   int             // players generated for mock servers
}

// Reader returns a reader for players and servers under the configuration.
func (c *Config) Reader() *Reader { return &Reader{Config: c, warned: map[string]bool{}} }

// Problems returns the errors and warnings so far.
func (r *Reader) Problems() *jsontree.Problems { return &r.problems }

// attributesOf returns a reader for the attributes of a player or server. It returns false if they
// are null. If they are neither null nor an object, it records an error and returns false.
func (r *Reader) attributesOf(attributes jsontree.Value, label string) (*jsontree.Object, bool) {
	if attributes.Kind() == jsontree.Null {
		return nil, false
	}
	return r.problems.Object(attributes, label)
}

// Player reads a player. The first parameter is the name of the player in messages. An absent
// custom attribute gets its default. Any other absent attribute becomes a missing value.
func (r *Reader) Player(label string, attributes jsontree.Value) vendor.Player {
	p := vendor.Player{Class: r.DefaultClass()}
	p.Values = make([]matcher.Value, r.Schema.Columns())
	for _, a := range r.PlayerAttributes {
		p.Values[a.Column] = a.Default
	}
	o, ok := r.attributesOf(attributes, label)
	if !ok {
		return p
	}
	for _, a := range slices.Concat(r.builtIn, r.PlayerAttributes) {
		if v, ok := o.Get(a.Name); ok {
			p.Values[a.Column] = r.value(o, v, a.Name, a)
		}
	}
	if v, ok := o.Get(playMinutes); ok && o.Has("playHistory") {
		o.Misfit(v, playMinutes, "only one of playHistory and playMinutes28d")
	}
	p.Friends = o.Texts("friends")
	p.IP = o.TextOr("ip", "")
	p.Class = r.class(o)
	r.undeclared(o, "player")
	return p
}

// value reads the value of an attribute.
func (r *Reader) value(o *jsontree.Object, v jsontree.Value, name string, a *Attribute) matcher.Value {
	if a.Type == list {
		return matcher.SetValue(r.Schema.Set(o.Texts(name)))
	}
	value, ok := a.read(r.Schema, v)
	if !ok {
		o.Misfit(v, name, a.expected())
		return matcher.Value{}
	}
	return value
}

// number reads a number of 0 or more, or a missing value.
func (r *Reader) number(o *jsontree.Object, name string) matcher.Value {
	if _, ok := o.Get(name); !ok {
		return matcher.Value{}
	}
	return matcher.NumberValue(o.Number(name, builtInNumbers))
}

// class reads the matchmaking type of a player or server.
func (r *Reader) class(o *jsontree.Object) matcher.Text {
	return r.Schema.Intern(o.OneOfOr("matchmakingType", matchmakingTypes[0], matchmakingTypes...))
}

// undeclared warns once about each undeclared attribute, which may be misspelt.
func (r *Reader) undeclared(o *jsontree.Object, owner string) {
	for _, m := range o.Rest() {
		if key := owner + " " + m.Name; !r.warned[key] {
			r.warned[key] = true
			o.Warnf(m.Value, m.Name, "ignored, because no %s attribute with this name is declared", owner)
		}
	}
}

// serverTypes are the types of servers. Matchmaking places players only on public servers.
var serverTypes = []string{"Public", "Private", "Reserved"}

// Server reads a server. The first parameter is the name of the server in messages. The last
// parameter is the player who joined first, or nil for an empty server. If a player attribute is
// the default of a server attribute, Server uses the value of that player, because the
// documentation does not say whose value to use. The caller sets Sequence, CreatedMS, Region and
// Capacity.
func (r *Reader) Server(label string, attributes jsontree.Value, first *vendor.Player) scoring.Server {
	s := scoring.Server{Region: matcher.NoRegion, Class: r.Schema.Intern(matchmakingTypes[0])}
	s.Values = make([]matcher.Value, r.Schema.Columns())
	for _, a := range r.ServerAttributes {
		s.Values[a.Column] = a.defaultFor(first)
	}
	o, ok := r.attributesOf(attributes, label)
	if !ok {
		return s
	}
	s.Class = r.class(o)
	switch kind := o.OneOfOr("serverType", serverTypes[0], serverTypes...); {
	case kind == "Private":
		s.Closed = "private"
	case kind == "Reserved":
		s.Closed = "reserved"
	case o.BoolOr("shuttingDown", false):
		s.Closed = "shutting down"
	}
	o.Ignore("shuttingDown") // mark as read, because the switch skips it if serverType closes the server
	for _, a := range r.ServerAttributes {
		if v, ok := o.Get(a.Name); ok {
			s.Values[a.Column] = r.value(o, v, a.Name, a)
		}
	}
	if r.isMock(attributes) {
		o.Ignore("capacity")
		o.Ignore(mockMembers...)
	}
	r.undeclared(o, "server")
	return s
}

// NewServer returns a new server for a player. It has the player's class and attribute defaults,
// and is in the region with the player's lowest RTT. Its capacity is that of the place, or 0 if
// that is not known.
func (c *Config) NewServer(first *vendor.Player) scoring.Server {
	s := scoring.Server{Region: first.BestRegion(), Class: first.Class, Capacity: c.MaxPlayers}
	s.Values = make([]matcher.Value, c.Schema.Columns())
	for _, a := range c.ServerAttributes {
		s.Values[a.Column] = a.defaultFor(first)
	}
	return s
}

// defaultFor returns the default of a server attribute. The parameter first is the first player on
// the server, or nil if the server is empty.
func (a *Attribute) defaultFor(first *vendor.Player) matcher.Value {
	switch {
	case a.From == nil:
		return a.Default
	case first == nil:
		return a.From.Default
	}
	return first.Values[a.From.Column]
}
