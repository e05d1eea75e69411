package jsontree

import (
	"fmt"
	"math"
	"slices"
)

// Object reads the members of a JSON object by name. If a member is missing or has the wrong type,
// the Object records an error in its Problems and returns a zero value. Check [Problems.Err] before
// you use the result. A member that is null counts as absent.
type Object struct {
	Value    Value
	problems *Problems
	label    string   // prefix of a member's name in messages, such as `rule "Skill": `, or ""
	taken    []bool   // by member index: whether the member was read
	asked    []string // names that were read, whether present or not
}

// Object returns a reader for v. The second parameter is the name of the object in messages, such
// as `rule "Skill"`, and may be empty. If v is not an object, Object records an error and returns
// false.
func (p *Problems) Object(v Value, label string) (*Object, bool) {
	prefix := label
	if label != "" {
		prefix += ": "
	}
	if v.kind != Struct {
		p.Errorf(v, "%sgot %v, expected an object", prefix, v)
		return nil, false
	}
	return &Object{Value: v, problems: p, label: prefix, taken: make([]bool, len(v.members))}, true
}

// Get returns the value of the member with the given name. It returns false if the member is absent
// or null.
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

// Has reports whether a member is present and not null. It does not mark the member as read.
func (o *Object) Has(name string) bool {
	_, ok := o.Value.Member(name)
	return ok
}

// Asked returns the names that were read, in the order of the calls. Messages about unknown members
// list these names as expected.
func (o *Object) Asked() []string { return o.asked }

// Rest returns the members that were not read, in the order of the text.
func (o *Object) Rest() []Member {
	var rest []Member
	for i, taken := range o.taken {
		if !taken {
			rest = append(rest, o.Value.members[i])
		}
	}
	return rest
}

// Missing records an error about a required member that is absent.
func (o *Object) Missing(name, expected string) {
	o.problems.Errorf(o.Value, "%s%s: missing, expected %s", o.label, name, expected)
}

// Misfit records an error about the value v of a member, which is not as expected.
func (o *Object) Misfit(v Value, name, expected string) {
	o.problems.Errorf(v, "%s%s: got %v, expected %s", o.label, name, v, expected)
}

// Warnf records a warning about a member.
func (o *Object) Warnf(v Value, name, format string, args ...any) {
	o.problems.Warnf(v, "%s%s: %s", o.label, name, fmt.Sprintf(format, args...))
}

// Label returns the name of a member for messages, such as `rule "Skill": Weight`.
func (o *Object) Label(name string) string { return o.label + name }

// require is like Get, but records an error if the member is absent.
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

// TextOr returns a text, or fallback if it is absent.
func (o *Object) TextOr(name, fallback string) string {
	if _, ok := o.Get(name); !ok {
		return fallback
	}
	return o.Text(name)
}

// BoolOr returns a boolean, or fallback if it is absent.
func (o *Object) BoolOr(name string, fallback bool) bool {
	v, ok := o.Get(name)
	if !ok {
		return fallback
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

// FloatOr returns a number, or fallback if it is absent.
func (o *Object) FloatOr(name string, fallback float64) float64 {
	if _, ok := o.Get(name); !ok {
		return fallback
	}
	return o.Float(name)
}

// wholeExpected describes the range of an unsigned 32-bit number.
const wholeExpected = "a whole number from 0 to 4294967295"

// Whole returns a required unsigned 32-bit number. It also accepts the notation 10.0.
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

// WholeOr returns an unsigned 32-bit number, or fallback if it is absent.
func (o *Object) WholeOr(name string, fallback uint32) uint32 {
	if _, ok := o.Get(name); !ok {
		return fallback
	}
	return o.Whole(name)
}

// List returns the elements of a list, or nil if the member is absent.
func (o *Object) List(name string) []Value {
	v, ok := o.Get(name)
	if ok && v.kind != List {
		o.Misfit(v, name, "a list")
	}
	return v.Elements()
}

// Object returns a reader for a member that is an object. It returns false if the member is absent
// or is not an object.
func (o *Object) Object(name string) (*Object, bool) {
	v, ok := o.Get(name)
	if !ok {
		return nil, false
	}
	return o.problems.Object(v, o.label+name)
}
