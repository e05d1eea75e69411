package roblox

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

const declared = `"attributes": {
	"player": [{"name": "Elo", "dataType": "Number", "defaultValue": 1000}, {"name": "Guild", "dataType": "String", "defaultValue": "none"},
		{"name": "Hardcore", "dataType": "Bool", "defaultValue": false}],
	"server": [{"name": "Clock", "dataType": "Number", "defaultValue": 0}, {"name": "Mode", "dataType": "String", "defaultValue": "Any"},
		{"name": "Open", "dataType": "Bool", "defaultValue": true}]}`

// custom returns a configuration with one custom signal.
func custom(members string) string {
	return `{` + declared + `, "signals": [{"signal": "Mine", "weight": 1, ` + members + `}]}`
}

// exported returns an export with one custom signal.
func exported(kind, members string) string {
	return `{"scoringConfiguration": {"signalWeights": {}, "customSignals": {"Mine": {"weight": 1, "customSignalType": "` + kind + `", ` + members + `}}},
	"playerAttributeSchema": [{"id": "p1", "name": "Elo", "dataType": "Number", "defaultValue": {"numericValue": 5, "type": "Number"}}],
	"serverAttributeSchema": [{"id": "s1", "name": "Clock", "dataType": "Number", "defaultValue": {"sourceCase": "PlayerAttributeReference", "playerAttributeReference": {"id": "p1"}}}]}`
}

func attribute(owner, members string) string {
	return `{"signals": [], "attributes": {"` + owner + `": [{"name": "Elo", ` + members + `}]}}`
}

// readText compiles a text.
func readText(file string, text []byte, options vendor.CompileOptions) (*Config, []jsontree.Warning, error) {
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	return compile(root, options)
}

func read(t *testing.T, text string) (*Config, []jsontree.Warning) {
	t.Helper()
	config, warnings, err := readText("c.json", []byte(text), vendor.CompileOptions{})
	if err != nil {
		t.Fatalf("%v\nin %s", err, text)
	}
	return config, warnings
}

