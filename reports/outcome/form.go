package outcome

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// form checks a summary.json key by key before it is decoded, because encoding/json does not: it
// reads an absent key or null as 0, takes the second of two equal keys, ignores letter case, and
// accepts a negative wait. A gate could pass because of each of them. Keys that this version
// does not write are ignored.
type form struct {
	text []byte
	in   *json.Decoder
}

// checkForm checks a valid JSON text against what Summary.Write writes. The error begins
// with file, line and column.
func checkForm(text []byte) error {
	f := &form{text, json.NewDecoder(bytes.NewReader(text))}
	f.in.UseNumber()
	return f.value("", reflect.TypeFor[Summary](), "")
}

// at returns the offset of the next key or value.
func (f *form) at() int {
	at := int(f.in.InputOffset())
	for at < len(f.text) && strings.IndexByte(" \t\r\n:,", f.text[at]) >= 0 {
		at++
	}
	return at
}

// errorf returns an error about the text at an offset.
func (f *form) errorf(at int, format string, values ...any) error {
	line, column := position(f.text, at)
	return fmt.Errorf("%s:%d:%d: %s", SummaryFile, line, column, fmt.Sprintf(format, values...))
}

// position returns line and column of an offset, from 1.
func position(text []byte, offset int) (line, column int) {
	before := text[:offset]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// value checks the value of a key, whose name is in path; rangeTag is the tag of its
// field, see rangeOf.
func (f *form) value(path string, t reflect.Type, rangeTag string) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	at := f.at()
	token, err := f.in.Token()
	if err != nil {
		return f.errorf(at, "%v", err)
	}
	switch token {
	case json.Delim('{'):
		if t.Kind() == reflect.Struct {
			return f.object(path, at, t)
		}
		if isObject(t) {
			return f.items(path, t)
		}
	case json.Delim('['):
		if t.Kind() == reflect.Slice && !isObject(t) {
			return f.list(path, t)
		}
	case nil:
		if t == reflect.TypeFor[[]string]() { // a list without items
			return nil
		}
		return f.errorf(at, "%s is null, expected %s", shownPath(path), expectedOf(t, rangeTag))
	}
	if !fits(token, t, rangeTag) {
		return f.errorf(at, "%s is %s, expected %s", shownPath(path), tokenText(token), expectedOf(t, rangeTag))
	}
	return nil
}

// object checks the members of an object that is written from a struct.
func (f *form) object(path string, at int, t reflect.Type) error {
	known := membersOf(t)
	seen := map[string]int{}
	for f.in.More() {
		key, err := f.key(path, seen)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(known, func(m formMember) bool { return strings.EqualFold(m.key, key) })
		if i < 0 {
			var unknown json.RawMessage
			if err := f.in.Decode(&unknown); err != nil {
				return f.errorf(f.at(), "%v", err)
			}
			continue
		}
		if known[i].key != key { // the decoder treats both as the same key
			return f.errorf(seen[key], "%s has %q, expected %q", shownPath(path), key, known[i].key)
		}
		if err := f.value(join(path, key), known[i].kind, known[i].rangeTag); err != nil {
			return err
		}
	}
	for _, m := range known {
		if _, is := seen[m.key]; !is && !m.optional {
			return f.errorf(at, "%s has no %q, expected %s", shownPath(path), m.key, expectedOf(m.kind, m.rangeTag))
		}
	}
	_, err := f.in.Token()
	return err
}

// key reads the name of a member; an object may have it only once.
func (f *form) key(path string, seen map[string]int) (string, error) {
	at := f.at()
	token, err := f.in.Token()
	if err != nil {
		return "", f.errorf(at, "%v", err)
	}
	key, _ := token.(string)
	if first, is := seen[key]; is {
		line, _ := position(f.text, first)
		return "", f.errorf(at, "%s has %s twice, first in line %d, expected it once", shownPath(path), Quoted(key), line)
	}
	seen[key] = at
	return key, nil
}

// items checks an object whose members are the items of a list by their names.
func (f *form) items(path string, t reflect.Type) error {
	item := t.Elem()
	if item == reflect.TypeFor[AttributeDeciles]() {
		item = reflect.TypeFor[[]Decile]()
	}
	seen := map[string]int{}
	for f.in.More() {
		key, err := f.key(path, seen)
		if err == nil {
			err = f.value(join(path, key), item, "")
		}
		if err != nil {
			return err
		}
	}
	_, err := f.in.Token()
	return err
}

func (f *form) list(path string, t reflect.Type) error {
	for i := 0; f.in.More(); i++ {
		if err := f.value(join(path, strconv.Itoa(i)), t.Elem(), ""); err != nil {
			return err
		}
	}
	_, err := f.in.Token()
	return err
}

// shownPath describes a path of keys for a message.
func shownPath(path string) string {
	if path == "" {
		return "the summary"
	}
	return path
}

// formMember is a key that an object has.
type formMember struct {
	key      string
	kind     reflect.Type
	optional bool
	rangeTag string
}

// membersOf lists the keys of a struct in JSON.
func membersOf(t reflect.Type) []formMember {
	var list []formMember
	for i := range t.NumField() {
		field := t.Field(i)
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case key == "" && field.Anonymous:
			list = append(list, membersOf(field.Type)...)
		case key != "" && key != "-":
			list = append(list, formMember{key, field.Type, options == "omitempty", field.Tag.Get("range")})
		}
	}
	return list
}

// isObject reports whether a list is an object in JSON, see Object.
func isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Implements(reflect.TypeFor[json.Marshaler]())
}

// fits reports whether a text, a boolean or a number is a possible value of a run.
func fits(token json.Token, t reflect.Type, rangeTag string) bool {
	switch token := token.(type) {
	case string:
		return t.Kind() == reflect.String
	case bool:
		return t.Kind() == reflect.Bool
	case json.Number:
		x, err := token.Float64()
		low, high := rangeOf(t, rangeTag)
		return err == nil && isNumber(t) && x >= low && x <= high
	}
	return false
}

// rangeOf returns the bounds of a number of a result. Values of attributes, scores and ends of
// intervals are unbounded, except that distances have the tag range "from 0". Shares of seats
// have it too: seats that are taken again during a match can make the share exceed 1.
func rangeOf(t reflect.Type, rangeTag string) (low, high float64) {
	const most = 1e300
	switch {
	case rangeTag == "from 0":
		return 0, most
	case t == reflect.TypeFor[Degrees](), t == reflect.TypeFor[Value]():
		return -most, most
	case t == reflect.TypeFor[Share]():
		return 0, 1
	}
	return 0, most
}

// expectedOf describes the expected value of a key for messages.
func expectedOf(t reflect.Type, rangeTag string) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.String:
		return "a text"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Struct, isObject(t):
		return "an object"
	case t.Kind() == reflect.Slice:
		return "a list"
	}
	low, high := rangeOf(t, rangeTag)
	switch {
	case low < 0:
		return "a number"
	case high == 1:
		return "a share from 0 to 1"
	case t == reflect.TypeFor[Seconds]():
		return "seconds from 0"
	case t == reflect.TypeFor[Millis]():
		return "milliseconds from 0"
	}
	return "a number from 0"
}

// tokenText formats a value for a message.
func tokenText(token json.Token) string {
	switch token := token.(type) {
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "a list"}[token]
	case string:
		return Quoted(token)
	}
	return fmt.Sprint(token)
}
