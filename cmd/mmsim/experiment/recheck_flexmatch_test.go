package experiment

import (
	"fmt"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/matcher/dialect/flexmatch/literaltest"
	"mmsim/sim"
)

// fmChecker checks matches against the literal JSON of a FlexMatch rule set.
type fmChecker struct {
	*checkContext
	rules *literaltest.Rules
	asked sim.Duration // time from a proposal, which obeyed the rules, to the match; 0 if players are not asked
	left  []any        // rules that remain if the states determine the regions
}

func flexMatchChecker(rules string, asked sim.Duration) func(*checkContext) ruleChecker {
	return func(c *checkContext) ruleChecker {
		c.maxTries = 300 // each check parses the JSON again for every assignment to teams
		j := &fmChecker{checkContext: c, rules: literaltest.Read([]byte(rules)), asked: asked}
		if len(c.regions) == 0 {
			for _, r := range literaltest.Objects(j.rules.JSON["rules"]) {
				if r["type"] != "latency" {
					j.left = append(j.left, r)
				}
			}
			j.rules.JSON["rules"] = j.left
		}
		return j
	}
}

// complete implements ruleChecker. Every anchor ticket tries all groups of the few waiting
// tickets. If players are asked to accept, the result is false: a ticket does not wait while
// its players are asked, and an observer cannot see that.
func (j *fmChecker) complete(bool) bool { return j.asked == 0 }

// check implements ruleChecker.
func (j *fmChecker) check(m *checkedGroup) (wrong violations) {
	if m.teams == nil {
		return j.someTeams(m)
	}
	match := make([][]literaltest.Party, len(j.rules.Teams))
	if m.session != nil {
		for i, h := range m.session.tickets {
			party := j.party(m, h, true)
			for _, player := range party.Players { // a request does not contain the parties
				one := literaltest.Party{Players: []literaltest.Player{player}, Wait: party.Wait, Seated: true}
				match[m.session.teams[i]] = append(match[m.session.teams[i]], one)
			}
		}
	}
	for i, h := range m.tickets {
		match[m.teams[i]] = append(match[m.teams[i]], j.party(m, h, false))
	}
	if !j.rules.Obeys(match) {
		wrong.add("teams that do not obey: %+v", match)
	}
	j.rules.SetMatch(match)
	for _, r := range literaltest.Objects(j.rules.JSON["rules"]) {
		if r["type"] == "latency" && m.region != "" && !j.rules.Reaches(r, m.region) {
			wrong.add("%s: not all reach %s", r["name"], m.region)
		}
	}
	return wrong
}

// someTeams checks a group that has no teams yet, with every assignment of its tickets to
// teams.
func (j *fmChecker) someTeams(m *checkedGroup) (wrong violations) {
	try := *m
	try.teams = make([]int, len(m.tickets))
	for {
		if wrong = j.check(&try); len(wrong) == 0 {
			return nil
		}
		i := 0
		for ; i < len(try.teams) && try.teams[i] == len(j.rules.Teams)-1; i++ {
			try.teams[i] = 0
		}
		if i == len(try.teams) {
			return wrong
		}
		try.teams[i]++
	}
}

// party converts a ticket to the form that the literal rules read.
func (j *fmChecker) party(m *checkedGroup, h *checkedTicket, seated bool) literaltest.Party {
	p := literaltest.Party{Wait: h.wait(m.at.Add(-j.asked)), Seated: seated}
	for i := range h.players {
		one := &h.players[i]
		player := literaltest.Player{ID: fmt.Sprint("p", one.id), Attributes: map[string]any{}, Latencies: map[string]float64{}}
		for name, value := range one.attributes {
			if texts, ok := value.([]string); ok {
				list := []any{}
				for _, text := range texts {
					list = append(list, text)
				}
				value = list
			}
			player.Attributes[name] = value
		}
		for k := range j.regions {
			player.Latencies[j.regions[k].name] = j.regions[k].rttTo(one)
		}
		p.Players = append(p.Players, player)
	}
	return p
}

