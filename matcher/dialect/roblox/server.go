package roblox

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

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
