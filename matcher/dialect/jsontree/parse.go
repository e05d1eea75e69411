package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse reads one JSON value. Messages begin with file, which is not opened. The text must
// not change while its values are in use. Cost: about 100 ns per value; texts beyond the
// limits are refused before a tree is built.
func Parse(file string, text []byte) (Value, error) {
	from := &source{file: file, text: text}
	switch {
	case len(text) > BytesMax:
		return Value{}, fmt.Errorf("%s: %d bytes, expected at most %d (%d MiB) of JSON", file, len(text), BytesMax, BytesMax>>20)
	case !utf8.Valid(text):
		return Value{}, from.errorAt(invalidUTF8(text), "the text is not UTF-8")
	}
	// A byte order mark is not JSON, but editors write it and do not show it.
	body := bytes.TrimPrefix(text, []byte("\ufeff"))
	from.text = body
	if at, why := overLimits(body); why != "" {
		return Value{}, from.errorAt(at, why)
	}
	// The library checks the syntax and reports exact offsets. The tree builder sees only
	// well-formed text.
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		return Value{}, from.syntaxError(err)
	}
	b := builder{from: from}
	return b.value()
}

// TooLarge returns the error about a text of rules that is larger than its reader accepts.
func TooLarge(place string, size, most int) error {
	return fmt.Errorf("%s: %d bytes of rules, expected at most %d (%d MiB)", place, size, most, most>>20)
}

// ParseAtMost parses a text of at most most bytes; see [Parse] and [TooLarge].
func ParseAtMost(file string, text []byte, most int) (Value, error) {
	if len(text) > most {
		return Value{}, TooLarge(file, len(text), most)
	}
	return Parse(file, text)
}

// overLimits checks the depth and the number of values without building a tree. It returns
// the offset of the first value beyond a limit and the reason, or "". Brackets and commas
// inside strings do not count.
func overLimits(text []byte) (at int, why string) {
	depth, values, inText := 0, 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			values++
		case c == '}' || c == ']':
			depth--
		case c == ',':
			values++
		}
		if depth > DepthMax {
			return i, fmt.Sprintf("nested too deeply, expected at most %d levels", DepthMax)
		}
		if values > ValuesMax {
			return i, fmt.Sprintf("too many values, expected at most %d", ValuesMax)
		}
	}
	return 0, ""
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8.
func invalidUTF8(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// syntaxError converts the error of the scanner into a message for people who edit by hand.
func (s *source) syntaxError(err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return s.errorAt(0, "the text is not JSON: "+err.Error())
	}
	at := max(0, int(syntax.Offset)-1)
	if len(bytes.TrimSpace(s.text)) == 0 {
		return s.errorAt(0, "the file is empty, expected a JSON object")
	}
	if at >= len(s.text) || strings.HasPrefix(syntax.Error(), "unexpected end") {
		return s.errorAt(len(s.text), "the JSON ends too early: a bracket or quote is not closed")
	}
	before := bytes.TrimRight(s.text[:at], " \t\r\n")
	if c := s.text[at]; (c == '}' || c == ']') && bytes.HasSuffix(before, []byte(",")) {
		return s.errorAt(len(before)-1, fmt.Sprintf("a trailing comma before %q: JSON has none after the last entry", c))
	}
	if s.text[at] == '/' {
		return s.errorAt(at, "the text is not JSON: remove the comment, JSON has none")
	}
	if s.text[at] == ':' && strings.Contains(syntax.Error(), "after top-level value") {
		return s.errorAt(at, "a member without the braces of an object around it: the text is a piece of JSON")
	}
	if strings.Contains(syntax.Error(), "in literal") {
		for at > 0 && 'a' <= s.text[at-1] && s.text[at-1] <= 'z' {
			at--
		}
	}
	return s.errorAt(at, "the text is not JSON: "+syntax.Error())
}

// builder builds the tree of a text that is known to be well-formed.
type builder struct {
	from *source
	at   int
}

// peek returns the first byte of the next token, which begins at b.at.
func (b *builder) peek() byte {
	for strings.IndexByte(" \t\r\n,:", b.from.text[b.at]) >= 0 {
		b.at++
	}
	return b.from.text[b.at]
}

// value reads the next value with all nested values.
func (b *builder) value() (Value, error) {
	first := b.peek()
	v := Value{from: b.from, start: int32(b.at)}
	var err error
	switch first {
	case '{':
		v.kind = Struct
		b.at++
		err = b.members(&v)
	case '[':
		v.kind = List
		b.at++
		err = b.elements(&v)
	case '"':
		v.kind = Text
		v.text, err = b.string()
	default:
		v.kind, v.text = b.literal()
	}
	v.end = int32(b.at)
	return v, err
}

// elements reads the rest of a list.
func (b *builder) elements(list *Value) error {
	for b.peek() != ']' {
		e, err := b.value()
		if err != nil {
			return err
		}
		list.elements = append(list.elements, e)
	}
	b.at++
	return nil
}

// string reads a text. Escapes are left to the library.
func (b *builder) string() (string, error) {
	start, escaped := b.at, false
	for b.at++; b.from.text[b.at] != '"'; b.at++ {
		if b.from.text[b.at] == '\\' {
			escaped = true
			b.at++
		}
	}
	b.at++
	if !escaped {
		return string(b.from.text[start+1 : b.at-1]), nil
	}
	var text string
	err := json.Unmarshal(b.from.text[start:b.at], &text)
	return text, err
}

// literal reads a number, true, false or null.
func (b *builder) literal() (Kind, string) {
	start := b.at
	for b.at < len(b.from.text) && strings.IndexByte(" \t\r\n,]}", b.from.text[b.at]) < 0 {
		b.at++
	}
	switch text := string(b.from.text[start:b.at]); text {
	case "null":
		return Null, ""
	case "true", "false":
		return Bool, text
	default:
		return Number, text
	}
}

// indexedFrom is the number of members above which a map finds duplicate names; for fewer
// members a linear search is cheaper.
const indexedFrom = 16

// members reads the rest of an object.
func (b *builder) members(object *Value) error {
	var seen map[string]int32 // offset of the first use
	for b.peek() != '}' {
		name, err := b.value()
		if err != nil {
			return err
		}
		first, repeated := seen[name.text]
		if seen == nil {
			first, repeated = firstUse(object.members, name.text)
		}
		if repeated {
			return name.Errorf("%s stands twice in one object, first in line %d", name, b.from.line(int(first)))
		}
		v, err := b.value()
		if err != nil {
			return err
		}
		object.members = append(object.members, Member{Name: name.text, Value: v, start: name.start})
		if seen != nil {
			seen[name.text] = name.start
		} else if len(object.members) == indexedFrom {
			seen = make(map[string]int32, 4*indexedFrom)
			for _, m := range object.members {
				seen[m.Name] = m.start
			}
		}
	}
	b.at++
	return nil
}

// firstUse searches for a name among few members.
func firstUse(members []Member, name string) (start int32, found bool) {
	for i := range members {
		if members[i].Name == name {
			return members[i].start, true
		}
	}
	return 0, false
}
