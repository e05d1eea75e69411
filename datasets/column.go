package datasets

import "math"

// Kind is the type of a column.
type Kind uint8

// Kinds of columns. If the kind of a column is 0, it is inferred from the column's first value.
const (
	Text   Kind = iota + 1 // any text
	List                   // texts separated by semicolons
	Number                 // decimal number from -MaxNumber to MaxNumber
)

// MaxNumber is the maximum absolute value of a numeric attribute, so that sums, differences and
// squares of values are finite.
const MaxNumber = 1e100

// kindNames is indexed by Kind.
var kindNames = [...]string{"unknown", "text", "list", "number"}

// String returns the name of the kind in configurations.
func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind with the given name in configurations: text, list or number.
func ParseKind(word string) (Kind, bool) {
	for k := Text; k <= Number; k++ {
		if kindNames[k] == word {
			return k, true
		}
	}
	return 0, false
}

// Column contains the values of one attribute for all rows of a day. An empty cell is a missing
// value: NaN in Numbers, or 0 in Texts.
type Column struct {
	Name string
	Kind Kind

	Numbers []float64 // value by row, if Kind is Number
	Texts   []uint32  // index into Dictionary by row, if Kind is Text or List

	Dictionary []string   // distinct texts in order of first appearance; entry 0 is ""
	Lists      [][]string // items of each entry of Dictionary, if Kind is List
}

// Text returns the text of a row, or "" if it is missing.
func (c *Column) Text(row uint32) string { return c.Dictionary[c.Texts[row]] }

// List returns the items of a row's list, or nil if the list is missing.
func (c *Column) List(row uint32) []string { return c.Lists[c.Texts[row]] }

// Number returns the number of a row, or NaN if it is missing.
func (c *Column) Number(row uint32) float64 { return c.Numbers[row] }

// Missing reports whether a row has no value.
func (c *Column) Missing(row uint32) bool {
	if c.Kind == Number {
		return math.IsNaN(c.Numbers[row])
	}
	return c.Texts[row] == 0
}
