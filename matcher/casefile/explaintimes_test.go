package casefile

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// pairDice draws scenes with two tickets. All rules change at multiples of pairStepS seconds after
// the creation of a ticket.
type pairDice struct{ *rand.Rand }

const (
	pairStepS = 10
	pairSteps = 9 // number of changes of the longest list, with a margin
)

func (d pairDice) one(list ...any) any { return list[d.IntN(len(list))] }

// chance returns true in one of n cases.
func (d pairDice) chance(n int) bool { return d.IntN(n) == 0 }

// list returns 1 to 5 values.
func (d pairDice) list(draw func() any) (list []any) {
	for range 1 + d.IntN(5) {
		list = append(list, draw())
	}
	return list
}

func (d pairDice) seconds(most int) int { return pairStepS * (1 + d.IntN(most)) }

// playfab returns a queue.
func (d pairDice) playfab() map[string]any {
	attribute := func(path string) map[string]any { return map[string]any{"Path": path, "Source": "User"} }
	queue := map[string]any{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2 + d.IntN(3), "ServerAllocationEnabled": false}
	add := func(kind, name string, rule map[string]any, optional bool) {
		rule["Name"], rule["Weight"] = name, 1
		if optional && d.chance(4) {
			rule["SecondsUntilOptional"] = d.seconds(5)
		}
		list, _ := queue[kind].([]any)
		queue[kind] = append(list, rule)
	}
	number := func() any { return d.one(nil, 0, 50, 100, 150, 200, 300) }
	for i := range d.IntN(3) {
		rule := map[string]any{"Attribute": attribute(fmt.Sprint("n", i)), "Difference": 50 * d.IntN(4), "MergeFunction": "Average", "AttributeNotSpecifiedBehavior": "MatchAny"}
		switch d.IntN(3) {
		case 0:
			rule["CustomExpansion"] = map[string]any{"DifferenceOverrides": d.list(number), "SecondsBetweenExpansions": pairStepS}
		case 1:
			rule["LinearExpansion"] = map[string]any{"Delta": d.one(25, 50, 100), "Limit": d.one(nil, 150, 300), "SecondsBetweenExpansions": pairStepS}
		}
		add("DifferenceRules", fmt.Sprint("number", i), rule, true)
	}
	if d.chance(2) {
		rule := map[string]any{"Attribute": attribute("text"), "AttributeNotSpecifiedBehavior": "MatchAny"}
		if d.chance(2) {
			rule["Expansion"] = map[string]any{"EnabledOverrides": d.list(func() any { return d.chance(2) }), "SecondsBetweenExpansions": pairStepS}
		}
		add("StringEqualityRules", "text", rule, true)
	}
	if d.chance(3) {
		rule := map[string]any{"Attribute": attribute("list"), "MinIntersectionSize": 1 + d.IntN(3), "AttributeNotSpecifiedBehavior": "MatchAny"}
		if d.chance(2) {
			rule["CustomExpansion"] = map[string]any{"MinIntersectionSizeOverrides": d.list(func() any { return d.one(nil, 0, 1, 2, 3) }), "SecondsBetweenExpansions": pairStepS}
		}
		add("SetIntersectionRules", "list", rule, true)
	}
	if d.chance(3) {
		rule := map[string]any{"Attribute": attribute("n1"), "Min": 50 * d.IntN(6), "Max": 300 + 50*d.IntN(6)}
		if d.chance(2) {
			rule["Expansion"] = map[string]any{"MinOverrides": d.list(func() any { return 50 * d.IntN(6) }), "MaxOverrides": d.list(func() any { return 300 + 50*d.IntN(6) }), "SecondsBetweenExpansions": pairStepS}
		}
		add("MatchTotalRules", "total", rule, true)
	}
	if d.chance(2) {
		rule := map[string]any{"Name": "region", "Weight": 1, "Path": "lat", "MaxLatency": 50 + 25*d.IntN(4)}
		if d.chance(2) {
			rule["LinearExpansion"] = map[string]any{"Delta": 25, "Limit": 300, "SecondsBetweenExpansions": pairStepS}
		}
		queue["RegionSelectionRule"] = rule
	}
	if d.chance(3) {
		queue["Teams"] = []any{map[string]any{"Name": "red", "MinTeamSize": 1, "MaxTeamSize": 2}, map[string]any{"Name": "blue", "MinTeamSize": 1, "MaxTeamSize": 2}}
		rule := map[string]any{"Attribute": attribute("n0"), "Difference": 50 * d.IntN(4), "DefaultAttributeValue": 100}
		if d.chance(2) {
			rule["LinearExpansion"] = map[string]any{"Delta": d.one(25, 50), "SecondsBetweenExpansions": pairStepS}
		}
		add("TeamDifferenceRules", "teams", rule, true)
	}
	return queue
}

