package openmatch

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/schema"
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
	root, err := yamltree.ReadFile(input.Shown(file))
	if err != nil {
		return nil, input.Bad(err)
	}
	list, err := readProfiles(root)
	if err != nil {
		return nil, input.Bad(err)
	}
	return list, nil
}

// IsProfiles reports whether a YAML file contains profiles. It checks the top-level key, which
// no other file of mmsim has.
func IsProfiles(file string) bool {
	root, err := yamltree.ReadFile(file)
	return err == nil && root.Kind == yamltree.Mapping &&
		slices.ContainsFunc(root.Entries, func(e yamltree.Entry) bool { return e.Key.Text == "profiles" })
}

func readProfiles(root yamltree.Node) (list []Profile, err error) {
	err = mapping(root, "the file", keys{"profiles": {require, func(n yamltree.Node) error {
		if n.Kind != yamltree.List || len(n.Elements) == 0 {
			return n.Errorf("profiles: got %s, expected a list such as [{name: all, pools: {all: {}}}]", n)
		}
		for i, element := range n.Elements {
			p, err := readProfile(fmt.Sprintf("profiles[%d]", i), element)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(list, func(other Profile) bool { return other.Name == p.Name }) {
				return element.Errorf("profiles[%d].name: got %q twice, expected different names", i, p.Name)
			}
			list = append(list, p)
		}
		return nil
	}}})
	return list, err
}

func readProfile(path string, n yamltree.Node) (p Profile, err error) {
	return p, mapping(n, path, keys{
		"name": {require, in(path+".name", value.Required(value.Label(&p.Name)))},
		"pools": {require, func(n yamltree.Node) error {
			if n.Kind != yamltree.Mapping || len(n.Entries) == 0 {
				return n.Errorf("%s.pools: got %s, expected a mapping of names to filters, such as {all: {}}", path, n)
			}
			for _, e := range n.Entries {
				pool, err := readPool(path+".pools."+e.Key.Text, e)
				if err != nil {
					return err
				}
				p.Pools = append(p.Pools, pool)
			}
			return nil
		}},
		"extensions": {optional, each(path+".extensions", "names to values, such as {desiredRosterLen: 4}", func(path string, e yamltree.Entry) error {
			switch {
			case e.Key.Text == own:
				return e.Key.Errorf("%s: got a value, expected none: mmsim sets this extension", path)
			case e.Value.Kind == yamltree.Null:
				return e.Value.Errorf("%s: got nothing, expected a value", path)
			}
			p.Extensions = append(p.Extensions, Extension{e.Key.Text, e.Value.JSON()})
			return nil
		})},
	})
}

func readPool(path string, e yamltree.Entry) (Pool, error) {
	p := Pool{Name: e.Key.Text}
	return p, mapping(e.Value, path, keys{
		"tags": {optional, func(n yamltree.Node) error {
			if n.Kind == yamltree.List && len(n.Elements) == 0 {
				return nil
			}
			return in(path+".tags", value.Texts(&p.Tags))(n)
		}},
		"strings": {optional, each(path+".strings", "names to texts, such as {mode: ranked}", func(path string, e yamltree.Entry) error {
			s := String{Name: e.Key.Text}
			err := value.Text(&s.Value).In(path, e.Value)
			p.Strings = append(p.Strings, s)
			return err
		})},
		"doubles": {optional, each(path+".doubles", "names to ranges, such as {mmr: {min: 0, max: 1500}}", func(path string, e yamltree.Entry) error {
			r, err := readRange(path, e.Value)
			p.Doubles = append(p.Doubles, Double{e.Key.Text, r})
			return err
		})},
		"waited": {optional, func(n yamltree.Node) (err error) {
			p.Waited, err = readWait(path+".waited", n)
			return err
		}},
	})
}

