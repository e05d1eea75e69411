package outcome

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// form checks a summary.json key by key before it is decoded. encoding/json alone would let a
// gate pass by mistake: it reads a missing key or null as 0, uses the second of two equal keys,
// ignores letter case, and accepts a negative wait. Keys that this version does not write are
// ignored.
type form struct {
	text []byte
	in   *jsontext.Decoder
}

// checkForm checks that valid JSON text has the form that Summary.Write writes. An error begins
// with file, line and column.
func checkForm(text []byte) error {
	in := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	f := &form{text, in}
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

// errorf returns an error that begins with the file, and the line and column of the offset at.
func (f *form) errorf(at int, format string, values ...any) error {
	line, column := position(f.text, at)
	return fmt.Errorf("%s:%d:%d: %s", SummaryFile, line, column, fmt.Sprintf(format, values...))
}

// position returns the line and the column of an offset. Both count from 1.
func position(text []byte, offset int) (line, column int) {
	before := text[:offset]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// value checks the value at path, which will be decoded into the type t. rangeTag is the range tag
// of its field; see rangeOf. A pointer may be null.
func (f *form) value(path string, t reflect.Type, rangeTag string) error {
	mayBeNull := t.Kind() == reflect.Pointer
	if mayBeNull {
		t = t.Elem()
	}
	at := f.at()
	token, err := f.in.ReadToken()
	if err != nil {
		return f.errorf(at, "%v", err)
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		if t.Kind() == reflect.Struct {
			return f.object(path, at, t)
		}
		if isObject(t) {
			return f.items(path, t)
		}
	case jsontext.KindBeginArray:
		if t.Kind() == reflect.Slice && !isObject(t) {
			return f.list(path, t)
		}
	case jsontext.KindNull:
		if mayBeNull || t == reflect.TypeFor[[]string]() { // null stands for an empty list of texts
			return nil
		}
		return f.errorf(at, "%s is null, expected %s", shownPath(path), expectedOf(t, rangeTag))
	}
	if !fits(token, t, rangeTag) {
		return f.errorf(at, "%s is %s, expected %s", shownPath(path), tokenText(token), expectedOf(t, rangeTag))
	}
	return nil
}

// object checks the members of an object that will be decoded into the struct type t.
func (f *form) object(path string, at int, t reflect.Type) error {
	known := membersOf(t)
	seen := map[string]int{}
	for f.in.PeekKind() != jsontext.KindEndObject {
		key, err := f.key(path, seen)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(known, func(m formMember) bool { return strings.EqualFold(m.key, key) })
		if i < 0 {
			if err := f.in.SkipValue(); err != nil {
				return f.errorf(f.at(), "%v", err)
			}
			continue
		}
		if known[i].key != key { // an error, because the decoder would ignore the letter case
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
	_, err := f.in.ReadToken()
	return err
}

// key reads the next key of an object. seen has the earlier keys with their offsets. A key that is
// already in seen is an error.
func (f *form) key(path string, seen map[string]int) (string, error) {
	at := f.at()
	token, err := f.in.ReadToken()
	if err != nil {
		return "", f.errorf(at, "%v", err)
	}
	key := token.String()
	if first, is := seen[key]; is {
		line, _ := position(f.text, first)
		return "", f.errorf(at, "%s has %s twice, first in line %d, expected it once", shownPath(path), Quoted(key), line)
	}
	seen[key] = at
	return key, nil
}

// items checks an object whose keys are the names of list items; see Object.
func (f *form) items(path string, t reflect.Type) error {
	item := t.Elem()
	if item == reflect.TypeFor[AttributeDeciles]() {
		item = reflect.TypeFor[[]Decile]()
	}
	seen := map[string]int{}
	for f.in.PeekKind() != jsontext.KindEndObject {
		key, err := f.key(path, seen)
		if err == nil {
			err = f.value(join(path, key), item, "")
		}
		if err != nil {
			return err
		}
	}
	_, err := f.in.ReadToken()
	return err
}

func (f *form) list(path string, t reflect.Type) error {
	for i := 0; f.in.PeekKind() != jsontext.KindEndArray; i++ {
		if err := f.value(join(path, strconv.Itoa(i)), t.Elem(), ""); err != nil {
			return err
		}
	}
	_, err := f.in.ReadToken()
	return err
}

// shownPath returns path as messages show it. The empty path is the whole summary.
func shownPath(path string) string {
	if path == "" {
		return "the summary"
	}
	return path
}

// formMember is a key that the JSON object of a struct has.
type formMember struct {
	key      string
	kind     reflect.Type
	optional bool
	rangeTag string
}

// membersByType has the keys of each type, because reading tags takes long.
var membersByType sync.Map

// membersOf lists the JSON keys of a struct. Those of an embedded pointer are optional.
func membersOf(t reflect.Type) []formMember {
	if known, ok := membersByType.Load(t); ok {
		return known.([]formMember)
	}
	list := readMembers(t)
	membersByType.Store(t, list)
	return list
}

func readMembers(t reflect.Type) []formMember {
	var list []formMember
	for i := range t.NumField() {
		field := t.Field(i)
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case key == "" && field.Anonymous:
			for _, m := range membersOf(elem(field.Type)) {
				m.optional = m.optional || field.Type.Kind() == reflect.Pointer
				list = append(list, m)
			}
		case key != "" && key != "-":
			kind, optional := field.Type, options == "omitempty"
			if optional && kind.Kind() == reflect.Pointer { // it is left out instead of null
				kind = kind.Elem()
			}
			list = append(list, formMember{key, kind, optional, field.Tag.Get("range")})
		}
	}
	return list
}

// isObject reports whether t is a list that is written as an object; see Object.
func isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Implements(reflect.TypeFor[json.Marshaler]())
}

// fits reports whether token can be a value of the type t that a run has written. token is a
// string, boolean or number.
func fits(token jsontext.Token, t reflect.Type, rangeTag string) bool {
	switch token.Kind() {
	case jsontext.KindString:
		return t.Kind() == reflect.String
	case jsontext.KindTrue, jsontext.KindFalse:
		return t.Kind() == reflect.Bool
	case jsontext.KindNumber:
		x, err := strconv.ParseFloat(token.String(), 64)
		low, high := rangeOf(t, rangeTag)
		return err == nil && isNumber(t) && x >= low && x <= high
	}
	return false
}

// rangeOf returns the bounds of a number. Values of attributes, scores and ends of intervals have
// no bounds, but the tag range "from 0" excludes negative ones. The tag also removes the upper
// bound 1 of a share: matches can have more players than seats if seats are taken again.
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

// expectedOf describes the values that t allows, for a message.
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

// tokenText formats token for a message.
func tokenText(token jsontext.Token) string {
	switch kind := token.Kind(); kind {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return map[jsontext.Kind]string{'{': "an object", '[': "a list"}[kind]
	case jsontext.KindString:
		return Quoted(token.String())
	}
	return token.String()
}
