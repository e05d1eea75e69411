package roblox

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

// serverTypes are the kinds of servers. Matchmaking places players only on public ones.
var serverTypes = []string{"Public", "Private", "Reserved"}

// Server reads a server. The parameter what names the server in messages. first is the player who
// joined first, nil for an empty server: the default of a server attribute may be an attribute of
// a player, and the documentation does not say of which, so we take the first. The caller sets
// Sequence, CreatedMS, Region and Capacity.
func (r *Reader) Server(what string, attributes jsontree.Value, first *vendor.Player) scoring.Server {
	s := scoring.Server{Region: matcher.NoRegion, Class: r.Schema.Intern(matchmakingTypes[0])}
	s.Values = make([]matcher.Value, r.Schema.Columns())
	for _, a := range r.ServerAttributes {
		s.Values[a.Column] = a.defaultFor(first)
	}
	o, ok := r.attributesOf(attributes, what)
	if !ok {
		return s
	}
	s.Class = r.class(o)
	switch kind := r.word(o, "serverType", serverTypes); {
	case kind == "Private":
		s.Closed = "private"
	case kind == "Reserved":
		s.Closed = "reserved"
	case o.BoolOr("shuttingDown", false):
		s.Closed = "shutting down"
	}
	o.Get("shuttingDown") // the switch does not read it if serverType closes the server
	for _, a := range r.ServerAttributes {
		if v, ok := o.Get(a.Name); ok {
			s.Values[a.Column] = r.custom(o, v, a.Name, a)
		}
	}
	if r.isMock(attributes) {
		o.Get("capacity")
		for _, name := range mockMembers {
			o.Get(name)
		}
	}
	r.undeclared(o, "server")
	return s
}

// NewServer returns the server to start for a player. It is in the region with the player's lowest
// RTT, has the player's class and default attributes, and has the capacity of the place, which is
// 0 if it is not known.
func (c *Config) NewServer(first *vendor.Player) scoring.Server {
	s := scoring.Server{Region: first.BestRegion(), Class: first.Class, Capacity: c.MaxPlayers}
	s.Values = make([]matcher.Value, c.Schema.Columns())
	for _, a := range c.ServerAttributes {
		s.Values[a.Column] = a.defaultFor(first)
	}
	return s
}

// defaultFor returns the default of a server attribute. first is the server's first player, nil
// for an empty server.
func (a *Attribute) defaultFor(first *vendor.Player) matcher.Value {
	switch {
	case a.From == nil:
		return a.Default
	case first == nil:
		return a.From.Default
	}
	return first.Values[a.From.Column]
}