// accelbyte returns a ruleset.
func (d pairDice) accelbyte() map[string]any {
	alliance := func() map[string]any {
		least := 1 + d.IntN(2)
		return map[string]any{"min_number": least, "max_number": 2, "player_min_number": 1, "player_max_number": 1 + d.IntN(3)}
	}
	rules := map[string]any{"alliance": alliance(), "rebalance_enable": d.chance(2)}
	var matching, flexing, sizes []any
	for i := range 1 + d.IntN(2) {
		matching = append(matching, map[string]any{"attribute": fmt.Sprint("n", i), "criteria": "distance", "reference": 50 * d.IntN(4)})
	}
	for range 2 + d.IntN(4) {
		flexing = append(flexing, map[string]any{"duration": d.seconds(6), "attribute": d.one("n0", "n0", "n1"), "criteria": "distance", "reference": 50 * d.IntN(8)})
	}
	for range d.IntN(3) * d.IntN(2) {
		flexed := alliance()
		flexed["duration"] = d.seconds(6)
		sizes = append(sizes, flexed)
	}
	rules["matching_rule"], rules["flexing_rule"], rules["alliance_flexing_rule"] = matching, flexing, sizes
	if d.chance(2) {
		rules["region_expansion_range_ms"], rules["region_expansion_rate_ms"] = 10+10*d.IntN(4), 1000*pairStepS
		if d.chance(2) {
			rules["region_latency_initial_range_ms"], rules["region_latency_max_ms"] = 20+20*d.IntN(3), 100+50*d.IntN(3)
		}
		if d.chance(3) {
			rules["disable_bidirectional_latency_after_ms"] = 1000 * d.seconds(6)
		}
	}
	if d.chance(3) {
		rules["match_options"] = map[string]any{"options": []any{map[string]any{"name": "list", "type": d.one("any", "all", "unique")}}}
	}
	return rules
}

