// Package value is the language in which the keys of YAML files are declared: of configurations,
// gates, sweeps, tunings and profiles. A Value is a number within limits, a duration, a word, the name
// of a file, and so on. An Object is a mapping with known keys; ListOf, MapOf and OrderedOf are lists and
// mappings with keys that the user chooses. A declaration is all that a setting needs to be read with
// all mistakes found, written, described in help texts and checked by editors:
//
//	ListOf(&c.Outages, "a list of outages", func(o *Outage) Value {
//		return Mapping(
//			Named("datacenter", "the datacenter that fails", Needed(Text(&o.Datacenter))),
//			Named("share", "share of its servers", ByDefault(&o.Share, 1, Share(&o.Share, Limits{High: 1}))),
//		)
//	})
package value

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
)

// Value describes how to read a setting from YAML and how to write it.
type Value struct {
	Expects string   // completes "expected …"
	Choices []string // the accepted words, if only words are accepted
	IsWhole bool     // only whole numbers are accepted
	Read    func(n yamltree.Node) error
	Schema  func() Schema // accepts at least what Read accepts

	// Write returns what a configuration file has. Names of files are relative to folder, or absolute if
	// folder is "".
	Write func(folder string) any

	// Entry is set if the value is a mapping whose keys are data, such as column names or party
	// sizes. It returns the value under a key. Dotted says that the keys may contain dots.
	Entry  func(key yamltree.Node) (Value, error)
	Dotted bool

	// Inner is set if the value also has keys inside it that no list has, such as the keys in a
	// ruleset file. It returns the value under such a key.
	Inner func(key string) Value

	Parts  func() []Key // if set, lists the keys inside the value, for help texts
	Unset  func() bool  // if set, reports whether an Object leaves out the key, because it has its default
	reset  func()       // if set, gives the value its default before an Object is read
	needed bool         // whether an Object must have the key
}

// Needed changes v to be a key that an Object must have.
func Needed(v Value) Value {
	v.needed = true
	return v
}

// ByDefault changes v, the Value for *p, to be a key that an Object need not have.
func ByDefault[T comparable](p *T, usual T, v Value) Value {
	v.reset = func() { *p = usual }
	v.Unset = func() bool { return *p == usual }
	return v
}

// Form changes v to be one of the forms of an Object that has One of them: *p is which.
func Form[T comparable](p *T, which T, v Value) Value {
	v.Unset = func() bool { return *p != which }
	return v.Then(func() { *p = which })
}

// Then changes v to call done after it has been read.
func (v Value) Then(done func()) Value {
	return v.Checked(func(yamltree.Node) error {
		done()
		return nil
	})
}

// Checked changes v to also need what check checks after v has been read from a node.
func (v Value) Checked(check func(n yamltree.Node) error) Value {
	read := v.Read
	v.Read = func(n yamltree.Node) error {
		if err := read(n); err != nil {
			return err
		}
		return check(n)
	}
	return v
}

// Where returns v with another way to read the nodes for which the function is returns true: read reads
// them instead of v.Read.
func (v Value) Where(is func(n yamltree.Node) bool, read func(n yamltree.Node) error) Value {
	other := v.Read
	v.Read = func(n yamltree.Node) error {
		if is(n) {
			return read(n)
		}
		return other(n)
	}
	return v
}

// isNothing reports whether n is null or "".
func isNothing(n yamltree.Node) bool { return n.Kind <= yamltree.Text && n.Text == "" }

// Taking changes the schema of v.
func (v Value) Taking(change func(s Schema) Schema) Value {
	takes := v.Schema
	v.Schema = func() Schema { return change(takes()) }
	return v
}

// At changes v to store the node that it is read from.
func At(p *yamltree.Node, v Value) Value {
	read := v.Read
	v.Read = func(n yamltree.Node) error {
		*p = n
		return read(n)
	}
	return v
}

