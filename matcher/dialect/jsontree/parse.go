package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Parse parses one JSON value. It uses file only as a name in messages and does not open it. The
// text must not change while its values are in use. Parse takes about 100 ns per value. It returns
// an error if the text exceeds a limit of this package, and detects this before it builds the tree.
func Parse(file string, text []byte) (Value, error) {
	return parse(&source{file: file, text: text}, false)
}

// parse parses the text of a source.
func parse(from *source, relaxed bool) (Value, error) {
	switch text := from.text; {
	case len(text) > BytesMax:
		return Value{}, fmt.Errorf("%s: the JSON has %d bytes, expected at most %d (%d MiB)", from.file, len(text), BytesMax, BytesMax>>20)
	case !utf8.Valid(text):
		return Value{}, from.errorAt(invalidUTF8(text), "the text is not valid UTF-8")
	}
	// Remove a byte order mark. It is not valid JSON, but some editors write one and do not show
	// it.
	if body, marked := bytes.CutPrefix(from.text, []byte("\ufeff")); marked {
		from.text = body
		from.offsets = from.offsets[min(len("\ufeff"), len(from.offsets)):]
	}
	from.strict = from.text
	if relaxed {
		if err := from.relax(); err != nil {
			return Value{}, err
		}
	}
	if at, why := overLimits(from.strict); why != "" {
		return Value{}, from.errorAt(at, why)
	}
	// Let encoding/json check the syntax, because it reports exact offsets and the builder below
	// needs a well-formed text.
	var whole json.RawMessage
	if err := json.Unmarshal(from.strict, &whole); err != nil {
		return Value{}, from.syntaxError(err)
	}
	b := builder{from: from}
	return b.value()
}

// TooLarge returns the error for rules whose size in bytes exceeds limit.
func TooLarge(position string, size, limit int) error {
	return fmt.Errorf("%s: the rules have %d bytes, expected at most %d (%d MiB)", position, size, limit, limit>>20)
}

// overLimits checks the depth and the number of values before a tree is built. It returns the
// offset of the first value beyond a limit and the reason, or "" if there is none. It ignores
// brackets and commas inside strings.
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
			return i, fmt.Sprintf("the JSON is nested too deeply, expected at most %d levels", DepthMax)
		}
		if values > ValuesMax {
			return i, fmt.Sprintf("the JSON has too many values, expected at most %d", ValuesMax)
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

// syntaxError converts an error of encoding/json into an error that says how to correct the text.
func (s *source) syntaxError(err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return s.errorAt(0, "the text is not valid JSON: "+err.Error())
	}
	at := max(0, int(syntax.Offset)-1)
	if len(bytes.TrimSpace(s.strict)) == 0 {
		return s.errorAt(0, "the file is empty, expected a JSON object")
	}
	if at >= len(s.strict) || strings.HasPrefix(syntax.Error(), "unexpected end") {
		return s.errorAt(len(s.strict), "the JSON ends too early: a bracket or a quote is not closed")
	}
	before := bytes.TrimRight(s.strict[:at], " \t\r\n")
	if c := s.strict[at]; (c == '}' || c == ']') && bytes.HasSuffix(before, []byte(",")) {
		return s.errorAt(len(before)-1, fmt.Sprintf("remove the comma before %q: JSON does not allow a comma after the last entry", c))
	}
	if s.strict[at] == '/' {
		return s.errorAt(at, "remove the comment: JSON does not allow comments")
	}
	if s.strict[at] == ':' && strings.Contains(syntax.Error(), "after top-level value") {
		return s.errorAt(at, "the text is only a part of a JSON object: put braces around it")
	}
	if strings.Contains(syntax.Error(), "in literal") {
		for at > 0 && 'a' <= s.strict[at-1] && s.strict[at-1] <= 'z' {
			at--
		}
	}
	return s.errorAt(at, "the text is not valid JSON: "+syntax.Error())
}

// builder builds the tree of a well-formed text.
type builder struct {
	from *source
	at   int
}

// peek returns the first byte of the next token, which begins at b.at.
func (b *builder) peek() byte {
	for strings.IndexByte(" \t\r\n,:", b.from.strict[b.at]) >= 0 {
		b.at++
	}
	return b.from.strict[b.at]
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

// string reads a text. encoding/json decodes escapes.
func (b *builder) string() (string, error) {
	start, escaped := b.at, false
	for b.at++; b.from.strict[b.at] != '"'; b.at++ {
		if b.from.strict[b.at] == '\\' {
			escaped = true
			b.at++
		}
	}
	b.at++
	if !escaped {
		return string(b.from.strict[start+1 : b.at-1]), nil
	}
	var text string
	err := json.Unmarshal(b.from.strict[start:b.at], &text)
	return text, err
}

// literal reads a number, true, false or null.
func (b *builder) literal() (Kind, string) {
	start := b.at
	for b.at < len(b.from.strict) && strings.IndexByte(" \t\r\n,]}", b.from.strict[b.at]) < 0 {
		b.at++
	}
	switch text := string(b.from.strict[start:b.at]); text {
	case "null":
		return Null, ""
	case "true", "false":
		return Bool, text
	default:
		return Number, text
	}
}

// indexedFrom is the number of members from which a map is used to find duplicate names. With fewer
// members, a linear search is cheaper.
const indexedFrom = 16

// members reads the rest of an object.
func (b *builder) members(object *Value) error {
	var seen map[string]int32 // offset of the first use of each name; nil for few members
	for b.peek() != '}' {
		name, err := b.value()
		if err != nil {
			return err
		}
		first, repeated := seen[name.text]
		if seen == nil {
			i := slices.IndexFunc(object.members, func(m Member) bool { return m.Name == name.text })
			if repeated = i >= 0; repeated {
				first = object.members[i].start
			}
		}
		if repeated {
			return name.Errorf("the key %s is already in this object, on line %d", name, b.from.line(int(first)))
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
