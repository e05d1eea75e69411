package playfab

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// queueOf adds JSON members to an otherwise valid queue.
func queueOf(members string) string {
	return `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 8, "ServerAllocationEnabled": false` + members + `}`
}

// difference returns a queue with one rule that has additional JSON members.
func difference(members string) string {
	return queueOf(`, "DifferenceRules": [{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"},
		"Difference": 10, "AttributeNotSpecifiedBehavior": "MatchAny"` + members + `}]`)
}

const twoTeams = `, "Teams": [{"Name": "red", "MinTeamSize": 1, "MaxTeamSize": 4}, {"Name": "blue", "MinTeamSize": 1, "MaxTeamSize": 4}]`

// read compiles the queues of a text.
func read(file string, text []byte, options vendor.CompileOptions) (queues []*Queue, warnings []jsontree.Warning, err error) {
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	problems := jsontree.Problems{Format: jsontree.Format{Strict: options.Strict}}
	list := split(root, &problems)
	err = problems.Err()
	for _, r := range list {
		queue, more, wrong := compile(r.Value, options)
		queues, warnings, err = append(queues, queue), append(warnings, more...), errors.Join(err, wrong)
	}
	return queues, warnings, err
}

func compileOne(t *testing.T, text string) (*Queue, []jsontree.Warning) {
	t.Helper()
	queues, warnings, err := read("q.json", []byte(text), vendor.CompileOptions{})
	if err != nil {
		t.Fatalf("%v\nin %s", err, text)
	}
	if len(queues) != 1 {
		t.Fatalf("got %d queues, want 1", len(queues))
	}
	return queues[0], warnings
}

