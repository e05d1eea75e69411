package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
)

// RuleKey sets one value inside a vendor's ruleset.
type RuleKey struct {
	Key  string // key in the file, such as DifferenceRules.Skill.Difference
	JSON string
	at   yamltree.Node
}

// rules returns the setting for a queue's ruleset: either a file name, or a mapping with a
// file and the values to set in it. The file name may end with the name of a part, see
// input.SplitPart.
func rules(name, part *string, keys *[]RuleKey) value.Value {
	file := value.Path(name, "the name of a file").Then(func() { *name, *part = input.SplitPart(*name) })
	set := value.Value{
		Expects: "a mapping of keys in the ruleset to values",
		Schema:  func() value.Schema { return value.NullableSchema(value.MapSchema(value.Schema{})) },
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.Mapping && n.Kind != yamltree.Null {
				return n.Misfit()
			}
			*keys = nil
			for _, k := range n.Entries {
				k.Value.Path = "rules." + k.Key.Text
				*keys = withRuleKey(*keys, k.Key.Text, k.Value)
			}
			return nil
		},
	}
	v := file.Or(value.Mapping(value.Named("file", "", file), value.Named("set", "", set)))
	v.Expects = "the name of a file, or {file: …, set: {key in the file: value}}"
	v.Write = func(folder string) any {
		joined := input.JoinPart(*name, *part)
		written := value.Path(&joined, file.Expects).Write(folder)
		if len(*keys) == 0 {
			return written
		}
		var set yaml.MapSlice
		for _, k := range *keys {
			set = append(set, yaml.MapItem{Key: k.Key, Value: value.JSON(k.JSON)})
		}
		return yaml.MapSlice{{Key: "file", Value: written}, {Key: "set", Value: set}}
	}
	v.Parts = nil
	v.Inner = func(key string) value.Value {
		return value.Value{Read: func(n yamltree.Node) error {
			*keys = withRuleKey(*keys, key, n)
			return nil
		}}
	}
	return v
}

// withRuleKey sets key to the value in n and removes any earlier value for key.
func withRuleKey(keys []RuleKey, key string, n yamltree.Node) []RuleKey {
	keys = slices.DeleteFunc(keys, func(k RuleKey) bool { return k.Key == key })
	return append(keys, RuleKey{Key: key, JSON: string(n.JSON()), at: n})
}

// ruleValue finds the value of key in a ruleset. A list element is found by name or by index,
// as in Rules[0]. Names may contain dots, so the longest matching name wins.
func ruleValue(v jsontree.Value, key string) (jsontree.Value, error) {
	if key == "" || strings.HasSuffix(key, ".") {
		return v, fmt.Errorf("expected a name after the last dot")
	}
	for rest := key; rest != ""; {
		names := v.Members()
		if id := jsontree.Identity(v.Elements()); id != "" {
			names = jsontree.Named(v.Elements(), id)
		}
		found, after, ok := named(names, rest)
		if !ok {
			found, after, ok = indexed(v.Elements(), rest)
		}
		if !ok {
			return v, unknownName(names, len(v.Elements()), strings.TrimSuffix(key, rest), rest)
		}
		v, rest = found, strings.TrimPrefix(after, ".")
	}
	return v, nil
}

// named finds the value in list with the longest name that key starts with. It also returns the
// rest of key.
func named(list []jsontree.Member, key string) (v jsontree.Value, after string, ok bool) {
	longest := -1
	for _, m := range list {
		rest, begins := strings.CutPrefix(key, m.Name)
		if begins && (rest == "" || rest[0] == '.' || rest[0] == '[') && len(m.Name) > longest {
			v, after, ok, longest = m.Value, rest, true, len(m.Name)
		}
	}
	return v, after, ok
}

// indexed finds the element that an index such as [2] at the start of key selects. It also
// returns the rest of key.
func indexed(list []jsontree.Value, key string) (v jsontree.Value, after string, ok bool) {
	number, after, closed := strings.Cut(strings.TrimPrefix(key, "["), "]")
	i, err := strconv.Atoi(number)
	if key[0] != '[' || !closed || err != nil || i < 0 || i >= len(list) {
		return v, "", false
	}
	return list[i], after, true
}

// unknownName returns the error for a key whose first part, beginning, is valid and whose next
// part is not in list. rest starts with that next part. If the value is a JSON array, elements
// is its length.
func unknownName(list []jsontree.Member, elements int, beginning, rest string) error {
	name := rest
	if end := strings.IndexAny(rest[1:], ".["); end >= 0 {
		name = rest[:1+end]
	}
	var known []string
	for _, m := range list {
		known = append(known, m.Name)
	}
	where := "there is"
	if inner := strings.TrimSuffix(beginning, "."); inner != "" {
		where = inner + " has"
	}
	near := input.Nearest(name, known)
	switch {
	case near != "":
		return fmt.Errorf("%s no %s; did you mean rules.%s%s?", where, name, beginning, near)
	case len(known) > 0:
		listed, cut := input.Shortened(strings.Join(known, ", "), 120)
		return fmt.Errorf("%s no %s, expected one of %s%s", where, name, listed, cut)
	case elements > 0:
		return fmt.Errorf("%s no %s, expected an index from [0] to [%d]", where, name, elements-1)
	}
	return fmt.Errorf("%s no %s, nor anything else by name", where, name)
}