// flexMatch generates a random rule set for the players of a recheckDay.
func (d rulesets) flexMatch() object {
	attribute := func(name, kind string, byDefault any) object {
		a := object{"name": name, "type": kind}
		if byDefault != nil {
			a["default"] = byDefault
		}
		return a
	}
	set := object{"name": "rolled", "ruleLanguageVersion": "1.0", "playerAttributes": []object{
		attribute("mmr", "number", nil), attribute("level", "number", nil), attribute("build", "string", "v4"),
		attribute("maps", "string_list", []string{"dust"}), attribute("mode", "string", nil), attribute("host", "number", 0),
	}}
	team := func(name string, least, most int) object {
		return object{"name": name, "minPlayers": least, "maxPlayers": most}
	}
	switch d.IntN(3) {
	case 0:
		set["teams"] = []object{team("one", 1, 1+d.IntN(2)), team("all", 1+d.IntN(2), 3)}
	case 1:
		size := 1 + d.IntN(2)
		set["teams"] = []object{{"name": "side", "minPlayers": 1, "maxPlayers": size, "quantity": 2}}
	default:
		set["teams"] = []object{team("all", 2+d.IntN(2), 3+d.IntN(3))}
	}
	algorithm := object{"strategy": "exhaustiveSearch", "expansionAgeSelection": []string{"newest", "oldest"}[d.IntN(2)],
		"backfillPriority": []string{"normal", "low", "high"}[d.IntN(3)]}
	set["algorithm"] = algorithm
	var rules, expansions []object
	expand := func(target string, values ...any) {
		var steps []object
		for i, v := range values {
			steps = append(steps, object{"waitTimeSeconds": 6*i + 2 + d.IntN(5), "value": v})
		}
		expansions = append(expansions, object{"target": target, "steps": steps})
	}
	rules = append(rules, object{"name": "Skill", "type": "distance", "measurements": []string{"max(flatten(teams[*].players.attributes[mmr]))"},
		"referenceValue": "min(flatten(teams[*].players.attributes[mmr]))", "maxDistance": 60, "partyAggregation": []string{"avg", "min", "max"}[d.IntN(3)]})
	expand("rules[Skill].maxDistance", 150, 300)
	if d.one(0.7) {
		rules = append(rules, object{"name": "Near", "type": "latency", "maxLatency": 12 + d.IntN(10)})
		expand("rules[Near].maxLatency", 25, 60)
	} else {
		rules = append(rules, object{"name": "Close", "type": "latency", "maxLatency": 40, "maxDistance": 15, "distanceReference": []string{"min", "avg"}[d.IntN(2)]})
	}
	for _, r := range []object{
		{"name": "Build", "type": "comparison", "operation": "=", "measurements": []string{"flatten(teams[*].players.attributes[build])"}},
		{"name": "Maps", "type": "collection", "operation": "intersection", "measurements": []string{"flatten(teams[*].players.attributes[maps])"}, "minCount": 1},
		{"name": "Levels", "type": "batchDistance", "batchAttribute": "level", "maxDistance": 1},
		{"name": "Dust", "type": "collection", "operation": "contains", "measurements": []string{"flatten(teams[*].players.attributes[maps])"}, "referenceValue": "dust", "maxCount": 3},
		{"name": "Hosts", "type": "comparison", "operation": ">=", "measurements": []string{"max(flatten(teams[*].players.attributes[host]))"}, "referenceValue": 1},
		{"name": "Mode", "type": "batchDistance", "batchAttribute": "mode"},
	} {
		if d.one(0.3) {
			rules = append(rules, r)
		}
	}
	if d.one(0.4) {
		rules = append(rules,
			object{"name": "Same", "type": "comparison", "operation": "=", "measurements": []string{"flatten(teams[*].players.attributes[level])"}},
			object{"name": "Ranked", "type": "collection", "operation": "contains", "measurements": []string{"flatten(teams[*].players.attributes[maps])"}, "referenceValue": "mill", "minCount": 1},
			object{"name": "Either", "type": "compound", "statement": []string{"or(Same, not(Ranked))", "xor(Same, Ranked)", "not(and(Same, Ranked))"}[d.IntN(3)]})
	}
	if d.one(0.3) {
		rules = append(rules, object{"name": "Nearest", "type": "distanceSort", "sortDirection": "ascending", "sortAttribute": "mmr"})
	}
	set["rules"], set["expansions"] = rules, expansions
	return set
}

// On small days with random FlexMatch rule sets, every match obeys every rule in the literal
// JSON, the engine misses no possible match, and captured scenes give the same results when
// they are replayed. If players are asked to accept, the match obeyed the rules when it was
// proposed.
func TestRecheckFlexMatch(t *testing.T) {
	skipWhenShort(t)
	const asked = 4 * sim.Second
	for _, run := range []struct {
		name, placement string
		settings        []string
		asked           sim.Duration
	}{
		{"pool", config.PlacementPool, nil, 0},
		{"datacenters", config.PlacementDatacenters, nil, 0},
		{"backfill", config.PlacementPool, []string{"match.backfill=true"}, 0},
		{"asked", config.PlacementPool, []string{"match.acceptance={required: true, timeout: 9s, accept: 0.9, delay: 4s}"}, asked},
	} {
		t.Run(run.name, func(t *testing.T) {
			t.Parallel()
			total := recheck{t: t}
			for seed := range uint64(recheckFlexMatch) {
				d := rulesetsOf(seed)
				day := smallDay(d, seed, run.placement)
				day.rules = written(t, d.flexMatch())
				day.settings = append(day.settings, run.settings...)
				if d.one(0.5) {
					day.settings = append(day.settings, someParties)
				}
				total.add(day.run(t, "flexmatch", flexMatchChecker(day.rules, run.asked)))
			}
			if run.asked > 0 { // missed matches cannot be checked here
				total.looked = 1000
			}
			total.enough()
			if run.name == "backfill" && total.backfills < 100 {
				t.Error("got fewer than 100 backfills, want more for the test to be conclusive")
			}
		})
	}
}
