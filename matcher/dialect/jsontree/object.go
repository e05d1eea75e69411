package jsontree

import (
	"fmt"
	"math"
	"slices"
)

// Object reads the members of a JSON object by name. What is missing or of the
// wrong type is recorded in its Problems, and the reading goes on with a zero
// value: check [Problems.Err] before using the result. A member that is null
// counts as absent.
type Object struct {
	Value    Value
	problems *Problems
	what     string   // precedes the member in messages: `rule "Skill": `; may be empty
	taken    []bool   // per member: somebody asked for it
	asked    []string // names asked for, there or not
}

// Object reads v as an object; what names it in messages, such as `rule "Skill"`,
// and may be empty. It records an error and returns false where v is none.
func (p *Problems) Object(v Value, what string) (*Object, bool) {
	prefix := what
	if what != "" {
		prefix += ": "
	}
	if v.kind != Struct {
		p.Errorf(v, "%sgot %v, expected an object", prefix, v)
		return nil, false
	}
	return &Object{Value: v, problems: p, what: prefix, taken: make([]bool, len(v.members))}, true
}

// Get returns the value under a name; false when it is absent or null.
func (o *Object) Get(name string) (Value, bool) {
	if !slices.Contains(o.asked, name) {
		o.asked = append(o.asked, name)
	}
	for i := range o.Value.members {
		if m := &o.Value.members[i]; m.Name == name {
			o.taken[i] = true
			return m.Value, m.Value.kind != Null
		}
	}
	return Value{}, false
}

// Has tells whether a member is there and not null. It does not count as asking.
func (o *Object) Has(name string) bool {
	_, ok := o.Value.Member(name)
	return ok
}

// Asked returns the names that were asked for, in their order: what the reader
// knows.
func (o *Object) Asked() []string { return o.asked }

// Rest returns the members that nobody asked for, in their order.
func (o *Object) Rest() []Member {
	var rest []Member
	for i, taken := range o.taken {
		if !taken {
			rest = append(rest, o.Value.members[i])
		}
	}
	return rest
}

// Missing records that a required member is absent.
func (o *Object) Missing(name, expected string) {
	o.problems.Errorf(o.Value, "%s%s: missing, expected %s", o.what, name, expected)
}

// Misfit records that the value v of a member is not what was expected.
func (o *Object) Misfit(v Value, name, expected string) {
	o.problems.Errorf(v, "%s%s: got %v, expected %s", o.what, name, v, expected)
}

// Warnf records a warning about a member.
func (o *Object) Warnf(v Value, name, format string, args ...any) {
	o.problems.Warnf(v, "%s%s: %s", o.what, name, fmt.Sprintf(format, args...))
}

// What returns how messages call a member of the object: `rule "Skill": Weight`.
func (o *Object) What(name string) string { return o.what + name }

// require is Get for a member that must be there.
func (o *Object) require(name, expected string) (Value, bool) {
	v, ok := o.Get(name)
	if !ok {
		o.Missing(name, expected)
	}
	return v, ok
}

// Text returns a required text.
func (o *Object) Text(name string) string {
	v, ok := o.require(name, "a text")
	if ok && v.kind != Text {
		o.Misfit(v, name, "a text")
	}
	return v.Text()
}

// TextOr returns a text, or otherwise where it is absent.
func (o *Object) TextOr(name, otherwise string) string {
	if _, ok := o.Get(name); !ok {
		return otherwise
	}
	return o.Text(name)
}

// BoolOr returns a truth value, or otherwise where it is absent.
func (o *Object) BoolOr(name string, otherwise bool) bool {
	v, ok := o.Get(name)
	if !ok {
		return otherwise
	}
	if v.kind != Bool {
		o.Misfit(v, name, "true or false")
	}
	return v.Bool()
}

// Float returns a required number.
func (o *Object) Float(name string) float64 {
	v, ok := o.require(name, "a number")
	if !ok {
		return 0
	}
	f, ok := v.Float()
	if !ok {
		o.Misfit(v, name, "a number")
	}
	return f
}

// FloatOr returns a number, or otherwise where it is absent.
func (o *Object) FloatOr(name string, otherwise float64) float64 {
	if _, ok := o.Get(name); !ok {
		return otherwise
	}
	return o.Float(name)
}

// wholeExpected words the range of an unsigned 32-bit number.
const wholeExpected = "a whole number from 0 to 4294967295"

// Whole returns a required unsigned 32-bit number; 10.0 is one.
func (o *Object) Whole(name string) uint32 {
	v, ok := o.require(name, wholeExpected)
	if !ok {
		return 0
	}
	n, ok := v.Whole(math.MaxUint32)
	if !ok {
		o.Misfit(v, name, wholeExpected)
	}
	return n
}

// WholeOr returns an unsigned 32-bit number, or otherwise where it is absent.
func (o *Object) WholeOr(name string, otherwise uint32) uint32 {
	if _, ok := o.Get(name); !ok {
		return otherwise
	}
	return o.Whole(name)
}

// List returns the elements of a list, nothing where it is absent.
func (o *Object) List(name string) []Value {
	v, ok := o.Get(name)
	if ok && v.kind != List {
		o.Misfit(v, name, "a list")
	}
	return v.Elements()
}

// Object returns the reader of a member that is an object; false where it is
// absent or none.
func (o *Object) Object(name string) (*Object, bool) {
	v, ok := o.Get(name)
	if !ok {
		return nil, false
	}
	return o.problems.Object(v, o.what+name)
}
