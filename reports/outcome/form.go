package outcome

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// form reads JSON text by a schema. encoding/json would let a gate pass by mistake: it reads a missing
// key as 0, uses the second of two equal keys, ignores letter case, and accepts a negative wait. Keys
// that this version does not write are ignored.
type form struct {
	file string // with which messages begin
	text []byte
	in   *jsontext.Decoder
}

// ReadForm reads a JSON file that must have the form in which WriteJSON writes a T: every key that is
// always written is present once, with a possible value. version is what the key "schema" must be. An
// error begins with the name of the file, then the line and column if they are known.
func ReadForm[T any](file string, text []byte, version int) (*T, error) {
	n := &node{of: reflect.TypeFor[T]()}
	n.grow(false)
	into := new(T)
	return into, readForm(file, text, version, n, reflect.ValueOf(into).Elem())
}

// readForm reads the value of a schema.
func readForm(file string, text []byte, version int, schema *node, into reflect.Value) error {
	in := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	f := &form{file, text, in}
	var head struct{ Schema any }
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, &head); errors.As(err, &syntax) { // f finds other errors
		return f.errorf(max(0, int(syntax.Offset)-1), "the text is not valid JSON: %v", err)
	}
	if got, is := head.Schema.(float64); is && got != float64(version) {
		return fmt.Errorf("%s: \"schema\" is %v, want %d: make the result again with this version", file, got, version)
	}
	return f.value("", schema, into)
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
	return fmt.Errorf("%s:%d:%d: %s", f.file, line, column, fmt.Sprintf(format, values...))
}

