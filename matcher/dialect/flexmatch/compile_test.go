package flexmatch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// complete is a valid rule set with every rule type. The tests make it invalid in one place.
const complete = `{
  "name": "arena",
  "ruleLanguageVersion": "1.0",
  "playerAttributes": [
    {"name": "skill", "type": "number", "default": 10},
    {"name": "mode", "type": "string"},
    {"name": "maps", "type": "string_list", "default": ["dust"]},
    {"name": "liking", "type": "string_number_map"}
  ],
  "algorithm": {"strategy": "exhaustiveSearch", "batchingPreference": "sorted", "sortByAttributes": ["skill"],
    "expansionAgeSelection": "oldest", "backfillPriority": "low"},
  "teams": [
    {"name": "red", "minPlayers": 2, "maxPlayers": 5},
    {"name": "side", "minPlayers": 1, "maxPlayers": 5, "quantity": 2}
  ],
  "rules": [
    {"name": "Mode", "type": "comparison", "operation": "=", "measurements": ["flatten(teams[*].players.attributes[mode])"]},
    {"name": "Fair", "type": "distance", "description": "even teams", "measurements": ["avg(teams[*].players.attributes[skill])"],
      "referenceValue": "avg(flatten(teams[*].players.attributes[skill]))", "maxDistance": 5},
    {"name": "Near", "type": "batchDistance", "batchAttribute": "skill", "maxDistance": "40"},
    {"name": "Maps", "type": "collection", "operation": "intersection", "measurements": ["flatten(teams[*].players.attributes[maps])"], "minCount": 1},
    {"name": "Dust", "type": "collection", "operation": "contains", "measurements": ["teams[red].players.attributes[maps]"], "referenceValue": "dust", "maxCount": 3},
    {"name": "Fast", "type": "latency", "maxLatency": 100, "maxDistance": 50, "distanceReference": "avg", "partyAggregation": "max"},
    {"name": "First", "type": "absoluteSort", "sortDirection": "descending", "sortAttribute": "liking", "mapKey": "maxValue"},
    {"name": "Close", "type": "distanceSort", "sortDirection": "ascending", "sortAttribute": "skill"},
    {"name": "Either", "type": "compound", "statement": "or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"}
  ],
  "expansions": [
    {"target": "rules[Fair].maxDistance", "steps": [{"waitTimeSeconds": 5, "value": 10}, {"waitTimeSeconds": 15, "value": 50}]},
    {"target": "teams[red, side].minPlayers", "steps": [{"waitTimeSeconds": 10, "value": 1}]},
    {"target": "algorithm.backfillPriority", "steps": [{"waitTimeSeconds": 10, "value": "high"}]}
  ]
}`

// read compiles a text.
func read(file string, text []byte, options vendor.CompileOptions) (*Ruleset, []jsontree.Warning, error) {
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	return compile(root, options)
}

func TestCompleteRuleSet(t *testing.T) {
	set, warnings, err := read("f.json", []byte(complete), vendor.CompileOptions{Strict: true})
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	if n := len(set.Teams); n != 3 || set.Teams[2].Name != "side_2" {
		t.Errorf("%d teams, want red, side_1 and side_2", n)
	}
	fair := set.rules[set.rule("Fair")].SeatRule.(*matcher.Distance)
	for _, test := range []struct {
		waitMS int64
		want   float64
	}{{0, 5}, {4999, 5}, {5000, 10}, {15_000, 50}, {90_000, 50}} {
		if got, _ := fair.Max.At(test.waitMS); got != test.want {
			t.Errorf("maxDistance after %d ms is %v, want %v", test.waitMS, got, test.want)
		}
	}
	for i := range set.Teams {
		if least, _ := set.Teams[i].Min.At(10_000); least != 1 {
			t.Errorf("team %s needs %v players after 10 s, want 1", set.Teams[i].Name, least)
		}
	}
	if priority, _ := set.Priority.At(10_000); priority != matcher.HighPriority {
		t.Errorf("backfill priority %v after 10 s, want high", priority)
	}
	if !set.rules[set.rule("Mode")].Common().Named || set.rules[set.rule("Fast")].Common().Named {
		t.Error("got Named of Mode false or of Fast true, want only Mode to act through the compound")
	}
}

