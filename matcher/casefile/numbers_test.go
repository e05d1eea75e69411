package casefile

import (
	"encoding/json"
	"fmt"
	"mmsim/matcher/dialect/vendor"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/matcher/dialect/jsontree"
)

// numberScenes use every number in the case file format and in the vendors' rules.
var numberScenes = map[string]string{
	"roblox": `{
  "rules": {"minScore": 0.1,
    "place": {"socialSlotType": "Custom", "customSocialSlotsCount": 1, "maxPlayerCount": 8},
    "attributes": {"player": [{"name": "elo", "dataType": "Number", "defaultValue": 1000}],
      "server": [{"name": "load", "dataType": "Number", "defaultValue": 0.5}]},
    "signals": [
      {"signal": "Age", "weight": 1, "normalizingFactor": 25}, {"signal": "Latency", "weight": 2}, {"signal": "Occupancy", "weight": 0.5},
      {"signal": "own", "weight": 1, "type": "PlayerNumerical", "playerAttribute": "elo", "aggregation": "Average",
       "compareTo": "JoiningPlayer", "maxRelevantDifference": 100},
      {"signal": "free", "weight": 1, "type": "ServerNumerical", "serverAttribute": "load", "compareTo": "Constant", "constantValue": 1,
       "maxRelevantDifference": 1}]},
  "at": 30,
  "tickets": [{"id": "t1", "created_at": 1, "give_up_after": 60, "attributes": {"n": 1},
    "players": [{"id": "p1", "attributes": {"age": 20, "elo": 1200, "playHistory": 2, "n": 1}, "latencies": {"E": 20, "W": 80}}]}],
  "sessions": [
    {"id": "s1", "created_at": 0, "region": "E", "capacity": 8, "attributes": {"load": 0.25},
     "teams": [{"name": "all", "players": [
       {"id": "p8", "attributes": {"age": 25, "elo": 1100, "playMinutes28d": 100}, "latencies": {"E": 30}},
       {"id": "p9", "attributes": {"age": 30, "elo": 900}}]}]},
    {"id": "s2", "created_at": 5, "capacity": 8, "attributes": {"occupancy": 3, "serverAveragePlayerAge": 20, "latency": 40,
      "commonLanguagePlayers": 2, "serverAveragePlayHistory": 2}}]
}`,
	"playfab": `{
  "rules": {"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 4, "MaxTicketSize": 3,
    "Teams": [{"Name": "red", "MinTeamSize": 1, "MaxTeamSize": 2}, {"Name": "blue", "MinTeamSize": 1, "MaxTeamSize": 2}],
    "DifferenceRules": [{"Name": "skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 100, "DefaultAttributeValue": 1000,
      "MergeFunction": "Average", "Weight": 1, "SecondsUntilOptional": 20,
      "LinearExpansion": {"Delta": 10, "Limit": 200, "SecondsBetweenExpansions": 5}}],
    "RegionSelectionRule": {"Name": "region", "Path": "latencies", "MaxLatency": 200, "Weight": 1},
    "TeamSizeBalanceRule": {"Name": "balance", "Difference": 1, "SecondsUntilOptional": 30},
    "StatisticsVisibilityToPlayers": {"ShowNumberOfPlayersMatching": true, "ShowTimeToMatch": true}},
  "at": 30,
  "tickets": [
    {"id": "t1", "created_at": 1, "give_up_after": 60, "attributes": {"n": 1},
     "players": [{"id": "p1", "attributes": {"mmr": 1200, "n": 1}, "entity": {"n": 1}, "latencies": {"E": 20, "W": 80}}]},
    {"id": "t2", "created_at": 2, "players": [{"id": "p2", "attributes": {"mmr": 1250}, "latencies": {"E": 25}}]}],
  "sessions": [{"id": "s1", "created_at": 0, "region": "E", "capacity": 4, "attributes": {"n": 1},
    "teams": [{"name": "red", "players": [{"id": "p9", "attributes": {"mmr": 1100}, "entity": {"n": 1}, "latencies": {"E": 30}}]}]}]
}`,
	"accelbyte": `{
  "rules": {"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 2},
    "alliance_flexing_rule": [{"duration": 10, "min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 3}],
    "matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 100}],
    "flexing_rule": [{"attribute": "mmr", "criteria": "distance", "duration": 15, "reference": 200}],
    "region_latency_initial_range_ms": 50, "region_expansion_rate_ms": 5000, "region_expansion_range_ms": 50, "region_latency_max_ms": 200},
  "at": 30,
  "tickets": [
    {"id": "t1", "created_at": 1, "give_up_after": 60, "attributes": {"n": 1},
     "players": [{"id": "p1", "attributes": {"mmr": 1200, "n": 1}, "latencies": {"E": 20, "W": 80}}]},
    {"id": "t2", "created_at": 2, "players": [{"id": "p2", "attributes": {"mmr": 1250}, "latencies": {"E": 25}}]}],
  "sessions": [{"id": "s1", "created_at": 0, "region": "E", "capacity": 4, "attributes": {"n": 1},
    "teams": [{"name": "red", "players": [{"id": "p9", "attributes": {"mmr": 1100}, "latencies": {"E": 30}}]}]}]
}`,
}

