package config

import (
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect/jsontree"
)

// Values are found by name and by index. If two names fit, the longer one counts.
func TestRuleValue(t *testing.T) {
	root, err := jsontree.Parse("rules.json", []byte(`{
		"a": {"b": 1, "b.c": 2, "b.c.d": {"e": 3}},
		"rules": [{"kind": "x", "name": "one", "limit": 4}, {"kind": "y", "name": "two.three", "limit": 5}],
		"steps": [{"after": 6}, {"after": 7}],
		"alone": [{"kind": "x", "name": "one", "limit": 8}],
		"grid": [[9, 10], [11, 12]],
		"": {"": 13}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]float64{
		"a.b": 1, "a.b.c": 2, "a.b.c.d.e": 3,
		"rules.one.limit": 4, "rules.two.three.limit": 5, "rules[1].limit": 5,
		"steps[0].after": 6, "steps[1].after": 7, "alone.one.limit": 8, "grid[1][0]": 11,
	} {
		v, err := ruleValue(root, key)
		if got, ok := v.Float(); err != nil || !ok || got != want {
			t.Errorf("%s: got %v (error %v), want %v", key, v, err, want)
		}
	}
	for _, key := range []string{"", ".", "a.", "a..b", "A", "rules.three", "rules[2]", "rules[-1]", "rules[", "rules[]", "rules[0", "steps.after", "a.b.x", "a[0]", "[0]", "grid[0][2]"} {
		if v, err := ruleValue(root, key); err == nil {
			t.Errorf("%q: got %v, want an error", key, v)
		}
	}
}

// Values are read as YAML, written as JSON, and read as YAML again, as in a resolved
// configuration.
func TestJSONRoundTrip(t *testing.T) {
	for written, want := range map[string]string{
		"80": "80", "80.0": "80.0", "1e2": "1e2", "+5": "5", ".5": "0.5", "-0.25": "-0.25",
		"true": "true", "null": "null", "": "null", "10s": `"10s"`, `"80"`: `"80"`, ".nan": `".nan"`, "0x10": `"0x10"`,
		`"a \"b\" \\ ä <>&"`: `"a \"b\" \\ ä <>&"`, `"x: y # z"`: `"x: y # z"`, `""`: `""`, `"a\tb\nc"`: `"a\tb\nc"`,
		"[1, [a, '2']]": `[1, ["a", "2"]]`, "{a: 1, b: {c: [true, ~]}}": `{"a": 1, "b": {"c": [true, null]}}`, "[]": "[]", "{}": "{}",
	} {
		from := &yamltree.Source{Name: "test"}
		n, err := yamltree.Parse([]byte(written), from)
		if err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		if got := string(n.JSON()); got != want {
			t.Errorf("%s: got %s, want %s", written, got, want)
			continue
		}
		text, err := yaml.Marshal(yaml.MapSlice{{Key: "set", Value: yaml.MapSlice{{Key: "a.b", Value: value.JSON(want)}}}})
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		again, err := yamltree.Parse(text, from)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := string(again.Entries[0].Value.Entries[0].Value.JSON()); got != want {
			t.Errorf("%s: got %s after it was written as %s", want, got, strings.TrimSpace(string(text)))
		}
	}
}