// Every error message begins with its position and names the entry and the JSON member.
func TestRefusals(t *testing.T) {
	const elo = `"type": "PlayerNumerical", "playerAttribute": "Elo", "maxRelevantDifference": 5, `
	const clock = `"type": "ServerNumerical", "serverAttribute": "Clock", "maxRelevantDifference": 5, `
	five := strings.Repeat(`{"name": "A", "dataType": "Bool", "defaultValue": true},`, 5)
	for _, test := range []struct{ text, want string }{
		{`[]`, `got a list, expected an object`},
		{`{"signal": []}`, `signal: unknown key, expected one of name, revision`},
		{`{"signals": {}}`, `signals: got an object, expected a list`},
		{`{"signals": [5]}`, `signals[0]: got 5, expected an object`},
		{`{"signals": [{"weight": 5}]}`, `signals[0]: signal: missing`},
		{`{"signals": [{"signal": 5, "weight": 5}]}`, `signals[0]: signal: got 5, expected a text`},
		{`{"signals": [{"signal": "Age", "weight": -1}]}`, `signal "Age": weight: got -1`},
		{`{"signals": [{"signal": "Age", "weight": 1e999}]}`, `signal "Age": weight: got 1e999`},
		{`{"signals": [{"signal": "Age", "weight": null}]}`, `signal "Age": weight: missing`},
		{`{"signals": [{"signal": "Age", "wieght": 1}]}`, `signal "Age": wieght: unknown key`},
		{`{"signals": [{"signal": "Age", "weight": 1, "normalizingFactor": -25}]}`, `signal "Age": normalizingFactor: got -25`},
		{`{"signals": [{"signal": "Occupancy", "weight": 1, "normalizingFactor": 5}]}`, `signal "Occupancy": normalizingFactor: got 5, expected none`},
		{`{"signals": [{"signal": "PlayHystory", "weight": 1}]}`, `did you mean Play History?`},
		{`{"signals": [{"signal": "Text Chat", "weight": 1}]}`, `signal "Text Chat": revision 2025-04 does not have this signal`},
		{`{"signals": [{"signal": "age", "weight": 1}, {"signal": "A g e", "weight": 1}]}`, `signal "A g e": the signal is listed twice`},
		{`{"signals": [{"signal": "Age", "weight": 1e308}, {"signal": "Friends", "weight": 1e308}]}`, `the weights add up to more`},
		{`{"template": "Invalid"}`, `template: got "Invalid", expected one of UseDefault, NotApplicable`},
		{`{"revision": 5}`, `revision: got 5, expected one of 2025-04, 2025-12, 2026-08`},
		{`{"minScore": -1}`, `minScore: got -1`},
		{`{"place": {"voiceChat": true}}`, `place: voiceChat: unknown key`},
		{`{"place": {"maxPlayerCount": 0}}`, `place: maxPlayerCount: got 0`},
		{`{"place": {"socialSlotType": "Some"}}`, `place: socialSlotType: got "Some"`},
		{`{"place": {"socialSlotType": "Custom"}}`, `place: customSocialSlotsCount: missing`},
		{`{"place": {"socialSlotType": "Custom", "customSocialSlotsCount": -1}}`, `place: customSocialSlotsCount: got -1`},
		{custom(`"type": "Numerical"`), `signal "Mine": type: got "Numerical"`},
		{custom(elo + `"aggregation": "Sum", "compareTo": "JoiningPlayer"`), `signal "Mine": aggregation: got "Sum"`},
		{custom(elo + `"aggregation": "Average", "compareTo": "Constant", "constantValue": 5`), `signal "Mine": aggregation: got "Average", expected Sum`},
		{custom(elo + `"aggregation": "Average"`), `signal "Mine": compareTo: missing`},
		{custom(elo + `"compareTo": "JoiningPlayer"`), `signal "Mine": aggregation: missing`},
		{custom(elo + `"aggregation": "Average", "compareTo": "JoiningPlayer", "constantValue": 5`), `signal "Mine": constantValue: unknown key`},
		{custom(elo + `"aggregation": "Sum", "compareTo": "Constant", "constantValue": "5"`), `signal "Mine": constantValue: got "5"`},
		{custom(elo + `"aggregation": "Sum", "compareTo": "Constant", "constantValue": 1e13`), `signal "Mine": constantValue: got 1e13, expected a number from`},
		{custom(`"type": "PlayerNumerical", "playerAttribute": "Guild", "aggregation": "Average", "compareTo": "JoiningPlayer", "maxRelevantDifference": 5`), `"Guild" has type String`},
		{custom(`"type": "PlayerCategorical", "playerAttribute": "Elo", "distribution": "Cluster"`), `"Elo" has type Number`},
		{custom(`"type": "PlayerCategorical", "playerAttribute": "Mode", "distribution": "Cluster"`), `playerAttribute: got "Mode", expected the name of a declared attribute`},
		{custom(`"type": "PlayerCategorical", "playerAttribute": "Guild", "distribution": "Cluster", "compareTo": "Constant"`), `signal "Mine": compareTo: got "Constant", expected one of JoiningPlayer`},
		{custom(`"type": "PlayerCategorical", "playerAttribute": "Guild"`), `signal "Mine": distribution: missing`},
		{custom(clock + `"compareTo": "JoiningPlayer"`), `signal "Mine": playerAttribute: missing`},
		{custom(clock + `"compareTo": "Player"`), `signal "Mine": compareTo: got "Player"`},
		{custom(`"type": "ServerNumerical", "serverAttribute": "Mode", "maxRelevantDifference": 5, "compareTo": "Constant", "constantValue": 5`), `"Mode" has type String`},
		{custom(`"type": "ServerCategorical", "serverAttribute": "Clock", "compareTo": "Constant", "constantValue": "5"`), `"Clock" has type Number`},
		{custom(`"type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "Constant", "constantValue": 5`), `signal "Mine": constantValue: got 5`},
		{custom(`"type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "Constant"`), `signal "Mine": constantValue: missing`},
		{custom(`"type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "Constant", "constantValue": "` + strings.Repeat("x", 51) + `"`), `at most 50 characters; it has 51`},
		{strings.Replace(custom(`"type": "ServerCategorical"`), "Mine", "preferred players", 1), `expected another name, because Friends is one of Roblox's signals`},
		{strings.Replace(custom(`"type": "ServerCategorical"`), "Mine", "", 1), `signal: got "", expected a name that is not empty`},
		{`{"signals": [{"signal": "a", "type": "ServerCategorical", "weight": 1}, {"signal": "a", "type": "ServerCategorical", "weight": 1}]}`, `signal "a": serverAttribute: missing`},
		{attribute("player", `"dataType": "Text", "defaultValue": "x"`), `player attribute "Elo": dataType: got "Text"`},
		{attribute("player", `"dataType": "Number"`), `player attribute "Elo": defaultValue: missing`},
		{attribute("player", `"dataType": "Number", "defaultValue": "1000"`), `player attribute "Elo": defaultValue: got "1000"`},
		{attribute("player", `"dataType": "Bool", "defaultValue": "true"`), `player attribute "Elo": defaultValue: got "true", expected true or false`},
		{attribute("player", `"dataType": "String", "defaultValue": {"playerAttribute": "Elo"}`), `defaultValue: got an object, expected a text`},
		{attribute("server", `"dataType": "String", "defaultValue": {"playerAttribute": "Elo"}`), `playerAttribute: got "Elo", expected a declared player attribute`},
		{attribute("server", `"dataType": "String", "defaultValue": "`+strings.Repeat("x", 51)+`"`), `at most 50 characters`},
		{`{"attributes": {"player": [{"name": "age", "dataType": "Number", "defaultValue": 1}]}}`, `player attribute "age": name: got "age", expected another name`},
		{`{"attributes": {"server": [{"name": "serverType", "dataType": "Number", "defaultValue": 1}]}}`, `server attribute "serverType": name`},
		{`{"attributes": {"server": [` + five + `{"name": "F"}]}}`, `got 6 server attributes, expected at most 5`},
		{`{"signalWeights": {"Frends": {"weight": 1}}}`, `signalWeights: "Frends": got an unknown name, expected one of Roblox's signals; did you mean Friends?`},
		{`{"signalWeights": {"Invalid": {"weight": 1}}}`, `"Invalid": got an unknown name, expected one of Roblox's signals`},
		{`{"signalWeights": {"Age": {"weight": 1, "signalType": "Latency"}}}`, `signal "Age": signalType: got "Latency", expected Age`},
		{`{"signalWeights": {"Age": {}}}`, `signal "Age": weight: missing`},
		{`{"signalWeights": {"TextChat": {"weight": 1}}, "revision": "2025-04"}`, `revision 2025-04 does not have this signal`},
		{`{"matchmakingSignalWeights": {"Age": -1}}`, `matchmakingSignalWeights: Age: got -1`},
		{`{"matchmakingSignalWeights": {"Age": 1}, "customSignalWeights": {"Skill": 1}}`, `customSignalWeights: "Skill": got an unknown name, expected a signal that customSignals defines`},
		{`{"matchmakingSignalWeights": {"Age": 1}, "template": "Invalid"}`, `template: got "Invalid"`},
		{exported("Invalid", `"weight": 1`), `already in this object`},
		{exported("Invalid", `"x": 1`), `signal "Mine": customSignalType: got "Invalid"`},
		{exported("ServerNumerical", `"name": "age"`), `signal "age": name: got "age", expected another name, because Age is one of Roblox's signals`},
		{exported("ServerNumerical", `"x": 1`), `signal "Mine": serverNumericalSignalConfiguration: missing`},
		{exported("PlayerNumerical", `"playerNumericalSignalConfiguration": {"playerAttribute": {"id": "p9"}, "comparisonType": "Invalid",
			"aggregation": {"aggregationFunction": "Average"}, "maxRelevantDifference": 5}`), `playerAttribute: got "p9", expected the id of an attribute`},
		{exported("PlayerNumerical", `"playerNumericalSignalConfiguration": {"playerAttribute": {"id": "p1"}, "comparisonType": "Invalid",
			"aggregation": {"aggregationFunction": "Average"}, "maxRelevantDifference": 5}`), `comparisonType: got "Invalid"`},
		{exported("PlayerNumerical", `"playerNumericalSignalConfiguration": {"playerAttribute": {"id": "p1"}, "comparisonType": "AbsoluteDifferentToPlayer",
			"aggregation": {"aggregationFunction": "Sum"}, "maxRelevantDifference": 5}`), `aggregationFunction: got "Sum"`},
		{`{"scoringConfiguration": {}, "serverAttributeSchema": [{"id": "x", "name": "Mode", "dataType": "String", "defaultValue": {"sourceCase": "Invalid"}}]}`,
			`server attribute "Mode": defaultValue: sourceCase: got "Invalid"`},
		{`{"scoringConfiguration": {}, "playerAttributeSchema": [{"id": "x", "name": "Mode", "dataType": "String", "defaultValue": {"numericValue": 5}}]}`,
			`player attribute "Mode": defaultValue: stringValue: missing`},
	} {
		_, _, err := readText("c.json", []byte(test.text), vendor.CompileOptions{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\n  got error %v\n  want one that contains %s", test.text, err, test.want)
		} else if !strings.HasPrefix(err.Error(), "c.json:") {
			t.Errorf("got error %v, want prefix c.json:", err)
		}
	}
}

// If the limits are lifted, a third custom signal and a sixth attribute are accepted.
func TestLiftedLimits(t *testing.T) {
	var attributes, signals []string
	for _, name := range []string{"A", "B", "C", "D", "E", strings.Repeat("F", 60)} {
		attributes = append(attributes, `{"name": "`+name+`", "dataType": "String", "defaultValue": "`+name+`"}`)
	}
	for _, name := range []string{"A", "B", "C"} {
		signals = append(signals, `{"signal": "Same `+name+`", "weight": 1, "type": "PlayerCategorical", "distribution": "Cluster", "playerAttribute": "`+name+`"}`)
	}
	text := `"attributes": {"player": [` + strings.Join(attributes, ",") + `]}, "signals": [` + strings.Join(signals, ",") + `]}`
	if config, _ := read(t, `{"deployLimits": false, `+text); len(config.Scoring.Signals) != 3 || len(config.PlayerAttributes) != 6 {
		t.Errorf("without deploy limits: got %d signals and %d attributes, want 3 and 6", len(config.Scoring.Signals), len(config.PlayerAttributes))
	}
	five := strings.Replace(text, ","+attributes[5], "", 1)
	if _, _, err := readText("c.json", []byte(`{`+five), vendor.CompileOptions{}); err == nil || !strings.Contains(err.Error(), `signal "Same C": got 3 custom signals, expected at most 2`) {
		t.Errorf("with deploy limits: got error %v, want the third custom signal refused", err)
	}
}

// weightsOf returns the weights by name.
func weightsOf(c *Config) map[string]float64 {
	weights := map[string]float64{}
	for _, e := range c.entries {
		weights[e.name] = e.weight
	}
	return weights
}

// The default weights of the three revisions, from the table in the specification.
func TestDefaults(t *testing.T) {
	table := map[string][9]float64{ // Friends, Latency, Text Chat, Occupancy, Play History, Language, Age, Voice Chat, Device Type
		"2025-04": {10, 3, absent, 2, 2, 1, 1, 1, 0},
		"2025-12": {15, 3, 3, 2, 2, 2, 1, 1, 0},
		"2026-08": {15, 3, 3, 2, 2, 2, 1, 1, 0},
	}
	for revision, want := range table {
		config, _ := read(t, `{"revision": "`+revision+`"}`)
		got := weightsOf(config)
		for i := range builtIns {
			if w, ok := got[builtIns[i].label]; ok != (want[i] != absent) || ok && w != want[i] {
				t.Errorf("revision %s: %s: got weight %v, want %v", revision, builtIns[i].label, w, want[i])
			}
		}
		near := config.Scoring.Signals[1].(*scoring.NearRTT)
		if late := revision == "2026-08"; near.OverBest != late || near.ScaleMS != map[bool]float64{false: 250, true: 100}[late] {
			t.Errorf("revision %s: got latency signal %+v, want OverBest %v and the scale of the revision", revision, near, late)
		}
	}
	if config, _ := read(t, `{}`); config.Revision != "2025-04" || len(config.entries) != 8 {
		t.Errorf("{}: got revision %s with %d signals, want 2025-04 with 8", config.Revision, len(config.entries))
	}
}

func TestTemplates(t *testing.T) {
	config, _ := read(t, `{"template": "UseDefault", "signals": [{"signal": "PreferredPlayers", "weight": 1}, {"signal": "Latency", "weight": 7, "normalizingFactor": 500}]}`)
	if w := weightsOf(config); w["Friends"] != 1 || w["Latency"] != 7 || w["Age"] != 1 || len(w) != 8 {
		t.Errorf("got weights %v, want 8: Friends 1, Latency 7, Age 1", w)
	}
	if near := config.Scoring.Signals[1].(*scoring.NearRTT); near.ScaleMS != 500 {
		t.Errorf("got scale %v of the latency signal, want 500", near.ScaleMS)
	}
	for _, text := range []string{`{"signals": []}`, `{"template": "NotApplicable"}`, `{"scoringConfiguration": {"name": "x"}}`} {
		config, warnings := read(t, text)
		if len(config.entries) != 0 || len(warnings) != 1 || !strings.Contains(warnings[0].Message, "all scores are 0") {
			t.Errorf("%s: got %d signals and warnings %q, want none and one warning that all scores are 0", text, len(config.entries), warnings)
		}
	}
}

// Our format and an export of the same signals compile to the same signals.
func TestExports(t *testing.T) {
	config, warnings := read(t, exported("PlayerNumerical", `"name": "Mine", "description": "", "serverNumericalSignalConfiguration": null,
		"playerNumericalSignalConfiguration": {"playerAttribute": {"id": "p1"}, "comparisonType": "AbsoluteDifferentToConstant", "constantValue": 7,
		"aggregation": {"aggregationFunction": "Median"}, "maxRelevantDifference": 5}`))
	n := config.Scoring.Signals[0].(*scoring.PlayersNumber)
	if n.Aggregate != scoring.MedianNumber || !n.To.Constant || n.To.Number != 7 || n.Scale != 5 || len(warnings) != 1 {
		t.Errorf("got signal %+v and warnings %q, want the median, the constant 7, scale 5 and one warning", n, warnings)
	}
	// The default of Clock is the Elo of the first player on the server, or the default of Elo.
	reader := config.Reader()
	first := reader.Player("p", jsontree.Value{})
	first.Values[config.PlayerAttributes[0].Column] = matcher.NumberValue(42)
	column := config.ServerAttributes[0].Column
	if s := reader.Server("s", jsontree.Value{}, &first); s.Values[column].Number != 42 {
		t.Errorf("got %+v, want the value of the first player", s.Values[column])
	}
	if s := reader.Server("s", jsontree.Value{}, nil); s.Values[column].Number != 5 {
		t.Errorf("got %+v, want the default of the player attribute", s.Values[column])
	}
	if s := config.NewServer(&first); s.Values[column].Number != 42 {
		t.Errorf("got %+v, want the value of the first player", s.Values[column])
	}

	config, _ = read(t, `{"universeId": 1, "name": "New", "matchmakingSignalWeights": {"TextChat": 4, "Occupancy": 1}, "template": "UseDefault",
		"customSignalWeights": {"Same": 6}, "customSignals": {"Same": {"customSignalType": "PlayerCategorical",
		"playerCategoricalSignalConfiguration": {"playerAttribute": {"id": "g"}, "curveType": "NegativeLinear"}}},
		"playerAttributeSchema": [{"id": "g", "name": "Guild", "dataType": "String", "defaultValue": {"stringValue": "none"}}]}`)
	if w := weightsOf(config); w["Text Chat"] != 4 || w["Occupancy"] != 1 || w["Friends"] != 15 || w["Same"] != 6 || config.Revision != "2025-12" {
		t.Errorf("got revision %s and weights %v, want 2025-12, Text Chat 4, Occupancy 1, Friends 15, Same 6", config.Revision, w)
	}
	if s := config.Scoring.Signals[9].(*scoring.PlayersShare); !s.Others || s.Column != config.PlayerAttributes[0].Column {
		t.Errorf("got signal %+v, want the share of other players in the first attribute's column", s)
	}

	for text, want := range map[string]string{
		`{"universeId": 1, "name": "New", "template": "UseDefault"}`:                                             "2025-04",
		`{"scoringConfiguration": {"revision": "2026-08", "signalWeights": {}}}`:                                 "2026-08",
		`{"revision": "2025-12", "scoringConfiguration": {"signalWeights": {}}}`:                                 "2025-12",
		`{"scoringConfiguration": {"signalWeights": {"TextChat": null, "Age": {"weight": 1}}}}`:                  "2025-04",
		`{"scoringConfiguration": {"signalWeights": {"textChat": {"weight": 0, "signalType": "TextChat"}}}}`:     "2025-12",
		`{"revision": "2026-08", "scoringConfiguration": {"signalWeights": {"TextChat": {"weight": 1}}}}`:        "2026-08",
		`{"scoringConfiguration": {"customSignalWeights": {}, "customSignals": null, "template": "UseDefault"}}`: "2025-04",
	} {
		if config, warnings := read(t, text); config.Revision != want {
			t.Errorf("%s: got revision %s, want %s (warnings %q)", text, config.Revision, want, warnings)
		}
	}

	_, warnings = read(t, `{"signalWeights": {"Age": {"weight": 1, "extra": 1}}, "createdTime": "x", "more": 1}`)
	if len(warnings) != 2 || !strings.Contains(warnings[0].Message, `signal "Age": extra: unknown key, ignored`) {
		t.Errorf("got warnings %q, want two, the first of the unknown key extra", warnings)
	}
	if _, _, err := readText("c.json", []byte(`{"signalWeights": {"Age": {"weight": 1}}, "more": 1}`), vendor.CompileOptions{Strict: true}); err == nil {
		t.Error("strict: an unknown key was accepted, want an error")
	}
}

func TestWarningsAndLints(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"place": {"socialSlotType": "Automatic"}}`, "so mmsim keeps 0"},
		{`{"place": {"socialSlotType": "Empty", "customSocialSlotsCount": 2}}`, "has no effect, because socialSlotType is not Custom"},
		{`{"place": {"voiceChatEnabled": false}}`, "Voice Chat: voice chat is off in this place, so the weight of the signal is 0"},
		{`{"place": {"maxPlayerCount": 4, "socialSlotType": "Custom", "customSocialSlotsCount": 4}}`, "so every player without a friend gets a new server"},
		{`{"minScore": 21}`, "21 is more than the sum of all weights, 20"},
		{custom(`"type": "ServerCategorical", "serverAttribute": "Open", "compareTo": "Constant", "constantValue": "True"`), `attribute "Open" is a Bool and never has the value "True", so the signal is always 0`},
		{custom(`"type": "ServerCategorical", "serverAttribute": "Open", "compareTo": "JoiningPlayer", "playerAttribute": "Guild"`), "the signal compares a Bool with a String, which are equal only if"},
		{custom(`"type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "JoiningPlayer", "playerAttribute": "Guild"`), `attribute "Elo": no signal uses it`},
		{strings.Replace(custom(`"type": "PlayerCategorical", "playerAttribute": "Guild", "distribution": "Cluster"`), `"weight": 1`, `"weight": 0`, 1), `signal "Mine": the weight is 0`},
	} {
		config, warnings := read(t, test.text)
		all := fmt.Sprint(append(warnings, config.Lint()...))
		if !strings.Contains(all, test.want) {
			t.Errorf("%s\n  got warnings %s\n  want one that contains %s", test.text, all, test.want)
		}
	}
	config, warnings := read(t, `{"signals": [{"signal": "Friends", "weight": 5, "description": "first of all"}], "place": {"voiceChatEnabled": true, "socialSlotType": "Custom", "customSocialSlotsCount": 2, "maxPlayerCount": 10}}`)
	if all := append(warnings, config.Lint()...); len(all) != 0 {
		t.Errorf("got warnings %q for a correct configuration, want none", all)
	}
	if config.Scoring.KeptSeats != 2 || config.MaxPlayers != 10 {
		t.Errorf("got %d kept seats of %d, want 2 of 10", config.Scoring.KeptSeats, config.MaxPlayers)
	}
}

