package population

import (
	"math"
	"strconv"

	"mmsim/datasets"
)

// Person identifies a player for random draws.
type Person struct {
	Entity uint64 // key of the player
	Row    uint32 // row of the data
	Place  uint32 // index into Day.Places
	// Party and PartyPlace are Entity and Place of the first player of the party with which this
	// player joined. For the first player, they are its own.
	Party      uint64
	PartyPlace uint32
	Copy       uint32 // combines the copy number and the day, and so distinguishes the persons made from one row; friends have the same Copy
	Slot       uint32 // small number for caching expensive values; it does not influence values
	Number     uint32 // number of the person in a season, by which a rating is looked up; see Population.Replace
}

// Attribute is an attribute of every player. Its values come from a column of the data or are
// generated. Reading a value takes up to about 30 ns and rarely allocates: only when a subset or a
// Person.Slot appears for the first time. An Attribute is not safe for concurrent use, because it
// caches values.
type Attribute struct {
	Name string
	Kind datasets.Kind

	column *datasets.Column // column of the data, or nil if generated

	number func(*Person) float64
	text   func(*Person) uint32
	*dictionary
}

// dictionary contains the texts and lists of an attribute. Entry 0 is the missing value.
type dictionary struct {
	texts []string
	lists [][]string
}

func newDictionary(texts ...string) *dictionary {
	return &dictionary{texts: append([]string{""}, texts...)}
}

// ofParty makes all players of a party have the value of its first player.
func (a *Attribute) ofParty() {
	first := new(Person) // reused, because a new one would be allocated for each value
	of := func(p *Person) *Person {
		*first = Person{Entity: p.Party, Place: p.PartyPlace, Slot: p.Slot}
		return first
	}
	if number := a.number; number != nil {
		a.number = func(p *Person) float64 { return number(of(p)) }
	}
	if text := a.text; text != nil {
		a.text = func(p *Person) uint32 { return text(of(p)) }
	}
}

// Generated reports whether values are drawn at random rather than read from a column.
func (a *Attribute) Generated() bool { return a.column == nil }

// Column returns the column that contains the values, or nil if there is none.
func (a *Attribute) Column() *datasets.Column { return a.column }

// Number returns the value of an attribute of kind Number, or NaN if it is missing.
func (a *Attribute) Number(p *Person) float64 {
	if a.column != nil {
		return a.column.Numbers[p.Row]
	}
	return a.number(p)
}

// Text returns the value of an attribute of kind Text or List as an index into Dictionary. It
// returns 0 if the value is missing.
func (a *Attribute) Text(p *Person) uint32 {
	if a.column != nil {
		return a.column.Texts[p.Row]
	}
	return a.text(p)
}

// Dictionary returns the texts of all entries. For a list, the text is its items separated by
// semicolons. The dictionary grows as subsets are drawn. It must not be changed.
func (a *Attribute) Dictionary() []string { return a.texts }

// List returns the items of a dictionary entry of an attribute of kind List. Entry 0 has none.
func (a *Attribute) List(entry uint32) []string { return a.lists[entry] }

// Append appends the value as it would be written in a file. It appends nothing if the value is
// missing.
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