// Every error message names the rule and the JSON member.
func TestRefusals(t *testing.T) {
	region := func(members string) string {
		return queueOf(`, "RegionSelectionRule": {"Name": "Near", "Path": "l", "MaxLatency": 100` + members + `}`)
	}
	text := func(members string) string {
		return queueOf(`, "StringEqualityRules": [{"Name": "Build", "Attribute": {"Path": "b", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny"` + members + `}]`)
	}
	total := func(members string) string {
		return queueOf(`, "MatchTotalRules": [{"Name": "Hosts", "Attribute": {"Path": "h", "Source": "User"}` + members + `}]`)
	}
	for _, test := range []struct{ name, text, want string }{
		{"no object", `[]`, "q.json:1:1: got a list, expected an object"},
		{"Name missing", `{"MinMatchSize": 2, "MaxMatchSize": 2}`, "Name: missing"},
		{"Name number", `{"Name": 5, "MinMatchSize": 2, "MaxMatchSize": 2}`, "Name: got 5, expected a text"},
		{"MinMatchSize text", `{"Name": "q", "MinMatchSize": "2", "MaxMatchSize": 2}`, `MinMatchSize: got "2", expected a whole number`},
		{"MinMatchSize negative", `{"Name": "q", "MinMatchSize": -2, "MaxMatchSize": 2}`, "MinMatchSize: got -2"},
		{"MinMatchSize huge", `{"Name": "q", "MinMatchSize": 1e999, "MaxMatchSize": 2}`, "MinMatchSize: got 1e999"},
		{"Max below Min", `{"Name": "q", "MinMatchSize": 4, "MaxMatchSize": 3}`, "MaxMatchSize: got 3, expected at least MinMatchSize, which is 4"},
		{"33 with teams", `{"Name": "q", "MinMatchSize": 4, "MaxMatchSize": 33` + twoTeams + `}`, "MaxMatchSize: got 33, expected at most 32 in a queue with Teams"},
		{"MaxTicketSize 0", queueOf(`, "MaxTicketSize": 0`), "MaxTicketSize: got 0, expected a whole number from 1 to 4294967295"},
		{"one team", queueOf(`, "Teams": [{"Name": "red", "MinTeamSize": 1, "MaxTeamSize": 4}]`), "Teams: got 1 team, expected none or 2 to 32"},
		{"team without maximum", queueOf(`, "Teams": [{"Name": "red", "MinTeamSize": 1}, {"Name": "blue", "MinTeamSize": 1, "MaxTeamSize": 4}]`), "Teams[0]: MaxTeamSize: missing"},
		{"allocation without build", `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "ServerAllocationEnabled": true, "RegionSelectionRule": {"Name": "Near", "Path": "l", "MaxLatency": 100}}`, "requires BuildId or BuildAliasParams"},
		{"statistics half", queueOf(`, "StatisticsVisibilityToPlayers": {"ShowTimeToMatch": true}`), "StatisticsVisibilityToPlayers: ShowNumberOfPlayersMatching: missing"},
		{"rule not an object", queueOf(`, "DifferenceRules": [5]`), "DifferenceRules[0]: got 5, expected an object"},
		{"rules not a list", queueOf(`, "DifferenceRules": {}`), "DifferenceRules: got an object, expected a list"},
		{"rule without name", queueOf(`, "TeamTicketSizeSimilarityRule": {}` + twoTeams), "TeamTicketSizeSimilarityRule: Name: missing"},
		{"rule name of 256", difference(`}, {"Name": "` + strings.Repeat("x", 256) + `"`), "Name: got"},
		{"type missing", queueOf(`, "Rules": [{"Name": "x"}]`), "Rules[0]: Type: missing"},
		{"attribute missing", queueOf(`, "DifferenceRules": [{"Name": "Skill", "Difference": 1}]`), `DifferenceRule "Skill": Attribute: missing`},
		{"path empty", queueOf(`, "DifferenceRules": [{"Name": "Skill", "Difference": 1, "Attribute": {"Path": "", "Source": "User"}}]`), "Attribute: Path: got"},
		{"path broken", queueOf(`, "DifferenceRules": [{"Name": "Skill", "Difference": 1, "Attribute": {"Path": "$.a[", "Source": "User"}}]`), "expected JSONPath"},
		{"behaviour", queueOf(`, "DifferenceRules": [{"Name": "Skill", "Difference": 1, "Attribute": {"Path": "a", "Source": "User"}, "AttributeNotSpecifiedBehavior": "Any"}]`), "AttributeNotSpecifiedBehavior: got"},
		{"weight not a number", difference(`, "Weight": "1"`), `DifferenceRule "Skill": Weight: got "1", expected a number`},
		{"optional fraction", difference(`, "SecondsUntilOptional": 1.5`), "SecondsUntilOptional: got 1.5"},
		{"default text", difference(`, "DefaultAttributeValue": "x"`), "DefaultAttributeValue: got"},
		{"both alias and name", difference(`, "MaxDifference": 4`), "MaxDifference: got 4, expected only one of Difference and MaxDifference"},
		{"two expansions", difference(`, "LinearExpansion": {"Delta": 1, "SecondsBetweenExpansions": 1}, "CustomExpansion": {"DifferenceOverrides": [1], "SecondsBetweenExpansions": 1}`), "CustomExpansion: got an object, expected only one expansion; the rule also has LinearExpansion"},
		{"expansion without type", difference(`, "Expansion": {"Delta": 1, "SecondsBetweenExpansions": 1}`), "Expansion: Type: missing"},
		{"expansion of odd type", difference(`, "Expansion": {"Type": "Step", "Delta": 1, "SecondsBetweenExpansions": 1}`), "Expansion: Type: got"},
		{"linear without delta", difference(`, "LinearExpansion": {"SecondsBetweenExpansions": 1}`), `DifferenceRule "Skill": LinearExpansion: Delta: missing`},
		{"interval missing", difference(`, "LinearExpansion": {"Delta": 1}`), "SecondsBetweenExpansions: missing"},
		{"interval fraction", difference(`, "LinearExpansion": {"Delta": 1, "SecondsBetweenExpansions": 0.5}`), "SecondsBetweenExpansions: got 0.5"},
		{"overrides missing", difference(`, "CustomExpansion": {"SecondsBetweenExpansions": 1}`), "DifferenceOverrides: missing"},
		{"override text", difference(`, "CustomExpansion": {"DifferenceOverrides": ["x"], "SecondsBetweenExpansions": 1}`), "DifferenceOverrides: got"},
		{"portal text broken", difference(`, "CustomExpansion": {"DifferenceOverrides": "1;x", "SecondsBetweenExpansions": 1}`), "between semicolons"},
		{"latency override negative", region(`, "CustomExpansion": {"MaxLatencyOverrides": [-5], "SecondsBetweenExpansions": 1}`), `RegionSelectionRule "Near": CustomExpansion: MaxLatencyOverrides: got -5`},
		{"latency fraction", queueOf(`, "RegionSelectionRule": {"Name": "Near", "Path": "l", "MaxLatency": 0.5}`), "MaxLatency: got 0.5"},
		{"region path missing", queueOf(`, "RegionSelectionRule": {"Name": "Near", "MaxLatency": 5}`), `RegionSelectionRule "Near": Path: missing`},
		{"second region rule in the other layout", queueOf(`, "RegionSelectionRule": {"Name": "Near", "Path": "l", "MaxLatency": 5}, "Rules": [{"Type": "RegionSelectionRule", "Name": "Far", "Path": "l", "MaxLatency": 5}]`), "a second RegionSelectionRule, expected at most one"},
		{"enabled number", text(`, "Expansion": {"EnabledOverrides": [1], "SecondsBetweenExpansions": 1}`), "EnabledOverrides: got 1, expected true, false or null"},
		{"enabled missing", text(`, "Expansion": {"SecondsBetweenExpansions": 1}`), "EnabledOverrides: missing"},
		{"default number", text(`, "DefaultAttributeValue": 1`), "DefaultAttributeValue: got 1, expected a text"},
		{"total reversed", total(`, "Min": 2, "Max": 1`), `MatchTotalRule "Hosts": Max: got 1, expected at least Min`},
		{"total without bounds", total(`, "Max": 1`), "Min: missing"},
		{"total without overrides", total(`, "Min": 1, "Max": 1, "Expansion": {"SecondsBetweenExpansions": 1}`), "MinOverrides or MaxOverrides"},
		{"similarity expands", queueOf(`, "TeamTicketSizeSimilarityRule": {"Name": "Size", "LinearExpansion": {"Delta": 1}}` + twoTeams), "LinearExpansion: got an object, expected none"},
		{"team difference without default", queueOf(`, "TeamDifferenceRules": [{"Name": "Gap", "Attribute": {"Path": "a", "Source": "User"}, "Difference": 1}]` + twoTeams), `TeamDifferenceRule "Gap": DefaultAttributeValue: missing`},
		{"no queues", `{"MatchMakingQueues": []}`, "MatchMakingQueues: got a list without queues"},
		{"trailing comma", "{\n \"Name\": \"q\",\n}", "q.json:2:13: remove the comma before '}'"},
		{"fragment", `"Name": "q", "MinMatchSize": 2`, "q.json:1:7: "},
	} {
		_, _, err := read("q.json", []byte(test.text), vendor.CompileOptions{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v\nwant one that contains %s", test.name, err, test.want)
		} else if !strings.HasPrefix(err.Error(), "q.json:") {
			t.Errorf("%s: got error %q, want prefix q.json:", test.name, err)
		}
	}
}

func TestAllErrorsAreReported(t *testing.T) {
	_, _, err := read("q.json", []byte(queueOf(`, "MaxTicketSize": -1, "DifferenceRules": [{"Name": "A B"}], "Teams": [1, 2]`)), vendor.CompileOptions{})
	for _, want := range []string{"MaxTicketSize", "Teams[0]", "Teams[1]", `"A B"`, "Difference: missing", "Attribute: missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in the errors, got\n%v", want, err)
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown key", queueOf(`, "Colour": 1`), "Colour: unknown key, ignored"},
		{"unknown key of a rule", difference(`, "Colour": 1`), `DifferenceRule "Skill": Colour: unknown key`},
		{"unknown key of an expansion", difference(`, "LinearExpansion": {"Delta": 1, "SecondsBetweenExpansions": 1, "Colour": 1}`), "LinearExpansion: Colour: unknown key"},
		{"portal text", difference(`, "CustomExpansion": {"DifferenceOverrides": "0.2;0.3;null", "SecondsBetweenExpansions": 5}`), "text with semicolons"},
		{"weight of a team rule", queueOf(`, "TeamSizeBalanceRule": {"Name": "Size", "Difference": 1, "Weight": 0}` + twoTeams), "Weight: ignored, because a TeamSizeBalanceRule has no weight"},
		{"minima too large", `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 3, "Teams": [{"Name": "a", "MinTeamSize": 2, "MaxTeamSize": 4}, {"Name": "b", "MinTeamSize": 2, "MaxTeamSize": 4}]}`, "MinTeamSize of all teams adds up to 4, but MaxMatchSize is 3"},
		{"maxima too small", `{"Name": "q", "MinMatchSize": 9, "MaxMatchSize": 9` + twoTeams + `}`, "MaxTeamSize of all teams adds up to 8, but MinMatchSize is 9"},
		{"team names by case", queueOf(`, "Teams": [{"Name": "red", "MinTeamSize": 0, "MaxTeamSize": 4}, {"Name": "Red", "MinTeamSize": 0, "MaxTeamSize": 4}]`), "differ only in letter case"},
		{"no default", queueOf(`, "DifferenceRules": [{"Name": "Skill", "Difference": 1, "Attribute": {"Path": "a", "Source": "User"}, "AttributeNotSpecifiedBehavior": "UseDefault"}]`), "UseDefault without DefaultAttributeValue"},
		{"no behaviour", queueOf(`, "DifferenceRules": [{"Name": "Skill", "Difference": 1, "Attribute": {"Path": "a", "Source": "User"}, "DefaultAttributeValue": 0}]`), "missing, read as UseDefault"},
		{"empty overrides", difference(`, "CustomExpansion": {"DifferenceOverrides": [], "SecondsBetweenExpansions": 5}`), "the list is empty and has no effect"},
	} {
		_, warnings := compileOne(t, test.text)
		if !slices.ContainsFunc(warnings, func(w jsontree.Warning) bool { return strings.Contains(w.Message, test.want) }) {
			t.Errorf("%s: got warnings %q, want one that contains %s", test.name, warnings, test.want)
		}
	}
	_, _, err := read("q.json", []byte(queueOf(`, "Colour": 1`)), vendor.CompileOptions{Strict: true})
	if err == nil || !strings.Contains(err.Error(), "Colour: unknown key") {
		t.Errorf("strict: got error %v, want the unknown key refused", err)
	}
	if _, warnings := compileOne(t, difference("")); len(warnings) > 0 {
		t.Errorf("got warnings %q for a correct queue, want none", warnings)
	}
}

