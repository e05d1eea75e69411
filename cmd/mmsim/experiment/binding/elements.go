package binding

import (
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/sim"
)

// Elements returns a function that returns the numbers of the elements in a player's value of a text or
// list attribute, in ascending order.
func Elements(a *population.Attribute) func(*sim.Player) []uint32 {
	return (&elementTable{attribute: a, numbers: map[string]uint32{}}).of
}

// elementTable numbers the elements of an attribute's values.
type elementTable struct {
	attribute *population.Attribute
	numbers   map[string]uint32
	values    [][]uint32 // by entry of the dictionary; entries are added when needed
}

// of returns the numbers of the elements in p's value, in ascending order.
func (t *elementTable) of(p *sim.Player) []uint32 {
	entry := t.attribute.Text(Person(p))
	for int(entry) >= len(t.values) {
		t.values = append(t.values, t.elements(uint32(len(t.values))))
	}
	return t.values[entry]
}

func (t *elementTable) elements(entry uint32) []uint32 {
	switch {
	case entry == 0: // the value is missing
		return nil
	case t.attribute.Kind == datasets.Text:
		return []uint32{entry}
	}
	var list []uint32
	for _, item := range t.attribute.List(entry) {
		if _, known := t.numbers[item]; !known {
			t.numbers[item] = uint32(len(t.numbers))
		}
		list = append(list, t.numbers[item])
	}
	slices.Sort(list)
	return slices.Compact(list)
}
