package experiment

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// object is a JSON object.
type object = map[string]any

// rulesets generates random rulesets.
type rulesets struct{ *rand.Rand }

func (d rulesets) one(chance float64) bool { return d.Float64() < chance }

func rulesetsOf(seed uint64) rulesets { return rulesets{rand.New(rand.NewPCG(seed, 11))} }

func written(t *testing.T, o object) string {
	t.Helper()
	text, err := json.MarshalIndent(o, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// playFab generates a random queue for the players of a recheckDay.
func (d rulesets) playFab() object {
	least := 2 + d.IntN(3)
	q := object{"Name": "rolled", "MinMatchSize": least, "MaxMatchSize": least + d.IntN(4), "ServerAllocationEnabled": false}
	if d.one(0.3) {
		q["MaxTicketSize"] = 1 + d.IntN(3)
	}
	teams := d.one(0.5)
	if teams {
		d.playFabTeams(q)
	}
	attribute := func(path string) object { return object{"Path": path, "Source": "User"} }
	rule := func(name string, own object) []object {
		own["Name"], own["Weight"] = name, []float64{1, 0.5, 3}[d.IntN(3)]
		if d.one(0.25) {
			own["SecondsUntilOptional"] = 10 * d.IntN(5)
		}
		return []object{own}
	}
	if d.one(0.4) {
		own := object{"Attribute": attribute("build"), "AttributeNotSpecifiedBehavior": "MatchAny"}
		if d.one(0.5) {
			own["Attribute"] = attribute("mode") // the players of a party may have different values
		}
		if d.one(0.5) {
			own["AttributeNotSpecifiedBehavior"], own["DefaultAttributeValue"] = "UseDefault", "v4"
		}
		if d.one(0.4) {
			own["Expansion"] = object{"EnabledOverrides": []bool{true, d.one(0.5), true, d.one(0.5)}, "SecondsBetweenExpansions": 5}
		}
		q["StringEqualityRules"] = rule("build", own)
	}
	if d.one(0.7) {
		own := object{"Attribute": attribute("mmr"), "Difference": 25 * d.IntN(8), "MergeFunction": []string{"Min", "Max", "Average"}[d.IntN(3)],
			"AttributeNotSpecifiedBehavior": "MatchAny"}
		d.expand(own, "DifferenceOverrides", 40, true)
		q["DifferenceRules"] = append(rule("mmr", own), rule("level", object{
			"Attribute": attribute("level"), "Difference": d.IntN(3), "MergeFunction": "Average",
			"AttributeNotSpecifiedBehavior": "UseDefault", "DefaultAttributeValue": 2})...)
	}
	if d.one(0.4) {
		own := object{"Attribute": attribute([]string{"maps", "packs"}[d.IntN(2)]), "MinIntersectionSize": d.IntN(3), "AttributeNotSpecifiedBehavior": "MatchAny"}
		if d.one(0.5) {
			own["AttributeNotSpecifiedBehavior"], own["DefaultAttributeValue"] = "UseDefault", []string{"dust"}
		}
		d.expand(own, "MinIntersectionSizeOverrides", 1, false)
		q["SetIntersectionRules"] = rule("maps", own)
	}
	if d.one(0.3) {
		own := object{"Attribute": attribute("host"), "Min": d.IntN(2), "Max": 2 + d.IntN(4)}
		if d.one(0.4) {
			own["Expansion"] = object{"MinOverrides": d.overrides(1), "SecondsBetweenExpansions": 7}
		}
		q["MatchTotalRules"] = rule("host", own)
	}
	if d.one(0.6) {
		own := object{"Path": "latencies", "MaxLatency": 10 * d.IntN(5)}
		d.expand(own, "MaxLatencyOverrides", 10, true)
		q["RegionSelectionRule"] = rule("region", own)[0]
	}
	if teams {
		d.playFabTeamRules(q, attribute, rule)
	}
	return q
}

func (d rulesets) playFabTeams(q object) {
	count, most := 2, []int{1, 3, 3, 4}[d.IntN(4)]
	if d.one(0.2) {
		count, most = 3, 1 // other tests cover the search with three large teams
	}
	var teams []object
	for i := range count {
		teams = append(teams, object{"Name": []string{"red", "blue", "green"}[i], "MinTeamSize": 1 + d.IntN(most), "MaxTeamSize": most})
	}
	q["Teams"], q["MaxMatchSize"] = teams, len(teams)*most
	q["MinMatchSize"] = 2
}

func (d rulesets) playFabTeamRules(q object, attribute func(string) object, rule func(string, object) []object) {
	unweighted := func(own object) object {
		delete(own, "Weight")
		return own
	}
	if d.one(0.4) {
		own := object{"Attribute": attribute("mmr"), "Difference": 20 * d.IntN(8), "DefaultAttributeValue": 1500}
		d.expand(own, "DifferenceOverrides", 40, true)
		q["TeamDifferenceRules"] = []object{unweighted(rule("gap", own)[0])}
	}
	if d.one(0.7) {
		own := object{"Difference": d.IntN(2)}
		d.expand(own, "DifferenceOverrides", 1, true)
		q["TeamSizeBalanceRule"] = unweighted(rule("balance", own)[0])
	}
	if d.one(0.7) {
		q["TeamTicketSizeSimilarityRule"] = unweighted(rule("parties", object{})[0])
	}
}

// expand adds a random expansion, or none, to a rule.
func (d rulesets) expand(rule object, overrides string, step int, limited bool) {
	switch d.IntN(3) {
	case 0:
		linear := object{"Delta": step, "SecondsBetweenExpansions": 3 + d.IntN(8)}
		if limited {
			linear["Limit"] = 8 * step
		}
		rule["LinearExpansion"] = linear
	case 1:
		rule["CustomExpansion"] = object{overrides: d.overrides(step), "SecondsBetweenExpansions": 3 + d.IntN(8)}
	}
}

// overrides generates a list of overrides. It uses both spellings, and some entries are null.
func (d rulesets) overrides(step int) (list []any) {
	for range 1 + d.IntN(4) {
		switch x := step * d.IntN(5); {
		case d.one(0.15):
			list = append(list, nil)
		case d.one(0.5):
			list = append(list, object{"Value": x})
		default:
			list = append(list, x)
		}
	}
	return list
}

// accelByte generates a random ruleset for the players of a recheckDay.
func (d rulesets) accelByte(duels bool) object {
	alliance := func() object {
		teams, least := 1+d.IntN(2), 1+d.IntN(2)
		return object{"min_number": teams, "max_number": teams + d.IntN(2), "player_min_number": least, "player_max_number": least + d.IntN(3)}
	}
	if duels {
		alliance = func() object {
			return object{"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1}
		}
	}
	first := alliance()
	if first["min_number"] == 1 {
		first["player_min_number"], first["player_max_number"] = 2, 4
	}
	s := object{"alliance": first, "auto_backfill": !duels && d.one(0.6), "rebalance_enable": d.one(0.5)}
	if d.one(0.4) {
		flexed := alliance()
		flexed["duration"] = 10 * (1 + d.IntN(3))
		s["alliance_flexing_rule"] = []object{flexed}
	}
	if d.one(0.8) {
		s["matching_rule"] = []object{
			{"attribute": "mmr", "criteria": "distance", "reference": 25 * (1 + d.IntN(6))},
			{"attribute": "level", "criteria": "distance", "reference": d.IntN(3)},
		}
		var flexing []object
		for range d.IntN(4) {
			flexing = append(flexing, object{"duration": 5 * (1 + d.IntN(4)), "attribute": "mmr", "criteria": "distance", "reference": 50 * (1 + d.IntN(6))})
		}
		s["flexing_rule"] = flexing
	}
	var options []object
	for _, name := range []string{"maps", "build", "host"} {
		if d.one(0.3) {
			options = append(options, object{"name": name, "type": []string{"all", "any", "unique", "disable"}[d.IntN(4)]})
		}
	}
	if options != nil {
		s["match_options"] = object{"options": options}
	}
	if d.one(0.6) {
		s["region_expansion_range_ms"], s["region_expansion_rate_ms"] = 10, 1000*(2+d.IntN(8))
		if d.one(0.6) {
			s["region_latency_initial_range_ms"], s["region_latency_max_ms"] = 10+d.IntN(20), 40+d.IntN(40)
		}
		if d.one(0.4) {
			s["disable_bidirectional_latency_after_ms"] = 12_345
		}
	}
	return s
}