// flexmatch returns a rule set.
func (d pairDice) flexmatch() map[string]any {
	team := func(name string) map[string]any {
		return map[string]any{"name": name, "minPlayers": 1, "maxPlayers": 1 + d.IntN(3)}
	}
	teams, all := []any{team("red"), team("blue")}, "teams[*].players"
	if d.chance(3) {
		teams = []any{map[string]any{"name": "red", "minPlayers": 2, "maxPlayers": 2 + d.IntN(3)}}
	}
	numbers := func() string { return "flatten(" + all + ".attributes[" + d.one("n0", "n1").(string) + "])" }
	var rules, expansions []any
	names := []string{}
	steps := func(target string, value func() any) {
		if !d.chance(2) {
			return
		}
		var list []any
		for at, n := 0, 1+d.IntN(3); len(list) < n; {
			at += d.seconds(2)
			list = append(list, map[string]any{"waitTimeSeconds": at, "value": value()})
		}
		expansions = append(expansions, map[string]any{"target": target, "steps": list})
	}
	add := func(kind string, rule map[string]any, property string, value func() any) {
		name := fmt.Sprint(kind, len(rules))
		rule["name"], rule["type"] = name, kind
		rules, names = append(rules, rule), append(names, name)
		if property != "" {
			rule[property] = value()
			steps("rules["+name+"]."+property, value)
		}
	}
	width := func() any { return 50 * d.IntN(7) }
	for range 1 + d.IntN(3) {
		switch d.IntN(8) {
		case 0:
			add("distance", map[string]any{"measurements": []any{"avg(" + numbers() + ")"}, "referenceValue": "max(" + numbers() + ")"}, "maxDistance", width)
		case 1:
			x := d.one("n0", "n1").(string)
			add("distance", map[string]any{"measurements": []any{"avg(" + all + ".attributes[" + x + "])"}, "referenceValue": "avg(flatten(" + all + ".attributes[" + x + "]))"}, "maxDistance", width)
		case 2:
			add("batchDistance", map[string]any{"batchAttribute": d.one("n0", "n1")}, "maxDistance", width)
		case 3:
			add("batchDistance", map[string]any{"batchAttribute": "text"}, "", nil)
		case 4:
			add("comparison", map[string]any{"measurements": []any{d.one("min(", "max(", "sum(").(string) + numbers() + ")"}, "operation": d.one("<", "<=", ">", ">=")}, "referenceValue", func() any { return 50 * d.IntN(9) })
		case 5:
			add("collection", map[string]any{"measurements": []any{"flatten(" + all + ".attributes[list])"}, "operation": "intersection"}, "minCount", func() any { return 1 + d.IntN(3) })
		case 6:
			add("collection", map[string]any{"measurements": []any{"flatten(" + all + ".attributes[list])"}, "operation": "contains", "referenceValue": "a"}, d.one("minCount", "maxCount").(string), func() any { return d.IntN(4) })
		default:
			add("latency", map[string]any{}, "maxLatency", func() any { return 40 + 20*d.IntN(8) })
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "batch") }) // compounds must not name them
	if len(names) > 1 && d.chance(3) {
		rules = append(rules, map[string]any{"name": "both", "type": "compound", "statement": d.one("and", "or", "xor").(string) + "(" + names[0] + "," + names[1] + ")"})
	} else if len(names) > 0 && d.chance(6) {
		rules = append(rules, map[string]any{"name": "opposite", "type": "compound", "statement": "not(" + names[0] + ")"})
	}
	if d.chance(4) {
		steps("teams[red].maxPlayers", func() any { return 2 + d.IntN(3) })
	}
	set := map[string]any{"name": "r", "ruleLanguageVersion": "1.0", "teams": teams, "rules": rules, "playerAttributes": []any{
		map[string]any{"name": "n0", "type": "number", "default": 100}, map[string]any{"name": "n1", "type": "number", "default": 100},
		map[string]any{"name": "text", "type": "string", "default": "x"}, map[string]any{"name": "list", "type": "string_list", "default": []string{"a"}}}}
	if expansions != nil {
		set["expansions"] = expansions
	}
	if d.chance(2) {
		set["algorithm"] = map[string]any{"strategy": "exhaustiveSearch", "expansionAgeSelection": d.one("newest", "oldest")}
	}
	return set
}

// ticket returns a ticket. If flat is set, list is an attribute of the ticket, and otherwise of its
// players.
func (d pairDice) ticket(id string, flat bool) map[string]any {
	lists := [][]string{{"a"}, {"a", "b"}, {"a", "b", "c"}, {"d"}, {"b", "c"}}
	ticket := map[string]any{"id": id, "created_at": float64(d.IntN(20_000)) / 1000}
	var players []any
	list := lists[d.IntN(len(lists))]
	if flat && d.chance(2) {
		ticket["attributes"] = map[string]any{"list": list}
	}
	for i := range 1 + d.IntN(2)*d.IntN(2) {
		attributes := map[string]any{"n0": 50 * d.IntN(8), "n1": 50 * d.IntN(8), "text": d.one("x", "x", "y")}
		if !flat {
			attributes["list"] = list
		}
		latencies := map[string]any{"eu": 20 + 20*d.IntN(8), "us": 20 + 20*d.IntN(8)}
		if d.chance(6) {
			delete(latencies, "us")
		}
		players = append(players, map[string]any{"id": fmt.Sprint(id, i), "attributes": attributes, "latencies": latencies})
	}
	ticket["players"] = players
	return ticket
}

