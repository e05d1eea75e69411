package config

import (
	"fmt"
	"slices"

	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
)

// kindWords lists the names of column kinds.
var kindWords = []string{"text", "list", "number"}

// kinds returns the setting that maps column names to the kind of their values.
func kinds(p *map[string]string) value.Value {
	return value.Value{
		Expects: "a mapping of column names to text, list or number",
		Write:   func() any { return *p },
		Empty:   func() { *p = map[string]string{} },
		Schema:  func() schema.Schema { return schema.Map(schema.Words(kindWords)) },
		Entry: func(key yamltree.Node) (value.Value, error) {
			var word string
			if !value.Printable(key.Text) {
				return value.Value{}, fmt.Errorf("%s, which has characters that do not print", key)
			}
			if !datasets.Declarable(key.Text) {
				return value.Value{}, fmt.Errorf("%s, whose kind is fixed", key)
			}
			v := value.Choice(&word, kindWords)
			read := v.Read
			v.Read = func(n yamltree.Node) error {
				err := read(n)
				if err == nil {
					(*p)[key.Text] = word
				}
				return err
			}
			return v, nil
		},
	}
}

// shares returns the setting that maps party sizes to shares of parties. The sum of the shares
// is checked after all settings have been read.
func shares(p *map[int]float64, sizeMax int) value.Value {
	return value.Value{
		Expects: fmt.Sprintf("a mapping of party sizes (1 to %d) to shares from 0 to 1", sizeMax),
		Write:   func() any { return *p },
		Empty:   func() { *p = map[int]float64{} },
		Schema: func() schema.Schema {
			return schema.Map(value.Limits{High: 1}.Schema()).With("propertyNames", schema.Pattern(`^[-+.0-9eE]+$`))
		},
		Entry: func(key yamltree.Node) (value.Value, error) {
			var size int
			if err := value.Whole(&size, 1, sizeMax).Read(key); err != nil {
				return value.Value{}, fmt.Errorf("party size %w", err)
			}
			var share float64
			v := value.Number(&share, value.Limits{High: 1})
			read := v.Read
			v.Read = func(n yamltree.Node) error {
				err := read(n)
				if err == nil {
					(*p)[size] = share
				}
				return err
			}
			return v, nil
		},
	}
}

// regions returns the setting that maps a vendor's regions to datacenters. The datacenters are
// checked later, when the list of datacenters has been read.
func regions(p *map[string][]string) value.Value {
	return value.Value{
		Expects: "a mapping of regions to datacenters, such as {WestUs: [sanjose, seattle]}",
		Write:   func() any { return *p },
		Empty:   func() { *p = map[string][]string{} },
		Schema:  func() schema.Schema { return schema.Map(words(nil).Schema()) },
		Entry: func(key yamltree.Node) (value.Value, error) {
			if key.Text == "" || !value.Printable(key.Text) {
				return value.Value{}, fmt.Errorf("%s, which is not a name", key)
			}
			var names []string
			v := words(&names)
			read := v.Read
			v.Read = func(n yamltree.Node) error {
				err := read(n)
				if err == nil {
					(*p)[key.Text] = names
				}
				return err
			}
			return v, nil
		},
	}
}

// words returns the setting for a list of one or more distinct words. A single word may be
// written without a list.
func words(p *[]string) value.Value {
	return value.Value{
		Expects: "a list of datacenters without repetition",
		Write:   func() any { return *p },
		Schema: func() schema.Schema {
			return schema.Any(schema.List(schema.Filled(), 1).With("uniqueItems", true), schema.Filled())
		},
		Read: func(n yamltree.Node) error {
			elements := n.Elements
			if n.Kind != yamltree.List {
				elements = []yamltree.Node{n}
			}
			var list []string
			for _, e := range elements {
				switch {
				case e.Kind != yamltree.Plain && e.Kind != yamltree.Text || e.Text == "" || !value.Printable(e.Text):
					return e.Misfit()
				case slices.Contains(list, e.Text):
					return fmt.Errorf("%s twice", e)
				}
				list = append(list, e.Text)
			}
			if len(list) == 0 {
				return fmt.Errorf("an empty list")
			}
			*p = list
			return nil
		},
	}
}

// SortedSizes lists the party sizes in ascending order.
func SortedSizes(parties map[int]float64) []int {
	sizes := make([]int, 0, len(parties))
	for size := range parties {
		sizes = append(sizes, size)
	}
	slices.Sort(sizes)
	return sizes
}
