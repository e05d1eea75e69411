package flexmatch

import (
	"fmt"
	"strings"

	"mmsim/matcher/dialect/jsontree"
)

// unknown reports JSON members that are not in the schema.
func (c *compiler) unknown(o *jsontree.Object) {
	for _, m := range o.Rest() {
		if c.Strict {
			c.problems.MemberErrorf(m, "%s: unknown member, expected one of %s", o.Label(m.Name), strings.Join(o.Asked(), ", "))
		} else {
			o.Warnf(m.Value, m.Name, "unknown member, ignored")
		}
	}
}

// entries returns the elements of a list of objects. In messages, an element has its index as a
// name until its real name has been read.
func (c *compiler) entries(o *jsontree.Object, member string) []*jsontree.Object {
	var list []*jsontree.Object
	elements := o.List(member)
	if len(elements) > entriesMax {
		c.problems.Errorf(elements[entriesMax], "%s: got %d entries, expected at most %d", o.Label(member), len(elements), entriesMax)
		return nil
	}
	for i, v := range elements {
		if entry, ok := c.problems.Object(v, fmt.Sprintf("%s[%d]", member, i)); ok {
			list = append(list, entry)
		}
	}
	return list
}

// name reads the required name of an entry. The name must not be in seen.
func (c *compiler) name(o *jsontree.Object, seen map[string]bool) string {
	name := o.Text("name")
	v, ok := o.Get("name")
	switch {
	case !ok || v.Kind() != jsontree.Text:
	case name == "" || strings.ContainsAny(name, "[](),*\t\r\n") || strings.TrimSpace(name) != name:
		o.Misfit(v, "name", "a name without commas, asterisks, brackets, line breaks, and spaces at its ends")
	case seen[name]:
		o.Misfit(v, "name", "a unique name")
	}
	seen[name] = true
	return name
}

// oneOf reads a text that must be one of among. If the JSON member is absent, oneOf returns
// fallback. If fallback is empty, an absent member is an error.
func oneOf(o *jsontree.Object, member, fallback string, among ...string) string {
	v, ok := o.Get(member)
	expected := "one of " + strings.Join(among, ", ")
	if !ok {
		if fallback == "" {
			o.Missing(member, expected)
		}
		return fallback
	}
	for _, text := range among {
		if v.Text() == text && text != "" {
			return text
		}
	}
	o.Misfit(v, member, expected)
	return fallback
}