// For two tickets that a pass leaves apart, the explanation must give the first instant at which a
// pass matches them, exact to the millisecond, or say never. Passes at all instants at which a rule
// changes show it.
func TestExplainedInstantIsTheFirst(t *testing.T) {
	for _, c := range []struct {
		name, dialect, follow string
		rules                 func(pairDice) map[string]any
	}{
		{"PlayFab", "playfab", "service", pairDice.playfab},
		{"AccelByte's service", "accelbyte", "service", pairDice.accelbyte},
		{"AccelByte's documentation", "accelbyte", "page", pairDice.accelbyte},
		{"FlexMatch", "flexmatch", "service", pairDice.flexmatch},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, never := 0, 0
			for seed := range uint64(2000) {
				d := pairDice{rand.New(rand.NewPCG(seed, 30))}
				text, err := json.Marshal(map[string]any{"dialect": c.dialect, "follow": c.follow, "rules": c.rules(d), "at": float64(20_000+d.IntN(10_000)) / 1000,
					"tickets": []any{d.ticket("a", c.dialect == "accelbyte"), d.ticket("b", c.dialect == "accelbyte")}})
				if err != nil {
					t.Fatal(err)
				}
				options := vendor.CompileOptions{ExpansionBasis: matcher.ExpansionBasis(d.IntN(2)), OptionalBasis: matcher.OptionalBasis(d.IntN(2))}
				switch until, apart := explainedPair(t, text, options); {
				case !apart:
				case until == matcher.Never:
					never++
				default:
					found++
				}
				if t.Failed() {
					t.Fatalf("seed %d: %s", seed, text)
				}
			}
			if t.Logf("%d instants, %d times never", found, never); found < 100 || never < 100 {
				t.Errorf("got %d instants and %d times never, want at least 100 of each", found, never)
			}
		})
	}
}

// explainedPair compares the explanation of a scene of two tickets with passes. It returns the
// instant at which the two can meet, or matcher.Never. apart is false if a pass matches them at
// once, or if one of them is rejected.
func explainedPair(t *testing.T, text []byte, options vendor.CompileOptions) (until int64, apart bool) {
	c, err := Read("scene.json", text, nil)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	rules, err := c.Compile(options)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	outcome, err := rules.Run(&c.Scene)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	if len(outcome.Unmatched) < 2 || len(outcome.Rejected) > 0 {
		return 0, false
	}
	list, err := rules.Explain(&c.Scene, outcome)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	for i := range list {
		instant := matcher.Never
		if s := list[i].Others[0].UntilS; s != nil {
			instant = int64(math.Round(*s * 1000))
		}
		if i == 0 {
			until = instant
		}
		if o := list[i].Others[0]; instant != until || o.Rule != "" && o.Because == "" {
			t.Errorf("got %+v, want the same instant for both tickets (%d ms), and a reason", o, until)
		}
	}
	matches := func(atMS int64) bool {
		scene := c.Scene
		scene.AtMS = atMS
		later, err := rules.Run(&scene)
		return err == nil && slices.ContainsFunc(later.Matches, func(m Match) bool { return len(m.Tickets) == 2 })
	}
	if until < matcher.Never && (matches(until-1) || !matches(until)) {
		t.Errorf("got %+v, but passes match at %d ms: %v, and 1 ms before: %v", list[0].Others[0], until, matches(until), matches(until-1))
	}
	for _, atMS := range pairInstants(&c.Scene, rules.Queue.Rules.Pivot != nil && rules.Queue.Rules.Pivot.InTurn != nil) {
		if atMS < until && matches(atMS) {
			t.Errorf("got %+v, but a pass at %d ms matches the two", list[0].Others[0], atMS)
		}
	}
	return until, true
}

// pairInstants returns the instants after the pass at which a rule may change. If whole is set, waits
// count from whole seconds, and some rules change 1 ms later.
func pairInstants(s *Scene, whole bool) (list []int64) {
	for i := range s.Tickets {
		created, last := s.Tickets[i].CreatedMS, int64(0)
		if whole {
			created, last = created-created%1000, 1
		}
		for step := range int64(pairSteps) {
			for after := range last + 1 {
				if at := created + step*pairStepS*1000 + after; at > s.AtMS {
					list = append(list, at)
				}
			}
		}
	}
	return list
}