// Limits is a range of numbers.
type Limits struct {
	Low, High         float64
	LowOpen, HighOpen bool // whether the range excludes Low or High itself
}

func (l Limits) hold(x float64) bool {
	return (x > l.Low || x == l.Low && !l.LowOpen) && (x < l.High || x == l.High && !l.HighOpen)
}

func (l Limits) String() string {
	low, high := " from", "to"
	switch {
	case l.LowOpen && l.HighOpen:
		low, high = " above", "and below"
	case l.LowOpen:
		low, high = " above", "and at most"
	case l.HighOpen:
		low, high = " of at least", "and below"
	}
	return fmt.Sprintf("%s %v %s %v", low, l.Low, high, l.High)
}

// Schema returns the JSON Schema of a number within the limits.
func (l Limits) Schema() Schema {
	low, high := "minimum", "maximum"
	if l.LowOpen {
		low = "exclusiveMinimum"
	}
	if l.HighOpen {
		high = "exclusiveMaximum"
	}
	number := Schema{"type": "number"}
	if !math.IsInf(l.Low, 0) {
		number[low] = l.Low
	}
	if !math.IsInf(l.High, 0) {
		number[high] = l.High
	}
	return number
}

// isText reports whether n is a scalar that may be a text, with or without quotes.
func isText(n yamltree.Node) bool { return n.Kind == yamltree.Plain || n.Kind == yamltree.Text }

// Scalar returns a Value for *p that is written as it is. read converts a node, and reports whether the
// node is such a value.
func Scalar[T any](p *T, expects string, schema func() Schema, read func(n yamltree.Node) (x T, ok bool)) Value {
	return Value{
		Expects: expects, Schema: schema,
		Read: func(n yamltree.Node) error {
			x, ok := read(n)
			if !ok {
				return n.Misfit()
			}
			*p = x
			return nil
		},
		Write: func(string) any { return *p },
	}
}

// Number returns a Value for a number within l.
func Number(p *float64, l Limits) Value {
	return Scalar(p, "a number"+l.String(), l.Schema, func(n yamltree.Node) (float64, bool) {
		x, err := strconv.ParseFloat(n.Text, 64)
		return x, n.Kind == yamltree.Plain && err == nil && l.hold(x) && yamltree.IsDecimal(n.Text)
	})
}

// Share returns a Value for a number within l, a part of 1 that may also be written as a percentage.
func Share(p *float64, l Limits) Value {
	return Scalar(p, "a share"+l.String()+", such as 0.25 or 25%", l.Schema, func(n yamltree.Node) (float64, bool) {
		x, ok := readShare(n)
		return x, ok && l.hold(x)
	}).Taking(orPercent)
}

// orPercent extends a schema to accept percentages.
func orPercent(s Schema) Schema {
	return AnySchema(s, PatternSchema(`^[0-9.eE+-]+ *%$`))
}

// readShare reads a number, or a percentage as the fraction that it is of 1.
func readShare(n yamltree.Node) (x float64, ok bool) {
	text, isPercent := strings.CutSuffix(n.Text, "%")
	text = strings.TrimRight(text, " ")
	x, err := strconv.ParseFloat(text, 64)
	if isPercent && err == nil {
		if x /= 100; !strings.ContainsAny(text, "eE") {
			x, err = strconv.ParseFloat(text+"e-2", 64) // 0.7 / 100 is not 0.007
		}
	}
	return x, (n.Kind == yamltree.Plain || n.Kind == yamltree.Text && isPercent) && err == nil && yamltree.IsDecimal(text)
}