// replaceIn replaces a part of the complete rule set. It returns the text and the position of § in it.
func replaceIn(t *testing.T, old, changed string) (text, place string) {
	t.Helper()
	text = strings.Replace(complete, old, changed, 1)
	if text == complete {
		t.Fatalf("the complete rule set does not contain %s, which the test replaces", old)
	}
	before, _, marked := strings.Cut(text, "§")
	if !marked {
		return text, "f.json:1:1"
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	place = fmt.Sprintf("f.json:%d:%d", 1+strings.Count(before, "\n"), 1+utf8.RuneCountInString(line))
	return strings.Replace(text, "§", "", 1), place
}

// Each case makes the complete rule set invalid in one place. The error must name the position
// marked with §.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ old, changed, want string }{
		{complete, `§[]`, `got a list, expected an object`},
		{complete, ``, `the file is empty`},
		{`"ruleLanguageVersion": "1.0",`, ``, `ruleLanguageVersion: missing, expected "1.0"`},
		{`"1.0"`, `§"1.1"`, `ruleLanguageVersion: got "1.1", expected "1.0"`},
		{`"1.0"`, `§1.0`, `ruleLanguageVersion: got 1.0, expected "1.0"`},
		{`"name": "arena"`, `"name": §7`, `name: got 7, expected a text`},
		{`"name": "arena",`, `"name": "arena", §"name": "x",`, `the key "name" is already in this object`},
		{`"name": "arena",`, `§// the arena`, `remove the comment`},

		{`{"name": "mode", "type": "string"}`, `§{"type": "string"}`, `playerAttributes[1]: name: missing`},
		{`{"name": "mode", "type": "string"}`, `{"name": §"skill", "type": "string"}`, `name: got "skill", expected a unique name`},
		{`{"name": "mode", "type": "string"}`, `{"name": §"my[mode]", "type": "string"}`, `name: got "my[mode]", expected a name without commas, asterisks, brackets`},
		{`"type": "string"}`, `"type": §"text"}`, `playerAttributes[1]: type: got "text", expected one of number, string, string_list, string_number_map`},
		{`"default": 10`, `"default": §"ten"`, `default: got "ten", expected a number, because skill has type number`},
		{`"default": ["dust"]`, `"default": §"dust"`, `default: got "dust", expected a list of texts`},
		{`"default": ["dust"]`, `"default": §["dust", 1]`, `default: got a list, expected a list of texts`},
		{`{"name": "mode", "type": "string"}`, `§"mode"`, `playerAttributes[1]: got "mode", expected an object`},

		{`"exhaustiveSearch"`, `§"exhaustive"`, `strategy: got "exhaustive", expected one of exhaustiveSearch, balanced`},
		{`"exhaustiveSearch", "batchingPreference": "sorted"`, `"balanced", "balancedAttribute": "skill", "batchingPreference": §"sorted"`, `batchingPreference: got "sorted", expected one of largestPopulation, fastestRegion`},
		{`"batchingPreference": "sorted"`, `"batchingPreference": §"fastestRegion"`, `expected one of random, sorted`},
		{`{"strategy": "exhaustiveSearch", "batchingPreference": "sorted", "sortByAttributes": ["skill"],`, `§{"batchingPreference": "sorted",`, `sortByAttributes: missing, expected a list of attributes`},
		{`["skill"]`, `[§"rank"]`, `sortByAttributes: got "rank", expected the name of an attribute in playerAttributes`},
		{`["skill"]`, `[§"maps"]`, `sortByAttributes: got "maps", expected an attribute of type number or string; maps has type string_list`},
		{`{"strategy": "exhaustiveSearch", "batchingPreference": "sorted", "sortByAttributes": ["skill"],`, `§{"strategy": "balanced",`, `balancedAttribute: missing`},
		{`"oldest"`, `§"old"`, `expansionAgeSelection: got "old", expected one of newest, oldest`},
		{`"backfillPriority": "low"`, `"backfillPriority": §"first"`, `backfillPriority: got "first", expected one of normal, low, high`},

		{`"minPlayers": 2, "maxPlayers": 5}`, `"minPlayers": §6, "maxPlayers": 5}`, `teams[0]: minPlayers: got 6, expected at most maxPlayers, which is 5`},
		{`"minPlayers": 2, "maxPlayers": 5}`, `"minPlayers": 2, "maxPlayers": §0}`, `maxPlayers: got 0, expected a whole number from 1 to 200`},
		{`"minPlayers": 2, "maxPlayers": 5}`, `"minPlayers": §1.5, "maxPlayers": 5}`, `minPlayers: got 1.5, expected a whole number`},
		{`{"name": "red", "minPlayers": 2, "maxPlayers": 5}`, `§{"name": "red", "minPlayers": 2}`, `maxPlayers: missing`},
		{`"quantity": 2`, `"quantity": §0`, `quantity: got 0, expected a whole number from 1 to 200`},
		{`"maxPlayers": 5, "quantity": 2`, `"maxPlayers": §100, "quantity": 2`, `maxPlayers of all teams adds up to 205, expected at most 200`},
		{`"strategy": "exhaustiveSearch", "batchingPreference": "sorted", "sortByAttributes": ["skill"],
    "expansionAgeSelection": "oldest", "backfillPriority": "low"},
  "teams": [
    {"name": "red", "minPlayers": 2, "maxPlayers": 5}`, `"strategy": §"exhaustiveSearch"}, "teams": [{"name": "red", "minPlayers": 2, "maxPlayers": 50}`, `strategy: expected balanced for matches of more than 40 players`},
		{`"name": "side"`, `"name": §"red"`, `name: got "red", expected a unique name`},

		{`"type": "comparison"`, `"type": §"compare"`, `rule "Mode": type: got "compare", expected one of comparison, distance, batchDistance,`},
		{`{"name": "Mode", "type": "comparison"`, `§{"name": "Mode"`, `rule "Mode": type: missing`},
		{`"name": "Fair"`, `"name": §"Mode"`, `name: got "Mode", expected a unique name`},
		{`"operation": "="`, `"operation": §"=="`, `operation: got "==", expected one of =, !=, <, <=, >, >=`},
		{`{"name": "Mode", "type": "comparison", "operation": "="`, `§{"name": "Mode", "type": "comparison", "operation": "<"`, `referenceValue: missing, expected a value to compare with, because only = and != can`},
		{`"operation": "="`, `"referenceValue": "a", "operation": §"<"`, `operation: got "<", expected = or != for texts`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `§7`, `measurements: got 7, expected a list`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `§[]`, `measurements: got a list, expected at least one property expression`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"flatten(teams[*].players.attributes[mode]"]`, `got the end at character 42 of`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"flat(teams[*].players.attributes[mode])"]`, `got "flat(teams[*].players.attributes[mode])" at character 1 of`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"flatten(teams[blue].players.attributes[mode])"]`, `expected * or the name of a team`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"flatten(teams[*].players.attributes[rank])"]`, `expected the name of an attribute in playerAttributes`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"flatten(teams[*].players.attributes[mode]) x"]`, `got "x" at character 44 of`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"flatten(teams[red].players.attributes[mode])"]`, `the argument of flatten is a list of texts, expected a list of lists`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"avg(flatten(teams[*].players.attributes[mode]))"]`, `the argument of avg is a list of texts, expected a list of numbers`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"teams[*].players"]`, `gives a list of lists of players, expected numbers or texts`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"flatten(teams[*].players.attributes[liking])"]`, `expected an attribute that is a number, a text or a list of texts`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"set_intersection(teams[red].players.attributes[mode])"]`, `the argument of set_intersection is a list of texts, expected a list of lists of texts`},
		{`"maxDistance": 5}`, `"maxDistance": §-5}`, `rule "Fair": maxDistance: got -5, expected a number of 0 or more`},
		{`"maxDistance": 5}`, `"maxDistance": §"five"}`, `maxDistance: got "five", expected a number of 0 or more`},
		{`"maxDistance": 5}`, `"minDistance": §6, "maxDistance": 5}`, `minDistance: got 6, expected at most maxDistance, which is 5`},
		{`"referenceValue": "avg(flatten(teams[*].players.attributes[skill]))"`, `"referenceValue": §"teams[red].players.attributes[skill]"`, `is a list of numbers, expected a number`},
		{`"batchAttribute": "skill"`, `"batchAttribute": §"maps"`, `batchAttribute: got "maps", expected an attribute of type number or string; maps has type string_list`},
		{`"batchAttribute": "skill", "maxDistance": "40"`, `"batchAttribute": "mode", "maxDistance": §"40"`, `maxDistance: got "40", expected none, because the attribute is a text`},
		{`"maxDistance": "40"`, `"maxDistance": §"4O"`, `maxDistance: got "4O", expected a number of 0 or more`},
		{`"operation": "intersection"`, `"operation": "intersection", "referenceValue": §"dust"`, `referenceValue: got "dust", expected none, because the operation is intersection`},
		{`"minCount": 1}`, `"minCount": §0.5}`, `minCount: got 0.5, expected a whole number from 0`},
		{`{"name": "Maps", "type": "collection", "operation": "intersection", "measurements": ["flatten(teams[*].players.attributes[maps])"], "minCount": 1}`,
			`§{"name": "Maps", "type": "collection", "operation": "intersection", "measurements": ["flatten(teams[*].players.attributes[maps])"]}`, `minCount: missing, expected minCount or maxCount, a whole number`},
		{`"operation": "intersection", "measurements": ["flatten(teams[*].players.attributes[maps])"]`, `"operation": "intersection", "measurements": [§"flatten(teams[*].players.attributes[skill])"]`, `gives a list of numbers, expected a list of lists of texts`},
		{`"referenceValue": "dust"`, `"referenceValue": §["dust"]`, `referenceValue: a list is a list of texts, expected a text`},
		{`"partyAggregation": "max"`, `"partyAggregation": §"sum"`, `partyAggregation: got "sum", expected one of avg, min, max`},
		{`"distanceReference": "avg"`, `"distanceReference": §"max"`, `distanceReference: got "max", expected one of min, avg`},
		{`{"name": "Fast", "type": "latency", "maxLatency": 100, "maxDistance": 50, "distanceReference": "avg", "partyAggregation": "max"}`, `§{"name": "Fast", "type": "latency"}`, `maxLatency: missing`},
		{`"sortDirection": "descending"`, `"sortDirection": §"down"`, `sortDirection: got "down", expected one of ascending, descending`},
		{`{"name": "First", "type": "absoluteSort", "sortDirection": "descending", "sortAttribute": "liking", "mapKey": "maxValue"}`, `§{"name": "First", "type": "absoluteSort", "sortDirection": "descending", "sortAttribute": "liking"}`, `mapKey: missing, expected one of minValue, maxValue`},
		{`"sortAttribute": "skill"`, `"sortAttribute": §"mode"`, `sortAttribute: got "mode", expected an attribute of type number or string_number_map; mode has type string`},

		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"or(Mode)"`, `got or with 1 rule in "or(Mode)", expected at least 2`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"not(Mode, Fair)"`, `got not with 2 rules`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"xor(Mode, Fair, Maps)"`, `got xor with 3 rules`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"nor(Mode, Fair)"`, `got "nor(Mode, Fair)" at character 1 of "nor(Mode, Fair)", expected one of and, or, xor, not`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"or(Mode, Best)"`, `got "Best)" at character 10 of`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"or(Mode, Near)"`, `got Near in "or(Mode, Near)", expected a rule that is not a batchDistance or a sort`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"or(Mode, Fair"`, `got the end at character 14 of`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"or(Mode, Either)"`, `got Either in`},

		{`"rules[Fair].maxDistance"`, `§"rules[Unfair].maxDistance"`, `got "rules[Unfair].maxDistance", expected the name of a rule in the brackets; there is no rule "Unfair"`},
		{`"rules[Fair].maxDistance"`, `§"rules[Fair].maxLatency"`, `expected a property of rule Fair that can be expanded; "maxLatency" is not one`},
		{`"rules[Fair].maxDistance"`, `§"rules[Either].statement"`, `expected a rule that is not a compound; expand the rules that Either names instead`},
		{`"rules[Fair].maxDistance"`, `§"rule[Fair].maxDistance"`, `expected rules[NAME].PROPERTY, teams[NAME].minPlayers or maxPlayers, algorithm.backfillPriority`},
		{`"teams[red, side].minPlayers"`, `§"teams[red, blue].minPlayers"`, `expected the name of a team in the brackets; there is no team "blue"`},
		{`"teams[red, side].minPlayers"`, `§"teams[red].quantity"`, `expected minPlayers or maxPlayers of a team`},
		{`"teams[red, side].minPlayers"`, `§"rules[Fair].maxDistance"`, `expected another target, because rules[Fair].maxDistance already has an expansion`},
		{`{"waitTimeSeconds": 15, "value": 50}`, `{"waitTimeSeconds": §5, "value": 50}`, `waitTimeSeconds: got 5, expected more than in the previous step`},
		{`{"waitTimeSeconds": 15, "value": 50}`, `{"waitTimeSeconds": §99999, "value": 50}`, `waitTimeSeconds: got 99999, expected a whole number from 0 to 43200`},
		{`{"waitTimeSeconds": 15, "value": 50}`, `§{"waitTimeSeconds": 15}`, `value: missing`},
		{`{"waitTimeSeconds": 15, "value": 50}`, `{"waitTimeSeconds": 15, "value": §"wide"}`, `value: got "wide", expected a number of 0 or more`},
		{`[{"waitTimeSeconds": 10, "value": 1}]`, `[{"waitTimeSeconds": 10, "value": §6}]`, `team red has minPlayers 6 and maxPlayers 5, expected minPlayers of at most maxPlayers`},
		{`"value": "high"`, `"value": §"higher"`, `value: got "higher", expected one of normal, low, high`},
		{`{"target": "algorithm.backfillPriority", "steps": [{"waitTimeSeconds": 10, "value": "high"}]}`, `§{"target": "algorithm.backfillPriority", "steps": []}`, `steps: missing, expected a list of at least one step`},
		{`{"target": "algorithm.backfillPriority",`, `§{`, `target: missing`},
		{`"algorithm.backfillPriority"`, `§"algorithm.strategy"`, `got "algorithm.strategy", expected rules[NAME].PROPERTY, teams[NAME].minPlayers or maxPlayers, algorithm.backfillPriority`},
		{`{"waitTimeSeconds": 15, "value": 50}`, `§{"value": 50}`, `expansions: rules[Fair].maxDistance: steps[1]: waitTimeSeconds: missing`},
		{`[{"waitTimeSeconds": 10, "value": 1}]`, `§{"waitTimeSeconds": 10, "value": 1}`, `steps: got an object, expected a list`},

		{`{"name": "mode", "type": "string"}`, `§{"name": "mode"}`, `playerAttributes[1]: type: missing, expected one of number, string, string_list, string_number_map`},
		{`{"name": "liking", "type": "string_number_map"}`, `{"name": "liking", "type": "string_number_map", "default": §{"dust": "much"}}`, `default: got an object, expected an object with numbers, because liking has type string_number_map`},
		{`"name": "side"`, `"name": §"side,two"`, `teams[1]: name: got "side,two", expected a name without commas`},
		{`["skill"]`, `§"skill"`, `sortByAttributes: got "skill", expected a list`},
		{`"sortAttribute": "liking", "mapKey": "maxValue"`, `"sortAttribute": "liking", "mapKey": §"bestValue"`, `rule "First": mapKey: got "bestValue", expected one of minValue, maxValue`},
		{`"minCount": 1}`, `"minCount": 1, "partyAggregation": §"avg"}`, `rule "Maps": partyAggregation: got "avg", expected one of union, intersection`},
		{`"referenceValue": "dust", "maxCount": 3}`, `"referenceValue": §7, "maxCount": 3}`, `rule "Dust": referenceValue: 7 is a number, expected a text`},
		{`{"name": "Dust", "type": "collection", "operation": "contains", "measurements": ["teams[red].players.attributes[maps]"], "referenceValue": "dust", "maxCount": 3}`,
			`§{"name": "Dust", "type": "collection", "operation": "contains", "measurements": ["teams[red].players.attributes[maps]"], "maxCount": 3}`, `rule "Dust": referenceValue: missing, expected a text`},
		{`"or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `§"or(Mode, Fair) and Maps"`, `got "and Maps" at character 16 of "or(Mode, Fair) and Maps", expected the end of the statement`},
		{`"statement": "or(Mode, not(and(Fair, Maps)), xor(Dust, Mode))"`, `"statement": §["Mode"]`, `rule "Either": statement: got a list, expected a text`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"teams[*].players.attribute[mode]"]`, `got ".attribute[mode]" at character 17 of`},
		{`["flatten(teams[*].players.attributes[mode])"]`, `[§"teams[red].players[name]"]`, `got "name]" at character 20 of "teams[red].players[name]", expected playerId`},
	} {
		text, place := replaceIn(t, test.old, test.changed)
		_, _, err := read("f.json", []byte(text), vendor.CompileOptions{})
		if err == nil || !strings.Contains(err.Error(), place+": ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want it at %s with %s", test.changed, err, place, test.want)
		}
	}
}

