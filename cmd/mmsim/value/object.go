package value

import (
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
)

// An Object is a mapping with known keys. It is declared once, as a list of keys, and that list reads
// the mapping, writes it, and describes it in help texts and JSON Schemas. A configuration, an element
// of one of its lists and the parameters of a distribution are Objects.
type Object struct {
	Keys    []Key
	Expects string       // completes "expected …"; the default lists the keys
	One     int          // a mapping must have exactly one of the first One keys
	Start   func()       // if set, clears the values before a mapping is read
	Check   func() error // if set, checks the values together after all have been read
	Advice  string       // if set, says where the keys are listed, instead of listing them in a message

	// Note, if set, is called for each value that was read. The value's Path is its whole key.
	Note func(n yamltree.Node)
	// Other, if set, is asked about keys that are not in Keys, and reports whether it took the key.
	Other func(path string, key, n yamltree.Node) bool
}

// Key is one key of an Object.
type Key struct {
	Path    string // with a dot for each section, such as "match.size"
	Meaning string // one line for help texts, or "" if the name says it
	Value
}

// Mapping returns the Value of an Object that has nothing but keys.
func Mapping(keys ...Key) Value { return Object{Keys: keys}.Value() }

// Named returns a key of an Object.
func Named(path, meaning string, v Value) Key { return Key{path, meaning, v} }

// Value returns the Value for the whole mapping.
func (o Object) Value() Value {
	return Value{
		Expects: o.expects(""),
		Read:    o.Read,
		Write:   func(folder string) any { return o.Write(func(k *Key) any { return k.Write(folder) }) },
		Schema:  o.Schema,
		Parts:   func() []Key { return o.Keys },
	}
}

// Read reads a mapping. The error lists all mistakes.
func (o *Object) Read(n yamltree.Node) error {
	if n.Kind != yamltree.Mapping {
		return n.Misfit()
	}
	if o.Start != nil {
		o.Start()
	}
	for i := range o.Keys {
		if reset := o.Keys[i].reset; reset != nil {
			reset()
		}
	}
	faults := o.section(n, "")
	isComplete := !slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool {
		return o.Find(e.Key.Text) == nil && !o.isSection(e.Key.Text) // perhaps a misspelt key is the missing one
	})
	has := func(k *Key) bool {
		return slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool { return e.Key.Text == k.Path })
	}
	var given []string
	for i := range o.Keys {
		switch k := &o.Keys[i]; {
		case i < o.One:
			if has(k) {
				given = append(given, k.Path)
			}
		case k.needed && !has(k) && isComplete:
			faults = append(faults, n.Errorf("%s is missing, expected %s", k.Path, k.Expects))
		}
	}
	switch {
	case len(given) > 1:
		faults = append(faults, n.Errorf("got both %s and %s, expected %s", given[0], given[1], o.expects("")))
	case o.One > 0 && len(given) == 0 && len(faults) == 0:
		return n.Misfit()
	case len(faults) == 0 && o.Check != nil:
		return n.Placed(o.Check())
	}
	return Joined(faults)
}

// Set reads the value of one key, as --set does. base is the path of the mapping, and path the key
// inside it.
func (o *Object) Set(base, path string, key, n yamltree.Node) error {
	whole := yamltree.Join(base, path)
	k := o.Find(path)
	switch {
	case k != nil && (n.Kind != yamltree.Mapping || !o.isSection(path)):
		return o.read(k.Value, whole, n)
	case o.isSection(path):
		n.Path = whole
		return Joined(o.section(n, path))
	}
	for i := range o.Keys {
		k := &o.Keys[i]
		if inner, below := strings.CutPrefix(path, k.Path+"."); below && k.Inner != nil {
			return o.read(k.Inner(inner), whole, n)
		}
	}
	if o.Other != nil && o.Other(whole, key, n) {
		return nil
	}
	for i := range o.Keys {
		k := &o.Keys[i]
		if entry, below := strings.CutPrefix(path, k.Path+"."); below && k.Entry != nil && (k.Dotted || !strings.Contains(entry, ".")) {
			key.Text = entry
			of := yamltree.Join(base, k.Path)
			err := k.readEntry(of, key, n)
			for _, n.Path = range []string{of, whole} {
				if err == nil && o.Note != nil {
					o.Note(n)
				}
			}
			return err
		}
	}
	return o.unknown(base, path, key)
}