// Whole returns a Value for a whole number from low to high. The number may be in scientific
// notation, as in joins: 1e6.
func Whole[T int | uint32 | uint64](p *T, low, high T) Value {
	expects := fmt.Sprintf("a whole number from %d to %d", low, high)
	if uint64(high) == math.MaxUint64 {
		expects = fmt.Sprintf("a whole number from %d to 2^64-1", low)
	}
	schema := func() Schema { return Schema{"type": "integer", "minimum": low, "maximum": high} }
	v := Scalar(p, expects, schema, func(n yamltree.Node) (T, bool) {
		x, err := strconv.ParseUint(n.Text, 10, 64)
		if err != nil {
			// A float64 can represent all whole numbers up to 2^53. Larger numbers must
			// not be in scientific notation.
			f, floatErr := strconv.ParseFloat(n.Text, 64)
			if floatErr != nil || f != math.Trunc(f) || f < 0 || f > 1<<53 {
				return 0, false
			}
			x = uint64(f)
		}
		return T(x), n.Kind == yamltree.Plain && yamltree.IsDecimal(n.Text) && x >= uint64(low) && x <= uint64(high)
	})
	v.IsWhole = true
	return v
}

// Span returns a Value for a duration in whole milliseconds, the resolution of the virtual
// clock.
func Span(p *time.Duration, low, high time.Duration) Value {
	return Duration(p, low, high, time.Millisecond)
}

// Duration returns a Value for a duration that is a multiple of step.
func Duration(p *time.Duration, low, high, step time.Duration) Value {
	example := 90 * time.Second
	if example < low || example > high {
		example = min(max(low, 50*time.Millisecond), high)
	}
	v := Value{
		Expects: fmt.Sprintf("a duration from %s to %s in steps of %s, such as %s",
			Short(low), Short(high), step, Short(example)),
		Write: func(string) any { return Short(*p) },
		// JSON Schema cannot compare durations, so the schema checks no limits, but it rejects the number
		// 0 if low is above 0. The duration 0 needs no unit.
		Schema: func() Schema {
			if low > 0 {
				return PatternSchema(DurationPattern)
			}
			return AnySchema(PatternSchema(DurationPattern), Schema{"const": 0})
		},
	}
	v.Read = func(n yamltree.Node) error {
		d, err := ParseDuration(n.Text)
		if !isText(n) || err != nil {
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

// Toggle returns a Value for true or false.
func Toggle(p *bool) Value {
	v := Scalar(p, "true or false", func() Schema { return Schema{"type": "boolean"} }, func(n yamltree.Node) (bool, bool) {
		return n.Text == "true", n.Kind == yamltree.Plain && (n.Text == "true" || n.Text == "false")
	})
	v.Choices = []string{"true", "false"}
	return v
}

// Choice returns a Value for one of the words.
func Choice(p *string, words []string) Value {
	return Value{
		Expects: input.Either(words),
		Choices: words,
		Read: func(n yamltree.Node) error {
			if n.Kind <= yamltree.Text && slices.Contains(words, n.Text) {
				*p = n.Text
				return nil
			}
			if near := input.Nearest(n.Text, words); near != "" {
				return fmt.Errorf("%s (did you mean %s?)", n, near)
			}
			return n.Misfit()
		},
		Write:  func(string) any { return *p },
		Schema: func() Schema { return WordsSchema(words) },
	}
}

// Enum returns a Value for one of the words, each of which stands for a value.
func Enum[T comparable](p *T, words []string, values ...T) Value {
	var word string
	v := Choice(&word, words).Then(func() { *p = values[slices.Index(words, word)] })
	v.Write = func(string) any { return words[slices.Index(values, *p)] }
	return v
}

// Path returns a Value for the name of a file or folder, which may be null or "". It is stored
// as an absolute path, so that the resolved configuration means the same everywhere. It must
// be UTF-8, because the resolved configuration is.
func Path(p *string, description string) Value {
	return Value{
		Expects: description,
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
		Write:  func(folder string) any { return Escaped(Relative(folder, *p)) },
		Schema: func() Schema { return NullableSchema(ScalarSchema()) },
	}
}

// Relative returns the name of a file as Write writes it.
func Relative(folder, name string) string {
	if folder == "" || name == "" {
		return name
	}
	return input.Relative(folder, name)
}

// PathOrStdin returns a Value like Path. The name - stands for standard input and is stored as it
// is. A file of that name is ./-.
func PathOrStdin(p *string, description string) Value {
	isStdin := func(n yamltree.Node) bool { return n.Kind <= yamltree.Text && n.Text == input.Stdin }
	v := Path(p, description).Where(isStdin, func(yamltree.Node) error {
		*p = input.Stdin
		return nil
	})
	write := v.Write
	v.Write = func(folder string) any {
		if *p == input.Stdin {
			return input.Stdin
		}
		return write(folder)
	}
	return v
}

// Optional extends v, the Value for *p, to also accept null and "", which stand for the zero value.
func Optional[T comparable](p *T, v Value) Value {
	var zero T
	write, filled := v.Write, v.Schema
	v.Expects += ", or nothing"
	v.Schema = func() Schema { return AnySchema(filled(), Schema{"enum": []any{"", nil}}) }
	v.Write = func(folder string) any {
		if *p == zero {
			return ""
		}
		return write(folder)
	}
	return v.Where(isNothing, func(yamltree.Node) error {
		*p = zero
		return nil
	})
}

// Required changes v to reject null and "".
func Required(v Value) Value {
	v.Schema = FilledSchema
	return v.Where(isNothing, yamltree.Node.Misfit)
}

// Day returns a Value for a calendar day.
func Day(p *time.Time) Value {
	const pattern = `^(197[3-9]|19[89][0-9]|20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`
	schema := func() Schema { return PatternSchema(pattern) }
	v := Scalar(p, "a day from 1973-01-01 to 2099-12-31, written as 2026-03-14", schema, func(n yamltree.Node) (time.Time, bool) {
		t, err := time.Parse(time.DateOnly, n.Text)
		return t, err == nil && t.Year() >= 1973 && t.Year() <= 2099
	})
	v.Write = func(string) any { return p.Format(time.DateOnly) }
	return v
}

// Printable reports whether text can be written as a key in config.yaml.
func Printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) })
}