// Every text is read or refused, and the checks of a rule set that was read terminate.
func TestDamagedTextsTerminate(t *testing.T) {
	for at := 0; at < len(complete); at += 17 {
		for _, text := range []string{complete[:at], complete[:at] + complete[min(len(complete), at+7):], complete[:at] + `"` + complete[at:]} {
			set, _, err := read("f.json", []byte(text), vendor.CompileOptions{})
			if err == nil {
				set.Rules(0, 0).Validate()
				set.Lint(20_000)
			}
		}
	}
}

func TestUnknownMembers(t *testing.T) {
	text, place := replaceIn(t, `"maxDistance": 5}`, `"maxDistance": 5, "maxdistance": §7}`)
	_, warnings, err := read("f.json", []byte(text), vendor.CompileOptions{})
	if err != nil || len(warnings) != 1 || !strings.HasPrefix(warnings[0].String(), place+`: warning: rule "Fair": maxdistance: unknown key, ignored`) {
		t.Errorf("got error %v and warnings %q, want one warning at the unknown key", err, warnings)
	}
	if _, _, err = read("f.json", []byte(text), vendor.CompileOptions{Strict: true}); err == nil || !strings.Contains(err.Error(), "maxdistance: unknown key, expected one of") {
		t.Errorf("strict: got error %v, want the unknown key refused", err)
	}
}

