package accelbyte

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

const duel = `"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1}`

// rulesetOf adds keys to an otherwise valid ruleset.
func rulesetOf(keys string) string {
	if keys != "" {
		keys = ", " + keys
	}
	return `{` + duel + keys + `}`
}

// read compiles a text.
func read(file string, text []byte, options vendor.CompileOptions) (*Ruleset, []jsontree.Warning, error) {
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	return compile(split(root, nil)[0].Value, options)
}

func compileOne(t *testing.T, text string) (*Ruleset, []jsontree.Warning) {
	t.Helper()
	set, warnings, err := read("r.json", []byte(text), vendor.CompileOptions{Follow: vendor.FollowPage})
	if err != nil {
		t.Fatalf("%v\nin %s", err, text)
	}
	return set, warnings
}

// Every error message names the field and the value.
func TestRefusals(t *testing.T) {
	rule := func(keys string) string { return rulesetOf(`"matching_rule": [{` + keys + `}]`) }
	flex := func(keys string) string {
		return rulesetOf(`"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 200}], "flexing_rule": [{` + keys + `}]`)
	}
	teams := func(keys string) string { return `{"alliance": {` + keys + `}}` }
	for _, test := range []struct{ name, text, want string }{
		{"no object", `[]`, "r.json:1:1: got a list, expected an object"},
		{"trailing comma", `{"auto_backfill": true,}`, "r.json:1:23: remove the comma before '}': JSON does not allow a comma after the last entry"},
		{"empty", ``, "the file is empty"},
		{"no alliance", `{"auto_backfill": true}`, "alliance: missing"},
		{"alliance list", `{"alliance": []}`, "alliance: got a list, expected an object"},
		{"alliance null", `{"alliance": null}`, "alliance: missing"},
		{"teams missing", teams(`"max_number": 2, "player_min_number": 1, "player_max_number": 1`), "alliance: min_number: missing"},
		{"teams text", teams(`"min_number": "two", "max_number": 2, "player_min_number": 1, "player_max_number": 1`), `alliance: min_number: got "two", expected a whole number`},
		{"teams fraction", teams(`"min_number": 1.5, "max_number": 2, "player_min_number": 1, "player_max_number": 1`), "min_number: got 1.5"},
		{"teams zero", teams(`"min_number": 0, "max_number": 2, "player_min_number": 1, "player_max_number": 1`), "min_number: got 0"},
		{"teams huge", teams(`"min_number": 1, "max_number": 2147483648, "player_min_number": 1, "player_max_number": 1`), "max_number: got 2147483648, expected a whole number from 1 to 2147483647"},
		{"teams reversed", teams(`"min_number": 3, "max_number": 2, "player_min_number": 1, "player_max_number": 1`), "max_number: got 2, expected at least min_number, which is 3"},
		{"players reversed", teams(`"min_number": 1, "max_number": 2, "player_min_number": 5, "player_max_number": 4`), "player_max_number: got 4, expected at least player_min_number, which is 5"},
		{"crowd", teams(`"min_number": 2147483647, "max_number": 2147483647, "player_min_number": 2147483647, "player_max_number": 2147483647`), "expected at most 1000 players in a match"},
		{"roles", teams(`"min_number": 1, "max_number": 2, "player_min_number": 1, "player_max_number": 4, "combination": {"has_combination": true}`), "alliance: combination: has_combination: role combinations are not supported"},
		{"flexed alliance", rulesetOf(`"alliance_flexing_rule": [{"duration": 60, "min_number": 2, "max_number": 1, "player_min_number": 1, "player_max_number": 1}]`), "alliance_flexing_rule[0]: max_number: got 1"},
		{"flexed roles", rulesetOf(`"alliance_flexing_rule": [{"duration": 60, "min_number": 1, "max_number": 1, "player_min_number": 1, "player_max_number": 1, "combination": {"has_combination": true}}]`), "alliance_flexing_rule[0]: combination: has_combination"},
		{"modes", rulesetOf(`"sub_game_modes": {"a": {}}`), "sub_game_modes: sub game modes are not supported"},
		{"auto_backfill text", rulesetOf(`"auto_backfill": "yes"`), `auto_backfill: got "yes", expected true or false`},
		{"rules object", rulesetOf(`"matching_rule": {}`), "matching_rule: got an object, expected a list"},
		{"rule text", rulesetOf(`"matching_rule": ["mmr"]`), `matching_rule[0]: got "mmr", expected an object`},
		{"attribute missing", rule(`"criteria": "distance"`), "matching_rule[0]: attribute: missing"},
		{"attribute upper case", rule(`"attribute": "MMR", "criteria": "distance"`), `attribute: got "MMR", expected a code of 1 to 64 characters in lower case`},
		{"attribute long", rule(`"attribute": "` + strings.Repeat("a", 65) + `", "criteria": "distance"`), "attribute: got"},
		{"criteria", rule(`"attribute": "mmr", "criteria": "closest"`), `criteria: got "closest", expected distance`},
		{"reference", rule(`"attribute": "mmr", "criteria": "distance", "reference": -1`), "reference: got -1"},
		{"reference infinite", rule(`"attribute": "mmr", "criteria": "distance", "reference": 1e999`), "reference: got 1e999"},
		{"max", rule(`"attribute": "mmr", "criteria": "distance", "reference": 200, "max": 100`), "max: got 100, expected at least reference, which is 200"},
		{"both spellings", rule(`"attribute": "mmr", "criteria": "distance", "reference": 2, "max": 100, "normalizationMax": 100`), "only one of max and normalizationMax"},
		{"weight", rule(`"attribute": "mmr", "criteria": "distance", "weight": 1001`), "weight: got 1001, expected a number from 0 to 1000"},
		{"balancing", rule(`"attribute": "mmr", "criteria": "distance", "is_for_balancing": 1`), "is_for_balancing: got 1"},
		{"duration", flex(`"duration": -5, "attribute": "mmr", "criteria": "distance"`), "flexing_rule[0]: duration: got -5"},
		{"flexed weight", flex(`"duration": 5, "attribute": "mmr", "criteria": "distance", "weight": 1`), "weight: got 1, expected none, because weight belongs in the rule for mmr"},
		{"flexed max", flex(`"duration": 5, "attribute": "mmr", "criteria": "distance", "normalizationMax": 900`), "normalizationMax: got 900, expected none"},
		{"max too small", rulesetOf(`"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 2, "max": 4}],
			"flexing_rule": [{"duration": 5, "attribute": "mmr", "criteria": "distance", "reference": 5}]`), "matching_rule[0]: max: got 4, expected at least every reference for mmr in flexing_rule, one of which is 5"},
		{"normalizationMax too small", rulesetOf(`"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 2, "normalizationMax": 4}],
			"flexing_rule": [{"duration": 5, "attribute": "mmr", "criteria": "distance", "reference": 5}]`), "matching_rule[0]: normalizationMax: got 4, expected at least every reference for mmr in flexing_rule, one of which is 5"},
		{"option type", rulesetOf(`"match_options": {"options": [{"name": "m", "type": "disabled"}]}`), `match_options: options[0]: type: got "disabled", expected one of all, any, unique, disable`},
		{"option name", rulesetOf(`"match_options": {"options": [{"name": "", "type": "any"}]}`), `name: got ""`},
		{"options list", rulesetOf(`"match_options": []`), "match_options: got a list, expected an object"},
		{"initial alone", rulesetOf(`"region_latency_initial_range_ms": 50`), "region_latency_max_ms: missing, expected at least region_latency_initial_range_ms, which is 50"},
		{"initial above max", rulesetOf(`"region_latency_initial_range_ms": 50, "region_latency_max_ms": 40`), "region_latency_max_ms: got 40"},
		{"rate", rulesetOf(`"region_expansion_rate_ms": -1`), "region_expansion_rate_ms: got -1"},
		{"region weight", rulesetOf(`"region_latency_rule_weight": -1`), "region_latency_rule_weight: got -1"},
		{"blocked", rulesetOf(`"blocked_player_option": "never"`), `blocked_player_option: got "never"`},
		{"version", rulesetOf(`"rebalance_version": "new"`), `rebalance_version: got "new"`},
		{"key twice", rulesetOf(`"auto_backfill": true, "Auto_Backfill": false`), `Auto_Backfill: the key "auto_backfill" is already in this object, and letter case is ignored`},
		{"many entries", rulesetOf(`"matching_rule": [` + strings.Repeat("0,", 200) + `0]`), "matching_rule: got 201 entries, expected at most 200"},
	} {
		_, _, err := read("r.json", []byte(test.text), vendor.CompileOptions{Follow: vendor.FollowPage})
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "r.json:") {
			t.Errorf("%s: got error %v, want one that contains %s", test.name, err, test.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	rule := `"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 200}]`
	for _, test := range []struct{ text, want string }{
		{rulesetOf(`"matching_options": {}`), `r.json:1:118: warning: matching_options: unknown key, ignored`},
		{rulesetOf(`"match_options": {"option": []}`), "match_options: option: unknown key, ignored"},
		{rulesetOf(`"matching_rule": [{"attribute": "mmr", "criteria": "average", "references": 2}]`), `the service ignores a rule with the criteria "average"`},
		{rulesetOf(`"rebalance_version": 1`), "rebalance_version: got 1, but mmsim always balances teams as version 2 does"},
		{rulesetOf(`"flexing_rule": [{"duration": 5, "attribute": "mmr", "criteria": "distance", "reference": 5, "weight": 3}]`), `matching_rule has no distance rule for "mmr"`},
		{rulesetOf(rule + `, "flexing_rule": [{"duration": 5, "attribute": "mmr", "criteria": "distance", "isForBalancing": true}]`), "isForBalancing: ignored, because it has no effect in flexing_rule"},
	} {
		_, warnings := compileOne(t, test.text)
		if !strings.Contains(fmt.Sprint(warnings), test.want) {
			t.Errorf("%s: got warnings %q, want one that contains %s", test.text, warnings, test.want)
		}
	}
	if _, _, err := read("r.json", []byte(rulesetOf(`"matching_options": {}`)), vendor.CompileOptions{Strict: true}); err == nil {
		t.Error("an unknown key was accepted in strict mode, want an error")
	}
}

func TestCompiled(t *testing.T) {
	set, warnings := compileOne(t, `{"data": {"ALLIANCE": {"min_number": 2, "max_number": 4, "player_min_number": 3, "player_max_number": 5},
		"alliance_flexing_rule": [
			{"duration": 60, "min_number": 2, "max_number": 4, "player_min_number": 1, "player_max_number": 5},
			{"duration": 30, "min_number": 2, "max_number": 4, "player_min_number": 2, "player_max_number": 5}],
		"matching_rule": [
			{"attribute": "mmr", "criteria": "distance", "reference": 200, "normalizationMax": 2000, "weight": 0, "isForBalancing": false},
			{"attribute": "level", "criteria": "distance", "reference": 5}],
		"flexing_rule": [
			{"duration": 30, "attribute": "level", "criteria": "distance", "reference": 7},
			{"duration": 15, "attribute": "mmr", "criteria": "distance", "reference": 300},
			{"duration": 20, "attribute": "mmr", "criteria": "greater"}],
		"match_options": {"options": [{"name": "Maps", "type": "any"}, {"name": "x", "type": "disable"}, {"name": "cross_platform", "type": "any"}]},
		"region_latency_max_ms": 300, "disable_bidirectional_latency_after_ms": -5, "rebalance_enable": false, "auto_backfill": true}}`)
	// The criteria greater is ignored.
	if len(warnings) != 1 {
		t.Errorf("got warnings %q, want one", warnings)
	}
	s := set.Rules.Pivot
	if len(s.Sizes) != 3 || s.Sizes[1].AfterMS != 30_000 || s.Sizes[2].MinPlayers != 1 || set.Rules.MinPlayers != 2 || set.Rules.MaxPlayers != 20 {
		t.Errorf("got sizes %+v, want three stages, the second after 30 s, and matches of 2 to 20 players", s.Sizes)
	}
	mmr, level := s.Distances[0], s.Distances[1]
	want := matcher.Steps[float64]{{Value: 200}, {AfterMS: 15_000, Value: 300}, {AfterMS: 20_000, Value: math.Inf(1)}}
	for i := range want {
		if mmr.Max[i] != want[i] {
			t.Errorf("got stages %v, want %v", mmr.Max, want)
		}
	}
	// No rule has is_for_balancing true and not all have it false, so teams are balanced by the
	// first rule. A rule without a max uses the largest reference as its scale.
	if mmr.Scale != 2000 || mmr.Weight != 0 || !mmr.Balanced || level.Scale != 300 || level.Weight != 1 || level.Balanced {
		t.Errorf("got distances mmr %+v and level %+v, want mmr balanced with scale 2000 and weight 0, level with scale 300 and weight 1", mmr, level)
	}
	if len(s.Options) != 2 || s.Options[0].Kind != matcher.SharedValue || s.Options[0].Own != matcher.NoColumn || s.Options[1].Own == matcher.NoColumn {
		t.Errorf("got options %+v, want two shared values, the second with a column of its own", s.Options)
	}
	if r := s.Region; !r.Relative || r.MaxMS != 300 || !reflect.DeepEqual(r.ReachMS, linear(0, 50, 5000)) || r.OneWayAfterMS != matcher.Never || r.Weight != 1 {
		t.Errorf("got region rule %+v, want it relative, at most 300 ms, growing by 50 ms every 5 s", r)
	}
	if s.Balance || !s.Backfill || s.Blocking != matcher.KeepApart {
		t.Errorf("got %+v, want no balance, backfill, and blocked players kept apart", s)
	}
}

func linear(base, step float64, everyMS int64) matcher.Schedule {
	return matcher.Linear(base, step, math.Inf(1), everyMS)
}

func TestValues(t *testing.T) {
	set, _ := compileOne(t, rulesetOf(`"match_options": {"options": [{"name": "maps", "type": "any"}, {"name": "off", "type": "disable"}]}`))
	values := func(text string) []matcher.Value {
		t.Helper()
		v, err := jsontree.Parse("t.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		list, err := set.Values(v)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	same := func(text string) matcher.Text {
		if v := values(text)[set.same]; v.Kind == matcher.IsText {
			return v.Text
		}
		return -1
	}
	for _, test := range []struct {
		a, b  string
		equal bool
	}{
		{`{}`, `{"playlist": ""}`, true},
		{`{}`, `{"playlist": null}`, true},
		{`{}`, `{"playlist": "ranked"}`, false},
		{`{"playlist": "ranked"}`, `{"playlist": "casual"}`, false},
		{`{"a": 1, "b": {"x": [1, 2], "y": true}}`, `{"b": {"y": true, "x": [1.0, 2]}, "a": 1e0}`, true},
		{`{"a": 1}`, `{"a": "1"}`, false},
		{`{"a": "1,\"b\":2"}`, `{"a": "1", "b": 2}`, false},
		{`{}`, `{"off": 1, "maps": "x", "role": "any", "match_attempt": 3, "blocked_players": ["u"], "current_platform": "pc", "new_session_only": true}`, true},
		{`{}`, `{"client_version": "1.0"}`, false},
		{`{"cross_platform": ["pc"]}`, `{"cross_platform": ["xbox"]}`, false},
		{`{}`, `{"server_name": "here"}`, false},
	} {
		if got := same(test.a) == same(test.b); got != test.equal {
			t.Errorf("%s and %s: got equal %v, want %v", test.a, test.b, got, test.equal)
		}
	}
	column := set.options[0].column
	one, list := values(`{"maps": 5}`)[column], values(`{"maps": ["5", "5"]}`)[column]
	if len(one.Set) != 1 || len(list.Set) != 1 || one.Set[0] != list.Set[0] {
		t.Errorf("got sets %v and %v, want the same single text in both", one, list)
	}
	if v := values(`{"maps": []}`)[column]; v.Kind != matcher.Missing {
		t.Errorf("an empty list: got value %v, want it missing", v)
	}
	if v := values(`{"new_session_only": false}`)[set.Rules.Pivot.NewOnly]; v.Kind != matcher.Missing {
		t.Errorf("new_session_only false: got value %v, want it missing", v)
	}
	broken, _ := jsontree.Parse("t.json", []byte(`{"blocked_players": [7]}`))
	if _, err := set.Values(broken); err == nil || !strings.Contains(err.Error(), "blocked_players: got 7") {
		t.Errorf("got error %v, want blocked_players refused", err)
	}
	free, _ := compileOne(t, rulesetOf(`"match_options_referred_for_backfill": true`))
	v, _ := jsontree.Parse("t.json", []byte(`{"playlist": "ranked"}`))
	if list, _ := free.Values(v); list[free.same].Kind != matcher.Missing {
		t.Error("got a value of the other attributes although the rules do not compare them, want it missing")
	}
}

func TestLint(t *testing.T) {
	rule := `"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 200}]`
	for _, test := range []struct {
		text     string
		giveUpMS int64
		want     string // "" for no warning
	}{
		{rulesetOf(rule), 10_000, ""},
		{rulesetOf(`"region_latency_initial_range_ms": 50, "region_latency_max_ms": 200, "region_expansion_rate_ms": 30000`), 20_000, "region_expansion_rate_ms: the range never expands: its first expansion is after 30 s, but tickets give up after 20 s"},
		{rulesetOf(rule + `, "flexing_rule": [{"duration": 50, "attribute": "mmr", "criteria": "distance", "reference": 300}]`), 30_000, "flexing_rule[0]: duration: the entry never applies: it starts after 50 s, but tickets give up after 30 s"},
		{rulesetOf(rule + `, "flexing_rule": [{"duration": 50, "attribute": "mmr", "criteria": "distance", "reference": 300}]`), 30_000, "tickets give up after 30 s, but the first rule relaxes only after 50 s"},
		{rulesetOf(rule + `, "flexing_rule": [{"duration": 50, "attribute": "mmr", "criteria": "distance", "reference": 100}]`), matcher.Never, "the entry after 50 s makes the rule stricter: the reference of matching_rule mmr falls from 200 to 100"},
		{rulesetOf(rule + `, "flexing_rule": [{"duration": 50, "attribute": "mmr", "criteria": "distance", "reference": 200}]`), matcher.Never, "the entry after 50 s changes nothing: the reference of matching_rule mmr stays 200"},
		{rulesetOf(`"alliance_flexing_rule": [{"duration": 9, "min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1}]`), matcher.Never, "alliance_flexing_rule: the entry after 9 s changes nothing"},
		{`{"alliance": {"min_number": 1, "max_number": 2000, "player_min_number": 1, "player_max_number": 1}}`, matcher.Never, "a match may have 2000 teams of 1 player, but mmsim puts at most 1000 players into a match"},
	} {
		set, _ := compileOne(t, test.text)
		got := set.Lint(test.giveUpMS)
		if test.want == "" && len(got) > 0 || !strings.Contains(fmt.Sprint(got), test.want) {
			t.Errorf("%s: got warnings %q, want %q", test.text, got, test.want)
		}
	}
}

// Any text is refused or compiles to rules that the engine accepts.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/cases/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if root, err := jsontree.Parse(file, text); err == nil {
			if rules, ok := root.Member("rules"); ok {
				start := strings.Index(string(text), `"rules":`)
				f.Add(text[start+9 : start+9+rules.Size()])
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		set, _, err := read("r.json", text, vendor.CompileOptions{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "r.json") {
				t.Errorf("got error %v, want prefix r.json", err)
			}
			return
		}
		pool, err := engine.NewPool(set.Rules, set.Schema)
		if err != nil {
			t.Fatal(err)
		}
		set.Lint(60_000)
		for i := range 3 {
			p := set.Player(string(rune('a'+i)), jsontree.Value{})
			if _, err := pool.Add(matcher.Ticket{CreatedMS: int64(i), Players: []matcher.Player{p}}); err != nil {
				t.Error(err)
			}
		}
		pool.Pass(100_000)
	})
}
