// Package literaltest checks matches against a FlexMatch rule set by interpreting its JSON. Tests
// compare the compiler and the engine with it. So it shares no code with them and is as simple as
// possible: for example, it parses an expression every time it evaluates it.
package literaltest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Rules is a rule set as JSON, with the match to check.
type Rules struct {
	JSON  map[string]any
	Teams []Team
	match [][]Party // by team
	wait  float64   // wait of the match, in s
	party string    // partyAggregation of the current rule
}

// Team is one team of a match.
type Team struct {
	Name, entry string
	Min, Max    float64 // number of players before expansions
}

// Party holds the players of one ticket.
type Party struct {
	Players []Player
	Wait    float64 // in s
	Seated  bool    // whether the party is already playing in the match
}

// Player is a player of a matchmaking request.
type Player struct {
	ID         string             `json:"id"`
	Attributes map[string]any     `json:"attributes"`
	Latencies  map[string]float64 `json:"latencies"`
}

// Read parses the JSON of a valid rule set. It panics if the rule set is invalid.
func Read(text []byte) *Rules {
	t := &Rules{}
	if err := json.Unmarshal(text, &t.JSON); err != nil {
		panic(err)
	}
	for _, entry := range Objects(t.JSON["teams"]) {
		name, many := entry["name"].(string), 1
		if n, ok := entry["quantity"]; ok {
			many = int(number(n))
		}
		for i := range many {
			team := Team{name, name, number(entry["minPlayers"]), number(entry["maxPlayers"])}
			if many > 1 {
				team.Name = fmt.Sprintf("%s_%d", name, i+1)
			}
			t.Teams = append(t.Teams, team)
		}
	}
	return t
}

// Objects returns the objects of a list.
func Objects(list any) (all []map[string]any) {
	entries, _ := list.([]any)
	for _, e := range entries {
		all = append(all, e.(map[string]any))
	}
	return all
}

func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		var n float64
		fmt.Sscan(v, &n)
		return n
	}
	panic(fmt.Sprint("no number: ", v))
}

// property returns the value of a property of a rule or a team, such as maxDistance, after the
// expansion steps that the match's wait has reached. base is the value before expansions.
func (t *Rules) property(kind, name, member string, base any) any {
	at := -1.0
	for _, e := range Objects(t.JSON["expansions"]) {
		inner, property, _ := strings.Cut(strings.TrimPrefix(e["target"].(string), kind+"["), "].")
		if !strings.HasPrefix(e["target"].(string), kind+"[") || property != member {
			continue
		}
		for listed := range strings.SplitSeq(inner, ",") {
			if listed = strings.TrimSpace(listed); listed != name && listed != "*" {
				continue
			}
			for _, s := range Objects(e["steps"]) {
				if after := number(s["waitTimeSeconds"]); after <= t.wait && after > at {
					at, base = after, s["value"]
				}
			}
		}
	}
	return base
}

// missing returns the name of an attribute without a default that a player lacks, or "" if there is
// none.
func (t *Rules) missing(p Player) string {
	for _, a := range Objects(t.JSON["playerAttributes"]) {
		if _, ok := p.Attributes[a["name"].(string)]; !ok && a["default"] == nil {
			return a["name"].(string)
		}
	}
	return ""
}

// Obeys reports whether a match satisfies the whole rule set. The parameter match lists the parties
// of each team.
func (t *Rules) Obeys(match [][]Party) bool {
	t.SetMatch(match)
	for _, party := range slices.Concat(match...) {
		if slices.ContainsFunc(party.Players, func(p Player) bool { return t.missing(p) != "" }) {
			return false
		}
	}
	if !t.sized(match) {
		return false
	}
	for _, r := range t.enforced() {
		if !t.holds(r) {
			return false
		}
	}
	latencies := t.Latencies()
	return len(latencies) == 0 || slices.ContainsFunc(t.Regions(), func(region string) bool {
		return !slices.ContainsFunc(latencies, func(r map[string]any) bool { return !t.Reaches(r, region) })
	})
}