// Text returns a Value for any printable text that is not empty.
func Text(p *string) Value {
	v := Scalar(p, "a text", FilledSchema, func(n yamltree.Node) (string, bool) {
		return n.Text, isText(n) && n.Text != "" && Printable(n.Text)
	})
	v.Write = func(string) any { return EscapedText(*p) }
	return v
}

// AnyJSON returns a Value for any value but null, as JSON.
func AnyJSON(p *[]byte) Value {
	v := Scalar(p, "a value", func() Schema { return Schema{"not": Schema{"type": "null"}} }, func(n yamltree.Node) ([]byte, bool) {
		return n.JSON(), n.Kind != yamltree.Null
	})
	v.Write = func(string) any { return JSON(*p) }
	return v
}

// Texts returns a Value for a list of one or more texts.
func Texts(p *[]string) Value { return NotEmpty(ListOf(p, "a list of texts", Text)) }

// Label returns a Value for a name, which may be empty.
func Label(p *string) Value {
	return Scalar(p, "a name", ScalarSchema, func(n yamltree.Node) (string, bool) { return n.Text, isText(n) && Printable(n.Text) })
}

// ReadRoot reads a whole file, from what yamltree.ReadFile or ParseFile returned about it. The error
// lists all mistakes.
func (v Value) ReadRoot(root yamltree.Node, err error) error {
	if root.From == nil {
		return err
	}
	return Joined([]error{err, v.ReadAt("", root)})
}

// ReadAt reads the value at path. If the value is invalid, the error has its position, path
// and what was expected, unless the error already points to a part of the value.
func (v Value) ReadAt(path string, n yamltree.Node) error {
	n.Path = path
	err := v.Read(n)
	if _, placed := errors.AsType[*yamltree.Error](err); err == nil || placed {
		return err
	}
	return n.Errorf("got %v, expected %s", err, v.Expects)
}
