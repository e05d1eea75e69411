package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"mmsim/matcher/scoring"
	"mmsim/sim"
)

// serversConfig is what servers are like under placement servers.
type serversConfig struct {
	capacity   int // 0: as the rules say, else capacityDefault
	start      time.Duration
	session    sim.SessionLength // of players who have none of their own in the data
	attributes []serverAttribute
}

// capacityDefault is how many seats a server has where nobody says.
const capacityDefault = 8

// serverAttribute is an attribute that servers are started with.
type serverAttribute struct {
	name         string
	always       string // text or number as written; "" where byDatacenter says
	byDatacenter []siteValue
}

// siteValue is a value in one datacenter, or under the name default in all others.
type siteValue struct{ datacenter, text string }

func serverSettings(c *config) []setting {
	s := &c.servers
	return []setting{
		{"servers.capacity", "players on a server; 0: as place.maxPlayerCount of the rules says, else 8", whole(&s.capacity, 0, scoring.MaxSeats)},
		{"servers.start", "time from starting a server until it can be played on; whoever joins it meanwhile waits too", span(&s.start, 0, spanMax)},
		{"servers.session", "how long players stay, where the data has no session_length", session(&s.session)},
		{"servers.attributes", "attributes that servers start with, for all or by datacenter; none: the defaults of the rules", serverAttributes(&s.attributes)},
	}
}

// sessionForm is how one distribution of sessions is written.
type sessionForm struct {
	name       string
	kind       sim.SessionKind
	parameters func(p *sessionParts) []parameter // nil: a duration stands there
}

// sessionParts are the parameters of a distribution of sessions.
type sessionParts struct {
	scale, sd time.Duration
	shape     float64
}

var sessionForms = []sessionForm{
	{"weibull", sim.SessionWeibull, func(p *sessionParts) []parameter {
		return []parameter{{"shape", number(&p.shape, limits{low: 0.1, high: 100}), false}, {"scale", stay(&p.scale), false}}
	}},
	{"constant", sim.SessionConstant, nil},
	{"exponential", sim.SessionExponential, nil},
	{"lognormal", sim.SessionLogNormal, func(p *sessionParts) []parameter {
		return []parameter{{"mean", stay(&p.scale), false}, {"sd", stay(&p.sd), false}}
	}},
}

func stay(p *time.Duration) value { return span(p, time.Millisecond, spanMax) }

// session is a setting that is a distribution of lengths.
func session(l *sim.SessionLength) value {
	return value{
		expects: "one of {weibull: {shape: 0.5, scale: 20m}}, {constant: 90m}, {exponential: 40m} and {lognormal: {mean: 40m, sd: 30m}}",
		read: func(n node) error {
			if n.kind != kindMapping || len(n.entries) != 1 {
				return n.misfit()
			}
			return readSession(l, n.entries[0])
		},
		write: func() any {
			form := sessionForms[slices.IndexFunc(sessionForms, func(f sessionForm) bool { return f.kind == l.Kind })]
			p := sessionParts{time.Duration(l.Scale) * time.Millisecond, time.Duration(l.SD) * time.Millisecond, l.Shape}
			if form.parameters == nil {
				return yaml.MapSlice{{Key: form.name, Value: stay(&p.scale).write()}}
			}
			var parts yaml.MapSlice
			for _, part := range form.parameters(&p) {
				parts = append(parts, yaml.MapItem{Key: part.key, Value: part.write()})
			}
			return yaml.MapSlice{{Key: form.name, Value: parts}}
		},
	}
}

func readSession(l *sim.SessionLength, e entry) error {
	var names []string
	for _, form := range sessionForms {
		names = append(names, form.name)
		if form.name != e.key.text {
			continue
		}
		var p sessionParts
		path := "servers.session." + form.name
		var err error
		if form.parameters == nil {
			err = stay(&p.scale).readAt(path, e.value)
		} else {
			err = readParameters(e.value, path, form.parameters(&p))
		}
		*l = sim.SessionLength{Kind: form.kind, Scale: simSpan(p.scale), SD: simSpan(p.sd), Shape: p.shape}
		return err
	}
	return e.key.errorf("servers.session: unknown distribution %s%s, expected one of %s",
		e.key, didYouMean(e.key.text, names), strings.Join(names, ", "))
}

// serverAttributes is a setting that maps attributes to values, or to values by
// datacenter. That rules declare them is checked when these are read.
func serverAttributes(p *[]serverAttribute) value {
	return value{
		expects: "a mapping of server attributes to values, or to values by datacenter, such as {GameMode: {tokyo: ranked, default: casual}}",
		write:   func() any { return writtenServerAttributes(*p) },
		empty:   func() { *p = nil },
		entry: func(key node) (value, error) {
			if key.text == "" || !printable(key.text) {
				return value{}, fmt.Errorf("%s, which is no name", key)
			}
			return value{
				expects: "a value, or a mapping of datacenters and default to values",
				read: func(n node) error {
					a := serverAttribute{name: key.text}
					if err := a.read(n); err != nil {
						return err
					}
					*p = append(slices.DeleteFunc(*p, func(b serverAttribute) bool { return b.name == a.name }), a)
					return nil
				},
			}, nil
		},
	}
}

func (a *serverAttribute) read(n node) error {
	if n.kind == kindPlain || n.kind == kindText {
		if n.text == "" || !printable(n.text) {
			return n.misfit()
		}
		a.always = n.text
		return nil
	}
	if n.kind != kindMapping || len(n.entries) == 0 {
		return n.misfit()
	}
	for _, e := range n.entries {
		v := e.value
		if v.kind != kindPlain && v.kind != kindText || v.text == "" || !printable(v.text) || !printable(e.key.text) {
			return v.errorf("servers.attributes.%s.%s: got %s, expected a value", a.name, e.key.text, v)
		}
		a.byDatacenter = append(a.byDatacenter, siteValue{e.key.text, v.text})
	}
	return nil
}

// writtenServerAttributes is what serverAttributes reads.
func writtenServerAttributes(list []serverAttribute) yaml.MapSlice {
	written := yaml.MapSlice{}
	for _, a := range list {
		var is any = a.always
		if a.byDatacenter != nil {
			var sites yaml.MapSlice
			for _, v := range a.byDatacenter {
				sites = append(sites, yaml.MapItem{Key: v.datacenter, Value: v.text})
			}
			is = sites
		}
		written = append(written, yaml.MapItem{Key: a.name, Value: is})
	}
	return written
}
