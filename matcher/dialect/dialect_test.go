package dialect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
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
		"":          "rules.json:1:1: the vendor of the rules cannot be recognised, expected " + Titles(),
		"matchwork": `rules.json:1:1: the dialect "matchwork" is not known, expected one of ` + strings.Join(Names(), ", "),
	} {
		_, err := Of(name, root)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
}

// Every dialect has what vendor.Dialect requires, and so have the rules of its cases. The document of
// each case is recognised by its own dialect, unless the dialect refuses it, and by no other.
func TestEveryDialect(t *testing.T) {
	for _, d := range All() {
		if d.Name == "" || d.Title == "" || d.Recognises == nil || d.Compile == nil {
			t.Errorf("dialect %q, title %q: got functions that are nil: Recognises %v, Compile %v", d.Name, d.Title, d.Recognises == nil, d.Compile == nil)
		}
		files, err := filepath.Glob(d.Name + "/testdata/cases/*.json")
		if err != nil || len(files) == 0 {
			t.Errorf("%s: got %d cases (error %v), want some in %[1]s/testdata/cases", d.Name, len(files), err)
		}
		compiled := 0
		for _, file := range files {
			root, ok := rulesIn(t, file)
			if !ok {
				continue
			}
			rules, err := d.Compile(root, vendor.CompileOptions{})
			for _, other := range All() {
				if own := other.Name == d.Name; other.Recognises(root) != own && (!own || err == nil) {
					t.Errorf("%s: recognised by %s: %v, want %v", file, other.Name, !own, own)
				}
			}
			if err != nil {
				continue // a case about rules that are refused
			}
			compiled++
			if missing := missingIn(&d, rules); missing != "" {
				t.Errorf("%s: the rules have no %s", file, missing)
			} else if rules.Queue != nil {
				checkReads(t, file, rules.Queue)
				checkRegions(t, file, rules.Queue)
			}
		}
		if compiled == 0 {
			t.Errorf("%s: no case has rules that compile", d.Name)
		}
	}
}

// A FlexMatch player must have a map with numbers if the rule set declares one without a default.
// Reads lists it as a map, and Player accepts an object with numbers and nothing else.
func TestReadsOfMap(t *testing.T) {
	root := parse(t, `{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "liking", "type": "string_number_map"}],
		"teams": [{"name": "all", "minPlayers": 1, "maxPlayers": 2}]}`)
	_, rules, err := Compile("", root, "", vendor.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	q := rules.Queue
	if len(q.Reads) != 1 || !q.Reads[0].Map || q.Reads[0].Names[0] != "liking" || q.Reads[0].Refusal == nil {
		t.Fatalf("got reads %+v, want only the required map liking", q.Reads)
	}
	checkReads(t, "the rules", q)
	for _, refused := range []string{`["a"]`, `"a"`, `1`, `{"a": "high"}`} {
		if _, err := q.Player("p", parse(t, `{"liking": `+refused+`}`), jsontree.Value{}); err == nil || !strings.Contains(err.Error(), "expected an object with numbers") {
			t.Errorf("liking %s: got error %v, want a refusal that asks for an object with numbers", refused, err)
		}
	}
}

// rulesIn reads the ruleset of a case file. ok is false if the file has none of its own.
func rulesIn(t *testing.T, file string) (root jsontree.Value, ok bool) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c struct{ Rules json.RawMessage }
	if err := json.Unmarshal(content, &c); err != nil || len(c.Rules) == 0 || c.Rules[0] != '{' {
		return root, false
	}
	root, err = jsontree.Parse(file, c.Rules)
	return root, err == nil
}

// missingIn returns the first required part that compiled rules do not have, or "".
func missingIn(d *vendor.Dialect, r *vendor.CompiledRules) string {
	switch q := r.Queue; {
	case r.Lint == nil:
		return "Lint"
	case (q == nil) == (r.Placement == nil) || d.Placement != (r.Placement != nil):
		return "Queue, or Placement if Dialect.Placement is set"
	case q == nil:
		return ""
	case q.Rules == nil:
		return "Queue.Rules"
	case q.Schema == nil:
		return "Queue.Schema"
	case q.CheckSize == nil:
		return "Queue.CheckSize"
	case q.Player == nil:
		return "Queue.Player"
	case q.Statistics != nil && q.Statistics.Snapshot == nil:
		return "Queue.Statistics.Snapshot"
	}
	return ""
}

// checkRegions checks that the queue says whether its rules are about regions. PivotRules always are.
func checkRegions(t *testing.T, file string, q *vendor.Queue) {
	t.Helper()
	about := slices.ContainsFunc(q.Rules.Rules, func(r matcher.Rule) bool {
		_, is := r.(*matcher.ReachRegion)
		return is
	})
	if q.Rules.Seats != nil {
		about = slices.ContainsFunc(q.Rules.Seats.Rules, func(r matcher.SeatRule) bool {
			_, is := r.(*matcher.Latency)
			return is
		})
	}
	if q.Rules.Pivot == nil && (q.PicksRegion != about || q.ReadsLatencies != about || q.NeedsLatencies && !about) {
		t.Errorf("%s: got PicksRegion %v, ReadsLatencies %v and NeedsLatencies %v, but a rule is about regions: %v",
			file, q.PicksRegion, q.ReadsLatencies, q.NeedsLatencies, about)
	}
}

// checkReads checks that Player stores every attribute of a player where Reads says.
func checkReads(t *testing.T, file string, q *vendor.Queue) {
	t.Helper()
	sent, stored := map[string]any{}, map[string]any{}
	var reads []matcher.Read
	for _, read := range q.Reads {
		if read.Ticket || read.Identity || read.Joined || read.Needs != "" {
			continue // Whole, the id, several attributes, and attributes that depend on others
		}
		into := sent
		if read.Kept {
			into = stored
		}
		into[read.Names[0]] = map[matcher.ValueKind]any{matcher.IsNumber: 1, matcher.IsText: "a", matcher.IsSet: []string{"a"}}[read.Kind]
		switch {
		case read.Flag:
			into[read.Names[0]] = "true"
		case read.Map: // its keys are stored as a set
			into[read.Names[0]] = map[string]float64{"a": 1}
		}
		reads = append(reads, read)
	}
	of := func(attributes map[string]any) jsontree.Value {
		text, err := json.Marshal(attributes)
		if err != nil {
			t.Fatal(err)
		}
		root, err := jsontree.Parse("player.json", text)
		if err != nil {
			t.Fatal(err)
		}
		return root
	}
	player, err := q.Player("p", of(sent), of(stored))
	if err != nil {
		t.Errorf("%s: Player refuses the attributes of Reads, %v and %v: %v", file, sent, stored, err)
		return
	}
	for _, read := range reads {
		if got := player.Value(read.Column).Kind; got != read.Kind {
			t.Errorf("%s: Player stores %s with kind %d, want kind %d of Reads", file, read.Names[0], got, read.Kind)
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
	rules, err := d.Compile(root, vendor.CompileOptions{})
	if err != nil || rules.Placement == nil || rules.Queue != nil {
		t.Errorf("got rules %v (error %v), want rules that place players", rules, err)
	}
}
