// Package value reads single values of YAML files, such as numbers within limits, durations,
// words of a list and names of files, and writes them back. Configurations, gates, sweeps
// and tunings are tables of keys with such values.
package value

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/yamltree"
)

// Value reads one setting from a node and writes it back. The error of Read completes "got …";
// the reader of the configuration adds the position, the key and what was expected.
type Value struct {
	Expects string   // completes "expected …"
	Choices []string // the accepted words, if it accepts words
	IsWhole bool     // accepts only whole numbers
	Read    func(n yamltree.Node) error
	Write   func() any           // what the resolved configuration shows
	Schema  func() schema.Schema // accepts at least what Read accepts

	// Of a setting that names a file only: Write with the name from a folder.
	From func(folder string) any

	// Of a setting whose keys are data (column names, party sizes) only: entry
	// returns the value under a key, empty removes all of them.
	Entry func(key yamltree.Node) (Value, error)
	Empty func()

	// Of a setting that has a value and keys inside it, such as those of a file: the value
	// under such a key; path is the whole key.
	Inner func(path, inner string) Value
}

// Limits is a range of numbers.
type Limits struct {
	Low, High         float64
	LowOpen, HighOpen bool // the limit itself is excluded
}

func (l Limits) hold(x float64) bool {
	return (x > l.Low || x == l.Low && !l.LowOpen) && (x < l.High || x == l.High && !l.HighOpen)
}

func (l Limits) String() string {
	low, high := " from ", " to "
	if l.LowOpen {
		low = " above "
	}
	if l.HighOpen {
		high = " and below "
	}
	return fmt.Sprintf("%s%v%s%v", low, l.Low, high, l.High)
}

// Schema accepts numbers within the limits.
func (l Limits) Schema() schema.Schema {
	low, high := "minimum", "maximum"
	if l.LowOpen {
		low = "exclusiveMinimum"
	}
	if l.HighOpen {
		high = "exclusiveMaximum"
	}
	return schema.Schema{"type": "number", low: l.Low, high: l.High}
}

// Number is a setting that is any number within l.
func Number(p *float64, l Limits) Value {
	return Value{
		Expects: "a number" + l.String(),
		Read: func(n yamltree.Node) error {
			x, err := strconv.ParseFloat(n.Text, 64)
			if n.Kind != yamltree.Plain || err != nil || !l.hold(x) || !IsDecimal(n.Text) {
				return n.Misfit()
			}
			*p = x
			return nil
		},
		Write:  func() any { return *p },
		Schema: l.Schema,
	}
}

// IsDecimal excludes forms that strconv reads in addition to decimal numbers: NaN, hexadecimal
// numbers and digits grouped with underscores.
func IsDecimal(text string) bool { return strings.Trim(text, "0123456789+-.eE") == "" }

// Whole is a setting that is a whole number from low to high. A number in
// scientific notation counts (joins: 1e6).
func Whole[T int | uint32 | uint64](p *T, low, high T) Value {
	expects := fmt.Sprintf("a whole number from %d to %d", low, high)
	if uint64(high) == math.MaxUint64 {
		expects = fmt.Sprintf("a whole number from %d to 2^64-1", low)
	}
	return Value{
		Expects: expects, IsWhole: true,
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.Plain || !IsDecimal(n.Text) {
				return n.Misfit()
			}
			x, err := strconv.ParseUint(n.Text, 10, 64)
			if err != nil {
				// Floats represent whole numbers exactly up to 2^53; larger ones must be written out.
				f, floatErr := strconv.ParseFloat(n.Text, 64)
				if floatErr != nil || f != math.Trunc(f) || f < 0 || f > 1<<53 {
					return n.Misfit()
				}
				x = uint64(f)
			}
			if x < uint64(low) || x > uint64(high) {
				return n.Misfit()
			}
			*p = T(x)
			return nil
		},
		Write:  func() any { return *p },
		Schema: func() schema.Schema { return schema.Schema{"type": "integer", "minimum": low, "maximum": high} },
	}
}

