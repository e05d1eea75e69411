package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/config/parameters"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
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

// serverAttribute is an attribute that every server has when it starts.
type serverAttribute struct {
	Name         string
	Always       string // text or number as written, or "" if ByDatacenter is set
	ByDatacenter []DatacenterValue
}

// DatacenterValue is the value of a server attribute in one datacenter. If Datacenter is
// "default", it is the value in all datacenters that have no value of their own.
type DatacenterValue struct{ Datacenter, Text string }

func serverSettings(c *Config) []Setting {
	s := &c.Servers
	return []Setting{
		{"servers.capacity", "maximum number of players on a server; 0 means place.maxPlayerCount of the ruleset, or 8 without it", value.Whole(&s.Capacity, 0, scoring.MaxSeats)},
		{"servers.start", "time that a server needs to start; players who are sent to a starting server wait for it", value.Span(&s.Start, 0, spanMax)},
		{"servers.session", "how long players stay on a server, unless the data has a column session_length", session(&s.Session)},
		{"servers.attributes", "attributes of new servers, for all datacenters or by datacenter; an attribute that is not set here has the default of the ruleset", serverAttributes(&s.Attributes)},
	}
}

// sessionForm describes how to write one distribution of session lengths.
type sessionForm struct {
	name       string
	kind       sim.SessionKind
	parameters func(p *sessionParts) parameters.List // nil if the value is a single duration
}

// sessionParts has the parameters of all distributions of session lengths.
type sessionParts struct {
	scale, sd time.Duration
	shape     float64
}

var sessionForms = []sessionForm{
	{"weibull", sim.SessionWeibull, func(p *sessionParts) parameters.List {
		return parameters.List{parameters.Required("shape", value.Number(&p.shape, value.Limits{Low: 0.1, High: 100})), parameters.Required("scale", stay(&p.scale))}
	}},
	{"constant", sim.SessionConstant, nil},
	{"exponential", sim.SessionExponential, nil},
	{"lognormal", sim.SessionLogNormal, func(p *sessionParts) parameters.List {
		return parameters.List{parameters.Required("mean", stay(&p.scale)), parameters.Required("sd", stay(&p.sd))}
	}},
}

func stay(p *time.Duration) value.Value { return value.Span(p, time.Millisecond, spanMax) }

// session returns the setting for a distribution of session lengths.
func session(l *sim.SessionLength) value.Value {
	return value.Value{
		Expects: "one of {weibull: {shape: 0.5, scale: 20m}}, {constant: 90m}, {exponential: 40m} or {lognormal: {mean: 40m, sd: 30m}}",
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.Mapping || len(n.Entries) != 1 {
				return n.Misfit()
			}
			return readSession(l, n.Entries[0])
		},
		Write: func() any {
			form := sessionForms[slices.IndexFunc(sessionForms, func(f sessionForm) bool { return f.kind == l.Kind })]
			p := sessionParts{time.Duration(l.Scale) * time.Millisecond, time.Duration(l.SD) * time.Millisecond, l.Shape}
			if form.parameters == nil {
				return yaml.MapSlice{{Key: form.name, Value: stay(&p.scale).Write()}}
			}
			var parts yaml.MapSlice
			for _, part := range form.parameters(&p) {
				parts = append(parts, yaml.MapItem{Key: part.Key, Value: part.Write()})
			}
			return yaml.MapSlice{{Key: form.name, Value: parts}}
		},
		Schema: sessionSchema,
	}
}

func sessionSchema() schema.Schema {
	forms := map[string]schema.Schema{}
	for _, form := range sessionForms {
		var p sessionParts
		if forms[form.name] = stay(&p.scale).Schema(); form.parameters != nil {
			forms[form.name] = form.parameters(&p).Schema()
		}
	}
	return schema.One(forms)
}

func readSession(l *sim.SessionLength, e yamltree.Entry) error {
	var names []string
	for _, form := range sessionForms {
		names = append(names, form.name)
		if form.name != e.Key.Text {
			continue
		}
		var p sessionParts
		path := "servers.session." + form.name
		var err error
		if form.parameters == nil {
			err = stay(&p.scale).ReadAt(path, e.Value)
		} else {
			err = form.parameters(&p).Read(e.Value, path)
		}
		*l = sim.SessionLength{Kind: form.kind, Scale: SimSpan(p.scale), SD: SimSpan(p.sd), Shape: p.shape}
		return err
	}
	return e.Key.Errorf("servers.session: unknown distribution %s%s, expected one of %s",
		e.Key, input.DidYouMean(e.Key.Text, names), strings.Join(names, ", "))
}

// serverAttributes returns the setting that maps each server attribute to a value, or to one
// value per datacenter. The attributes are checked later, when the rules have been read.
func serverAttributes(p *[]serverAttribute) value.Value {
	return value.Value{
		Expects: "a mapping of server attributes to values, or to values by datacenter, such as {GameMode: {tokyo: ranked, default: casual}}",
		Write:   func() any { return writtenServerAttributes(*p) },
		Empty:   func() { *p = nil },
		Schema: func() schema.Schema {
			return schema.Map(schema.Any(schema.Filled(), schema.Map(schema.Filled()).With("minProperties", 1)))
		},
		Entry: func(key yamltree.Node) (value.Value, error) {
			if key.Text == "" || !value.Printable(key.Text) {
				return value.Value{}, fmt.Errorf("%s, which is not a name", key)
			}
			return value.Value{
				Expects: "a value, or a mapping of datacenters and default to values",
				Read: func(n yamltree.Node) error {
					a := serverAttribute{Name: key.Text}
					if err := a.read(n); err != nil {
						return err
					}
					*p = append(slices.DeleteFunc(*p, func(b serverAttribute) bool { return b.Name == a.Name }), a)
					return nil
				},
			}, nil
		},
	}
}

func (a *serverAttribute) read(n yamltree.Node) error {
	if n.Kind == yamltree.Plain || n.Kind == yamltree.Text {
		if n.Text == "" || !value.Printable(n.Text) {
			return n.Misfit()
		}
		a.Always = n.Text
		return nil
	}
	if n.Kind != yamltree.Mapping || len(n.Entries) == 0 {
		return n.Misfit()
	}
	for _, e := range n.Entries {
		v := e.Value
		if v.Kind != yamltree.Plain && v.Kind != yamltree.Text || v.Text == "" || !value.Printable(v.Text) || !value.Printable(e.Key.Text) {
			return v.Errorf("servers.attributes.%s.%s: got %s, expected a value", a.Name, e.Key.Text, v)
		}
		a.ByDatacenter = append(a.ByDatacenter, DatacenterValue{e.Key.Text, v.Text})
	}
	return nil
}

// writtenServerAttributes returns attributes in the form that serverAttributes reads.
func writtenServerAttributes(list []serverAttribute) yaml.MapSlice {
	written := yaml.MapSlice{}
	for _, a := range list {
		var is any = a.Always
		if a.ByDatacenter != nil {
			var sites yaml.MapSlice
			for _, v := range a.ByDatacenter {
				sites = append(sites, yaml.MapItem{Key: v.Datacenter, Value: v.Text})
			}
			is = sites
		}
		written = append(written, yaml.MapItem{Key: a.Name, Value: is})
	}
	return written
}
