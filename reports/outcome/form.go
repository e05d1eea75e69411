package outcome

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
	return f.value("", schema())
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

// value checks the value at path, which will be decoded into the value of a node. A pointer may be
// null, unless the file omits it.
func (f *form) value(path string, n *node) error {
	at := f.at()
	token, err := f.in.ReadToken()
	if err != nil {
		return f.errorf(at, "%v", err)
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		if n.of.Kind() == reflect.Struct {
			return f.object(path, at, n)
		}
		if n.isObject() {
			return f.items(path, n)
		}
	case jsontext.KindBeginArray:
		if n.of.Kind() == reflect.Slice && !n.isObject() {
			return f.list(path, n)
		}
	case jsontext.KindNull:
		if n.isPointer && !n.isOptional || n.of == reflect.TypeFor[[]string]() { // null stands for an empty list of texts
			return nil
		}
		return f.errorf(at, "%s is null, expected %s", shownPath(path), n.expected())
	}
	if !n.fits(token) {
		return f.errorf(at, "%s is %s, expected %s", shownPath(path), tokenText(token), n.expected())
	}
	return nil
}

// object checks the members of an object that will be decoded into the block of a node.
func (f *form) object(path string, at int, n *node) error {
	known := n.written(false, nil)
	seen := map[string]int{}
	for f.in.PeekKind() != jsontext.KindEndObject {
		key, err := f.key(path, seen)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(known, func(m member) bool { return strings.EqualFold(m.key, key) })
		if i < 0 {
			if err := f.in.SkipValue(); err != nil {
				return f.errorf(f.at(), "%v", err)
			}
			continue
		}
		if known[i].key != key { // an error, because the decoder would ignore the letter case
			return f.errorf(seen[key], "%s has %q, expected %q", shownPath(path), key, known[i].key)
		}
		if err := f.value(join(path, key), known[i].node); err != nil {
			return err
		}
	}
	for _, m := range known {
		if _, is := seen[m.key]; !is && !m.mayMiss {
			return f.errorf(at, "%s has no %q, expected %s", shownPath(path), m.key, m.expected())
		}
	}
	_, err := f.in.ReadToken()
	return err
}

// A member is a key that an object may have.
type member struct {
	*node
	mayMiss bool
}

// written adds the members of a block's object. Those of an embedded pointer may be missing.
func (n *node) written(mayMiss bool, list []member) []member {
	for _, m := range n.members {
		if m.key == "" {
			list = m.written(mayMiss || m.isPointer, list)
		} else {
			list = append(list, member{m, mayMiss || m.isOptional})
		}
	}
	return list
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
func (f *form) items(path string, n *node) error {
	seen := map[string]int{}
	for f.in.PeekKind() != jsontext.KindEndObject {
		key, err := f.key(path, seen)
		if err == nil {
			err = f.value(join(path, key), n.items[0].item)
		}
		if err != nil {
			return err
		}
	}
	_, err := f.in.ReadToken()
	return err
}

func (f *form) list(path string, n *node) error {
	for i := 0; f.in.PeekKind() != jsontext.KindEndArray; i++ {
		if err := f.value(join(path, strconv.Itoa(i)), n.items[0].item); err != nil {
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

// fits reports whether token can be a value of the node that a run has written. token is a string,
// boolean or number.
func (n *node) fits(token jsontext.Token) bool {
	switch token.Kind() {
	case jsontext.KindString:
		return n.of.Kind() == reflect.String
	case jsontext.KindTrue, jsontext.KindFalse:
		return n.of.Kind() == reflect.Bool
	case jsontext.KindNumber:
		x, err := strconv.ParseFloat(token.String(), 64)
		low, high := n.limits()
		return err == nil && isNumber(n.of) && x >= low && x <= high
	}
	return false
}

// limits returns the bounds of a number. Values of attributes, scores and ends of intervals have
// no bounds, but the tag range "from 0" excludes negative ones. The tag also removes the upper
// bound 1 of a share: matches can have more players than seats if seats are taken again.
func (n *node) limits() (low, high float64) {
	const most = 1e300
	switch {
	case n.bounds == "from 0":
		return 0, most
	case n.of == reflect.TypeFor[Degrees](), n.of == reflect.TypeFor[Value]():
		return -most, most
	case n.of == reflect.TypeFor[Share]():
		return 0, 1
	}
	return 0, most
}

// expected describes the values that a node allows, for a message.
func (n *node) expected() string {
	switch {
	case n.of.Kind() == reflect.String:
		return "a text"
	case n.of.Kind() == reflect.Bool:
		return "true or false"
	case n.of.Kind() == reflect.Struct, n.isObject():
		return "an object"
	case n.of.Kind() == reflect.Slice:
		return "a list"
	}
	low, high := n.limits()
	switch {
	case low < 0:
		return "a number"
	case high == 1:
		return "a share from 0 to 1"
	case n.of == reflect.TypeFor[Seconds]():
		return "seconds from 0"
	case n.of == reflect.TypeFor[Millis]():
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