// position returns the line and the column of an offset. Both count from 1.
func position(text []byte, offset int) (line, column int) {
	before := text[:offset]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// value reads the value of a node into v. A statistic may be null, and so may a pointer that the file
// does not omit.
func (f *form) value(path string, n *node, v reflect.Value) error {
	at := f.at()
	token, err := f.in.ReadToken()
	if err != nil {
		return f.errorf(at, "%v", err)
	}
	if n.isPointer && (token.Kind() != jsontext.KindNull || n.mayBeUnmeasured()) {
		v.Set(reflect.New(n.of))
		v = v.Elem()
	}
	if token.Kind() == jsontext.KindNull {
		switch {
		case n.mayBeUnmeasured():
			v.SetFloat(math.NaN())
		case n.isPointer && !n.isOptional, n.of.Kind() == reflect.Slice && !n.hasBlocks(): // null stands for an empty list
		default:
			return f.errorf(at, "%s is null, expected %s", shownPath(path), n.expected())
		}
		return nil
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		if n.of.Kind() == reflect.Struct {
			return f.object(path, at, n, v)
		}
		if n.isObject() {
			return f.items(path, n, v, jsontext.KindEndObject)
		}
	case jsontext.KindBeginArray:
		if n.of.Kind() == reflect.Slice && !n.isObject() {
			return f.items(path, n, v, jsontext.KindEndArray)
		}
	}
	if !n.set(v, token) {
		return f.errorf(at, "%s is %s, expected %s", shownPath(path), tokenText(token), n.expected())
	}
	return nil
}

// object reads the members of an object into the block of a node.
func (f *form) object(path string, at int, n *node, block reflect.Value) error {
	known := n.members
	seen := map[string]int{}
	for f.in.PeekKind() != jsontext.KindEndObject {
		key, err := f.key(path, seen)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(known, func(m *node) bool { return strings.EqualFold(m.key, key) })
		if i < 0 {
			if err := f.in.SkipValue(); err != nil {
				return f.errorf(f.at(), "%v", err)
			}
			continue
		}
		if known[i].key != key { // it may be meant for the known key
			return f.errorf(seen[key], "%s has %q, expected %q", shownPath(path), key, known[i].key)
		}
		if err := f.value(join(path, key), known[i], block.FieldByIndex(known[i].index)); err != nil {
			return err
		}
	}
	for _, m := range known {
		if _, is := seen[m.key]; !is && !m.isOptional {
			return f.errorf(at, "%s has no %q, expected %s", shownPath(path), m.key, m.expected())
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

// items reads a list up to the token end: an array, or an object whose keys are the names of the items; see
// Object.
func (f *form) items(path string, n *node, list reflect.Value, end jsontext.Kind) error {
	list.Set(reflect.MakeSlice(n.of, 0, 0))
	seen := map[string]int{}
	for i := 0; f.in.PeekKind() != end; i++ {
		key, item := strconv.Itoa(i), reflect.New(n.of.Elem()).Elem()
		body := item
		if end == jsontext.KindEndObject {
			var err error
			if key, err = f.key(path, seen); err != nil {
				return err
			}
			var name *string
			name, body = memberOf(item)
			*name = key
		}
		if err := f.value(join(path, key), n.items[0].item, body); err != nil {
			return err
		}
		list.Set(reflect.Append(list, item))
	}
	_, err := f.in.ReadToken()
	return err
}

// shownPath returns path as messages show it. The empty path is the whole file.
func shownPath(path string) string { return cmp.Or(path, "the file") }

// mayBeUnmeasured reports whether the node is a statistic, which describes nobody if its base is 0, or
// another number that may be missing.
func (n *node) mayBeUnmeasured() bool {
	return n.of == reflect.TypeFor[Optional]() || n.isMetric && n.Base != "" && n.of.Kind() == reflect.Float64 && n.of != reflect.TypeFor[Count]()
}

// set sets v to a string, boolean or number. It returns false if no run can have written it.
func (n *node) set(v reflect.Value, token jsontext.Token) bool {
	switch kind := token.Kind(); {
	case kind == jsontext.KindString && v.Kind() == reflect.String:
		v.SetString(token.String())
		words := n.words()
		return words == nil || slices.Contains(words, token.String())
	case (kind == jsontext.KindTrue || kind == jsontext.KindFalse) && v.Kind() == reflect.Bool:
		v.SetBool(token.Bool())
	case kind == jsontext.KindNumber && isNumber(n.of):
		return n.setNumber(v, token.String())
	default:
		return false
	}
	return true
}

func (n *node) setNumber(v reflect.Value, text string) bool {
	var err error
	switch {
	case v.CanInt():
		var whole int64
		whole, err = strconv.ParseInt(text, 10, 64)
		v.SetInt(whole)
		return err == nil && whole >= 0
	case v.CanUint():
		var whole uint64
		whole, err = strconv.ParseUint(text, 10, 64)
		v.SetUint(whole)
		return err == nil
	}
	x, err := strconv.ParseFloat(text, 64)
	v.SetFloat(x)
	low, high := n.limits()
	return err == nil && x >= low && x <= high
}

// limits returns the bounds of a number. The tag range "from 0" excludes negative values. It also removes
// the upper bound 1 of a share: matches can have more players than seats if seats are taken again.
func (n *node) limits() (low, high float64) {
	if n.bounds == "from 0" {
		return 0, endless
	}
	q := quantityOf(n.of)
	return q.low, q.high
}

// words lists the texts that the node allows, which are those of its type. It is nil if any text is allowed.
func (n *node) words() []string {
	if of, is := reflect.Zero(n.of).Interface().(interface{ Words() []string }); is {
		return of.Words()
	}
	return nil
}

// expected describes the values that a node allows, for a message.
func (n *node) expected() string {
	switch words := n.words(); {
	case words != nil:
		return `"` + strings.Join(words, `", "`) + `"`
	case n.of.Kind() == reflect.String:
		return "a text"
	case n.of.Kind() == reflect.Bool:
		return "true or false"
	case n.of.Kind() == reflect.Struct, n.isObject():
		return "an object"
	case n.of.Kind() == reflect.Slice:
		return "a list"
	}
	switch low, high := n.limits(); {
	case n.of.Kind() != reflect.Float64:
		return "a whole number from 0"
	case low < 0:
		return "a number"
	case high == 1:
		return "a share from 0 to 1"
	case n.of == reflect.TypeFor[Share]():
		return "a number from 0"
	}
	return quantityOf(n.of).noun + " from 0"
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
