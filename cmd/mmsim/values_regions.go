package main

import (
	"fmt"
	"slices"
)

// regions is a setting that maps a vendor's regions to datacenters. That these
// exist is checked when their list is read.
func regions(p *map[string][]string) value {
	return value{
		expects: "a mapping of regions to datacenters, such as {EastUs: [ashburn, newyork]}",
		write:   func() any { return *p },
		empty:   func() { *p = map[string][]string{} },
		entry: func(key node) (value, error) {
			if key.text == "" || !printable(key.text) {
				return value{}, fmt.Errorf("%s, which is no name", key)
			}
			var names []string
			v := words(&names)
			read := v.read
			v.read = func(n node) error {
				err := read(n)
				if err == nil {
					(*p)[key.text] = names
				}
				return err
			}
			return v, nil
		},
	}
}

// words is a setting that is a list of one word or more, each once; one word may
// stand alone.
func words(p *[]string) value {
	return value{
		expects: "a list of datacenters, each once",
		write:   func() any { return *p },
		read: func(n node) error {
			elements := n.elements
			if n.kind != kindList {
				elements = []node{n}
			}
			var list []string
			for _, e := range elements {
				switch {
				case e.kind != kindPlain && e.kind != kindText || e.text == "" || !printable(e.text):
					return e.misfit()
				case slices.Contains(list, e.text):
					return fmt.Errorf("%s twice", e)
				}
				list = append(list, e.text)
			}
			if len(list) == 0 {
				return fmt.Errorf("an empty list")
			}
			*p = list
			return nil
		},
	}
}
