package flexmatch

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// twin evaluates a rule set straight from its JSON, as the specification reads: it shares
// nothing with the compiler and parses each expression whenever it needs it.
type twin struct {
	rules map[string]any
	teams []twinTeam
	match [][]twinParty // by team
	wait  float64       // s
	party string        // aggregation of the rule at hand
}

type twinTeam struct {
	name, entry string
	min, max    float64
}

type twinParty struct {
	players []twinPlayer
	wait    float64 // s
	seated  bool
}

type twinPlayer struct {
	ID         string             `json:"id"`
	Attributes map[string]any     `json:"attributes"`
	Latencies  map[string]float64 `json:"latencies"`
}

// newTwin reads the JSON of a rule set.
func newTwin(text []byte) *twin {
	t := &twin{}
	if err := json.Unmarshal(text, &t.rules); err != nil {
		panic(err)
	}
	for _, entry := range objects(t.rules["teams"]) {
		name, many := entry["name"].(string), 1
		if n, ok := entry["quantity"]; ok {
			many = int(twinNumber(n))
		}
		for i := range many {
			team := twinTeam{name, name, twinNumber(entry["minPlayers"]), twinNumber(entry["maxPlayers"])}
			if many > 1 {
				team.name = fmt.Sprintf("%s_%d", name, i+1)
			}
			t.teams = append(t.teams, team)
		}
	}
	return t
}

func objects(list any) (all []map[string]any) {
	entries, _ := list.([]any)
	for _, e := range entries {
		all = append(all, e.(map[string]any))
	}
	return all
}

func twinNumber(v any) float64 {
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

// property returns a member of a rule, or of a team's entry, as expansions leave it.
func (t *twin) property(kind, name, member string, base any) any {
	at := -1.0
	for _, e := range objects(t.rules["expansions"]) {
		inner, property, _ := strings.Cut(strings.TrimPrefix(e["target"].(string), kind+"["), "].")
		if !strings.HasPrefix(e["target"].(string), kind+"[") || property != member {
			continue
		}
		for listed := range strings.SplitSeq(inner, ",") {
			if listed = strings.TrimSpace(listed); listed != name && listed != "*" {
				continue
			}
			for _, s := range objects(e["steps"]) {
				if after := twinNumber(s["waitTimeSeconds"]); after <= t.wait && after > at {
					at, base = after, s["value"]
				}
			}
		}
	}
	return base
}

// missing returns an attribute without default that a player lacks; "": none.
func (t *twin) missing(p twinPlayer) string {
	for _, a := range objects(t.rules["playerAttributes"]) {
		if _, ok := p.Attributes[a["name"].(string)]; !ok && a["default"] == nil {
			return a["name"].(string)
		}
	}
	return ""
}

// obeys tells whether a match, by team, keeps everything that the rule set says.
func (t *twin) obeys(match [][]twinParty) bool {
	t.match = match
	t.settleWait()
	for i, team := range t.teams {
		n := 0.0
		for _, p := range match[i] {
			n += float64(len(p.players))
			for _, player := range p.players {
				if t.missing(player) != "" {
					return false
				}
			}
		}
		if n < twinNumber(t.property("teams", team.entry, "minPlayers", team.min)) || n > twinNumber(t.property("teams", team.entry, "maxPlayers", team.max)) {
			return false
		}
	}
	named := map[string]bool{}
	for _, r := range objects(t.rules["rules"]) {
		if s, ok := r["statement"].(string); ok {
			for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return strings.ContainsRune("(), ", c) }) {
				named[word] = true
			}
		}
	}
	var latencies []map[string]any
	for _, r := range objects(t.rules["rules"]) {
		if named[r["name"].(string)] {
			continue
		}
		if !t.holds(r) {
			return false
		}
		if r["type"] == "latency" {
			latencies = append(latencies, r)
		}
	}
	return len(latencies) == 0 || slices.ContainsFunc(t.regions(), func(region string) bool {
		return !slices.ContainsFunc(latencies, func(r map[string]any) bool { return !t.reaches(r, region) })
	})
}

func (t *twin) settleWait() {
	algorithm, _ := t.rules["algorithm"].(map[string]any)
	oldest := algorithm["expansionAgeSelection"] == "oldest"
	t.wait = math.NaN()
	for _, team := range t.match {
		for _, p := range team {
			if p.seated {
				continue
			}
			if math.IsNaN(t.wait) || oldest && p.wait > t.wait || !oldest && p.wait < t.wait {
				t.wait = p.wait
			}
		}
	}
}

