package service

import (
	"fmt"
	"math"
	"slices"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
)

// A Profile describes one call of the match function. In each pass, the function is called once for
// each profile. A profile has pools, and a pool contains the waiting tickets that pass all of its
// filters. A YAML file has the profiles:
//
//	profiles:
//	  - name: newcomers
//	    pools:
//	      low: {tags: [dust], strings: {mode: ranked}, doubles: {mmr: {max: 1500, bounds: max_excluded}}}
//	      late: {waited: {min: 30s}}
//	    extensions: {desiredNumRosters: 2, desiredRosterLen: 5}
type Profile struct {
	Name       string
	Pools      []Pool // in the order of the file
	Extensions []Extension
}

// Extension is a value that the match function receives with the profile.
type Extension struct {
	Name string
	JSON []byte // the value, which is not null
}

// own is the name of the extension that mmsim adds to each profile and ticket.
const own = "mmsim"

// Pool selects the tickets that pass all of its filters.
type Pool struct {
	Name    string
	Tags    []string
	Strings []String
	Doubles []Double
	Waited  *Wait // nil for any wait
}

// String is a filter: the ticket's text attribute Name must be Value.
type String struct{ Name, Value string }

// Double is a filter: the ticket's number attribute Name must be in Range.
type Double struct {
	Name string
	Range
}

// Range is a range of numbers. A bound may be infinite.
type Range struct {
	Min, Max                 float64
	MinExcluded, MaxExcluded bool
}

// Wait is a filter: the ticket's wait must be from Min to Max.
type Wait struct{ Min, Max time.Duration }

// waitMax is the default of Wait.Max. It is longer than any run.
const waitMax = 1000 * time.Hour

// Holds reports whether x is in the range.
func (r *Range) Holds(x float64) bool {
	return (x > r.Min || x == r.Min && !r.MinExcluded) && (x < r.Max || x == r.Max && !r.MaxExcluded)
}

// boundWords lists the values of the key bounds. The first is the default.
var boundWords = []string{"both_included", "min_excluded", "max_excluded", "both_excluded"}

// ReadProfiles reads profiles from a file. Every error is a bad input error and says where the input
// is wrong.
func ReadProfiles(file string) ([]Profile, error) {
	var list []Profile
	if err := profiles(&list).Value().ReadRoot(yamltree.ReadFile(input.Shown(file))); err != nil {
		return nil, input.Bad(err)
	}
	return list, nil
}

// profiles has the keys of a file with profiles.
func profiles(list *[]Profile) value.Object {
	var at yamltree.Node
	all := value.NotEmpty(value.ListOf(list, "a list such as [{name: all, pools: {all: {}}}]", profile))
	return value.Object{
		Expects: "a mapping with profiles",
		Keys:    []value.Key{value.Named("profiles", "", value.Needed(value.At(&at, all)))},
		Check: func() error {
			for i, p := range *list {
				if slices.ContainsFunc((*list)[:i], func(other Profile) bool { return other.Name == p.Name }) {
					return at.Elements[i].Errorf("profiles[%d].name: got %q twice, expected different names", i, p.Name)
				}
			}
			return nil
		},
	}
}

func profile(p *Profile) value.Value {
	extension := func(key yamltree.Node) error {
		if key.Text == own {
			return fmt.Errorf("%s, which mmsim sets itself", key)
		}
		return value.IsName(key)
	}
	return value.Mapping(
		value.Named("name", "", value.Needed(value.Required(value.Label(&p.Name)))),
		value.Named("pools", "filters of tickets, by the name of the pool", value.Needed(value.NotEmpty(value.OrderedOf(&p.Pools, "a mapping of names to filters, such as {all: {}}", value.IsName,
			func(p *Pool) *string { return &p.Name }, filters)))),
		value.Named("extensions", "values that the match function receives with the profile", value.OrderedOf(&p.Extensions, "a mapping of names to values, such as {desiredRosterLen: 4}", extension,
			func(e *Extension) *string { return &e.Name }, func(e *Extension) value.Value { return value.AnyJSON(&e.JSON) })),
	)
}

func filters(p *Pool) value.Value {
	wait := Wait{}
	return value.Mapping(
		value.Named("tags", "entries of the lists of a ticket, and datacenters that it may use", value.ListOf(&p.Tags, "a list of texts", value.Text)),
		value.Named("strings", "text attributes and the value that they have", value.OrderedOf(&p.Strings, "a mapping of names to texts, such as {mode: ranked}", value.IsName,
			func(s *String) *string { return &s.Name }, func(s *String) value.Value { return value.Text(&s.Value) })),
		value.Named("doubles", "number attributes, players and rtt.DATACENTER, and their range", value.OrderedOf(&p.Doubles, "a mapping of names to ranges, such as {mmr: {min: 0, max: 1500}}", value.IsName,
			func(d *Double) *string { return &d.Name }, func(d *Double) value.Value { return numbers(&d.Range) })),
		value.Named("waited", "how long a ticket has waited", waited(&wait).Then(func() { p.Waited = &wait })),
	)
}

func numbers(r *Range) value.Value {
	word := ""
	finite := value.Limits{Low: math.Inf(-1), High: math.Inf(1), LowOpen: true, HighOpen: true}
	return value.Object{
		Keys: []value.Key{
			value.Named("min", "", value.ByDefault(&r.Min, math.Inf(-1), value.Number(&r.Min, finite))),
			value.Named("max", "", value.ByDefault(&r.Max, math.Inf(1), value.Number(&r.Max, finite))),
			value.Named("bounds", "which ends of the range belong to it", value.ByDefault(&word, boundWords[0], value.Choice(&word, boundWords))),
		},
		Check: func() error {
			r.MinExcluded = word == "min_excluded" || word == "both_excluded"
			r.MaxExcluded = word == "max_excluded" || word == "both_excluded"
			if r.Min > r.Max {
				return fmt.Errorf("got min %g above max %g, expected a range", r.Min, r.Max)
			}
			return nil
		},
	}.Value()
}

func waited(w *Wait) value.Value {
	return value.Object{
		Keys: []value.Key{
			value.Named("min", "", value.ByDefault(&w.Min, 0, value.Span(&w.Min, 0, waitMax))),
			value.Named("max", "", value.ByDefault(&w.Max, waitMax, value.Span(&w.Max, 0, waitMax))),
		},
		Check: func() error {
			if w.Min > w.Max {
				return fmt.Errorf("got min %s above max %s, expected a range", value.Short(w.Min), value.Short(w.Max))
			}
			return nil
		},
	}.Value()
}

// ProfileSchema returns the JSON Schema of a file with profiles.
func ProfileSchema() value.Schema { return profiles(new([]Profile)).Schema() }
