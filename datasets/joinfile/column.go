package joinfile

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// Check checks the values of a column while they are read. It checks every number, and every
// distinct text once. The caller puts "got " before the text of an error, so the text must begin
// with the value, such as "-3, expected a number above 0". A nil function accepts any value.
type Check struct {
	Number func(float64) error
	Text   func(string) error // checks a Text; items of a List are not checked
}

// column reads the cells of an attribute into a Column.
type column struct {
	*datasets.Column
	check Check
	form  *cellForm
	fixed bool // the kind was known before the first value, so it is not inferred
	line  int  // line from which the kind was inferred
	first string
	known map[string]uint32 // index into Dictionary of each text

	textBytes *int // total size of texts in the file; grows with Dictionary and Lists, see MaxTextBytes
}

// newColumn returns a column whose first cell comes after the given number of rows. If kind is 0,
// the kind will be inferred from the first value.
func newColumn(name string, kind datasets.Kind, check Check, rows int) *column {
	c := &column{Column: &datasets.Column{Name: name}, check: check, known: make(map[string]uint32)}
	if kind != 0 {
		c.fixed = true
		c.become(kind, rows)
	}
	return c
}

// become sets the kind of a column in which all rows so far are empty.
func (c *column) become(kind datasets.Kind, rows int) {
	c.Kind = kind
	if kind == datasets.Number {
		c.Numbers = make([]float64, rows)
		for row := range c.Numbers {
			c.Numbers[row] = math.NaN()
		}
		return
	}
	c.Dictionary, c.Texts = []string{""}, make([]uint32, rows)
	if kind == datasets.List {
		c.Lists = [][]string{nil}
	}
}

// add appends the value of the next row, which is on the given line. If the value is invalid, add
// returns a message and appends nothing.
func (c *column) add(cell []byte, isList bool, rows, line int) string {
	if cell = c.form.value(cell); len(cell) == 0 {
		c.addMissing()
		return ""
	}
	if c.Kind == datasets.List || c.Kind == datasets.Text && c.fixed {
		return c.addText(cell) // any cell can be a text or a list, so the kind of its value does not matter
	}
	number, isNumber := tables.ParseNumber(c.form.number(cell))
	isNumber = isNumber && !isList
	if !c.fixed {
		found := c.inferKind(cell, isNumber, isList)
		if c.Kind == 0 {
			c.become(found, rows)
			c.line, c.first = line, tables.Quoted(cell)
		} else if found != c.Kind {
			return c.misfit(cell, found)
		}
	}
	if c.Kind != datasets.Number {
		return c.addText(cell)
	}
	if !isNumber {
		return c.misfit(cell, datasets.Text)
	}
	if !(math.Abs(number) <= datasets.MaxNumber) {
		return fmt.Sprintf("%s in column %q: expected a number from %g to %g (MaxNumber)", tables.Quoted(cell), c.Name, -datasets.MaxNumber, datasets.MaxNumber)
	}
	if c.check.Number != nil {
		if err := c.check.Number(number); err != nil {
			return fmt.Sprintf("column %q: got %v", c.Name, err)
		}
	}
	c.Numbers = append(c.Numbers, number)
	return ""
}

func (c *column) addMissing() {
	switch c.Kind {
	case datasets.Number:
		c.Numbers = append(c.Numbers, math.NaN())
	case datasets.Text, datasets.List:
		c.Texts = append(c.Texts, 0)
	}
}

// listItemBytes is the memory of a list item in addition to its text.
const listItemBytes = 16

// addText appends a text, and adds it to the dictionary if it is new.
func (c *column) addText(cell []byte) string {
	entry, ok := c.known[string(cell)]
	if !ok {
		if message := tables.Unreadable(cell); message != "" {
			return message
		}
		text := string(cell)
		if c.check.Text != nil && c.Kind == datasets.Text {
			if err := c.check.Text(text); err != nil {
				return fmt.Sprintf("column %q: got %v", c.Name, err)
			}
		}
		key := text // the map shares it with the dictionary, because there may be one for each row
		if c.Kind == datasets.List {
			var items []string
			var message string
			if items, text, message = c.split(text); message != "" {
				return message
			}
			c.Lists = append(c.Lists, items)
			*c.textBytes += listItemBytes * len(items)
		}
		entry = uint32(len(c.Dictionary))
		c.Dictionary = append(c.Dictionary, text)
		c.known[key] = entry
		*c.textBytes += len(text)
	}
	c.Texts = append(c.Texts, entry)
	return ""
}

// split returns the items of a list, and the list in its stored form, with semicolons.
func (c *column) split(list string) (items []string, text, message string) {
	const kept = ';'
	separator := rune(c.form.listSeparator)
	items = strings.Split(list, string(separator))
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
		switch {
		case items[i] == "":
			return nil, "", fmt.Sprintf("list %s of column %q has an empty item: expected texts separated by a single %q", tables.Quoted(list), c.Name, separator)
		case separator != kept && strings.ContainsRune(item, kept):
			return nil, "", fmt.Sprintf("item %s of column %q: expected one without a semicolon", tables.Quoted(item), c.Name)
		}
	}
	if separator == kept {
		return items, list, ""
	}
	return items, strings.Join(items, string(kept)), ""
}

// inferKind returns the kind that a value seems to have.
func (c *column) inferKind(cell []byte, isNumber, isList bool) datasets.Kind {
	switch {
	case isList, c.form.listsByText && bytes.IndexByte(cell, c.form.listSeparator) >= 0:
		return datasets.List
	case isNumber:
		return datasets.Number
	}
	return datasets.Text
}

// misfit returns a message about a value that does not have the column's kind. If a text column was
// not declared, it refuses numbers and lists, just as a number column refuses texts. Otherwise the
// first row would decide whether a file is correct.
func (c *column) misfit(cell []byte, found datasets.Kind) string {
	switch strings.ToLower(string(cell)) {
	case "null", "na", "n/a", "nan", "none", "nil":
		return fmt.Sprintf("%s in column %q: expected a %s, or an empty cell for a missing value", tables.Quoted(cell), c.Name, c.Kind)
	}
	if c.fixed {
		return fmt.Sprintf("%s in column %q: expected a %s", tables.Quoted(cell), c.Name, c.Kind)
	}
	return fmt.Sprintf("%s in column %q looks like a %s, but line %d has a %s (%s): expected one type; dataset.columns can declare it",
		tables.Quoted(cell), c.Name, found, c.line, c.Kind, c.first)
}

// forget removes the value of a malformed row, if it was added. The parameter rows is the number of
// rows before it. If the malformed row decided the column's kind, forget also resets the kind.
func (c *column) forget(rows, line int) {
	if c.line == line && !c.fixed {
		c.Kind, c.line, c.Numbers, c.Texts = 0, 0, nil, nil
		clear(c.known)
	}
	c.Numbers = c.Numbers[:min(rows, len(c.Numbers))]
	c.Texts = c.Texts[:min(rows, len(c.Texts))]
}

// finish sets the kind of a column that has no values.
func (c *column) finish(rows int) {
	if c.Kind == 0 {
		c.become(datasets.Text, rows)
	}
}