// Span is a setting that is a duration on the virtual clock, in whole
// milliseconds because the clock has nothing finer.
func Span(p *time.Duration, low, high time.Duration) Value {
	return Duration(p, low, high, time.Millisecond)
}

// Duration is a setting that is a duration in whole steps.
func Duration(p *time.Duration, low, high, step time.Duration) Value {
	v := Value{
		Expects: fmt.Sprintf("a duration from %s to %s in steps of %s, such as %s",
			Short(low), Short(high), step, Short(max(low, 90*step))),
		Write:  func() any { return Short(*p) },
		Schema: func() schema.Schema { return durationSchema(low) },
	}
	v.Read = func(n yamltree.Node) error {
		d, err := time.ParseDuration(n.Text)
		if n.Kind != yamltree.Plain && n.Kind != yamltree.Text || err != nil {
			if _, notNumber := strconv.ParseFloat(n.Text, 64); notNumber == nil {
				return fmt.Errorf("%s without a unit", n)
			}
			return n.Misfit()
		}
		if d < low || d > high || d%step != 0 {
			return n.Misfit()
		}
		*p = d
		return nil
	}
	return v
}

// DurationPattern matches what time.ParseDuration accepts, and little else.
const DurationPattern = `^[-+]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`

// durationSchema accepts durations. JSON Schema cannot compare durations, except for 0, which
// needs no unit.
func durationSchema(low time.Duration) schema.Schema {
	written := schema.Pattern(DurationPattern)
	if low > 0 {
		return written
	}
	return schema.Any(written, schema.Schema{"const": 0})
}

// Short formats a duration as people write it: 24h and not 24h0m0s.
func Short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Toggle is a setting that is true or false.
func Toggle(p *bool) Value {
	return Value{
		Expects: "true or false",
		Choices: []string{"true", "false"},
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.Plain || n.Text != "true" && n.Text != "false" {
				return n.Misfit()
			}
			*p = n.Text == "true"
			return nil
		},
		Write:  func() any { return *p },
		Schema: func() schema.Schema { return schema.Schema{"type": "boolean"} },
	}
}

// Choice is a setting that is one of a few words.
func Choice(p *string, words []string) Value {
	return Value{
		Expects: strings.Join(words, " or "),
		Choices: words,
		Read: func(n yamltree.Node) error {
			for _, word := range words {
				if n.Kind <= yamltree.Text && n.Text == word {
					*p = word
					return nil
				}
			}
			if near := input.Nearest(n.Text, words); near != "" {
				return fmt.Errorf("%s (did you mean %s?)", n, near)
			}
			return n.Misfit()
		},
		Write:  func() any { return *p },
		Schema: func() schema.Schema { return schema.Words(words) },
	}
}

// Path is a setting that names a file or folder; null or "" means none. It is stored as an
// absolute path, so that the resolved configuration has the same meaning everywhere. Names
// must be UTF-8, because the resolved configuration is.
func Path(p *string, what string) Value {
	return Value{
		Expects: what,
		Read: func(n yamltree.Node) error {
			if n.Kind > yamltree.Text {
				return n.Misfit()
			}
			name := n.Text
			if name != "" && !filepath.IsAbs(name) {
				name = filepath.Join(n.From.Folder, name)
			}
			if !utf8.ValidString(name) {
				return fmt.Errorf("%q, which is not UTF-8", name)
			}
			*p = name
			return nil
		},
		Write: func() any { return writtenPath(*p) },
		From: func(folder string) any {
			if *p == "" {
				return ""
			}
			return writtenPath(input.Relative(folder, *p))
		},
		Schema: func() schema.Schema { return schema.OrNull(schema.Scalar()) },
	}
}

func writtenPath(name string) any {
	if !Printable(name) {
		return EscapedText(name)
	}
	return name
}

