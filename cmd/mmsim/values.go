package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mmsim/datasets"
)

// value is how one setting is read from a node and written back. What read
// returns on a misfit completes "got …": the place, the key and what was
// expected are added by the reader of the configuration, who knows them.
type value struct {
	expects string   // completes "expected …"
	choices []string // the words it takes, where it takes words
	isWhole bool     // takes whole numbers alone
	read    func(n node) error
	write   func() any // what the resolved configuration shows

	// Of a setting whose keys are data (column names, party sizes) only: entry
	// returns the value under a key, empty removes all of them.
	entry func(key node) (value, error)
	empty func()
}

// limits is a range of numbers.
type limits struct {
	low, high         float64
	lowOpen, highOpen bool // the end itself is outside
}

func (l limits) hold(x float64) bool {
	return (x > l.low || x == l.low && !l.lowOpen) && (x < l.high || x == l.high && !l.highOpen)
}

func (l limits) String() string {
	low, high := " from ", " to "
	if l.lowOpen {
		low = " above "
	}
	if l.highOpen {
		high = " and below "
	}
	return fmt.Sprintf("%s%v%s%v", low, l.low, high, l.high)
}

// number is a setting that is any number within l.
func number(p *float64, l limits) value {
	return value{
		expects: "a number" + l.String(),
		read: func(n node) error {
			x, err := strconv.ParseFloat(n.text, 64)
			if n.kind != kindPlain || err != nil || !l.hold(x) || !isDecimal(n.text) {
				return n.misfit()
			}
			*p = x
			return nil
		},
		write: func() any { return *p },
	}
}

// isDecimal refuses what strconv reads beyond decimal numbers: NaN, hexadecimal
// and digits grouped with underscores.
func isDecimal(text string) bool { return strings.Trim(text, "0123456789+-.eE") == "" }

// whole is a setting that is a whole number from low to high. A number in
// scientific notation counts (joins: 1e6).
func whole[T int | uint32 | uint64](p *T, low, high T) value {
	expects := fmt.Sprintf("a whole number from %d to %d", low, high)
	if uint64(high) == math.MaxUint64 {
		expects = fmt.Sprintf("a whole number from %d to 2^64-1", low)
	}
	return value{
		expects: expects, isWhole: true,
		read: func(n node) error {
			if n.kind != kindPlain || !isDecimal(n.text) {
				return n.misfit()
			}
			x, err := strconv.ParseUint(n.text, 10, 64)
			if err != nil {
				// Floats hold whole numbers exactly up to 2^53; more must be written out.
				f, floatErr := strconv.ParseFloat(n.text, 64)
				if floatErr != nil || f != math.Trunc(f) || f < 0 || f > 1<<53 {
					return n.misfit()
				}
				x = uint64(f)
			}
			if x < uint64(low) || x > uint64(high) {
				return n.misfit()
			}
			*p = T(x)
			return nil
		},
		write: func() any { return *p },
	}
}

// span is a setting that is a duration on the virtual clock, in whole
// milliseconds because the clock has nothing finer.
func span(p *time.Duration, low, high time.Duration) value {
	return duration(p, low, high, time.Millisecond)
}

// rtt is a setting that is a round-trip time. Finer than 1/16 ms is rounded
// where it is compared.
func rtt(p *time.Duration) value { return duration(p, 0, rttMax, time.Microsecond) }

func duration(p *time.Duration, low, high, step time.Duration) value {
	v := value{
		expects: fmt.Sprintf("a duration from %s to %s in steps of %s, such as %s",
			short(low), short(high), step, short(max(low, 90*step))),
		write: func() any { return short(*p) },
	}
	v.read = func(n node) error {
		d, err := time.ParseDuration(n.text)
		if n.kind != kindPlain && n.kind != kindText || err != nil {
			if _, notNumber := strconv.ParseFloat(n.text, 64); notNumber == nil {
				return fmt.Errorf("%s without a unit", n)
			}
			return n.misfit()
		}
		if d < low || d > high || d%step != 0 {
			return n.misfit()
		}
		*p = d
		return nil
	}
	return v
}