func readRange(path string, n yamltree.Node) (Range, error) {
	r, word := Range{Min: math.Inf(-1), Max: math.Inf(1)}, boundWords[0]
	finite := value.Limits{Low: math.Inf(-1), High: math.Inf(1), LowOpen: true, HighOpen: true}
	err := mapping(n, path, keys{
		"min":    {optional, in(path+".min", value.Number(&r.Min, finite))},
		"max":    {optional, in(path+".max", value.Number(&r.Max, finite))},
		"bounds": {optional, in(path+".bounds", value.Choice(&word, boundWords))},
	})
	if err == nil && r.Min > r.Max {
		err = n.Errorf("%s: got min %g above max %g, expected a range", path, r.Min, r.Max)
	}
	r.MinExcluded = word == "min_excluded" || word == "both_excluded"
	r.MaxExcluded = word == "max_excluded" || word == "both_excluded"
	return r, err
}

func readWait(path string, n yamltree.Node) (*Wait, error) {
	w := &Wait{Max: waitMax}
	err := mapping(n, path, keys{
		"min": {optional, in(path+".min", value.Span(&w.Min, 0, waitMax))},
		"max": {optional, in(path+".max", value.Span(&w.Max, 0, waitMax))},
	})
	if err == nil && w.Min > w.Max {
		err = n.Errorf("%s: got min %s above max %s, expected a range", path, value.Short(w.Min), value.Short(w.Max))
	}
	return w, err
}

// keys has the keys that a mapping may have.
type keys map[string]key

type key struct {
	required bool
	read     func(yamltree.Node) error
}

const require, optional = true, false

// in returns a function that reads a value at path.
func in(path string, v value.Value) func(yamltree.Node) error {
	return func(n yamltree.Node) error { return v.In(path, n) }
}

// mapping reads a mapping with known keys.
func mapping(n yamltree.Node, path string, known keys) error {
	var names, needed []string
	for name, k := range known {
		if names = append(names, name); k.required {
			needed = append(needed, name)
		}
	}
	slices.Sort(names)
	slices.Sort(needed)
	if n.Kind != yamltree.Mapping {
		return n.Errorf("%s: got %s, expected a mapping with %s", path, n, strings.Join(names, ", "))
	}
	for _, e := range n.Entries {
		k, is := known[e.Key.Text]
		if !is {
			return e.Key.Errorf("%s: unknown key %q%s; expected %s", path, e.Key.Text, input.DidYouMean(e.Key.Text, names), strings.Join(names, ", "))
		}
		if err := k.read(e.Value); err != nil {
			return err
		}
		needed = slices.DeleteFunc(needed, func(name string) bool { return name == e.Key.Text })
	}
	if len(needed) > 0 {
		return n.Errorf("%s: no %s, expected one", path, needed[0])
	}
	return nil
}

// each returns a function that reads a mapping whose keys the user chooses.
func each(path, expects string, read func(path string, e yamltree.Entry) error) func(yamltree.Node) error {
	return func(n yamltree.Node) error {
		if n.Kind != yamltree.Mapping {
			return n.Errorf("%s: got %s, expected a mapping of %s", path, n, expects)
		}
		for _, e := range n.Entries {
			if err := read(path+"."+e.Key.Text, e); err != nil {
				return err
			}
		}
		return nil
	}
}

// ProfileSchema returns the JSON Schema of a file with profiles.
func ProfileSchema() schema.Schema {
	span := func() schema.Schema { return value.Span(new(time.Duration), 0, waitMax).Schema() }
	number := schema.Schema{"type": "number"}
	pool := schema.Object(map[string]schema.Schema{
		"tags":    schema.List(schema.Filled(), 0).With("description", "Entries of the lists of a ticket, and datacenters that it may use."),
		"strings": schema.Map(schema.Scalar()).With("description", "Text attributes and the value that they have."),
		"doubles": schema.Map(schema.Object(map[string]schema.Schema{"min": number, "max": number, "bounds": schema.Words(boundWords)})).With("description", "Number attributes, players and rtt.DATACENTER, and their range."),
		"waited":  schema.Object(map[string]schema.Schema{"min": span(), "max": span()}).With("description", "How long a ticket has waited."),
	})
	profile := schema.Object(map[string]schema.Schema{
		"name": schema.Filled(), "pools": schema.Map(pool).With("minProperties", 1),
		"extensions": schema.Map(schema.Schema{"not": schema.Schema{"type": "null"}}).With("description", "Values that the match function receives with the profile."),
	}, "name", "pools")
	return schema.Object(map[string]schema.Schema{"profiles": schema.List(profile, 1)}, "profiles")
}
