package binding

import "mmsim/datasets/population"

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
