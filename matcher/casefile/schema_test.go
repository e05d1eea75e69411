package casefile

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The schema and the reader have the same keys in every object of a case file. The test generates
// documents from the schema. Each object has all keys in the schema and an unknown key. The
// reader's error about the unknown key lists the keys that it expects.
func TestSchemaAndReaderKnowTheSameKeys(t *testing.T) {
	unknown := regexp.MustCompile(`"?(\?[0-9]+)"?:? (?:unknown key, expected one of (.*)|(beside) any_of)`)
	tested := map[string]bool{}
	for _, shape := range []struct {
		alternative int    // form of expect: 0 for one expectation, 1 for any_of
		without     string // key that is left out, because a case cannot have both expect and any_of
	}{{0, "any_of"}, {1, "any_of"}, {0, "expect"}} {
		p := documentGenerator{alternative: shape.alternative, keys: map[string]string{}}
		schema := Schema()
		delete(schema["properties"].(keywords), shape.without)
		text, err := json.Marshal(p.instance(schema))
		if err != nil {
			t.Fatal(err)
		}
		p.keys["?0"] = sorted(maps.Keys(Schema()["properties"].(keywords)))
		_, err = Read("case", text, nil)
		if err == nil {
			t.Fatalf("the reader accepted unknown keys, want an error:\n%s", text)
		}
		expected := map[string]string{}
		for _, m := range unknown.FindAllStringSubmatch(err.Error(), -1) {
			expected[m[1]] = sorted(slices.Values(strings.Split(m[2], ", ")))
			if m[3] == "beside" {
				expected[m[1]] = "any_of"
			}
		}
		if !maps.Equal(expected, p.keys) {
			t.Errorf("keys of the reader: %q\nwant those of the schema: %q in\n%s\n%v", expected, p.keys, text, err)
		}
		for _, keys := range p.keys {
			tested[keys] = true
		}
	}
	if len(tested) != 10 { // case, ticket, player, session, team, match, backfill, and three forms of expect
		t.Errorf("got %d kinds of objects in the schema, want 10: %v", len(tested), tested)
	}
}

// documentGenerator generates documents that are valid under a schema, except for an unknown key in each
// object whose keys are listed.
type documentGenerator struct {
	alternative int               // index of the alternative to use for anyOf
	keys        map[string]string // keys in the schema, by the unknown key in the same object
}

// instance returns a value that is valid under a schema.
func (p *documentGenerator) instance(s keywords) any {
	if forms, ok := s["anyOf"].([]any); ok {
		if forms[1].(keywords)["type"] == "null" {
			return p.instance(forms[0].(keywords))
		}
		return p.instance(forms[p.alternative].(keywords))
	}
	if words, ok := s["enum"].([]any); ok {
		return words[len(words)-1]
	}
	kind, ok := s["type"].(string)
	if !ok {
		kind = s["type"].([]string)[0]
	}
	switch kind {
	case "object":
		return p.object(s)
	case "array":
		return []any{p.instance(s["items"].(keywords))}
	case "string":
		return "x"
	case "null":
		return nil
	}
	return 1 // any number will do
}

func (p *documentGenerator) object(s keywords) any {
	object := map[string]any{}
	if values, ok := s["additionalProperties"].(keywords); ok {
		object["x"] = p.instance(values)
	}
	members, ok := s["properties"].(keywords)
	if !ok {
		return object
	}
	unknown := fmt.Sprintf("?%d", len(p.keys))
	p.keys[unknown] = sorted(maps.Keys(members))
	object[unknown] = 0
	for _, name := range slices.Sorted(maps.Keys(members)) {
		object[name] = p.instance(members[name].(keywords))
	}
	return object
}

// sorted formats names as one line.
func sorted(names iter.Seq[string]) string { return strings.Join(slices.Sorted(names), " ") }