// absurd contains replacements for the numbers in a case. Some are out of range for certain keys,
// and some are values that programs write instead of numbers.
var absurd = []string{"0", "-1", "0.5", "1e6", "16777217", "2147483648", "4294967296", "9007199254740993",
	"1e12", "1e13", "1e15", "1e100", "1e101", "1e300", "-1e12", "-1e300", "1e-300", "1e999", `"NaN"`, "null"}

// eachNumber calls visit for each number in a document.
func eachNumber(v jsontree.Value, visit func(number jsontree.Value)) {
	if v.Kind() == jsontree.Number {
		visit(v)
	}
	for _, e := range v.Elements() {
		eachNumber(e, visit)
	}
	for _, m := range v.Members() {
		eachNumber(m.Value, visit)
	}
}

// withNumbers calls check with copies of a case file in which one number is replaced. It uses only
// every part-th replacement, and counts them in tried.
func withNumbers(t *testing.T, file string, text []byte, part int, tried *int, check func(label string, text []byte)) {
	t.Helper()
	root, err := jsontree.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	eachNumber(root, func(number jsontree.Value) {
		from, to := number.Span()
		for _, with := range absurd {
			if *tried++; *tried%part == 0 {
				check(number.Position()+" is "+with, []byte(string(text[:from])+with+string(text[to:])))
			}
		}
	})
}

// runScene runs all operations on a case file. It returns the error if the file is refused. No
// operation may panic, all output must be JSON, and Check must refuse the same scenes as Run.
func runScene(t *testing.T, file, label string, text []byte) (refused error) {
	t.Helper()
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("%s: reading or running the scene panics: %v", label, fault)
		}
	}()
	c, err := Read(file, text, nil)
	if err != nil {
		return err
	}
	rules, err := c.Compile(vendor.CompileOptions{})
	if err != nil {
		return err
	}
	rules.Lint(c.Scene.LongestWaitMS())
	outcome, err := rules.Run(&c.Scene)
	if checked := rules.Check(&c.Scene); fmt.Sprint(checked) != fmt.Sprint(err) {
		t.Errorf("%s: Check: got error %v, want that of Run: %v", label, checked, err)
	}
	if err != nil {
		return err
	}
	explained, err := rules.Explain(&c.Scene, outcome)
	if err != nil {
		t.Errorf("%s: Explain: %v", label, err)
	}
	for _, v := range []any{outcome, explained} {
		if _, err := json.Marshal(v); err != nil {
			t.Errorf("%s: result as JSON: %v", label, err)
		}
	}
	return nil
}