func (t *twin) rule(name string) map[string]any {
	for _, r := range objects(t.rules["rules"]) {
		if r["name"] == name {
			return r
		}
	}
	panic("no rule " + name)
}

func (t *twin) holds(r map[string]any) bool {
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
		if ok && n < twinNumber(low)-1e-9 {
			return false
		}
		high, ok := get(most)
		return !ok || n <= twinNumber(high)+1e-9
	}
	reference, _ := get("referenceValue")
	switch r["type"] {
	case "absoluteSort", "distanceSort":
		return true
	case "compound":
		return t.statement(r["statement"].(string))
	case "latency":
		return slices.ContainsFunc(t.regions(), func(region string) bool { return t.reaches(r, region) })
	case "comparison":
		return t.comparison(r, reference)
	case "distance":
		with := t.reference(reference)
		return with == nil || !slices.ContainsFunc(t.measured(r), func(v any) bool {
			return !within(math.Abs(v.(float64)-twinNumber(with)), "minDistance", "maxDistance")
		})
	case "batchDistance":
		all := twinLeaves(t.expression("teams[*].players.attributes[" + r["batchAttribute"].(string) + "]"))
		for _, a := range all {
			for _, b := range all {
				if text, ok := a.(string); ok && text != b || !ok && !within(math.Abs(a.(float64)-b.(float64)), "minDistance", "maxDistance") {
					return false
				}
			}
		}
		return true
	}
	for _, m := range r["measurements"].([]any) {
		lists := t.expression(m.(string)).([]any)
		switch r["operation"] {
		case "contains":
			n := 0.0
			for _, list := range lists {
				if slices.Contains(twinLeaves(list), reference) {
					n++
				}
			}
			if !within(n, "minCount", "maxCount") {
				return false
			}
		case "intersection":
			if len(lists) > 0 && !within(float64(len(twinShared(lists))), "minCount", "maxCount") {
				return false
			}
		default:
			flat := len(lists) == 0 && strings.HasPrefix(m.(string), "set_intersection(") // one list, and it is empty
			if len(lists) > 0 {
				_, flat = lists[0].(string)
			}
			if flat {
				lists = []any{any(lists)}
			}
			for _, list := range lists {
				if !within(float64(len(twinShared([]any{list, t.reference(reference)}))), "minCount", "maxCount") {
					return false
				}
			}
		}
	}
	return true
}

