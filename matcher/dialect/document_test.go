package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

func parse(t *testing.T, text string) jsontree.Value {
	t.Helper()
	root, err := jsontree.ParseRelaxed("rules.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// quoted returns a text as JSON.
func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}

const (
	duel     = `{"Name": "duel", "MinMatchSize": 2, "MaxMatchSize": 2}`
	squad    = `{"Name": "squad", "MinMatchSize": 4, "MaxMatchSize": 8}`
	alliance = `{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1}}`
	teams    = `{"name": "inner", "ruleLanguageVersion": "1.0", "teams": [{"name": "a", "minPlayers": 1, "maxPlayers": 2}]}`
)

// Every form in which a vendor's API or documentation gives rulesets is read.
func TestOpen(t *testing.T) {
	for _, test := range []struct{ name, text, dialect, rulesets string }{
		{"queue", duel, "playfab", "duel"},
		{"queue of an API call", `{"MatchmakingQueue": ` + duel + `}`, "playfab", "duel"},
		{"queue of an HTTP answer", `{"code": 200, "data": {"MatchmakingQueue": ` + duel + `}}`, "playfab", "duel"},
		{"queues of an API call", `{"MatchMakingQueues": [` + duel + `, ` + squad + `]}`, "playfab", "duel squad"},
		{"queues of an HTTP answer", `{"data": {"MatchMakingQueues": [` + duel + `, ` + squad + `]}}`, "playfab", "duel squad"},
		{"list of queues", `[` + duel + `, ` + squad + `]`, "playfab", "duel squad"},
		{"list of API calls", `[{"MatchmakingQueue": ` + duel + `}, ` + squad + `]`, "playfab", "duel squad"},
		{"AccelByte ruleset", alliance, "accelbyte", ""},
		{"AccelByte export", `{"name": "duel", "data": ` + alliance + `}`, "accelbyte", "duel"},
		{"AccelByte exports", `{"data": [{"name": "a", "data": ` + alliance + `}, {"name": "b", "data": ` + alliance + `}]}`, "accelbyte", "a b"},
		{"rule set", teams, "flexmatch", "inner"},
		{"describe-matchmaking-rule-sets", `{"RuleSets": [{"RuleSetName": "x", "RuleSetBody": ` + quoted(teams) + `}, {"RuleSetName": "y", "RuleSetBody": ` + quoted(teams) + `}]}`, "flexmatch", "x y"},
		{"create-matchmaking-rule-set", `{"RuleSet": {"RuleSetName": "x", "RuleSetBody": ` + quoted(teams) + `}}`, "flexmatch", "x"},
		{"input of create-matchmaking-rule-set", `{"Name": "x", "RuleSetBody": ` + quoted(teams) + `}`, "flexmatch", "x"},
		{"body that is no text", `{"RuleSets": [{"RuleSetName": "x", "RuleSetBody": ` + teams + `}]}`, "flexmatch", "x"},
		{"default of Roblox", `{}`, "roblox", ""},
	} {
		d, err := Read("", parse(t, test.text), vendor.CompileOptions{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var names []string
		for _, r := range d.Rulesets {
			names = append(names, r.Name)
			if _, err := d.CompileRuleset(r, vendor.CompileOptions{}); err != nil {
				t.Errorf("%s, %s: %v", test.name, r.Name, err)
			}
		}
		if got := strings.Join(names, " "); d.Name != test.dialect || got != test.rulesets {
			t.Errorf("%s: got dialect %s with rulesets %q, want %s with %q", test.name, d.Name, got, test.dialect, test.rulesets)
		}
	}
}

func TestCompileSelects(t *testing.T) {
	list := `{"MatchMakingQueues": [` + duel + `, ` + squad + `, {"Name": "bad"}, ` + squad + `]}`
	sets := `{"RuleSets": [{"RuleSetName": "x", "RuleSetBody": ` + quoted(teams) + `}, {"RuleSetName": "bad", "RuleSetBody": "{\n x"}, {"RuleSetName": "z", "RuleSetBody": ` + quoted(teams+" // z") + `}]}`
	for _, test := range []struct {
		text, name string
		strict     bool
		want       string // description, warning or error
	}{
		{list, "duel", false, "PlayFab queue duel, 2 players, 0 rules"},
		{list, "squad", false, `rules.json:1:154: got the name "squad" twice in the file, expected it once`},
		{list, "bad", false, "rules.json:1:137: MinMatchSize: missing"},
		{list, "other", false, `rules.json:1:1: the file has no ruleset "other", expected one of duel, squad, bad, squad`},
		{list, "", false, "rules.json:1:1: the file has 4 rulesets, expected the name of one of them"},
		{sets, "x", false, "FlexMatch rule set inner"},
		{sets, "x", true, "FlexMatch rule set inner"},
		{sets, "bad", false, "line 2 of RuleSetBody: the text is not valid JSON"},
		{sets, "z", false, "ignored 1 comment"},
		{sets, "z", true, "line 1 of RuleSetBody: remove the comment"},
		{alliance, "duel", false, `rules.json:1:1: the file has one ruleset without a name, expected no name, not "duel"`},
		{duel + "// the end", "", false, "ignored 1 comment"},
		{duel + "// the end", "", true, "rules.json:1:55: remove the comment"},
		{`{"MatchMakingQueues": [], "more": 1}`, "", false, "MatchMakingQueues: got a list without queues"},
		{`{"MatchMakingQueues": [` + duel + `], "more": 1}`, "", false, "more: unknown key, ignored"},
		{`{"MatchMakingQueues": [` + duel + `], "more": 1}`, "", true, "more: unknown key"},
	} {
		_, rules, err := Compile("", parse(t, test.text), test.name, vendor.CompileOptions{Strict: test.strict})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = rules.Description
			for _, w := range rules.Warnings {
				got += "\n" + w.String()
			}
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%.40s…, %q, strict %v: got %s, want %s", test.text, test.name, test.strict, got, test.want)
		}
	}
}

// A file of another service is named as what it seems to be, and no file of a vendor is.
func TestUnsupported(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "q", "enabled": true, "maxPlayersPerTicket": 2, "defaultPool": {"name": "p"}}`: "Unity Matchmaker",
		`{"Name": "Rules", "MatchDefinition": {"Teams": []}}`:                                    "Unity Matchmaker",
		`{"enabled": true, "defaultQueueName": "q"}`:                                             "Unity Matchmaker",
		`{"criteria": [], "minCurrentPlayers": 1}`:                                               "Epic Online Services",
		`{"count": 1, "sessions": [{"deployment": "d", "bucket": "b", "openPublicPlayers": 3}]}`: "Epic Online Services",
		`{"name": "p", "pools": [{"name": "all", "double_range_filters": []}]}`:                  "Open Match",
		`[{"name": "p", "pools": [{"name": "all", "tagPresentFilters": []}]}]`:                   "Open Match",
		`{"profiles": [{"name": "p", "pools": {"all": {}}}]}`:                                    "Open Match",
		`{"id": "t", "search_fields": {"tags": ["a"]}}`:                                          "Open Match",
		`{"whose": "nobody's"}`: "",
		duel:                    "",
	} {
		err := UnsupportedErr(parse(t, text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