func TestPlayersAndServers(t *testing.T) {
	config, _ := read(t, `{`+declared+`}`)
	parse := func(text string) jsontree.Value {
		v, err := jsontree.Parse("p.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, test := range []struct{ player, want string }{
		{`{"age": -1}`, `p: age: got -1, expected a number from 0`},
		{`{"age": "20"}`, `p: age: got "20"`},
		{`{"playHistory": 1, "playMinutes28d": 10}`, `only one of playHistory and playMinutes28d`},
		{`{"language": 5}`, `p: language: got 5, expected a text`},
		{`{"voiceChat": 1}`, `p: voiceChat: got 1, expected true or false`},
		{`{"textChatGroups": "g"}`, `p: textChatGroups: got "g", expected a list`},
		{`{"textChatGroups": [1]}`, `p: textChatGroups: got 1, expected a list of texts`},
		{`{"friends": [1]}`, `p: friends: got 1`},
		{`{"matchmakingType": "PC"}`, `p: matchmakingType: got "PC", expected one of`},
		{`{"Elo": "high"}`, `p: Elo: got "high", expected a number`},
		{`{"Elo": 1e13}`, `p: Elo: got 1e13`},
		{`{"Guild": 1}`, `p: Guild: got 1, expected a text`},
		{`{"Hardcore": "maybe"}`, `p: Hardcore: got "maybe", expected true or false`},
		{`[]`, `p: got a list, expected an object`},
	} {
		r := config.Reader()
		r.Player("p", parse(test.player))
		if err := r.Problems().Err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %s", test.player, err, test.want)
		}
	}
	r := config.Reader()
	for _, test := range []struct {
		minutes string
		log     float64
	}{{"0", 0}, {"0.5", 0}, {"10", 1}, {"1000", 3}, {"40320", 4.605520523}} {
		p := r.Player("p", parse(`{"playMinutes28d": `+test.minutes+`}`))
		if got := p.Values[config.column(playHistory)].Number; math.Abs(got-test.log) > 1e-9 {
			t.Errorf("%s minutes: got value %v, want %v", test.minutes, got, test.log)
		}
	}
	p := r.Player("p", parse(`{"language": "", "ip": "", "Hardcore": "TRUE", "Elo": null, "lanugage": "x", "friends": []}`))
	r.Player("p", parse(`{"lanugage": "y"}`)) // misspelt again
	switch {
	case p.Values[config.column(language)].Kind != matcher.Missing:
		t.Error("an empty language: got a value, want it missing")
	case p.Values[config.PlayerAttributes[0].Column].Number != 1000:
		t.Error("null: got another value than the default, 1000")
	case config.Schema.TextString(p.Values[config.PlayerAttributes[2].Column].Text) != "true":
		t.Error("TRUE: got another text than true")
	case r.Problems().Err() != nil || len(r.Problems().Warnings()) != 1:
		t.Errorf("got error %v and warnings %q, want no error and one warning of the misspelt attribute", r.Problems().Err(), r.Problems().Warnings())
	}
	for text, want := range map[string]string{
		`{}`: "", `{"serverType": "Public"}`: "", `{"serverType": "Private"}`: "private", `{"serverType": "Reserved", "shuttingDown": true}`: "reserved",
		`{"shuttingDown": true}`: "shutting down", `{"shuttingDown": false}`: "",
	} {
		if s := r.Server("s", parse(text), nil); s.Closed != want {
			t.Errorf("%s: got Closed %q, want %q", text, s.Closed, want)
		}
	}
	r.Server("s", parse(`{"serverType": "VIP", "shuttingDown": 1, "Clock": "x"}`), nil)
	for _, want := range []string{`s: serverType: got "VIP"`, `s: shuttingDown: got 1`, `s: Clock: got "x"`} {
		if err := r.Problems().Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one that contains %s", err, want)
		}
	}
}

