package dialect

import (
	"slices"
	"strings"
	"testing"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Every dialect can be found by name, is listed in help texts, and either forms matches or
// places players.
func TestTable(t *testing.T) {
	names := Names()
	if compact := slices.Compact(slices.Sorted(slices.Values(names))); len(compact) != len(names) {
		t.Errorf("got names %v, want no name twice", names)
	}
	if got := len(NamesThat(true)) + len(NamesThat(false)); got != len(names) {
		t.Errorf("got %d dialects in the lists of those that place players and those that form matches, want %d", got, len(names))
	}
	for _, d := range All() {
		if named, err := Of(d.Name, jsontree.Value{}); err != nil || named.Name != d.Name {
			t.Errorf("Of(%q): got dialect %q (error %v)", d.Name, named.Name, err)
		}
		if d.Title == "" || !strings.Contains(Titles(), d.Title) {
			t.Errorf("%s: got title %q, want a title that Titles contains: %q", d.Name, d.Title, Titles())
		}
	}
}

func TestUnknownDialect(t *testing.T) {
	root, err := jsontree.Parse("rules.json", []byte(`{"whose": "nobody's"}`))
	if err != nil {
		t.Fatal(err)
	}
	if d, ok := Recognise(root); ok {
		t.Errorf("dialect %s recognised %v, want none to", d.Name, root)
	}
	for name, want := range map[string]string{
		"": "rules.json:1:1: the vendor of the rules cannot be recognised, expected a PlayFab queue, an AccelByte ruleset, " +
			"a FlexMatch rule set or a Roblox scoring configuration",
		"matchwork": `rules.json:1:1: the dialect "matchwork" is not known, expected one of playfab, accelbyte, flexmatch, roblox`,
	} {
		_, err := Of(name, root)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
}

// If a run names no rules, players are placed by the default rules of a dialect that places
// players.
func TestDefault(t *testing.T) {
	d, root, err := Default()
	if err != nil || !d.Placement {
		t.Fatalf("got dialect %q that places players: %v (error %v), want one that does", d.Name, d.Placement, err)
	}
	rules, err := d.Compile(root, vendor.Options{})
	if err != nil || rules.Placement == nil || rules.Queue != nil {
		t.Errorf("got rules %v (error %v), want rules that place players", rules, err)
	}
}
