package jsontree

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is the type of a JSON value.
type Kind uint8

// The six types of JSON.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Struct // a JSON object; type Object reads its members
)

// Value is a JSON value with its position in the text. The zero Value is null without a position.
// Values are immutable and refer to the memory of the text.
type Value struct {
	from     *source
	start    int32
	end      int32
	kind     Kind
	text     string // content of a text, or source text of a number or bool
	elements []Value
	members  []Member
}

// Member is one name of an object with its value.
type Member struct {
	Name  string
	Value Value
	start int32 // offset of the name
}

// Kind returns the type of the value.
func (v Value) Kind() Kind { return v.kind }

// Text returns the content of a text, or "" for other kinds.
func (v Value) Text() string {
	if v.kind != Text {
		return ""
	}
	return v.text
}

// Bool reports whether the value is true.
func (v Value) Bool() bool { return v.kind == Bool && v.text == "true" }

// Elements returns the elements of a list in order, or nil for other kinds.
func (v Value) Elements() []Value { return v.elements }

// Texts returns the texts in a list of texts. If v is not such a list, ok is false, and odd is v or the
// first element that is not a text.
func (v Value) Texts() (texts []string, odd Value, ok bool) {
	for _, e := range v.elements {
		if e.kind != Text {
			return nil, e, false
		}
		texts = append(texts, e.text)
	}
	return texts, v, v.kind == List
}

// Members returns the members of an object in order, or nil for other kinds.
func (v Value) Members() []Member { return v.members }

// Size returns the number of bytes of the value in its text.
func (v Value) Size() int { return int(v.end - v.start) }

// Float returns a number as a float64. It returns false if the value is not a number or does not
// fit. It does not round 1e999 to infinity, because a typing error would then become a rule that
// accepts all tickets.
func (v Value) Float() (float64, bool) {
	if v.kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// Whole returns a whole number from 0 to limit in any notation, such as 10, 10.0 or 1e1. It returns
// false for any other value.
func (v Value) Whole(limit uint32) (uint32, bool) {
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) || f < 0 || f > float64(limit) {
		return 0, false
	}
	return uint32(f), true
}

// Member returns the value of an object's member with the given name. A null counts as absent,
// because exports write null for members that are not set. The cost is linear in the number of
// members.
func (v Value) Member(name string) (Value, bool) {
	for i := range v.members {
		if m := &v.members[i]; m.Name == name {
			return m.Value, m.Value.kind != Null
		}
	}
	return Value{}, false
}

// Any returns the value as encoding/json would decode it into an interface value.
func (v Value) Any() any {
	switch v.kind {
	case Bool:
		return v.Bool()
	case Number:
		f, _ := v.Float()
		return f
	case Text:
		return v.text
	case List:
		list := make([]any, len(v.elements))
		for i, e := range v.elements {
			list[i] = e.Any()
		}
		return list
	case Struct:
		object := make(map[string]any, len(v.members))
		for _, m := range v.members {
			object[m.Name] = m.Value.Any()
		}
		return object
	default:
		return nil
	}
}

// textMax is the maximum length in characters of a value in a message. Longer values are shortened.
const textMax = 40

// String returns the value quoted for a message, and shortened if it is long.
func (v Value) String() string {
	switch v.kind {
	case Null:
		return "null"
	case List:
		return "a list"
	case Struct:
		return "an object"
	case Text:
		return Quote(v.text)
	}
	return shorten(v.text)
}

// Quote returns a text quoted for a message, and shortened if it is long.
func Quote(text string) string {
	if short := shorten(text); short != text {
		return strconv.Quote(short[:len(short)-len("…")]) + "…"
	}
	return strconv.Quote(text)
}

// Count returns a number with a noun for a message, such as "1 ticket" or "2 tickets".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Range returns a range with a noun for a message, such as "1 player" or "2 to 4 players".
func Range(from, to int, noun string) string {
	if from == to {
		return Count(to, noun)
	}
	return fmt.Sprintf("%d to %d %ss", from, to, noun)
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= textMax {
		return text
	}
	return string([]rune(text)[:textMax]) + "…"
}

// Errorf returns an error about the value. The message begins with its position and ends with its line
// and a caret.
func (v Value) Errorf(format string, args ...any) error {
	return v.from.errorAt(int(v.start), fmt.Sprintf(format, args...))
}

// Errorf returns an error about the member at the position of its name.
func (m Member) Errorf(format string, args ...any) error {
	return m.Value.from.errorAt(int(m.start), fmt.Sprintf(format, args...))
}

// Position returns the position of the value as FILE:LINE:COLUMN.
func (v Value) Position() string { return v.from.position(int(v.start)) }

// Span returns the start and end offset of the value in its text, in bytes.
func (v Value) Span() (begin, end int) { return int(v.start), int(v.end) }

// Identity returns the name of the member that identifies the objects in lists, such as "name" in
// lists of rules. Every object must have the member with a text as its value, and in a list
// these texts must differ. If several members qualify, Identity prefers "name" in any letter case,
// and otherwise the first one in the first object. It returns "" if no member qualifies or if a
// list is empty.
func Identity(lists ...[]Value) string {
	identity := ""
	for _, list := range lists {
		if len(list) == 0 {
			return ""
		}
	}
	for _, m := range lists[0][0].members {
		isName := strings.EqualFold(m.Name, "name")
		if (identity == "" || isName) && isIdentity(lists, m.Name) {
			if identity = m.Name; isName {
				break
			}
		}
	}
	return identity
}

func isIdentity(lists [][]Value, key string) bool {
	for _, list := range lists {
		seen := map[string]bool{}
		for _, element := range list {
			m, has := element.Member(key)
			if !has || m.kind != Text || seen[m.text] {
				return false
			}
			seen[m.text] = true
		}
	}
	return true
}

// Named returns the objects in a list as members. The name of an object is the text of its own
// member with the given key.
func Named(list []Value, key string) []Member {
	members := make([]Member, len(list))
	for i, element := range list {
		m, _ := element.Member(key)
		members[i] = Member{Name: m.text, Value: element, start: element.start}
	}
	return members
}