// Latencies returns the latency rules that every match must satisfy in its region. A latency rule
// is required if no compound rule refers to it, or if a compound rule joins it to other rules only
// by "and".
func (t *Rules) Latencies() (list []map[string]any) {
	within, required := map[string]bool{}, map[string]bool{}
	var require func(text string)
	require = func(text string) {
		text = strings.TrimSpace(text)
		operator, rest, ok := strings.Cut(text, "(")
		if !ok {
			required[text] = true
		} else if operator == "and" {
			for _, part := range parts(strings.TrimSuffix(rest, ")")) {
				require(part)
			}
		}
	}
	rules := Objects(t.JSON["rules"])
	for _, r := range slices.Backward(rules) { // a compound rule may refer only to earlier rules
		name := r["name"].(string)
		statement, _ := r["statement"].(string)
		if statement != "" && (!within[name] || required[name]) {
			require(statement)
		}
		for word := range strings.FieldsFuncSeq(statement, func(c rune) bool { return strings.ContainsRune("(), ", c) }) {
			within[word] = true
		}
	}
	for _, r := range rules {
		if name := r["name"].(string); r["type"] == "latency" && (!within[name] || required[name]) {
			list = append(list, r)
		}
	}
	return list
}

// SetMatch sets the match for the other methods. The parameter match lists the parties of each
// team. SetMatch also sets the wait of the match. That is the wait of its oldest ticket if
// expansionAgeSelection says so, and otherwise the wait of its newest ticket.
func (t *Rules) SetMatch(match [][]Party) {
	t.match = match
	algorithm, _ := t.JSON["algorithm"].(map[string]any)
	oldest := algorithm["expansionAgeSelection"] == "oldest"
	t.wait = math.NaN()
	for _, team := range t.match {
		for _, p := range team {
			if p.Seated {
				continue
			}
			if math.IsNaN(t.wait) || oldest && p.Wait > t.wait || !oldest && p.Wait < t.wait {
				t.wait = p.Wait
			}
		}
	}
}

func (t *Rules) rule(name string) map[string]any {
	for _, r := range Objects(t.JSON["rules"]) {
		if r["name"] == name {
			return r
		}
	}
	panic("no rule " + name)
}

func (t *Rules) holds(r map[string]any) bool {
	get := func(member string) (any, bool) {
		v := t.property("rules", r["name"].(string), member, r[member])
		return v, v != nil
	}
	t.party = "avg"
	if r["type"] == "collection" {
		t.party = "union"
	}
	if p, ok := r["partyAggregation"].(string); ok {
		t.party = p
	}
	within := func(n float64, least, most string) bool {
		low, ok := get(least)
		if ok && n < number(low)-1e-9 {
			return false
		}
		high, ok := get(most)
		return !ok || n <= number(high)+1e-9
	}
	reference, _ := get("referenceValue")
	switch r["type"] {
	case "absoluteSort", "distanceSort":
		return true
	case "compound":
		return t.statement(r["statement"].(string))
	case "latency":
		return slices.ContainsFunc(t.Regions(), func(region string) bool { return t.Reaches(r, region) })
	case "comparison":
		return t.comparison(r, reference)
	case "distance":
		with := t.reference(reference)
		return with == nil || !slices.ContainsFunc(t.measured(r), func(v any) bool {
			return !within(math.Abs(v.(float64)-number(with)), "minDistance", "maxDistance")
		})
	case "batchDistance":
		all := leaves(t.expression("teams[*].players.attributes[" + r["batchAttribute"].(string) + "]"))
		for _, a := range all {
			for _, b := range all {
				if text, ok := a.(string); ok && text != b || !ok && !within(math.Abs(a.(float64)-b.(float64)), "minDistance", "maxDistance") {
					return false
				}
			}
		}
		return true
	}
	return t.collection(r, reference, within)
}

// collection reports whether a collection rule holds.
func (t *Rules) collection(r map[string]any, reference any, within func(n float64, least, most string) bool) bool {
	var all [][]any
	for _, m := range measurements(r) {
		lists := t.expression(m).([]any)
		if t.listsPerTeam(m) {
			for _, team := range lists {
				all = append(all, team.([]any))
			}
		} else {
			all = append(all, lists)
		}
	}
	for _, lists := range all {
		switch r["operation"] {
		case "contains":
			n := 0.0
			for _, list := range lists {
				if slices.Contains(leaves(list), reference) {
					n++
				}
			}
			if !within(n, "minCount", "maxCount") {
				return false
			}
		case "intersection":
			if len(lists) > 0 && !within(float64(len(shared(lists))), "minCount", "maxCount") {
				return false
			}
		default:
			flat := len(lists) == 0 && strings.HasPrefix(measurements(r)[0], "set_intersection(") // a single, empty list
			if len(lists) > 0 {
				_, flat = lists[0].(string)
			}
			if flat {
				lists = []any{any(lists)}
			}
			for _, list := range lists {
				if !within(float64(len(shared([]any{list, t.reference(reference)}))), "minCount", "maxCount") {
					return false
				}
			}
		}
	}
	return true
}

