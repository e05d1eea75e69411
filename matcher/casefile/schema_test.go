package casefile

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The schema has the keys that the reader asks for, at every place.
func TestSchemaHasTheKeysOfTheReader(t *testing.T) {
	expect := `{"matches": [{"?": 0, "tickets": []}], "backfills": [{"?": 0, "tickets": [], "session": "s"}], "?": 0}`
	_, err := Read("case", []byte(`{"?": 0, "rules": {}, "at": 0,
		"tickets": [{"?": 0, "id": "t", "created_at": 0, "players": [{"?": 0, "id": "p"}]}],
		"sessions": [{"?": 0, "id": "s", "created_at": 0, "teams": [{"?": 0, "name": "red"}]}],
		"expect": `+expect+`}`))
	if err == nil {
		t.Fatal("unknown keys are read")
	}
	var asked []string
	for _, m := range regexp.MustCompile(`unknown key, expected one of (.*)`).FindAllStringSubmatch(err.Error(), -1) {
		keys := strings.Split(m[1], ", ")
		slices.Sort(keys)
		asked = append(asked, strings.Join(keys, " "))
	}
	var known []string
	collect(Schema(), &known)
	slices.Sort(known)
	known = slices.Compact(known)
	if len(asked) != 8 {
		t.Errorf("the reader found unknown keys at %d places, want 8:\n%v", len(asked), err)
	}
	for _, keys := range asked {
		if !slices.Contains(known, keys) {
			t.Errorf("the reader knows %q; the schema knows:\n%s", keys, strings.Join(known, "\n"))
		}
	}
}

// collect appends the keys of every object inside a schema.
func collect(part any, known *[]string) {
	switch part := part.(type) {
	case keywords:
		if members, ok := part["properties"].(keywords); ok {
			*known = append(*known, strings.Join(slices.Sorted(maps.Keys(members)), " "))
		}
		for _, inner := range part {
			collect(inner, known)
		}
	case []any:
		for _, inner := range part {
			collect(inner, known)
		}
	}
}
