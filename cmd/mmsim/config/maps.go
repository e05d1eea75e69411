package config

import (
	"fmt"
	"slices"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
)

// kindWords lists the names of column kinds.
var kindWords = []string{"text", "list", "number"}

// kinds returns the setting that maps column names to the kind of their values.
func kinds(p *map[string]string) value.Value {
	return value.MapOf(p, "a mapping of column names to text, list or number", func(key yamltree.Node) (string, error) {
		if !datasets.Declarable(key.Text) {
			return "", fmt.Errorf("%s, whose kind is fixed", key)
		}
		return columnName(key)
	}, func(kind *string) value.Value { return value.Choice(kind, kindWords) })
}

// shares returns the setting that maps party sizes to shares of parties. The sum of the shares
// is checked after all settings have been read.
func shares(p *map[int]float64, sizeMax int) value.Value {
	return value.MapOf(p, fmt.Sprintf("a mapping of party sizes (1 to %d) to shares from 0 to 1", sizeMax), func(key yamltree.Node) (size int, err error) {
		if err := value.Whole(&size, 1, sizeMax).Read(key); err != nil {
			return 0, fmt.Errorf("party size %w", err)
		}
		return size, nil
	}, func(share *float64) value.Value { return value.Share(share, value.Limits{High: 1}) }).
		Taking(func(s value.Schema) value.Schema {
			return s.With("propertyNames", value.PatternSchema(`^[-+.0-9eE]+$`))
		})
}

// regions returns the setting that maps a vendor's regions to datacenters. The datacenters are
// checked later, when the list of datacenters has been read.
func regions(p *map[string][]string) value.Value {
	return value.MapOf(p, "a mapping of regions to datacenters, such as {WestUs: [sanjose, seattle]}", value.Name,
		func(names *[]string) value.Value {
			return value.Distinct(names, "a list of datacenters without repetition")
		})
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