func TestLint(t *testing.T) {
	for _, test := range []struct{ old, changed, want string }{
		{`{"waitTimeSeconds": 15, "value": 50}`, `{"waitTimeSeconds": 20, "value": §50}`, "expansion of rules[Fair].maxDistance: the step after 20 s is never reached, because tickets give up after 20 s"},
		{`"string"},`, `"string"}, §{"name": "spare", "type": "number"},`, `attribute "spare" is declared but not used`},
		{`{"name": "First", `, `§{"name": "Crowd", "type": "comparison", "operation": ">=", "measurements": ["count(flatten(teams[*].players))"], "referenceValue": 16}, {"name": "First", `,
			`rule "Crowd": no match of these teams can satisfy it at any wait: the measured number is 3 to 15, which is never >= 16`},
		{`{"name": "First", `, `§{"name": "Far", "type": "latency", "maxLatency": 0}, {"name": "First", `, `rule "Far": no player can satisfy it: maxLatency is never more than 0 ms`},
		{`"minCount": 1},
    {"name": "Dust"`, `"minCount": 1}, §{"name": "Some", "type": "collection", "operation": "intersection", "measurements": ["flatten(teams[*].players.attributes[maps])"], "minCount": 2, "maxCount": 9},
    {"name": "Dust"`, `rule "Some": after 12 s, minCount is 2 and maxCount is 1, so no match can satisfy the rule`},
	} {
		text, place := replaceIn(t, test.old, test.changed)
		if strings.Contains(text, "Some") {
			text = strings.Replace(text, `"expansions": [`, `"expansions": [{"target": "rules[Some].maxCount", "steps": [{"waitTimeSeconds": 12, "value": 1}]},`, 1)
		}
		set, _, err := read("f.json", []byte(text), vendor.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := set.Lint(20_000); len(got) != 1 || got[0] != (jsontree.Warning{Position: place, Message: test.want}) {
			t.Errorf("got warnings %q, want %s: warning: %s", got, place, test.want)
		}
	}
	set, _, _ := read("f.json", []byte(complete), vendor.CompileOptions{})
	if got := set.Lint(matcher.Never); len(got) != 0 {
		t.Errorf("got warnings %q, want none, because tickets never give up", got)
	}
}

// Team red has 2 to 5 players, or 1 to 5 after the expansion. Teams blue_1 and blue_2 have 0 to 2
// each, and green has exactly 3. Over all waits, a match has 4 to 12 players.
func TestImpossibleRulesAreWarnedOf(t *testing.T) {
	const document = `{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "skill", "type": "number"}, {"name": "mode", "type": "string"}, {"name": "maps", "type": "string_list"}],
		"teams": [{"name": "red", "minPlayers": 2, "maxPlayers": 5}, {"name": "blue", "minPlayers": 0, "maxPlayers": 2, "quantity": 2}, {"name": "green", "minPlayers": 3, "maxPlayers": 3}],
		"rules": [%s], "expansions": [{"target": "teams[red].minPlayers", "steps": [{"waitTimeSeconds": 10, "value": 1}]}%s]}`
	comparison := func(measured, operation string, reference any) string {
		text, _ := json.Marshal(reference)
		return fmt.Sprintf(`{"name": "R", "type": "comparison", "measurements": [%q], "operation": %q, "referenceValue": %s}`, measured, operation, text)
	}
	distance := func(measured, reference, bounds string) string {
		return fmt.Sprintf(`{"name": "R", "type": "distance", "measurements": [%q], "referenceValue": %q, %s}`, measured, reference, bounds)
	}
	collection := func(operation, measured, rest string) string {
		return fmt.Sprintf(`{"name": "R", "type": "collection", "operation": %q, "measurements": [%q], %s}`, operation, measured, rest)
	}
	for _, test := range []struct {
		rules, expansions string
		impossible        bool
	}{
		{comparison("count(flatten(teams[*].players))", ">", 12), "", true},
		{comparison("count(flatten(teams[*].players))", ">=", 12), "", false},
		{comparison("count(flatten(teams[*].players))", "<", 4), "", true},
		{comparison("count(flatten(teams[*].players))", "<=", 4), "", false}, // after 10 s
		{comparison("count(teams[green].players)", "!=", 3), "", true},
		{comparison("count(teams[green].players)", "=", 3), "", false},
		{comparison("count(teams[red].players)", "=", "count(teams[green].players)"), "", false},
		{comparison("count(teams[blue].players)", ">=", "count(teams[green].players)"), "", true},
		{comparison("count(teams[*].players)", ">=", 1), "", false},
		{comparison("count(teams[*].players)", ">=", 3), "", true}, // for each team, and blue has at most 2
		{comparison("max(count(teams[*].players))", ">=", 3), "", false},
		{comparison("max(count(teams[*].players))", "<", 3), "", true},
		{comparison("min(count(teams[*].players))", ">", 2), "", true},
		{comparison("sum(count(teams[*].players.attributes[skill]))", "=", 13), "", true},
		{comparison("avg(count(teams[*].players))", "<=", 3), "", false},
		{comparison("avg(count(teams[*].players))", ">", 3), "", true},
		{comparison("max(count(teams[*].players.attributes[maps]))", ">", 100), "", false}, // the maps of a player
		{comparison("avg(flatten(teams[*].players.attributes[skill]))", ">", 1e9), "", false},
		{comparison("count(flatten(teams[*].players))", "=", 20), `, {"target": "rules[R].referenceValue", "steps": [{"waitTimeSeconds": 9, "value": 12}]}`, false},
		{comparison("count(flatten(teams[*].players))", "=", 20), `, {"target": "rules[R].referenceValue", "steps": [{"waitTimeSeconds": 9, "value": 15}]}`, true},
		{distance("max(count(teams[*].players))", "min(count(teams[*].players))", `"maxDistance": 0`), "", true}, // 3 or more compared with 2 or fewer
		{distance("max(count(teams[*].players))", "min(count(teams[*].players))", `"maxDistance": 1`), "", false},
		{distance("count(teams[red].players)", "count(teams[green].players)", `"minDistance": 3`), "", true},
		{distance("count(teams[red].players)", "count(teams[green].players)", `"minDistance": 2`), "", false},
		{distance("avg(teams[red].players.attributes[skill])", "avg(teams[green].players.attributes[skill])", `"maxDistance": 0`), "", false},
		{collection("contains", "teams[red].players.attributes[maps]", `"referenceValue": "dust", "minCount": 6`), "", true},
		{collection("contains", "teams[red].players.attributes[maps]", `"referenceValue": "dust", "minCount": 5`), "", false},
		{collection("contains", "flatten(teams[red,blue].players.attributes[maps])", `"referenceValue": "dust", "minCount": 10`), "", true},
		{collection("contains", "teams[*].players.attributes[maps]", `"referenceValue": "dust", "minCount": 3`), "", true}, // for each team
		{collection("contains", "teams[*].players.attributes[mode]", `"referenceValue": "ctf", "minCount": 4`), "", false}, // counts teams
		{collection("contains", "flatten(teams[red].players.attributes[maps])", `"referenceValue": "dust", "minCount": 99`), "", false},
		{collection("contains", "teams[red].players.attributes[maps]", `"referenceValue": "dust", "minCount": 6`), `, {"target": "rules[R].minCount", "steps": [{"waitTimeSeconds": 9, "value": 2}]}`, false},
		{collection("reference_intersection_count", "teams[red].players.attributes[maps]", `"referenceValue": ["dust", "ice"], "minCount": 3`), "", true},
		{collection("reference_intersection_count", "teams[red].players.attributes[maps]", `"referenceValue": ["dust", "ice"], "minCount": 2`), "", false},
		{collection("intersection", "flatten(teams[*].players.attributes[maps])", `"minCount": 99`), "", false},
		{`{"name": "R", "type": "latency", "maxLatency": 0}`, "", true},
		{`{"name": "R", "type": "latency", "maxLatency": 0}`, `, {"target": "rules[R].maxLatency", "steps": [{"waitTimeSeconds": 9, "value": 1}]}`, false},
		{comparison("count(teams[green].players)", "=", 3) + `, {"name": "C", "type": "compound", "statement": "not(R)"}`, "", true},
		{comparison("count(teams[green].players)", "=", 4) + `, {"name": "C", "type": "compound", "statement": "not(R)"}`, "", false},
		{comparison("count(teams[green].players)", "=", 4) + `, {"name": "L", "type": "latency", "maxLatency": 9}, {"name": "C", "type": "compound", "statement": "and(R, L)"}`, "", true},
		{comparison("count(teams[green].players)", "=", 4) + `, {"name": "L", "type": "latency", "maxLatency": 9}, {"name": "C", "type": "compound", "statement": "or(R, L)"}`, "", false},
		{comparison("count(teams[green].players)", "=", 3) + `, {"name": "C", "type": "compound", "statement": "xor(R, R)"}`, "", true},
	} {
		set, _, err := read("f.json", fmt.Appendf(nil, document, test.rules, test.expansions), vendor.CompileOptions{Strict: true})
		if err != nil {
			t.Fatalf("%s: %v", test.rules, err)
		}
		var warned []string
		for _, w := range set.Lint(matcher.Never) {
			if strings.Contains(w.Message, "rule \"") {
				warned = append(warned, w.Message)
			}
		}
		if len(warned) > 1 || (len(warned) == 1) != test.impossible {
			t.Errorf("%s%s: got warnings %q, want a warning: %v", test.rules, test.expansions, warned, test.impossible)
		}
	}
}

func TestRecognises(t *testing.T) {
	for text, want := range map[string]bool{`{"ruleLanguageVersion": "1.0"}`: true, `{"playerAttributes": []}`: true, `{"rules": []}`: false, `[]`: false} {
		v, err := jsontree.Parse("f.json", []byte(text))
		if err != nil || Recognises(v) != want {
			t.Errorf("%s: got recognised %v, want %v (error %v)", text, !want, want, err)
		}
	}
}

// A player with a missing or invalid attribute is never matched.
func TestPlayersThatAreNeverMatched(t *testing.T) {
	set, _, err := read("f.json", []byte(complete), vendor.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"mode": "a", "liking": {"x": 1}}`:                   "",
		`{"mode": "a", "liking": {"x": 1}, "skill": "12"}`:    "",
		`{"liking": {"x": 1}}`:                                `attribute "mode" is missing and has no default`,
		`{"mode": 3, "liking": {"x": 1}}`:                     `attribute "mode" is 3, expected a text`,
		`{"mode": "a", "liking": {"x": "y"}}`:                 `attribute "liking" is an object, expected an object with numbers`,
		`{"mode": "a", "liking": {"x": 1}, "maps": ["d", 1]}`: `attribute "maps" is a list, expected a list of texts`,
	} {
		v, _ := jsontree.Parse("f.json", []byte(text))
		if _, err := set.Player("p", v); fmt.Sprint(err) != want && (err != nil || want != "") {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(complete))
	files, _ := filepath.Glob("testdata/cases/*.json")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		set, _, err := read("f.json", text, vendor.CompileOptions{})
		if err == nil {
			set.Rules(0, 0).Validate()
			set.Lint(0)
		}
	})
}