func (t *twin) comparison(r map[string]any, reference any) bool {
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

func (t *twin) measured(r map[string]any) (all []any) {
	for _, m := range r["measurements"].([]any) {
		if v := t.expression(m.(string)); v != nil {
			all = append(all, twinLeaves(v)...)
		}
	}
	return all
}

// reference returns the value of a reference; nil: it has none.
func (t *twin) reference(v any) any {
	if text, ok := v.(string); ok && (strings.Contains(text, "(") || strings.HasPrefix(text, "team")) {
		return t.expression(text)
	}
	return v
}

// statement evaluates and(A, not(B)).
func (t *twin) statement(text string) bool {
	text = strings.TrimSpace(text)
	operator, rest, ok := strings.Cut(text, "(")
	if !ok {
		return t.holds(t.rule(text))
	}
	var values []bool
	for _, part := range twinParts(strings.TrimSuffix(rest, ")")) {
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

// twinParts splits at the commas outside brackets.
func twinParts(text string) (parts []string) {
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

// expression evaluates a property expression; nil: it has no value.
func (t *twin) expression(text string) any {
	text = strings.TrimSpace(text)
	if name, rest, ok := strings.Cut(text, "("); ok {
		return t.call(name, t.expression(strings.TrimSuffix(rest, ")")))
	}
	names, field, _ := strings.Cut(strings.TrimPrefix(text, "teams["), "].players")
	var lists []any
	for i, team := range t.teams {
		if names == "*" || slices.Contains(strings.Split(names, ","), team.name) || slices.Contains(strings.Split(names, ","), team.entry) {
			lists = append(lists, any(t.players(t.match[i], field)))
		}
	}
	if names == "*" || len(lists) > 1 {
		return lists
	}
	return lists[0]
}

// players returns what a path reads of the players of one team.
func (t *twin) players(team []twinParty, field string) []any {
	all := []any{}
	for _, p := range team {
		var own []any
		for _, player := range p.players {
			own = append(own, t.field(player, field))
		}
		all = append(all, t.merge(own)...)
	}
	return all
}

func (t *twin) field(p twinPlayer, field string) any {
	switch field {
	case "":
		return p
	case "[playerId]":
		return p.ID
	}
	name := strings.TrimSuffix(strings.TrimPrefix(field, ".attributes["), "]")
	if v, ok := p.Attributes[name]; ok {
		return v
	}
	for _, a := range objects(t.rules["playerAttributes"]) {
		if a["name"] == name {
			return a["default"]
		}
	}
	panic("no attribute " + name)
}

// merge makes the values of a party's players alike.
func (t *twin) merge(own []any) []any {
	var one any
	switch own[0].(type) {
	case float64:
		one = t.call(map[string]string{"union": "avg", "intersection": "avg"}[t.party]+strings.TrimPrefix(strings.TrimPrefix(t.party, "union"), "intersection"), own)
	case []any:
		union := []any{}
		for _, text := range twinLeaves(own) {
			if !slices.Contains(union, text) {
				union = append(union, text)
			}
		}
		if one = union; t.party == "intersection" {
			one = twinShared(own)
		}
	default:
		return own
	}
	all := make([]any, len(own))
	for i := range all {
		all[i] = one
	}
	return all
}

// call applies a function, on nested lists to each of them.
func (t *twin) call(name string, of any) any {
	list := of.([]any)
	nested := func(v any) bool { _, is := v.([]any); return is }
	switch {
	case name == "flatten":
		all := []any{}
		for _, v := range list {
			all = append(all, v.([]any)...)
		}
		return all
	case name == "set_intersection":
		if len(list) > 0 && slices.ContainsFunc(list[0].([]any), nested) {
			all := []any{}
			for _, v := range list {
				all = append(all, t.call(name, v))
			}
			return all
		}
		return twinShared(list)
	case slices.ContainsFunc(list, nested):
		all := []any{}
		for _, v := range list {
			if one := t.call(name, v); one != nil {
				all = append(all, one)
			}
		}
		return all
	case name == "count":
		return float64(len(list))
	}
	var numbers []float64
	sum := 0.0
	for _, v := range list {
		numbers = append(numbers, v.(float64))
		sum += v.(float64)
	}
	n := float64(len(numbers))
	switch {
	case name == "sum":
		return sum
	case n == 0:
		return nil
	case name == "avg":
		return sum / n
	}
	slices.Sort(numbers)
	switch name {
	case "min":
		return numbers[0]
	case "max":
		return numbers[len(numbers)-1]
	case "median":
		return (numbers[(len(numbers)-1)/2] + numbers[len(numbers)/2]) / 2
	}
	squares := 0.0
	for _, v := range numbers {
		squares += math.Pow(v-sum/n, 2)
	}
	return math.Sqrt(squares / n)
}

func twinLeaves(v any) []any {
	list, ok := v.([]any)
	if !ok {
		return []any{v}
	}
	all := []any{}
	for _, e := range list {
		all = append(all, twinLeaves(e)...)
	}
	return all
}

// twinShared returns the texts that all lists hold.
func twinShared(lists []any) []any {
	shared := []any{}
	if len(lists) == 0 {
		return shared
	}
	for _, text := range lists[0].([]any) {
		if !slices.Contains(shared, text) && !slices.ContainsFunc(lists, func(l any) bool { return !slices.Contains(l.([]any), text) }) {
			shared = append(shared, text)
		}
	}
	return shared
}

// regions lists the regions that somebody measured.
func (t *twin) regions() (names []string) {
	for _, team := range t.match {
		for _, p := range team {
			for _, player := range p.players {
				for name := range player.Latencies {
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

// reaches tells whether a region suits everybody under a latency rule.
func (t *twin) reaches(r map[string]any, region string) bool {
	t.party = "avg"
	if p, ok := r["partyAggregation"].(string); ok {
		t.party = p
	}
	var all []any
	for _, team := range t.match {
		for _, p := range team {
			var own []any
			for _, player := range p.players {
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
		if most != nil && ms.(float64) > twinNumber(most) {
			return false
		}
		if far != nil && math.Abs(ms.(float64)-t.call(r["distanceReference"].(string), all).(float64)) > twinNumber(far)+1e-9 {
			return false
		}
	}
	return true
}
