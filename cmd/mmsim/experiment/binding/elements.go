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
