package config

import (
	"time"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/value"
	"mmsim/matcher/scoring"
	"mmsim/sim"
)

// Servers configures game servers, which exist only with placement servers.
type Servers struct {
	Capacity   int // 0 means the capacity in the rules, or else CapacityDefault
	Start      time.Duration
	Session    sim.SessionLength // for players whose session length is not in the data
	Attributes []serverAttribute
}

// CapacityDefault is the number of seats on a server if neither the rules nor the
// configuration sets it.
const CapacityDefault = 8

// serverAttribute is an attribute that every server has when it starts: a text, or a number as written.
type serverAttribute struct {
	Name string
	section.BySite[string]
}

func serverSettings(c *Config) []Setting {
	s := &c.Servers
	return []Setting{
		value.Named("servers.capacity", "maximum number of players on a server; 0 means place.maxPlayerCount of the ruleset, or 8 without it", value.Whole(&s.Capacity, 0, scoring.MaxSeats)),
		value.Named("servers.start", "time that a server needs to start; players who are sent to a starting server wait for it", value.Span(&s.Start, 0, spanMax)),
		value.Named("servers.session", "how long players stay on a server, unless the data has a column session_length", session(&s.Session)),
		value.Named("servers.attributes", "attributes of new servers, for all datacenters or by datacenter; an attribute that is not set here has the default of the ruleset", serverAttributes(&s.Attributes)),
	}
}

// session returns the setting for a distribution of session lengths.
func session(l *sim.SessionLength) value.Value {
	form := func(name string, kind sim.SessionKind, v value.Value) value.Key {
		return value.Named(name, "", value.Form(&l.Kind, kind, v))
	}
	shape := value.Needed(value.Number(&l.Shape, value.Limits{Low: 0.1, High: 100}))
	stay := value.Needed(value.Millis(&l.Scale, time.Millisecond, spanMax))
	deviation := value.Needed(value.Millis(&l.SD, time.Millisecond, spanMax))
	return value.Object{
		Expects: "one of {weibull: {shape: 0.5, scale: 20m}}, {constant: 90m}, {exponential: 40m} or {lognormal: {mean: 40m, sd: 30m}}",
		One:     4,
		Start:   func() { *l = sim.SessionLength{} },
		Keys: []value.Key{
			form("weibull", sim.SessionWeibull, value.Mapping(value.Named("shape", "", shape), value.Named("scale", "", stay))),
			form("constant", sim.SessionConstant, stay),
			form("exponential", sim.SessionExponential, stay),
			form("lognormal", sim.SessionLogNormal, value.Mapping(value.Named("mean", "", stay), value.Named("sd", "", deviation))),
		},
	}.Value()
}

// serverAttributes returns the setting that maps each server attribute to a value, or to one
// value per datacenter. The attributes are checked later, when the rules have been read.
func serverAttributes(p *[]serverAttribute) value.Value {
	text := func(p *string) value.Value {
		v := value.Required(value.Label(p))
		v.Expects = "a value"
		return v
	}
	return value.OrderedOf(p, "a mapping of server attributes to values, or to values by datacenter, such as {GameMode: {tokyo: ranked, default: casual}}", value.IsName,
		func(a *serverAttribute) *string { return &a.Name }, func(a *serverAttribute) value.Value { return a.BySite.Value("values", text) })
}
