package binding

import (
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/sim"
)

// A dictionary converts the entries of an attribute's dictionary, each once. The first entry is that of
// players without a value.
type dictionary[V any] []V

// at returns what convert makes of the value that p has in an attribute.
func (d *dictionary[V]) at(a *population.Attribute, p *population.Person, convert func(entry uint32) V) V {
	entry := a.Text(p)
	for int(entry) >= len(*d) {
		*d = append(*d, convert(uint32(len(*d))))
	}
	return (*d)[entry]
}

// Elements returns a function that returns the numbers of the elements in a player's value of a text or
// list attribute, in ascending order.
func Elements(a *population.Attribute) func(*sim.Player) []uint32 {
	numbers, values := map[string]uint32{}, dictionary[[]uint32]{}
	elements := func(entry uint32) (list []uint32) {
		switch {
		case entry == 0: // the value is missing
			return nil
		case a.Kind == datasets.Text:
			return []uint32{entry}
		}
		for _, item := range a.List(entry) {
			if _, known := numbers[item]; !known {
				numbers[item] = uint32(len(numbers))
			}
			list = append(list, numbers[item])
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	return func(p *sim.Player) []uint32 { return values.at(a, Person(p), elements) }
}
