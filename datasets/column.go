package datasets

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Kind is the type of a column.
type Kind uint8

// Kinds of columns. A Kind of zero leaves it to the first value in the file.
const (
	Text   Kind = iota + 1 // any text
	List                   // texts separated by semicolons
	Number                 // a decimal number, at most MaxNumber either side of 0
)

// MaxNumber is the largest number, either side of 0, that an attribute may have: sums,
// differences and squares of such numbers are finite.
const MaxNumber = 1e100

// kindNames is indexed by Kind.
var kindNames = [...]string{"unknown", "text", "list", "number"}

// String returns the word that configurations use.
func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind of a configuration's word: text, list or number.
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

	check Check
	fixed bool // the kind was declared, not inferred
	line  int  // where the kind was inferred
	first string
	known map[string]uint32 // entries of Dictionary

	textBytes *int // grows with Dictionary and Lists, see MaxTextBytes
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

// Check looks at the values of a column as they are read: at every number, and at
// every text when it is first seen. A misfit's error completes "got …". nil: any
// value will do.
type Check struct {
	Number func(float64) error
	Text   func(string) error // of a Text; items of a List are not looked at
}

// newColumn makes a column for a file. A kind of zero is inferred from its
// first value.
func newColumn(name string, kind Kind, check Check) *Column {
	c := &Column{Name: name, check: check, known: make(map[string]uint32)}
	if kind != 0 {
		c.fixed = true
		c.become(kind, 0)
	}
	return c
}

// become settles the kind of a column whose rows so far were all empty.
func (c *Column) become(kind Kind, rows int) {
	c.Kind = kind
	if kind == Number {
		c.Numbers = make([]float64, rows)
		for row := range c.Numbers {
			c.Numbers[row] = math.NaN()
		}
		return
	}
	c.Dictionary, c.Lists = []string{""}, [][]string{nil}
	c.Texts = make([]uint32, rows)
}

// add appends the value of row rows, which stands in a line of the file. What
// is wrong with it is returned, and nothing appended then.
func (c *Column) add(cell []byte, rows, line int) string {
	if cell = trim(cell); len(cell) == 0 {
		c.addMissing()
		return ""
	}
	if c.Kind == List || c.Kind == Text && c.fixed {
		return c.addText(cell) // anything is a text, and a text is a list of one
	}
	number, isNumber := parseNumber(cell)
	if !c.fixed {
		found := inferKind(cell, isNumber)
		if c.Kind == 0 {
			c.become(found, rows)
			c.line, c.first = line, quoted(cell)
		} else if found != c.Kind {
			return c.misfit(cell, found)
		}
	}
	if c.Kind != Number {
		return c.addText(cell)
	}
	if !isNumber {
		return c.misfit(cell, Text)
	}
	if !(math.Abs(number) <= MaxNumber) {
		return fmt.Sprintf("%s in column %q: expected a number from %g to %g (MaxNumber)", quoted(cell), c.Name, -MaxNumber, MaxNumber)
	}
	if c.check.Number != nil {
		if err := c.check.Number(number); err != nil {
			return fmt.Sprintf("column %q: got %v", c.Name, err)
		}
	}
	c.Numbers = append(c.Numbers, number)
	return ""
}

func (c *Column) addMissing() {
	switch c.Kind {
	case Number:
		c.Numbers = append(c.Numbers, math.NaN())
	case Text, List:
		c.Texts = append(c.Texts, 0)
	}
}

// listItemBytes is what an item of a list takes beside its text.
const listItemBytes = 16

// addText appends a text, entered into the dictionary when it is new.
func (c *Column) addText(cell []byte) string {
	entry, ok := c.known[string(cell)]
	if !ok {
		if message := unreadable(cell); message != "" {
			return message
		}
		text := string(cell)
		if c.check.Text != nil && c.Kind == Text {
			if err := c.check.Text(text); err != nil {
				return fmt.Sprintf("column %q: got %v", c.Name, err)
			}
		}
		var items []string
		if c.Kind == List {
			items = strings.Split(text, ";")
			for i, item := range items {
				if items[i] = strings.TrimSpace(item); items[i] == "" {
					return fmt.Sprintf("list %s of column %q has an empty item: expected texts separated by single semicolons", quoted(text), c.Name)
				}
			}
		}
		entry = uint32(len(c.Dictionary))
		c.Dictionary = append(c.Dictionary, text)
		c.Lists = append(c.Lists, items)
		c.known[text] = entry
		*c.textBytes += len(text) + listItemBytes*len(items)
	}
	c.Texts = append(c.Texts, entry)
	return ""
}

// inferKind says what a value looks like.
func inferKind(cell []byte, isNumber bool) Kind {
	switch {
	case isNumber:
		return Number
	case bytes.IndexByte(cell, ';') >= 0:
		return List
	}
	return Text
}

// misfit explains a value that is not of the column's kind. A text column that
// was not declared refuses numbers and lists too, as a column of numbers refuses
// texts: a file is not correct only because of the row that comes first.
func (c *Column) misfit(cell []byte, found Kind) string {
	if c.fixed {
		return fmt.Sprintf("%s in column %q: expected a %s", quoted(cell), c.Name, c.Kind)
	}
	return fmt.Sprintf("%s in column %q looks like a %s, but the column is a %s since line %d (%s): expected one type; dataset.columns can declare it",
		quoted(cell), c.Name, found, c.Kind, c.line, c.first)
}

// forget removes what a bad row left: the column goes back to its first rows,
// and to no kind if that row decided it.
func (c *Column) forget(rows, line int) {
	if c.line == line && !c.fixed {
		c.Kind, c.line, c.Numbers, c.Texts = 0, 0, nil, nil
		clear(c.known)
	}
	c.Numbers = c.Numbers[:min(rows, len(c.Numbers))]
	c.Texts = c.Texts[:min(rows, len(c.Texts))]
}

// finish settles a column that had no value at all, and drops what only
// reading needed.
func (c *Column) finish(rows int) {
	if c.Kind == 0 {
		c.become(Text, rows)
	}
	c.known, c.check, c.textBytes = nil, Check{}, nil
}

// unreadable says why bytes are no text, if they are not.
func unreadable(text []byte) string {
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return "binary data (a zero byte): expected CSV in UTF-8"
	}
	if utf8.Valid(text) {
		return ""
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return fmt.Sprintf("byte 0x%02x in %s is not UTF-8: expected text in UTF-8", text[i], quoted(text))
		}
		i += size
	}
	return ""
}
