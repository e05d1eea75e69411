package roblox

import (
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

func config(t *testing.T, text string) *Config {
	t.Helper()
	c, _, err := readText("rules.json", []byte(text), vendor.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A data column may have invalid values of players, which are refused.
func TestPlayerFields(t *testing.T) {
	c := config(t, `{"attributes": {"player": [{"name": "Elo", "dataType": "Number", "defaultValue": 1000},
		{"name": "Pro", "dataType": "Bool", "defaultValue": false}, {"name": "Mode", "dataType": "String", "defaultValue": "any"}]}}`)
	fields := c.PlayerFields()
	field := func(name string) *vendor.Field {
		t.Helper()
		i := slices.IndexFunc(fields, func(f vendor.Field) bool { return f.Name == name })
		if i < 0 {
			t.Fatalf("there is no field %s", name)
		}
		return &fields[i]
	}
	for _, test := range []struct {
		name string
		x    float64
		want float64 // -1 if the value is refused
	}{
		{"age", 17.5, 17.5}, {"age", -1, -1}, {"age", 2e12, -1}, {"playHistory", 3.5, 3.5},
		{"playMinutes28d", 0, 0}, {"playMinutes28d", 0.5, 0}, {"playMinutes28d", 1000, 3}, {"Elo", -5, -5},
	} {
		v, err := field(test.name).Number(test.x)
		if refused := test.want == -1; refused != (err != nil) || !refused && (v.Kind != matcher.IsNumber || v.Number != test.want) {
			t.Errorf("%s %v: got %+v (error %v), want %v (-1 for an error)", test.name, test.x, v, err, test.want)
		}
	}
	for _, test := range []struct{ name, text, want string }{ // want is the text, or "" if it is refused
		{"language", "fr", "fr"}, {"deviceType", "anything", "anything"}, {"voiceChat", "TRUE", "true"}, {"voiceChat", "yes", ""},
		{"Pro", "False", "false"}, {"Pro", "1", ""}, {"Mode", "Any", "Any"}, {"matchmakingType", "XboxOnly", "XboxOnly"}, {"matchmakingType", "Xbox", ""},
	} {
		v, err := field(test.name).Text(test.text)
		if refused := test.want == ""; refused != (err != nil) || !refused && c.Schema.TextString(v.Text) != test.want {
			t.Errorf("%s %q: got %+v (error %v), want %q (empty for an error)", test.name, test.text, v, err, test.want)
		}
	}
	if field("playMinutes28d").Column != field("playHistory").Column || field("Elo").Absent().Number != 1000 || field("age").Absent().Kind != matcher.Missing {
		t.Error("want one column for playMinutes28d and playHistory, default 1000 of Elo and no default of age; got at least one different")
	}
	if got := field("textChatGroups").Texts([]string{"b", "a", "b"}).Set; len(got) != 2 {
		t.Errorf("got a set of %d texts from b, a, b; want 2", len(got))
	}
	for name, reads := range map[string]bool{"age": true, "language": true, "deviceType": false, "textChatGroups": false, "Elo": false} {
		if field(name).Weighed != reads {
			t.Errorf("%s: got that a signal reads it: %v, want %v", name, !reads, reads)
		}
	}
}

// Two metrics with the same name would become one in the results.
func TestMeasureNameTaken(t *testing.T) {
	c := config(t, `{"attributes": {"server": [{"name": "Mode", "dataType": "String", "defaultValue": "x"}]},
 "signals": [{"signal": "ping_ms", "weight": 1, "type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "Constant", "constantValue": "x"}]}`)
	_, _, err := c.Measured()
	if want := `:2:14: signal "ping_ms": got the name of a metric in the results, expected another name`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got error %v, want it to end with %s", err, want)
	}
}

// Every chart of the service is measured under any configuration, and this does not change scores.
func TestMeasured(t *testing.T) {
	c := config(t, `{"attributes": {"player": [{"name": "Elo", "dataType": "Number", "defaultValue": 1000}], "server": [{"name": "Mode", "dataType": "String", "defaultValue": "x"}]},
		"signals": [{"signal": "Occupancy", "weight": 2},
		{"signal": "Skill", "weight": 4, "type": "PlayerNumerical", "playerAttribute": "Elo", "aggregation": "Average", "compareTo": "JoiningPlayer", "maxRelevantDifference": 100},
		{"signal": "Mode", "weight": 1, "type": "ServerCategorical", "serverAttribute": "Mode", "compareTo": "Constant", "constantValue": "x"}]}`)
	scorer, measures, err := c.Measured()
	if err != nil || scorer.Validate() != nil {
		t.Fatal(err, scorer.Validate())
	}
	values := func(elo, age float64, voice string) matcher.Player {
		p := matcher.Player{Values: make([]matcher.Value, c.Schema.Columns()), RTTMS: []float64{40}}
		for _, f := range c.PlayerFields() {
			switch f.Name {
			case "Elo":
				p.Values[f.Column], _ = f.Number(elo)
			case "age":
				p.Values[f.Column], _ = f.Number(age)
			case "voiceChat":
				p.Values[f.Column], _ = f.Text(voice)
			}
		}
		return p
	}
	first := vendor.Player{Player: values(900, 10, "true"), Class: c.DefaultClass()}
	server := c.NewServer(&first)
	server.Capacity = 4
	s, plain := scorer.Open(server), c.Scoring.Open(server)
	for _, p := range []matcher.Player{first.Player, values(1100, 20, "false")} {
		scorer.Join(s, &p)
		c.Scoring.Join(plain, &p)
	}
	j := scoring.NewJoiner(values(1010, 40, "false"), c.DefaultClass(), []int32{0})
	if got, want := scorer.Score(&j, s), c.Scoring.Score(&j, plain); got != want {
		t.Errorf("got score %v of the measured joiner, want %v as without measures", got, want)
	}
	got := map[string]float64{}
	var names []string
	for i := range measures {
		got[measures[i].Name] = scorer.Measure(&measures[i].Measure, &j, s)
		names = append(names, measures[i].Name)
	}
	if want := "occupancy_ratio preferred_player age_difference common_language_ratio ping_ms voice_chat_ratio common_device_type_ratio " +
		"play_history_difference common_chat_group_ratio Skill Mode"; strings.Join(names, " ") != want {
		t.Errorf("got measures %v, want %s", names, want)
	}
	for name, want := range map[string]float64{
		"occupancy_ratio": 0.5, "preferred_player": 1, "age_difference": 25, "ping_ms": 40, "voice_chat_ratio": 0.5, "Skill": 10, "Mode": 1,
	} {
		if got[name] != want {
			t.Errorf("measure %s: got %v, want %v", name, got[name], want)
		}
	}
	for _, name := range []string{"common_language_ratio", "common_device_type_ratio", "play_history_difference", "common_chat_group_ratio"} {
		if x := got[name]; x == x {
			t.Errorf("measure %s: got %v for a player without a value, want NaN", name, x)
		}
	}
}
