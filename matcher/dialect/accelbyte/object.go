package accelbyte

import (
	"fmt"
	"math"
	"strings"

	"mmsim/matcher/dialect/jsontree"
)

// numberMax is the largest number that the service accepts.
const numberMax = math.MaxInt32

// object reads a JSON object and ignores the letter case of its keys.
type object struct {
	*jsontree.Object
	c *compiler
}

func (c *compiler) object(v jsontree.Value, label string) (*object, bool) {
	o, ok := c.problems.Object(v, label)
	if !ok {
		return nil, false
	}
	keys := make(map[string]string, len(v.Members()))
	for _, m := range v.Members() {
		folded := strings.ToLower(m.Name)
		if first, twice := keys[folded]; twice {
			c.problems.MemberErrorf(m, "%s: the key %q is already in this object, and letter case is ignored", o.Label(m.Name), first)
		}
		keys[folded] = m.Name
	}
	return &object{o, c}, true
}

// member returns the value under a key, ignoring letter case. It returns false if the value is
// absent or null.
func member(v jsontree.Value, key string) (jsontree.Value, bool) {
	for _, m := range v.Members() {
		if strings.EqualFold(m.Name, key) {
			return m.Value, m.Value.Kind() != jsontree.Null
		}
	}
	return jsontree.Value{}, false
}

// get returns the value under a key.
func (o *object) get(key string) (jsontree.Value, bool) {
	for _, m := range o.Value.Members() {
		if strings.EqualFold(m.Name, key) {
			return o.Get(m.Name)
		}
	}
	return o.Get(key)
}

// either returns the value of a key that has two spellings, and the spelling found.
func (o *object) either(key, other string) (v jsontree.Value, found string) {
	v, ok := o.get(key)
	w, also := o.get(other)
	switch {
	case ok && also:
		o.misfit(w, other, "only one of "+key+" and "+other)
	case also:
		return w, other
	case !ok:
		return v, ""
	}
	return v, key
}

func (o *object) misfit(v jsontree.Value, key, expected string) { o.Misfit(v, key, expected) }

func (o *object) warnf(v jsontree.Value, key, format string, args ...any) {
	o.Warnf(v, key, format, args...)
}

// bool returns a boolean, or fallback if it is absent.
func (o *object) bool(key string, fallback bool) bool {
	v, ok := o.get(key)
	if !ok {
		return fallback
	}
	if v.Kind() != jsontree.Bool {
		o.misfit(v, key, "true or false")
	}
	return v.Bool()
}

// whole returns a whole number from least to numberMax. It returns false if the key is absent.
func (o *object) whole(key string, least int) (int, bool) {
	v, ok := o.get(key)
	if !ok {
		return 0, false
	}
	n, fits := v.Float()
	if o.c.followsService() && strings.ContainsAny(v.String(), ".eE") { // the service accepts 10, but not 10.0 or 1e1
		fits = false
	}
	if !fits || n != math.Trunc(n) || n < float64(least) || n > numberMax {
		o.misfit(v, key, fmt.Sprintf("a whole number from %d to %d", least, numberMax))
		return least, true
	}
	return int(n), true
}

// number returns v, the value of key, as a number from 0 to most. If ok is false, it returns
// fallback.
func (o *object) number(v jsontree.Value, ok bool, key string, fallback, most float64) float64 {
	if !ok {
		return fallback
	}
	n, fits := v.Float()
	if !fits || n < 0 || n > most {
		o.misfit(v, key, fmt.Sprintf("a number from 0 to %.0f", most))
		return fallback
	}
	return n
}

// list returns the elements of a list, or nil if the key is absent.
func (o *object) list(key string) []jsontree.Value {
	v, ok := o.get(key)
	if !ok {
		return nil
	}
	if v.Kind() != jsontree.List {
		o.misfit(v, key, "a list")
	}
	if len(v.Elements()) > entriesMax {
		o.c.problems.Errorf(v, "%s: got %d entries, expected at most %d", o.Label(key), len(v.Elements()), entriesMax)
		return nil
	}
	return v.Elements()
}

// unknown reports keys that are not in the schema. Neither the service nor this package uses them.
func (c *compiler) unknown(o *object) {
	for _, m := range o.Rest() {
		if c.Strict {
			c.problems.MemberErrorf(m, "%s: unknown key", o.Label(m.Name))
		} else {
			o.Warnf(m.Value, m.Name, "unknown key, ignored")
		}
	}
}
