package flexmatch

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"mmsim/matcher/dialect/flexmatch/literaltest"
)

// generator draws rule sets and matches.
type generator struct {
	*rand.Rand
	fixedSizes bool // all teams have a fixed size
	sides      int  // number of teams besides red
}

func pick[T any](w generator, list ...T) T { return list[w.IntN(len(list))] }

func (w generator) ruleset() string {
	rules := []map[string]any{}
	w.sides = 1 + w.IntN(2)
	for i := range 1 + w.IntN(3) {
		r := w.rule()
		r["name"] = fmt.Sprint("R", i)
		if party := pick(w, "", "min", "max", "avg"); party != "" && r["type"] != "collection" {
			r["partyAggregation"] = party
		}
		rules = append(rules, r)
	}
	set := map[string]any{
		"ruleLanguageVersion": "1.0",
		"playerAttributes": []map[string]any{
			{"name": "skill", "type": "number", "default": 5}, {"name": "level", "type": "number"},
			{"name": "mode", "type": "string", "default": "a"}, {"name": "maps", "type": "string_list", "default": []string{"x", "y"}},
		},
		"teams": []map[string]any{
			{"name": "red", "minPlayers": w.IntN(2), "maxPlayers": 3},
			{"name": "side", "minPlayers": w.IntN(2), "maxPlayers": 2, "quantity": w.sides},
		},
		"algorithm": map[string]any{"expansionAgeSelection": pick(w, "newest", "oldest"), "backfillPriority": pick(w, priorityNames...)},
	}
	var expansions []map[string]any
	for _, r := range rules {
		for _, member := range []string{"maxDistance", "minCount", "maxCount", "maxLatency"} {
			if _, ok := r[member]; ok && w.IntN(2) == 0 && r["type"] != "compound" {
				expansions = append(expansions, map[string]any{"target": fmt.Sprintf("rules[%s].%s", r["name"], member),
					"steps": []map[string]any{{"waitTimeSeconds": 10, "value": w.IntN(4)}, {"waitTimeSeconds": 20, "value": 4 + w.IntN(4)}}})
			}
		}
	}
	if w.IntN(2) == 0 && !w.fixedSizes {
		expansions = append(expansions, map[string]any{"target": "teams[" + pick(w, "red", "side", "red,side", "*") + "].minPlayers",
			"steps": []map[string]any{{"waitTimeSeconds": 15, "value": w.IntN(3)}}})
	}
	var names []string
	for _, r := range rules {
		if r["type"] != "batchDistance" {
			names = append(names, r["name"].(string))
		}
	}
	if len(names) > 0 && w.IntN(2) == 0 {
		if w.IntN(3) == 0 {
			rules = append(rules, map[string]any{"name": "Part", "type": "compound", "statement": w.statement(names, 1)})
			names = append(names, "Part")
		}
		rules = append(rules, map[string]any{"name": "All", "type": "compound", "statement": pick(w, "and", "or", "xor") + "(" + w.statement(names, 2) + ", " + w.statement(names, 1) + ")"})
	}
	set["rules"], set["expansions"] = rules, expansions
	text, err := json.Marshal(set)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// statement draws the statement of a compound rule.
func (w generator) statement(names []string, depth int) string {
	if depth == 0 || w.IntN(3) == 0 {
		return pick(w, names...)
	}
	if operator := pick(w, "and", "or", "xor", "not"); operator != "not" {
		return operator + "(" + w.statement(names, depth-1) + ", " + w.statement(names, depth-1) + ")"
	}
	return "not(" + w.statement(names, depth-1) + ")"
}

// path draws a path to an attribute of one team or, if several is set, of several teams.
func (w generator) path(attribute string, several bool) string {
	teams := "red"
	if several {
		teams = pick(w, "*", "red,side")
	}
	return "teams[" + teams + "].players.attributes[" + attribute + "]"
}

// number draws an expression whose value is one number.
func (w generator) number() string {
	inner := pick(w, "min", "max", "avg", "median", "sum", "count", "stddev")
	attribute := pick(w, "skill", "level")
	switch w.IntN(3) {
	case 0:
		return inner + "(" + w.path(attribute, false) + ")"
	case 1:
		return inner + "(flatten(" + w.path(attribute, true) + "))"
	}
	return pick(w, "min", "max", "avg", "sum") + "(" + inner + "(" + w.path(attribute, true) + "))"
}

// numbers draws an expression whose value is a list of numbers.
func (w generator) numbers() string {
	if w.IntN(2) == 0 {
		return w.number()
	}
	return pick(w, w.path("skill", true), w.path("level", false), "flatten("+w.path("skill", true)+")", "avg("+w.path("skill", true)+")", "count(teams[*].players)")
}

func (w generator) rule() map[string]any {
	switch w.IntN(7) {
	case 0:
		return map[string]any{"type": "comparison", "measurements": []string{w.numbers(), w.numbers()}, "operation": pick(w, operations...), "referenceValue": pick(w, any(w.number()), any(w.IntN(10)))}
	case 1:
		return map[string]any{"type": "comparison", "measurements": []string{pick(w, "flatten("+w.path("mode", true)+")", w.path("mode", false), w.path("mode", true))}, "operation": pick(w, "=", "!=")}
	case 2:
		return map[string]any{"type": "distance", "measurements": []string{w.numbers()}, "referenceValue": pick(w, any(w.number()), any(w.IntN(10))), "maxDistance": 2 + w.IntN(6), "minDistance": w.IntN(2)}
	case 3:
		if w.IntN(2) == 0 {
			return map[string]any{"type": "batchDistance", "batchAttribute": "mode"}
		}
		return map[string]any{"type": "batchDistance", "batchAttribute": pick(w, "skill", "level"), "maxDistance": fmt.Sprint(float64(w.IntN(18)) / 2)}
	case 4:
		return map[string]any{"type": "latency", "maxLatency": 2 + w.IntN(8), "maxDistance": 1 + w.IntN(8), "distanceReference": pick(w, "min", "avg")}
	}
	r := map[string]any{"type": "collection", "partyAggregation": pick(w, "union", "intersection"), "minCount": w.IntN(2), "maxCount": 2 + w.IntN(3)}
	lists := pick(w, "flatten("+w.path("maps", true)+")", w.path("maps", false))
	switch r["operation"] = pick(w, "contains", "intersection", "reference_intersection_count"); r["operation"] {
	case "contains":
		r["referenceValue"] = pick(w, "x", "y", "z")
	case "reference_intersection_count":
		r["referenceValue"] = pick(w, any("set_intersection("+lists+")"), any("flatten("+lists+")"), any("flatten(teams[*].players[playerId])"), any([]string{"x", "z"}))
		if w.IntN(3) == 0 {
			lists = "set_intersection(flatten(" + w.path("maps", true) + "))"
		}
		if w.sides == 1 && w.IntN(3) == 0 { // compare the lists of red with those of the other team
			lists, r["referenceValue"] = "set_intersection("+w.path("maps", false)+")", "set_intersection(teams[side].players.attributes[maps])"
		}
	}
	if r["operation"] != "reference_intersection_count" && w.IntN(4) == 0 {
		lists = w.path("maps", true)
	}
	if r["measurements"] = []string{lists}; w.IntN(4) == 0 {
		r["measurements"] = lists
	}
	return r
}

// match draws parties for each team.
func (w generator) match(teams int) [][]literaltest.Party {
	match := make([][]literaltest.Party, teams)
	for i := range match {
		parties := w.IntN(3)
		if i == 0 { // at least one ticket joins
			parties = max(1, parties)
		}
		for range parties {
			p := literaltest.Party{Wait: float64(w.IntN(25)), Seated: len(match[0]) > 0 && w.IntN(6) == 0}
			for range 1 + w.IntN(2) {
				player := literaltest.Player{ID: fmt.Sprint("p", w.IntN(100)), Attributes: map[string]any{"level": float64(w.IntN(10))}, Latencies: map[string]float64{"eu": float64(w.IntN(9))}}
				if w.IntN(3) > 0 {
					player.Attributes["skill"] = float64(w.IntN(10))
				}
				if w.IntN(2) == 0 {
					player.Attributes["mode"] = pick(w, "a", "b")
				}
				if w.IntN(2) == 0 {
					player.Attributes["maps"] = pick(w, []any{"x"}, []any{"y", "x"}, []any{"z", "y"}, []any{})
				}
				if w.IntN(3) > 0 {
					player.Latencies["us"] = float64(w.IntN(12))
				}
				if w.IntN(20) == 0 {
					delete(player.Attributes, "level")
				}
				p.Players = append(p.Players, player)
			}
			match[i] = append(match[i], p)
		}
	}
	return match
}
