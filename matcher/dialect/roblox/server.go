package roblox

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

// serverTypes are the kinds of servers. Matchmaking places players only on public ones.
var serverTypes = []string{"Public", "Private", "Reserved"}

// Server reads a server; the parameter what names it in messages. first is the player who
// joined first, nil for an empty server. The attributes of that player are the defaults of
// server attributes that refer to players. The documentation does not say whose attributes
// these are; we use the player for whom the server is started. The caller sets Sequence,
// CreatedMS, Region and Capacity.
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
	o.Get("shuttingDown") // marks the member as known even if serverType has already closed the server
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

// NewServer returns the server to start for a player: in the region with the player's lowest
// RTT, of the player's class, with default attributes. The capacity is that of the place, 0 if
// it is not known.
func (c *Config) NewServer(first *vendor.Player) scoring.Server {
	s := scoring.Server{Region: first.BestRegion(), Class: first.Class, Capacity: c.MaxPlayers}
	s.Values = make([]matcher.Value, c.Schema.Columns())
	for _, a := range c.ServerAttributes {
		s.Values[a.Column] = a.defaultFor(first)
	}
	return s
}

// defaultFor returns the default of a server attribute on a server whose first player is
// first.
func (a *Attribute) defaultFor(first *vendor.Player) matcher.Value {
	switch {
	case a.From == nil:
		return a.Default
	case first == nil:
		return a.From.Default
	}
	return first.Values[a.From.Column]
}
