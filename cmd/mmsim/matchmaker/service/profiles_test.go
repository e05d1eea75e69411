package service

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestProfilesRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profiles.yaml")
	put(t, file, `profiles:
  - name: newcomers
    pools:
      low: {tags: [dust, frankfurt], strings: {mode: ranked}, doubles: {mmr: {min: 0, max: 1500, bounds: max_excluded}, rtt.frankfurt: {max: 50}}}
      late: {waited: {min: 30s}, tags: []}
  - {name: "5", pools: {all: {}}, extensions: {desiredRosterLen: 4, mode: "4", more: {a: [1.5, true]}}}
`)
	got, err := ReadProfiles(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []Profile{
		{Name: "newcomers", Pools: []Pool{
			{Name: "low", Tags: []string{"dust", "frankfurt"}, Strings: []String{{"mode", "ranked"}}, Doubles: []Double{
				{"mmr", Range{Min: 0, Max: 1500, MaxExcluded: true}}, {"rtt.frankfurt", Range{Min: math.Inf(-1), Max: 50}}}},
			{Name: "late", Waited: &Wait{30 * time.Second, waitMax}},
		}},
		{"5", []Pool{{Name: "all"}}, []Extension{{"desiredRosterLen", []byte("4")}, {"mode", []byte(`"4"`)}, {"more", []byte(`{"a": [1.5, true]}`)}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The four values of bounds decide whether the ends of a range belong to it.
func TestProfilesRange(t *testing.T) {
	for _, test := range []struct {
		low, high bool
		want      [3]bool // for 1, 1.5 and 2
	}{{false, false, [3]bool{true, true, true}}, {true, false, [3]bool{false, true, true}}, {false, true, [3]bool{true, true, false}}, {true, true, [3]bool{false, true, false}}} {
		r := Range{Min: 1, Max: 2, MinExcluded: test.low, MaxExcluded: test.high}
		if got := [3]bool{r.Holds(1), r.Holds(1.5), r.Holds(2)}; got != test.want || r.Holds(0.9) || r.Holds(2.1) {
			t.Errorf("%+v: Holds(1), Holds(1.5), Holds(2): got %v, want %v, and false outside", r, got, test.want)
		}
	}
}

// Every error names the file, line, field and value, and what was expected.
func TestProfilesReadErrors(t *testing.T) {
	pool := func(filters string) string { return "profiles: [{name: a, pools: {p: {" + filters + "}}}]" }
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", ": got nothing, expected a mapping with profiles"},
		{"a list", "[a]", "1:1: got a list, expected a mapping with profiles"},
		{"no YAML", "profiles: [", "1:11: "},
		{"other key", "profile: []", `1:1: unknown key "profile"; did you mean profiles?; expected profiles`},
		{"no profiles", "{}", "1:1: profiles is missing, expected a list such as [{name: all, pools: {all: {}}}]"},
		{"empty profiles", "profiles: []", "1:11: profiles: got an empty list, expected a list such as"},
		{"profiles a mapping", "profiles: {a: 1}", "1:11: profiles: got a mapping, expected a list"},
		{"profile a text", "profiles: [a]", `1:12: profiles[0]: got "a", expected a mapping with some of the keys name, pools, extensions`},
		{"no name", "profiles: [{pools: {p: {}}}]", "1:12: profiles[0]: name is missing, expected a name"},
		{"empty name", "profiles: [{name: '', pools: {p: {}}}]", `1:19: profiles[0].name: got the text "", expected a name`},
		{"a name twice", "profiles:\n- {name: a, pools: {p: {}}}\n- {name: a, pools: {p: {}}}", `3:3: profiles[1].name: got "a" twice`},
		{"extensions a list", "profiles: [{name: a, pools: {p: {}}, extensions: [a]}]", "1:50: profiles[0].extensions: got a list, expected a mapping of names to values"},
		{"an empty extension", "profiles: [{name: a, pools: {p: {}}, extensions: {a: }}]", "profiles[0].extensions.a: got nothing, expected a value"},
		{"mmsim's extension", "profiles: [{name: a, pools: {p: {}}, extensions: {mmsim: 1}}]", `1:51: profiles[0].extensions: got "mmsim", which mmsim sets itself, expected a mapping`},
		{"no pools", "profiles: [{name: a}]", "1:12: profiles[0]: pools is missing, expected a mapping of names to filters"},
		{"empty pools", "profiles: [{name: a, pools: {}}]", "1:29: profiles[0].pools: got an empty mapping, expected a mapping of names to filters"},
		{"pools a list", "profiles: [{name: a, pools: [p]}]", "1:29: profiles[0].pools: got a list, expected a mapping of names"},
		{"pool of nothing", "profiles: [{name: a, pools: {p: }}]", "profiles[0].pools.p: got nothing, expected a mapping with some of the keys tags, strings, doubles, waited"},
		{"other filter", pool("double: {}"), `1:34: profiles[0].pools.p: unknown key "double"; did you mean doubles?; expected tags, strings, doubles, waited`},
		{"tags a text", pool("tags: a"), `1:40: profiles[0].pools.p.tags: got "a", expected a list of texts`},
		{"a tag a list", pool("tags: [[a]]"), "1:41: profiles[0].pools.p.tags[0]: got a list, expected a text"},
		{"strings a list", pool("strings: [a]"), "1:43: profiles[0].pools.p.strings: got a list, expected a mapping of names to texts"},
		{"a string a mapping", pool("strings: {mode: {}}"), "1:50: profiles[0].pools.p.strings.mode: got an empty mapping, expected a text"},
		{"a double a number", pool("doubles: {mmr: 5}"), `1:49: profiles[0].pools.p.doubles.mmr: got "5", expected a mapping with some of the keys min, max, bounds`},
		{"min a text", pool("doubles: {mmr: {min: low}}"), `1:55: profiles[0].pools.p.doubles.mmr.min: got "low", expected a number`},
		{"min infinite", pool("doubles: {mmr: {min: -.inf}}"), `profiles[0].pools.p.doubles.mmr.min: got "-.inf", expected a number`},
		{"min above max", pool("doubles: {mmr: {min: 2, max: 1}}"), "1:49: profiles[0].pools.p.doubles.mmr: got min 2 above max 1, expected a range"},
		{"other bounds", pool("doubles: {mmr: {bounds: max_exclude}}"), `1:58: profiles[0].pools.p.doubles.mmr.bounds: got "max_exclude" (did you mean max_excluded?), expected both_included, min_excluded, max_excluded or both_excluded`},
		{"wait without a unit", pool("waited: {min: 30}"), `1:48: profiles[0].pools.p.waited.min: got "30" without a unit, expected a duration`},
		{"wait above", pool("waited: {min: 2s, max: 1s}"), "1:42: profiles[0].pools.p.waited: got min 2s above max 1s, expected a range"},
		{"key twice", pool("tags: [a], tags: [b]"), `duplicate key "tags"`},
	} {
		file := filepath.Join(t.TempDir(), "profiles.yaml")
		put(t, file, test.text)
		if _, err := ReadProfiles(file); err == nil || !strings.Contains(err.Error(), "profiles.yaml:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v\nwant one with the place in the file and %s", test.name, err, test.want)
		}
	}
}