// A queue compiles to the same ruleset in every kind of document and in both layouts of rules.
func TestSpellingsAreEquivalent(t *testing.T) {
	rule := `"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 10.0, "MergeFunction": null,
		"AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1, "SecondsUntilOptional": null`
	typed := queueOf(`, "DifferenceRules": [{` + rule + `, "CustomExpansion": {"DifferenceOverrides": [{"Value": 1}, null, {"Value": 3.5}], "SecondsBetweenExpansions": 10.0}}]`)
	want, _ := compileOne(t, typed)
	for _, text := range []string{
		`{"MatchmakingQueue": ` + typed + `, "CustomTags": {"a": "b"}}`,
		`{"MatchMakingQueues": [` + typed + `]}`,
		`{"code": 200, "status": "OK", "data": {"MatchmakingQueue": ` + typed + `}}`,
		`{"code": 200, "status": "OK", "data": {"MatchMakingQueues": [` + typed + `]}}`,
		queueOf(`, "DifferenceRules": [{` + rule + `, "CustomExpansion": {"DifferenceOverrides": [1, {"Value": null}, 3.5], "SecondsBetweenExpansions": 10}}]`),
		queueOf(`, "DifferenceRules": [{` + rule + `, "Expansion": {"Type": "Custom", "DifferenceOverrides": "1; null ;3.5", "SecondsBetweenExpansions": 10}}]`),
		queueOf(`, "Rules": [{"Type": "DifferenceRule", ` + rule + `, "Expansion": {"Type": "Custom", "DifferenceOverrides": [1, null, 3.5], "SecondsBetweenExpansions": 10}}]`),
		queueOf(`, "Rules": [{"Type": "DifferenceRule", ` + rule + `, "CustomExpansion": {"DifferenceOverrides": [1, null, 3.5], "SecondsBetweenExpansions": 10}}]`),
		"\ufeff" + typed,
	} {
		got, _ := compileOne(t, text)
		if a, b := asJSON(t, got.Ruleset), asJSON(t, want.Ruleset); a != b {
			t.Errorf("got  %s\nwant %s\nfor %s", a, b, text)
		}
	}
}