// Every number in a case file is either used or refused with its position.
func TestAbsurdNumbers(t *testing.T) {
	for name, scene := range numberScenes {
		file := name + ".json"
		if err := runScene(t, file, name, []byte(scene)); err != nil {
			t.Fatal(err)
		}
		withNumbers(t, file, []byte(scene), 1, new(int), func(label string, text []byte) {
			if err := runScene(t, file, label, text); err != nil && !strings.HasPrefix(err.Error(), file+":") {
				t.Errorf("%s: got error %v, want a prefix with the file", label, err)
			}
		})
	}
}

// This test replaces a part of the numbers in the vendors' cases. FuzzNumbers tries the others.
func TestAbsurdNumbersInCases(t *testing.T) {
	files, err := filepath.Glob("../dialect/*/testdata/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("got no case files (error %v)", err)
	}
	part := 131 // not a divisor of len(absurd), so that all kinds of numbers are tried
	if testing.Short() {
		part = 2609
	}
	tried := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		withNumbers(t, file, text, part, &tried, func(label string, text []byte) {
			_ = runScene(t, file, label, text) // the file may or may not be refused
		})
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add("roblox", uint(3), "1e13")
	f.Add("playfab", uint(20), "-1e300")
	f.Add("accelbyte", uint(9), "4294967295")
	f.Fuzz(func(t *testing.T, name string, which uint, with string) {
		scene := numberScenes[name]
		if scene == "" || len(with) > 20 {
			return
		}
		root, err := jsontree.Parse(name, []byte(scene))
		if err != nil {
			t.Fatal(err)
		}
		var spans [][2]int
		eachNumber(root, func(number jsontree.Value) {
			from, to := number.Span()
			spans = append(spans, [2]int{from, to})
		})
		at := spans[which%uint(len(spans))]
		_ = runScene(t, name, with, []byte(scene[:at[0]]+with+scene[at[1]:]))
	})
}

// Numbers that are too large for scores and sums are refused for every player in a scene, with the
// position of the player or of the number.
func TestNumbersBeyondLimits(t *testing.T) {
	for _, test := range []struct{ scene, was, is, want string }{
		{"roblox", `"age": 25`, `"age": 1e13`, `roblox.json:18:43: session "s1": player "p8": attributes: age: got 1e13, expected a number from 0 to 1e+12`},
		{"roblox", `"elo": 900`, `"elo": -1e15`, `session "s1": player "p9": attributes: elo: got -1e15, expected a number from -1e+12 to 1e+12`},
		{"roblox", `"age": 20`, `"age": 1e300`, `attributes: age: got 1e300`},
		{"roblox", `"E": 30`, `"E": 1e13`, `sessions[0]: teams[0]: players[0]: latencies: E: got 1e13, expected milliseconds from 0 to 1e+12`},
		{"playfab", `"mmr": 1100`, `"mmr": 1e300`, `attributes: mmr`},
		{"playfab", `"mmr": 1200`, `"mmr": 1e999`, `mmr: got 1e999, expected a number from -1e+100 to 1e+100`},
		{"playfab", `"capacity": 4`, `"capacity": 1e12`, `sessions[0]: capacity: got 1e12, expected a whole number`},
		{"accelbyte", `"created_at": 2`, `"created_at": 1e15`, `tickets[1]: created_at: got 1e15, expected seconds from 0 to`},
		{"accelbyte", `"mmr": 1250`, `"mmr": -1e101`, `mmr: got -1e101, expected a number from -1e+100 to 1e+100`},
		{"accelbyte", `"E": 25`, `"E": -1`, `latencies: E: got -1, expected milliseconds from 0 to 1e+12`},
	} {
		text := strings.Replace(numberScenes[test.scene], test.was, test.is, 1)
		err := runScene(t, test.scene+".json", test.is, []byte(text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %s: got error %v, want one that contains %s", test.scene, test.is, err, test.want)
		}
	}
}
