package population

import (
	"math"
	"strconv"

	"mmsim/datasets"
)

// Person is a player as draws about him are keyed.
type Person struct {
	Entity uint64 // names him
	Row    uint32 // of the data
	Place  uint32 // index into Day.Places
	Copy   uint32 // tells apart the persons of one row, by replica and day; for whoever looks friends up
	Slot   uint32 // small: where values that cost much are remembered, best his alone. They are the same in any
}

// Attribute is one attribute of every player, be it a column of the data or
// generated. To ask for a value costs up to some 30 ns and allocates nothing, but when a
// subset or a Person.Slot is seen for the first time. It remembers answers: asking is not
// safe for concurrent use either.
type Attribute struct {
	Name string
	Kind datasets.Kind

	column *datasets.Column // of the data; nil: generated

	number func(*Person) float64
	text   func(*Person) uint32
	*dictionary
}

// dictionary holds the texts and lists of an attribute. Entry 0 is a missing
// value.
type dictionary struct {
	texts []string
	lists [][]string
}

func newDictionary(texts ...string) *dictionary {
	return &dictionary{texts: append([]string{""}, texts...)}
}

// Generated reports whether the values are drawn, and not those of a column.
func (a *Attribute) Generated() bool { return a.column == nil }

// Column returns the column of the data that the values come from, nil for none.
func (a *Attribute) Column() *datasets.Column { return a.column }

// Number returns the value of a Number, NaN when it is missing.
func (a *Attribute) Number(p *Person) float64 {
	if a.column != nil {
		return a.column.Numbers[p.Row]
	}
	return a.number(p)
}

// Text returns the value of a Text or a List as an entry of the dictionary, 0 when
// it is missing.
func (a *Attribute) Text(p *Person) uint32 {
	if a.column != nil {
		return a.column.Texts[p.Row]
	}
	return a.text(p)
}

// Dictionary returns the texts that entries stand for; that of a list is its items
// with semicolons between them. It grows while subsets are drawn. Do not change it.
func (a *Attribute) Dictionary() []string { return a.texts }

// List returns the items of an entry of a List, none of entry 0.
func (a *Attribute) List(entry uint32) []string { return a.lists[entry] }

// Append appends the value as a file has it, nothing when it is missing.
func (a *Attribute) Append(to []byte, p *Person) []byte {
	if a.Kind != datasets.Number {
		return append(to, a.texts[a.Text(p)]...)
	}
	x := a.Number(p)
	if math.IsNaN(x) {
		return to
	}
	return strconv.AppendFloat(to, x, 'f', -1, 64)
}

// attributeOf returns the attribute that a column is.
func attributeOf(c *datasets.Column) *Attribute {
	return &Attribute{
		Name: c.Name, Kind: c.Kind, column: c,
		dictionary: &dictionary{texts: c.Dictionary, lists: c.Lists},
	}
}