// short writes a duration as people do: 24h and not 24h0m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// toggle is a setting that is true or false.
func toggle(p *bool) value {
	return value{
		expects: "true or false",
		choices: []string{"true", "false"},
		read: func(n node) error {
			if n.kind != kindPlain || n.text != "true" && n.text != "false" {
				return n.misfit()
			}
			*p = n.text == "true"
			return nil
		},
		write: func() any { return *p },
	}
}

// choice is a setting that is one of a few words.
func choice(p *string, words []string) value {
	return value{
		expects: strings.Join(words, " or "),
		choices: words,
		read: func(n node) error {
			for _, word := range words {
				if n.kind <= kindText && n.text == word {
					*p = word
					return nil
				}
			}
			if near := nearest(n.text, words); near != "" {
				return fmt.Errorf("%s (did you mean %s?)", n, near)
			}
			return n.misfit()
		},
		write: func() any { return *p },
	}
}

// path is a setting that names a file or folder; nothing or "" is none. It is
// kept absolute, so that the resolved configuration means the same everywhere.
// That is UTF-8 text, and so must every name in it be.
func path(p *string, what string) value {
	return value{
		expects: what,
		read: func(n node) error {
			if n.kind > kindText {
				return n.misfit()
			}
			name := n.text
			if name != "" && !filepath.IsAbs(name) {
				name = filepath.Join(n.from.folder, name)
			}
			if !utf8.ValidString(name) {
				return fmt.Errorf("%q, which is not UTF-8", name)
			}
			*p = name
			return nil
		},
		write: func() any {
			if !printable(*p) {
				return escapedText(*p)
			}
			return *p
		},
	}
}

// optional is a setting of words that may be nothing or "" too.
func optional(p *string, v value) value {
	read := v.read
	v.expects += ", or nothing"
	v.read = func(n node) error {
		if n.kind <= kindText && n.text == "" {
			*p = ""
			return nil
		}
		return read(n)
	}
	return v
}

// required is a setting that must be more than nothing.
func required(v value) value {
	read := v.read
	v.read = func(n node) error {
		if n.text == "" && n.kind <= kindText {
			return n.misfit()
		}
		return read(n)
	}
	return v
}

// day is a setting that is a calendar day.
func day(p *time.Time) value {
	return value{
		expects: "a day from 1973-01-01 to 2099-12-31, written as 2026-03-14",
		read: func(n node) error {
			t, err := time.Parse(time.DateOnly, n.text)
			if err != nil || t.Year() < 1973 || t.Year() > 2099 {
				return n.misfit()
			}
			*p = t
			return nil
		},
		write: func() any { return p.Format(time.DateOnly) },
	}
}

// kinds is a setting that maps column names to the kind of their values.
func kinds(p *map[string]string) value {
	return value{
		expects: "a mapping of column names to text, list or number",
		write:   func() any { return *p },
		empty:   func() { *p = map[string]string{} },
		entry: func(key node) (value, error) {
			var word string
			if !printable(key.text) {
				return value{}, fmt.Errorf("%s, which has characters that do not print", key)
			}
			if !datasets.Declarable(key.text) {
				return value{}, fmt.Errorf("%s, whose kind is settled", key)
			}
			v := choice(&word, []string{"text", "list", "number"})
			read := v.read
			v.read = func(n node) error {
				err := read(n)
				if err == nil {
					(*p)[key.text] = word
				}
				return err
			}
			return v, nil
		},
	}
}

// shares is a setting that maps party sizes to shares of parties. That they
// sum to 1 is checked when all are read.
func shares(p *map[int]float64, sizeMax int) value {
	return value{
		expects: fmt.Sprintf("a mapping of party sizes (1 to %d) to shares from 0 to 1", sizeMax),
		write:   func() any { return *p },
		empty:   func() { *p = map[int]float64{} },
		entry: func(key node) (value, error) {
			var size int
			if err := whole(&size, 1, sizeMax).read(key); err != nil {
				return value{}, fmt.Errorf("party size %w", err)
			}
			var share float64
			v := number(&share, limits{high: 1})
			read := v.read
			v.read = func(n node) error {
				err := read(n)
				if err == nil {
					(*p)[size] = share
				}
				return err
			}
			return v, nil
		},
	}
}