// WriteFrom writes a value for a file in a folder, from where other files are named; ""
// keeps their names absolute.
func (v Value) WriteFrom(folder string) any {
	if folder != "" && v.From != nil {
		return v.From(folder)
	}
	return v.Write()
}

// Optional is a setting of words that may also be null or "".
func Optional(p *string, v Value) Value {
	read, filled := v.Read, v.Schema
	v.Expects += ", or nothing"
	v.Schema = func() schema.Schema { return schema.OrNothing(filled()) }
	v.Read = func(n yamltree.Node) error {
		if n.Kind <= yamltree.Text && n.Text == "" {
			*p = ""
			return nil
		}
		return read(n)
	}
	return v
}

// Required is a setting that must not be empty.
func Required(v Value) Value {
	read := v.Read
	v.Schema = schema.Filled
	v.Read = func(n yamltree.Node) error {
		if n.Text == "" && n.Kind <= yamltree.Text {
			return n.Misfit()
		}
		return read(n)
	}
	return v
}

// Day is a setting that is a calendar day.
func Day(p *time.Time) Value {
	return Value{
		Expects: "a day from 1973-01-01 to 2099-12-31, written as 2026-03-14",
		Read: func(n yamltree.Node) error {
			t, err := time.Parse(time.DateOnly, n.Text)
			if err != nil || t.Year() < 1973 || t.Year() > 2099 {
				return n.Misfit()
			}
			*p = t
			return nil
		},
		Write: func() any { return p.Format(time.DateOnly) },
		Schema: func() schema.Schema {
			return schema.Pattern(`^(197[3-9]|19[89][0-9]|20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`)
		},
	}
}

// Printable reports whether a text can be written into config.yaml as a key.
func Printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) })
}

// Text is a setting that is any printable text.
func Text(p *string) Value {
	return Value{
		Expects: "a text",
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.Plain && n.Kind != yamltree.Text || n.Text == "" || !Printable(n.Text) {
				return n.Misfit()
			}
			*p = n.Text
			return nil
		},
		Write:  func() any { return EscapedText(*p) },
		Schema: schema.Filled,
	}
}

// Texts is a setting that is a list of texts.
func Texts(p *[]string) Value {
	return Value{
		Expects: "a list of texts",
		Read: func(n yamltree.Node) error {
			switch {
			case n.Kind != yamltree.List:
				return n.Misfit()
			case len(n.Elements) == 0:
				return fmt.Errorf("an empty list")
			}
			list := make([]string, len(n.Elements))
			for i, item := range n.Elements {
				if err := Text(&list[i]).Read(item); err != nil {
					return fmt.Errorf("a list with %w", err)
				}
			}
			*p = list
			return nil
		},
		Write: func() any {
			list := make([]EscapedText, len(*p))
			for i, text := range *p {
				list[i] = EscapedText(text)
			}
			return list
		},
		Schema: func() schema.Schema { return schema.List(schema.Filled(), 1) },
	}
}

// Label is a setting that is a name.
func Label(p *string) Value {
	return Value{
		Expects: "a name",
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.Plain && n.Kind != yamltree.Text || !Printable(n.Text) {
				return n.Misfit()
			}
			*p = n.Text
			return nil
		},
		Write:  func() any { return *p },
		Schema: schema.Scalar,
	}
}

// ReadAt reads one value. It completes the message about an invalid value unless the message
// already points at a part of it.
func (v Value) ReadAt(path string, n yamltree.Node) error {
	err := v.Read(n)
	var placed *yamltree.Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	return n.Errorf("%sgot %v, expected %s", n.From.About(path), err, v.Expects)
}

// In reads the value of a key of a spec.
func (v Value) In(key string, n yamltree.Node) error {
	if err := v.Read(n); err != nil {
		return n.Errorf("%s: got %v, expected %s", key, err, v.Expects)
	}
	return nil
}