func (t *Rules) comparison(r map[string]any, reference any) bool {
	all := t.measured(r)
	check := func(a, b any) bool {
		switch r["operation"] {
		case "=":
			return a == b
		case "!=":
			return a != b
		case "<":
			return a.(float64) < b.(float64)
		case "<=":
			return a.(float64) <= b.(float64)
		case ">":
			return a.(float64) > b.(float64)
		}
		return a.(float64) >= b.(float64)
	}
	if reference != nil {
		with := t.reference(reference)
		return with == nil || !slices.ContainsFunc(all, func(v any) bool { return !check(v, with) })
	}
	for i := range all {
		for k := range i {
			if !check(all[i], all[k]) {
				return false
			}
		}
	}
	return true
}

// listsPerTeam reports whether a path covers several teams and gives a list for each player.
func (t *Rules) listsPerTeam(path string) bool {
	names, field, _ := strings.Cut(strings.TrimPrefix(path, "teams["), "].players")
	teams := 0
	for _, team := range t.Teams {
		if names == "*" || slices.Contains(strings.Split(names, ","), team.Name) || slices.Contains(strings.Split(names, ","), team.entry) {
			teams++
		}
	}
	for _, a := range Objects(t.JSON["playerAttributes"]) {
		if a["type"] == "string_list" && field == ".attributes["+a["name"].(string)+"]" {
			return strings.HasPrefix(path, "teams[") && (names == "*" || teams > 1)
		}
	}
	return false
}

// measurements returns the expressions that a rule measures. A single expression may be written
// without a list.
func measurements(r map[string]any) (all []string) {
	if one, ok := r["measurements"].(string); ok {
		return []string{one}
	}
	for _, m := range r["measurements"].([]any) {
		all = append(all, m.(string))
	}
	return all
}

func (t *Rules) measured(r map[string]any) (all []any) {
	for _, m := range measurements(r) {
		if v := t.expression(m); v != nil {
			all = append(all, leaves(v)...)
		}
	}
	return all
}

// reference returns the value of a reference, or nil if it has none.
func (t *Rules) reference(v any) any {
	if text, ok := v.(string); ok && (strings.Contains(text, "(") || strings.HasPrefix(text, "team")) {
		return t.expression(text)
	}
	return v
}

// statement evaluates the statement of a compound rule, such as and(A, not(B)).
func (t *Rules) statement(text string) bool {
	text = strings.TrimSpace(text)
	operator, rest, ok := strings.Cut(text, "(")
	if !ok {
		return t.holds(t.rule(text))
	}
	var values []bool
	for _, part := range parts(strings.TrimSuffix(rest, ")")) {
		values = append(values, t.statement(part))
	}
	switch operator {
	case "and":
		return !slices.Contains(values, false)
	case "or":
		return slices.Contains(values, true)
	case "xor":
		return values[0] != values[1]
	}
	return !values[0]
}

// parts splits a text at all commas that are not inside parentheses.
func parts(text string) (parts []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// Regions lists the regions for which at least one player has a latency, sorted by name.
func (t *Rules) Regions() (names []string) {
	for _, team := range t.match {
		for _, p := range team {
			for _, player := range p.Players {
				for _, name := range slices.Sorted(maps.Keys(player.Latencies)) {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// Reaches reports whether all players satisfy a latency rule in a region.
func (t *Rules) Reaches(r map[string]any, region string) bool {
	t.party = "avg"
	if p, ok := r["partyAggregation"].(string); ok {
		t.party = p
	}
	var all []any
	for _, team := range t.match {
		for _, p := range team {
			var own []any
			for _, player := range p.Players {
				ms, ok := player.Latencies[region]
				if !ok {
					return false
				}
				own = append(own, ms)
			}
			all = append(all, t.merge(own)...)
		}
	}
	most := t.property("rules", r["name"].(string), "maxLatency", r["maxLatency"])
	far := t.property("rules", r["name"].(string), "maxDistance", r["maxDistance"])
	for _, ms := range all {
		if most != nil && ms.(float64) > number(most) {
			return false
		}
		if far != nil && math.Abs(ms.(float64)-t.call(r["distanceReference"].(string), all).(float64)) > number(far)+1e-9 {
			return false
		}
	}
	return true
}
