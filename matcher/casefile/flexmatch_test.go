package casefile

import (
	"strings"
	"testing"
)

// An explanation exists also for a ticket that violates a rule by itself, so that it cannot be in
// any group.
func TestExplainTicketThatBreaksARuleAlone(t *testing.T) {
	_, list := explain(t, `{"rules": {"name": "r", "ruleLanguageVersion": "1.0",
		"teams": [{"name": "all", "minPlayers": 2, "maxPlayers": 2}],
		"rules": [{"name": "near", "type": "latency", "maxLatency": 100}]},
		"at": 4, "tickets": [
		{"id": "far", "created_at": 0, "players": [{"id": "a", "latencies": {"eu": 500}}]},
		{"id": "near", "created_at": 1, "players": [{"id": "b", "latencies": {"eu": 50}}]}]}`)
	for _, e := range list {
		if len(e.Others) != 1 || e.Others[0].Rule != "near" {
			t.Errorf("%s: got %+v, want one entry, with rule near", e.Ticket, e.Others)
		}
	}
}

// For FlexMatch, an obstacle has both values that the rule compares, and the instant from which the
// two can meet. The values follow from the scenes by arithmetic.
func TestExplainedValuesOfFlexMatch(t *testing.T) {
	for _, c := range []struct {
		rule, expansion string // of the rule r
		because         string
		untilS          float64 // 0 for never
	}{
		{`"type": "distance", "measurements": ["avg(teams[red].players.attributes[skill])"], "referenceValue": "avg(teams[blue].players.attributes[skill])", "maxDistance": 100`,
			`"target": "rules[r].maxDistance", "steps": [{"waitTimeSeconds": 10, "value": 400}]`, "400 apart, at most 100", 11},
		{`"type": "distance", "measurements": ["avg(teams[red].players.attributes[skill])"], "referenceValue": "avg(teams[blue].players.attributes[skill])", "minDistance": 500`,
			`"target": "rules[r].minDistance", "steps": [{"waitTimeSeconds": 20, "value": 300}]`, "400 apart, at least 500", 21},
		{`"type": "batchDistance", "batchAttribute": "skill", "maxDistance": 100`,
			`"target": "rules[r].maxDistance", "steps": [{"waitTimeSeconds": 10, "value": 399}, {"waitTimeSeconds": 15, "value": 450}]`, "400 apart, at most 100", 16},
		{`"type": "batchDistance", "batchAttribute": "mode"`, "", `"fun" and "rank", expected equal values`, 0},
		{`"type": "comparison", "measurements": ["sum(flatten(teams[*].players.attributes[skill]))"], "operation": ">=", "referenceValue": 700`,
			`"target": "rules[r].referenceValue", "steps": [{"waitTimeSeconds": 30, "value": 600}]`, "600, expected >= 700", 31},
		{`"type": "comparison", "measurements": ["flatten(teams[*].players.attributes[mode])"], "operation": "=", "referenceValue": "rank"`, "",
			`"fun", expected = "rank"`, 0},
		{`"type": "comparison", "measurements": ["flatten(teams[*].players.attributes[mode])"], "operation": "="`, "",
			`"fun" and "rank", expected equal values`, 0},
		{`"type": "collection", "measurements": ["flatten(teams[*].players.attributes[maps])"], "operation": "intersection", "minCount": 2`,
			`"target": "rules[r].minCount", "steps": [{"waitTimeSeconds": 10, "value": 1}]`, "1 in common, at least 2", 11},
		{`"type": "collection", "measurements": ["flatten(teams[*].players.attributes[maps])"], "operation": "contains", "referenceValue": "port", "maxCount": 1`,
			`"target": "rules[r].maxCount", "steps": [{"waitTimeSeconds": 10, "value": 2}]`, `2 with "port", at most 1`, 11},
		{`"type": "collection", "measurements": ["set_intersection(teams[red].players.attributes[maps])"], "operation": "reference_intersection_count", "referenceValue": "set_intersection(teams[blue].players.attributes[maps])", "minCount": 2`, "",
			"1 in common with the reference, at least 2", 0},
		{`"type": "latency", "maxLatency": 60`,
			`"target": "rules[r].maxLatency", "steps": [{"waitTimeSeconds": 25, "value": 90}]`, "best common region 80 ms, at most 60 ms", 26},
	} {
		text := `{"rules": {"name": "q", "ruleLanguageVersion": "1.0", "teams": [{"name": "red", "minPlayers": 1, "maxPlayers": 1}, {"name": "blue", "minPlayers": 1, "maxPlayers": 1}],
			"playerAttributes": [{"name": "skill", "type": "number"}, {"name": "mode", "type": "string"}, {"name": "maps", "type": "string_list"}],
			"rules": [{"name": "r", ` + c.rule + `}], "expansions": [` + strings.ReplaceAll("{"+c.expansion+"}", "{}", "") + `]},
			"at": 4, "tickets": [
			{"id": "a", "created_at": 0, "players": [{"id": "pa", "attributes": {"skill": 100, "mode": "fun", "maps": ["port", "mill"]}, "latencies": {"eu": 80, "us": 150}}]},
			{"id": "b", "created_at": 1, "players": [{"id": "pb", "attributes": {"skill": 500, "mode": "rank", "maps": ["port"]}, "latencies": {"eu": 40, "us": 20}}]}]}`
		_, list := explain(t, text)
		got, until := list[0].Others[0], 0.0
		if got.UntilS != nil {
			until = *got.UntilS
		}
		if got.Rule != "r" || got.Because != c.because || until != c.untilS {
			t.Errorf("%s:\ngot  %s: %s, until %g s\nwant r: %s, until %g s", c.rule, got.Rule, got.Because, until, c.because, c.untilS)
		}
	}
}

// A compound rule names the rules that decide it, with their values.
func TestExplainedCompound(t *testing.T) {
	for statement, want := range map[string]string{
		"and(near, same)": "near: 400 apart, at most 100",
		"or(near, same)":  `near: 400 apart, at most 100; same: "fun" and "rank", expected equal values`,
		"not(other)":      "other holds",
		"xor(near, same)": `near: 400 apart, at most 100; same: "fun" and "rank", expected equal values`,
	} {
		_, list := explain(t, `{"rules": {"name": "q", "ruleLanguageVersion": "1.0", "teams": [{"name": "red", "minPlayers": 2, "maxPlayers": 2}],
			"playerAttributes": [{"name": "skill", "type": "number"}, {"name": "mode", "type": "string"}],
			"rules": [{"name": "near", "type": "distance", "measurements": ["max(flatten(teams[*].players.attributes[skill]))"], "referenceValue": "min(flatten(teams[*].players.attributes[skill]))", "maxDistance": 100},
				{"name": "same", "type": "comparison", "measurements": ["flatten(teams[*].players.attributes[mode])"], "operation": "="},
				{"name": "other", "type": "comparison", "measurements": ["flatten(teams[*].players.attributes[mode])"], "operation": "!="},
				{"name": "c", "type": "compound", "statement": "`+statement+`"},
				{"name": "unused", "type": "compound", "statement": "or(near, same, other)"}]},
			"at": 4, "tickets": [
			{"id": "a", "created_at": 0, "players": [{"id": "pa", "attributes": {"skill": 100, "mode": "fun"}}]},
			{"id": "b", "created_at": 1, "players": [{"id": "pb", "attributes": {"skill": 500, "mode": "rank"}}]}]}`)
		if got := list[0].Others[0]; got.Rule != "c" || got.Because != want {
			t.Errorf("%s: got %s: %s, want c: %s", statement, got.Rule, got.Because, want)
		}
	}
}
