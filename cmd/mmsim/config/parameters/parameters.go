// Package parameters reads mappings of parameters, such as {mean: 1500, sd: 300}, which describe a
// generator of attributes or the length of a session.
package parameters

import (
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
)

// List describes the parameters of a mapping.
type List []Parameter

// Parameter is one key of a mapping.
type Parameter struct {
	Key string
	value.Value
	Optional bool
}

// Required returns a parameter that every mapping must contain.
func Required(key string, v value.Value) Parameter { return Parameter{Key: key, Value: v} }

// Optional returns a parameter that a mapping may leave out.
func Optional(key string, v value.Value) Parameter {
	return Parameter{Key: key, Value: v, Optional: true}
}

// Read reads the mapping n and checks that no required key is missing. In errors, a key's name
// follows path.
func (l List) Read(n yamltree.Node, path string) error {
	keys := make([]string, len(l))
	for i, p := range l {
		keys[i] = p.Key
	}
	if n.Kind != yamltree.Mapping {
		return n.Errorf("%sgot %s, expected a mapping with some of the keys %s", n.From.About(path), n, strings.Join(keys, ", "))
	}
	given := make([]bool, len(l))
	for _, e := range n.Entries {
		i := slices.Index(keys, e.Key.Text)
		if i < 0 {
			return e.Key.Errorf("unknown key %q%s", path+"."+e.Key.Text, input.DidYouMean(e.Key.Text, keys))
		}
		given[i] = true
		if err := l[i].ReadAt(path+"."+e.Key.Text, e.Value); err != nil {
			return err
		}
	}
	for i, p := range l {
		if !p.Optional && !given[i] {
			return n.Errorf("%s%s is missing, expected %s", n.From.About(path), p.Key, p.Expects)
		}
	}
	return nil
}

// Schema returns the schema of the mapping.
func (l List) Schema() schema.Schema {
	keys := map[string]schema.Schema{}
	var required []string
	for _, p := range l {
		keys[p.Key] = p.Schema().With("description", "Expected: "+p.Expects+".")
		if !p.Optional {
			required = append(required, p.Key)
		}
	}
	return schema.Object(keys, required...)
}