// section reads the keys of a section, or of the whole mapping if section is "". A section may have
// no keys, for example if all are commented out.
func (o *Object) section(n yamltree.Node, section string) (faults []error) {
	switch n.Kind {
	case yamltree.Null:
		return nil
	case yamltree.Mapping:
	default:
		return []error{n.Errorf("got %v, expected %s", n.Misfit(), o.expects(section))}
	}
	base := strings.TrimSuffix(strings.TrimSuffix(n.Path, section), ".")
	for _, e := range n.Entries {
		path := yamltree.Join(section, e.Key.Text)
		var err error
		switch outer, inner, dotted := strings.Cut(e.Key.Text, "."); {
		case dotted && (o.Find(path) != nil || o.isSection(path)):
			err = e.Key.Errorf("unknown key %q: expected %s inside the mapping %s", yamltree.Join(base, path), inner, outer)
		case dotted: // perhaps the file is of another kind, such as a gate
			err = o.unknown(base, path, e.Key)
		default:
			err = o.Set(base, path, e.Key, e.Value)
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}

// read reads a value at path.
func (o *Object) read(v Value, path string, n yamltree.Node) error {
	err := v.ReadAt(path, n)
	if err != nil || o.Note == nil {
		return err
	}
	n.Path = path
	o.Note(n)
	if v.Entry != nil {
		for _, e := range n.Entries {
			e.Value.Path = yamltree.Join(path, e.Key.Text)
			o.Note(e.Value)
		}
	}
	return nil
}

// unknown returns the error about a key that does not exist.
func (o *Object) unknown(base, path string, key yamltree.Node) error {
	if o.Advice == "" {
		key.Path = base
		names := o.names("")
		return key.Errorf("unknown key %q%s; expected %s", key.Text, input.DidYouMean(key.Text, names), strings.Join(names, ", "))
	}
	var all []string
	for _, k := range o.Keys {
		all = append(all, yamltree.Join(base, k.Path))
	}
	whole := yamltree.Join(base, path)
	hint := input.DidYouMean(whole, all)
	if hint == "" {
		hint = "; " + o.Advice
	}
	return key.Errorf("unknown key %q%s", whole, hint)
}

// Find returns a key, or nil if there is none.
func (o *Object) Find(path string) *Key {
	for i := range o.Keys {
		if o.Keys[i].Path == path {
			return &o.Keys[i]
		}
	}
	return nil
}

// isSection reports whether there are keys below path.
func (o *Object) isSection(path string) bool {
	for i := range o.Keys {
		if rest, below := strings.CutPrefix(o.Keys[i].Path, path); below && strings.HasPrefix(rest, ".") {
			return true
		}
	}
	return false
}

// Names lists the keys and sections at the top of the mapping, in order.
func (o *Object) Names() []string { return o.names("") }

// names lists the names in a section in order.
func (o *Object) names(section string) []string {
	var names []string
	for i := range o.Keys {
		rest, below := o.Keys[i].Path, section == ""
		if !below {
			rest, below = strings.CutPrefix(rest, section+".")
		}
		if name, _, _ := strings.Cut(rest, "."); below && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (o *Object) expects(section string) string {
	if o.Expects != "" {
		return o.Expects
	}
	return "a mapping with some of the keys " + strings.Join(o.names(section), ", ")
}

// Ends lists the keys that have no keys below them. Together they write each value once:
// match.length, for example, is left out, because match.length.mean and match.length.sd contain it.
func (o *Object) Ends() []Key {
	var list []Key
	for i := range o.Keys {
		if i+1 == len(o.Keys) || !strings.HasPrefix(o.Keys[i+1].Path, o.Keys[i].Path+".") {
			list = append(list, o.Keys[i])
		}
	}
	return list
}

// Write returns the mapping as a file has it. written returns the value of a key. Keys that have their
// defaults are left out.
func (o *Object) Write(written func(k *Key) any) yaml.MapSlice {
	tree := yaml.MapSlice{}
	ends := o.Ends()
	for i := range ends {
		if k := &ends[i]; k.Unset == nil || !k.Unset() {
			tree = yamltree.Insert(tree, strings.Split(k.Path, "."), written(k))
		}
	}
	return tree
}

// Schema returns the JSON Schema of the mapping.
func (o Object) Schema() Schema {
	var needed, one []string
	for i, k := range o.Keys {
		if i < o.One {
			one = append(one, k.Path)
		} else if k.needed {
			needed = append(needed, k.Path)
		}
	}
	keys := o.schemas("")
	switch {
	case o.One == 0:
		return ObjectSchema(keys, needed...)
	case o.One == len(o.Keys):
		return ObjectSchema(keys).With("minProperties", 1).With("maxProperties", 1)
	}
	return ObjectSchema(keys, needed...).With("oneOf", Needs(one...))
}

func (o *Object) schemas(section string) map[string]Schema {
	keys := map[string]Schema{}
	for _, name := range o.names(section) {
		keys[name] = o.SchemaAt(yamltree.Join(section, name))
	}
	return keys
}

// SchemaAt returns the schema at path, which may be a key, a section or both.
func (o *Object) SchemaAt(path string) Schema {
	k, keys := o.Find(path), o.schemas(path)
	switch {
	case k == nil:
		return ObjectSchema(keys).With("type", []string{"object", "null"})
	case len(keys) > 0:
		return k.described(AnySchema(k.Schema(), ObjectSchema(keys)))
	}
	return k.described(k.Schema())
}

// described adds the description that editors show.
func (k *Key) described(s Schema) Schema {
	text := "Expected: " + k.Expects + "."
	if k.Meaning != "" {
		text = k.Meaning + "\n\n" + text
	}
	return s.With("description", text)
}

// Joined joins errors like errors.Join, and returns a single error as it is.
func Joined(faults []error) error {
	faults = slices.DeleteFunc(slices.Clone(faults), func(err error) bool { return err == nil })
	if len(faults) == 1 {
		return faults[0]
	}
	return errors.Join(faults...)
}