func asJSON(t *testing.T, set *matcher.Ruleset) string {
	t.Helper()
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSchedules(t *testing.T) {
	threshold := func(rule matcher.Rule) *matcher.Schedule {
		switch r := rule.(type) {
		case *matcher.NumberDistance:
			return &r.Max
		case *matcher.SetOverlap:
			return &r.MinShared
		case *matcher.ReachRegion:
			return &r.MaxRTTMS
		case *matcher.EqualText:
			return &r.Enabled
		case *matcher.MatchTotal:
			return &r.Max
		}
		return nil
	}
	off := math.NaN() // the rule is not active
	for _, test := range []struct {
		name, text string
		want       []float64 // threshold every 5 s from 0
	}{
		{"linear with limit", difference(`, "LinearExpansion": {"Delta": 5, "Limit": 22, "SecondsBetweenExpansions": 10}`), []float64{10, 10, 15, 15, 20, 20, 22, 22}},
		{"linear without limit", difference(`, "LinearExpansion": {"Delta": 5, "Limit": null, "SecondsBetweenExpansions": 5}`), []float64{10, 15, 20, 25, 30}},
		{"custom replaces the base at once", difference(`, "CustomExpansion": {"DifferenceOverrides": [2, 8, null, 20], "SecondsBetweenExpansions": 5}`), []float64{2, 8, off, 20, 20, 20}},
		{"sets shrink to nothing", queueOf(`, "SetIntersectionRules": [{"Name": "Maps", "Attribute": {"Path": "m", "Source": "User"}, "MinIntersectionSize": 3, "AttributeNotSpecifiedBehavior": "MatchAny", "LinearExpansion": {"Delta": 2, "SecondsBetweenExpansions": 5}}]`), []float64{3, 1, 0, 0}},
		{"sets shrink to a limit", queueOf(`, "SetIntersectionRules": [{"Name": "Maps", "Attribute": {"Path": "m", "Source": "User"}, "MinIntersectionSize": 6, "AttributeNotSpecifiedBehavior": "MatchAny", "LinearExpansion": {"Delta": 2, "Limit": 1, "SecondsBetweenExpansions": 5}}]`), []float64{6, 4, 2, 1, 1}},
		{"region", queueOf(`, "RegionSelectionRule": {"Name": "Near", "Path": "l", "MaxLatency": 50, "LinearExpansion": {"Delta": 100, "Limit": 200, "SecondsBetweenExpansions": 5}}`), []float64{50, 150, 200, 200}},
		{"enabled", queueOf(`, "StringEqualityRules": [{"Name": "B", "Attribute": {"Path": "b", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny", "Expansion": {"EnabledOverrides": [true, false, true, null], "SecondsBetweenExpansions": 5}}]`), []float64{1, off, 1, off, off}},
		{"total of one list", queueOf(`, "MatchTotalRules": [{"Name": "H", "Attribute": {"Path": "h", "Source": "User"}, "Min": 2, "Max": 0, "Expansion": {"MaxOverrides": [4, 5], "SecondsBetweenExpansions": 5}}]`), []float64{4, 5, 5}},
	} {
		queue, _ := compileOne(t, test.text)
		s := threshold(queue.Ruleset.Rules[0])
		for i, want := range test.want {
			got, active := s.At(int64(i) * 5000)
			if !active {
				got = off
			}
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s after %d s: got %v, want %v", test.name, 5*i, got, want)
			}
		}
	}
}

