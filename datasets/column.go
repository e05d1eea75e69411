package datasets

import "math"

// Kind is the type of a column.
type Kind uint8

// Kinds of columns. A Kind of zero is inferred from the first value in the file.
const (
	Text   Kind = iota + 1 // any text
	List                   // texts separated by semicolons
	Number                 // a decimal number, at most MaxNumber either side of 0
)

// MaxNumber is the largest absolute value of an attribute's number: sums, differences and
// squares of such numbers are finite.
const MaxNumber = 1e100

// kindNames is indexed by Kind.
var kindNames = [...]string{"unknown", "text", "list", "number"}

// String returns the word that configurations use.
func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind of a word in a configuration: text, list or number.
func ParseKind(word string) (Kind, bool) {
	for k := Text; k <= Number; k++ {
		if kindNames[k] == word {
			return k, true
		}
	}
	return 0, false
}

// Column is one attribute of all rows of a day. An empty cell is a missing
// value: NaN in Numbers, entry 0 in Texts.
type Column struct {
	Name string
	Kind Kind

	Numbers []float64 // by row; for Number
	Texts   []uint32  // by row, index into Dictionary; for Text and List

	Dictionary []string   // the distinct texts in order of first sight; entry 0 is ""
	Lists      [][]string // the items of every entry of Dictionary; for List
}

// Text returns the text of a row, "" when it is missing.
func (c *Column) Text(row uint32) string { return c.Dictionary[c.Texts[row]] }

// List returns the items of a row's list, none when it is missing.
func (c *Column) List(row uint32) []string { return c.Lists[c.Texts[row]] }

// Number returns the number of a row, NaN when it is missing.
func (c *Column) Number(row uint32) float64 { return c.Numbers[row] }

// Missing reports whether a row has no value.
func (c *Column) Missing(row uint32) bool {
	if c.Kind == Number {
		return math.IsNaN(c.Numbers[row])
	}
	return c.Texts[row] == 0
}
