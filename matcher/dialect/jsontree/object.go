package jsontree

import (
	"fmt"
	"slices"
	"strings"
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
	o := &Object{Value: v, problems: p, taken: make([]bool, len(v.members))}
	o.Relabel(label)
	if v.kind != Struct {
		p.Errorf(v, "%sgot %v, expected an object", o.label, v)
		return nil, false
	}
	if p.FoldCase {
		o.checkFolded()
	}
	return o, true
}

// checkFolded records errors about members whose names differ only in letter case.
func (o *Object) checkFolded() {
	names := make(map[string]string, len(o.Value.members))
	for _, m := range o.Value.members {
		folded := strings.ToLower(m.Name)
		if first, twice := names[folded]; twice {
			o.problems.MemberErrorf(m, "%s%s: the key %q is already in this object, and letter case is ignored", o.label, m.Name, first)
		}
		names[folded] = m.Name
	}
}

// Relabel sets the name of the object in messages, for example once the text that names it has been
// read.
func (o *Object) Relabel(label string) {
	if o.label = label; label != "" {
		o.label += ": "
	}
}

// Get returns the value of the member with the given name. It returns false if the member is absent
// or null.
func (o *Object) Get(name string) (Value, bool) {
	if !slices.Contains(o.asked, name) {
		o.asked = append(o.asked, name)
	}
	if i := o.find(name); i >= 0 {
		o.taken[i] = true
		v := o.Value.members[i].Value
		return v, v.kind != Null
	}
	return Value{}, false
}

// find returns the index of the member with the given name, or -1 if there is none.
func (o *Object) find(name string) int {
	return slices.IndexFunc(o.Value.members, func(m Member) bool {
		return m.Name == name || o.problems.FoldCase && strings.EqualFold(m.Name, name)
	})
}

// Has reports whether a member is present and not null. It does not mark the member as read.
func (o *Object) Has(name string) bool {
	i := o.find(name)
	return i >= 0 && o.Value.members[i].Value.kind != Null
}

// Ignore marks members as read that are in the format but have no effect.
func (o *Object) Ignore(names ...string) {
	for _, name := range names {
		o.Get(name)
	}
}

// Forbid records an error if a member is present. why is the reason after "because".
func (o *Object) Forbid(name, why string) {
	if v, ok := o.Get(name); ok {
		o.Misfit(v, name, "none, because "+why)
	}
}

// Ineffective warns if a member is present. why is the reason after "because" for which it has no
// effect.
func (o *Object) Ineffective(name, why string) {
	if v, ok := o.Get(name); ok {
		o.Warnf(v, name, "ignored, because %s", why)
	}
}

// Done reports the members that were not read, which are unknown to the format. They are errors if
// Format.Strict is set, and warnings otherwise. Exports contain null for members that are not set,
// so Done does not report a null.
func (o *Object) Done() { o.done(o.problems.Strict) }

// DoneStrict is like Done, but unknown members are always errors.
func (o *Object) DoneStrict() { o.done(true) }

func (o *Object) done(strict bool) {
	for _, m := range o.Rest() {
		switch {
		case m.Value.kind == Null:
		case strict:
			o.problems.MemberErrorf(m, "%s%s: unknown key, expected one of %s", o.label, m.Name, strings.Join(o.asked, ", "))
		default:
			o.Warnf(m.Value, m.Name, "unknown key, ignored")
		}
	}
}

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

// Unique returns a required text that must be neither empty nor in seen, and adds it to seen.
func (o *Object) Unique(name string, seen map[string]bool) string {
	text := o.Text(name)
	switch v, ok := o.Get(name); {
	case !ok || v.kind != Text:
	case text == "":
		o.Misfit(v, name, "a text that is not empty")
	case seen[text]:
		o.Misfit(v, name, "a unique "+name)
	}
	seen[text] = true
	return text
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

// OneOf returns a required text that must be one of words. It returns "" if there is an error.
func (o *Object) OneOf(name string, words ...string) string {
	expected := "one of " + strings.Join(words, ", ")
	v, ok := o.require(name, expected)
	if ok && (v.kind != Text || !slices.Contains(words, v.text)) {
		o.Misfit(v, name, expected)
		return ""
	}
	return v.Text()
}

// OneOfOr is like OneOf for an optional text. If it is absent, OneOfOr returns fallback.
func (o *Object) OneOfOr(name, fallback string, words ...string) string {
	if _, ok := o.Get(name); !ok {
		return fallback
	}
	return o.OneOf(name, words...)
}

// Number returns a required number.
func (o *Object) Number(name string, l Limits) float64 {
	v, ok := o.require(name, l.String())
	if !ok {
		return l.nearest0()
	}
	return o.problems.Number(v, o.label+name, l)
}

// NumberOr returns a number, or fallback if it is absent.
func (o *Object) NumberOr(name string, fallback float64, l Limits) float64 {
	if _, ok := o.Get(name); !ok {
		return fallback
	}
	return o.Number(name, l)
}

// Float returns a required number of any size.
func (o *Object) Float(name string) float64 { return o.Number(name, AnyNumber) }

// Whole returns a required unsigned 32-bit number. It also accepts the notation 10.0.
func (o *Object) Whole(name string) uint32 { return uint32(o.Number(name, Unsigned)) }

// List returns the elements of a list, or nil if the member is absent.
func (o *Object) List(name string) []Value {
	v, ok := o.Get(name)
	if ok && v.kind != List {
		o.Misfit(v, name, "a list")
	}
	return v.Elements()
}

// Texts returns the elements of a list of texts, or nil if the member is absent.
func (o *Object) Texts(name string) []string {
	v, ok := o.Get(name)
	texts, odd, fits := v.Texts()
	if ok && !fits {
		o.Misfit(odd, name, "a list of texts")
	}
	return texts
}

// Entries returns readers for the elements of a list of objects, or nil if the member is absent. The
// name of an element in messages ends with its index. A list of more than most elements is an error.
func (o *Object) Entries(name string, most int) []*Object {
	list := o.List(name)
	if len(list) > most {
		o.problems.Errorf(list[most], "%s%s: got %d entries, expected at most %d", o.label, name, len(list), most)
		return nil
	}
	var entries []*Object
	for i, v := range list {
		if entry, ok := o.problems.Object(v, fmt.Sprintf("%s%s[%d]", o.label, name, i)); ok {
			entries = append(entries, entry)
		}
	}
	return entries
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

// RequireObject is like Object, but an absent member is an error.
func (o *Object) RequireObject(name, expected string) (*Object, bool) {
	if _, ok := o.require(name, expected); !ok {
		return nil, false
	}
	return o.Object(name)
}