// Rules keep the order of the file, whatever the layout.
func TestRulesKeepTheirOrder(t *testing.T) {
	queue, _ := compileOne(t, queueOf(`,
		"RegionSelectionRule": {"Name": "one", "Path": "l", "MaxLatency": 5},
		"Rules": [{"Type": "MatchTotalRule", "Name": "two", "Attribute": {"Path": "h", "Source": "User"}, "Min": 0, "Max": 1}],
		"StringEqualityRules": [{"Name": "three", "Attribute": {"Path": "b", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny"}]`))
	for i, want := range []string{"one", "two", "three"} {
		if !strings.Contains(asJSON(t, &matcher.Ruleset{Rules: queue.Ruleset.Rules[i : i+1]}), `"`+want+`"`) {
			t.Errorf("rule %d of the ruleset: want %s, the order of the file", i, want)
		}
	}
}

func TestHostileFilesAreRefused(t *testing.T) {
	teams := strings.Repeat(`{"Name": "t", "MinTeamSize": 1, "MaxTeamSize": 1},`, 9_999) + `{"Name": "t", "MinTeamSize": 1, "MaxTeamSize": 1}`
	for _, test := range []struct{ name, text, want string }{
		{"10 MB", "{" + strings.Repeat(" ", 10<<20) + "}", "q.json:1:1: the rules have 10485762 bytes, expected at most 4194304 (4 MiB)"},
		{"deep", strings.Repeat(`{"data":`, 100_000), "the JSON is nested too deeply, expected at most 64 levels"},
		{"10,000 teams", queueOf(`, "Teams": [` + teams + `]`), "Teams: got 10000 teams, expected none or 2 to 32"},
		{"10,000 rules", queueOf(`, "Rules": [` + strings.Repeat(`{},`, 9_999) + `{}]`), "and "},
		{"a key twice", queueOf(`, "Name": "r"`), `the key "Name" is already in this object, on line 1`},
		{"NaN", difference(`, "Weight": NaN`), "the text is not valid JSON"},
		{"infinity", difference(`, "Weight": 1e400`), "Weight: got 1e400, expected a number"},
		{"a long number", difference(`, "Weight": ` + strings.Repeat("9", 100_000)), "Weight: got 9999999999999999999999999999999999999999…"},
		{"a long path", queueOf(`, "DifferenceRules": [{"Name": "S", "Difference": 1, "Attribute": {"Path": "` + strings.Repeat("a.", 100_000) + `", "Source": "User"}}]`), "a path of 1 to 1000 characters"},
	} {
		_, _, err := read("q.json", []byte(test.text), vendor.CompileOptions{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %.200v, want one that contains %s", test.name, err, test.want)
		} else if len(err.Error()) > 10_000 {
			t.Errorf("%s: got an error of %d bytes, want at most 10000", test.name, len(err.Error()))
		}
	}
}

// The number of warnings is limited, because finding the positions of many would take minutes.
func TestManyUnknownMembers(t *testing.T) {
	var members strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&members, `, "m%d": 1`, i)
	}
	text := []byte(queueOf(members.String()))
	_, warnings, err := read("q.json", text, vendor.CompileOptions{})
	if err != nil || len(warnings) != 51 || warnings[50].Message != "and 99950 more warnings" {
		t.Errorf("got %d warnings (error %v), want 50 and a line that counts the rest", len(warnings), err)
	}
	_, _, err = read("q.json", text, vendor.CompileOptions{Strict: true})
	if err == nil || !strings.HasSuffix(err.Error(), "and 99980 more errors") {
		t.Errorf("strict: got error %.200v, want 20 errors and a line that counts the rest", err)
	}
}