func TestTooLarge(t *testing.T) {
	if _, _, err := readText("c.json", []byte("{"+strings.Repeat(" ", bytesMax)+"}"), vendor.CompileOptions{}); err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("got error %v, want the limit of 1 MiB", err)
	}
}

// No text makes the compiler panic, every error has a position, and with any accepted
// configuration, scores are between 0 and the sum of the weights.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/cases/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("got no case files (error %v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		root, err := jsontree.Parse(file, text)
		if err != nil {
			f.Fatal(err)
		}
		rules, _ := root.Member("rules")
		at := strings.Index(string(text), `"rules":`) + len(`"rules":`)
		f.Add([]byte(strings.TrimSpace(string(text[at:]))[:rules.Size()]))
	}
	f.Add([]byte(exported("ServerNumerical", `"serverNumericalSignalConfiguration": {"serverAttribute": {"id": "s1"}, "playerAttribute": "p1", "comparisonType": "AbsoluteDifferentToPlayer", "maxRelevantDifference": 1}`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		config, _, err := readText("c.json", text, vendor.CompileOptions{})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "c.json") {
				t.Fatalf("got error %v, want prefix c.json", err)
			}
			return
		}
		config.Lint()
		_ = config.Describe()
		r := config.Reader()
		p := r.Player("p", jsontree.Value{})
		s := r.Server("s", jsontree.Value{}, &p)
		s.Capacity = 10
		server := config.Scoring.Open(s)
		config.Scoring.Join(server, &p.Player)
		j := scoring.NewJoiner(p.Player, p.Class, nil)
		most := 0.0
		for _, e := range config.entries {
			most += e.weight
		}
		if score := config.Scoring.Score(&j, server); !(score >= 0 && score <= most*(1+1e-9)) {
			t.Fatalf("got score %v, want 0 to %v, the sum of the weights", score, most)
		}
		config.Scoring.Explain(&j, server)
		config.Scoring.Leave(server, &p.Player)
	})
}

func TestRecognises(t *testing.T) {
	for text, want := range map[string]bool{
		`{"signals": []}`: true, `{"template": "UseDefault"}`: true, `{"revision": "2025-12"}`: true, `{"place": {}}`: true,
		`{"scoringConfiguration": {}}`: true, `{"id": "x", "signalWeights": {}}`: true, `{"matchmakingSignalWeights": {}}`: true,
		`{}`: true, `[]`: false, `{"Name": "q", "MinMatchSize": 2}`: false, `{"seed": 1, "rules": "config.json"}`: false,
	} {
		root, err := jsontree.Parse("c.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := Recognises(root); got != want {
			t.Errorf("%s: got recognised %v, want %v", text, got, want)
		}
	}
}
