package population

import (
	"math"
	"strconv"

	"mmsim/datasets"
)

// Person identifies a player for the draws about that player.
type Person struct {
	Entity uint64 // the player's key
	Row    uint32 // of the data
	Place  uint32 // index into Day.Places
	Copy   uint32 // distinguishes the persons of one row by copy and day, to look friends up
	Slot   uint32 // a small number that selects a cache entry for expensive values; values do not depend on it
}

// Attribute is one attribute of every player, a column of the data or generated. Reading a
// value takes up to about 30 ns and allocates only on the first sight of a subset or a
// Person.Slot. Because values are cached, an Attribute is not safe for concurrent use.
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

// Dictionary returns the texts of the entries; the text of a list is its items separated
// by semicolons. It grows while subsets are drawn. Do not change it.
func (a *Attribute) Dictionary() []string { return a.texts }

// List returns the items of an entry of a List, none of entry 0.
func (a *Attribute) List(entry uint32) []string { return a.lists[entry] }

// Append appends the value in the form of a file, or nothing if it is missing.
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

// attributeOf returns a column as an attribute.
func attributeOf(c *datasets.Column) *Attribute {
	return &Attribute{
		Name: c.Name, Kind: c.Kind, column: c,
		dictionary: &dictionary{texts: c.Dictionary, lists: c.Lists},
	}
}