func TestRecognises(t *testing.T) {
	for text, want := range map[string]bool{
		queueOf(""):                true,
		`{"MatchmakingQueue": {}}`: true, `{"MatchMakingQueues": []}`: true, `{"code": 200, "data": {"MatchmakingQueue": {}}}`: true,
		`{"alliance": {}}`: false, `{"signals": []}`: false, `[]`: false, `{}`: false, `{"data": null}`: false,
	} {
		v, err := jsontree.Parse("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := Recognises(v); got != want {
			t.Errorf("%s: got recognised %v, want %v", text, got, want)
		}
	}
}

func TestOptionsReachTheRuleset(t *testing.T) {
	queues, _, err := read("q.json", []byte(queueOf("")), vendor.CompileOptions{ExpansionBasis: matcher.ShortestWait, OptionalBasis: matcher.AnyWaited, Budget: 7, PartitionAbove: 9})
	if err != nil {
		t.Fatal(err)
	}
	set := queues[0].Ruleset
	if set.ExpansionBasis != matcher.ShortestWait || set.OptionalBasis != matcher.AnyWaited || set.Budget != 7 || set.PartitionAbove != 9 {
		t.Errorf("got %+v, want the bases, the budget and PartitionAbove of the options", set)
	}
}

func BenchmarkRead(b *testing.B) {
	text := []byte(difference(`, "CustomExpansion": {"DifferenceOverrides": [1, 2, 4, 8, null], "SecondsBetweenExpansions": 10}`))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := read("q.json", text, vendor.CompileOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// No text makes the compiler panic, and the engine accepts every ruleset that the compiler accepts.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/cases/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("got no case files (error %v)", err)
	}
	for i, file := range files {
		if i%8 != 0 { // a sample is enough for the seed corpus
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var c struct{ Rules json.RawMessage }
		if err := json.Unmarshal(text, &c); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(c.Rules))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		queues, _, err := read("q.json", text, vendor.CompileOptions{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "q.json:") {
				t.Fatalf("got error %q, want prefix q.json:", err)
			}
			return
		}
		for _, q := range queues {
			if err := q.Ruleset.Validate(); err != nil {
				t.Fatalf("the dialect accepted the file, but the ruleset is not valid: %v", err)
			}
			q.Lint(matcher.Never)
			q.Lint(1000)
			if _, err := q.Player(jsontree.Value{}, jsontree.Value{}); err != nil {
				var refusal *Refusal
				if !errors.As(err, &refusal) {
					t.Fatalf("got error %v, want a Refusal", err)
				}
			}
		}
	})
}
