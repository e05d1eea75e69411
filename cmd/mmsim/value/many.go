package value

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/yamltree"
)

// ListOf returns a Value for a list. of returns the Value of one element, such as an Object's. An empty
// list is left out where its key is written.
func ListOf[T any](p *[]T, expects string, of func(*T) Value) Value {
	return Value{
		Expects: expects,
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.List {
				return n.Misfit()
			}
			list, faults := make([]T, len(n.Elements)), make([]error, len(n.Elements))
			for i, e := range n.Elements {
				faults[i] = of(&list[i]).ReadAt(yamltree.Join(n.Path, fmt.Sprintf("[%d]", i)), e)
			}
			if *p = list; len(list) == 0 {
				*p = nil
			}
			return Joined(faults)
		},
		Write: func(folder string) any {
			list := []any{}
			for i := range *p {
				list = append(list, of(&(*p)[i]).Write(folder))
			}
			return list
		},
		Unset:  func() bool { return len(*p) == 0 },
		Schema: func() Schema { return ListSchema(of(new(T)).Schema(), 0) },
		Parts:  func() []Key { return partsOf("[INDEX]", of(new(T))) },
	}
}

// MapOf returns a Value for a mapping whose keys the user chooses. name reads a key, and of returns
// the Value under it.
func MapOf[K comparable, T any](p *map[K]T, expects string, name func(key yamltree.Node) (K, error), of func(*T) Value) Value {
	v := Entries(expects, func() { *p = map[K]T{} }, func() Value { return of(new(T)) }, func(key yamltree.Node) (Value, error) {
		k, err := name(key)
		var one T
		return of(&one).Then(func() { (*p)[k] = one }), err
	})
	v.Write = func(string) any { return *p }
	return v
}

// OrderedOf is like MapOf for a list in the order of the file. name returns where an element has its
// key, which accepts checks.
func OrderedOf[T any](p *[]T, expects string, accepts func(key yamltree.Node) error, name func(*T) *string, of func(*T) Value) Value {
	v := Entries(expects, func() { *p = nil }, func() Value { return of(new(T)) }, func(key yamltree.Node) (Value, error) {
		var one T
		*name(&one) = key.Text
		return of(&one).Then(func() {
			// An entry that --set replaces keeps its place.
			if i := slices.IndexFunc(*p, func(other T) bool { return *name(&other) == key.Text }); i >= 0 {
				(*p)[i] = one
			} else {
				*p = append(*p, one)
			}
		}), accepts(key)
	})
	v.Write = func(folder string) any {
		written := yaml.MapSlice{}
		for _, one := range *p {
			written = append(written, yaml.MapItem{Key: *name(&one), Value: of(&one).Write(folder)})
		}
		return written
	}
	return v
}

// Entries returns a Value for a mapping whose keys the user chooses, without Write. empty removes all
// entries, any returns the Value of one of them for its description, and entry returns the Value under a key.
func Entries(expects string, empty func(), any func() Value, entry func(key yamltree.Node) (Value, error)) Value {
	v := Value{
		Expects: expects,
		Entry:   entry,
		Schema:  func() Schema { return MapSchema(any().Schema()).With("type", []string{"object", "null"}) },
		Parts:   func() []Key { return partsOf("NAME", any()) },
	}
	v.Read = func(n yamltree.Node) error {
		if n.Kind != yamltree.Mapping && n.Kind != yamltree.Null {
			return n.Misfit()
		}
		empty()
		faults := make([]error, len(n.Entries))
		for i, e := range n.Entries {
			faults[i] = v.readEntry(n.Path, e.Key, e.Value)
		}
		return Joined(faults)
	}
	return v
}

// readEntry sets one entry of the mapping at path.
func (v Value) readEntry(path string, key, n yamltree.Node) error {
	one, err := v.Entry(key)
	if _, placed := errors.AsType[*yamltree.Error](err); placed {
		return err
	} else if err != nil {
		key.Path = path
		return key.Errorf("got %v, expected %s", err, v.Expects)
	}
	return one.ReadAt(yamltree.Join(path, key.Text), n)
}

// partsOf returns the keys inside a value that is one of many.
func partsOf(name string, v Value) []Key {
	if v.Parts == nil {
		return []Key{{Path: name, Value: v}}
	}
	parts := slices.Clone(v.Parts())
	for i := range parts {
		parts[i].Path = yamltree.Join(name, parts[i].Path)
	}
	return parts
}

// Name reads a key that the user chooses.
func Name(key yamltree.Node) (string, error) {
	if key.Text == "" || !Printable(key.Text) {
		return "", fmt.Errorf("%s, which is empty or has characters that do not print", key)
	}
	return key.Text, nil
}

// IsName checks a key that the user chooses.
func IsName(key yamltree.Node) error {
	_, err := Name(key)
	return err
}

// NotEmpty changes v, a list or a mapping, to need an element.
func NotEmpty(v Value) Value {
	v = v.Where(func(n yamltree.Node) bool { return len(n.Elements)+len(n.Entries) == 0 }, yamltree.Node.Misfit)
	return v.Taking(func(s Schema) Schema {
		if s["type"] == "array" {
			return s.With("minItems", 1)
		}
		return s.With("minProperties", 1).With("type", "object")
	})
}

// Distinct returns a Value for a list of names without repetition. A single name needs no list. An
// empty list is left out where its key is written.
func Distinct(p *[]string, expects string) Value {
	return Value{
		Expects: expects,
		Write:   func(string) any { return append([]string{}, *p...) },
		Unset:   func() bool { return len(*p) == 0 },
		Schema: func() Schema {
			return AnySchema(ListSchema(FilledSchema(), 1).With("uniqueItems", true), FilledSchema())
		},
		Read: func(n yamltree.Node) error {
			elements := n.Elements
			switch {
			case n.Kind != yamltree.List:
				elements = []yamltree.Node{n}
			case len(elements) == 0:
				return n.Misfit()
			}
			names := make([]string, 0, len(elements))
			for _, e := range elements {
				switch {
				case Text(new(string)).Read(e) != nil:
					return e.Misfit()
				case slices.Contains(names, e.Text):
					return fmt.Errorf("%s twice", e)
				}
				names = append(names, e.Text)
			}
			*p = names
			return nil
		},
	}
}
