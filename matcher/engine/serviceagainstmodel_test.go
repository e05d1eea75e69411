package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
)

// sceneDice draws random scenes.
type sceneDice struct {
	*rand.Rand
	rules  map[string]any
	chance map[string]bool // indexed by feature: whether it occurs in the scene
	people int
}

// drawScene draws a random case file.
func drawScene(seed uint64) *modelCase {
	d := &sceneDice{Rand: rand.New(rand.NewPCG(seed, 16)), rules: map[string]any{}, chance: map[string]bool{}}
	for _, feature := range []string{"flexing", "options", "parties", "regions", "blocks", "sessions", "alliances", "others", "fractions", "platforms"} {
		d.chance[feature] = d.IntN(3) == 0
	}
	d.drawRules()
	c := &modelCase{Name: fmt.Sprint("scene ", seed), At: 100 + []float64{0, 0.5}[d.IntN(2)]}
	c.Rules, _ = json.Marshal(d.rules)
	for i := range 2 + d.IntN(18) {
		c.Tickets = append(c.Tickets, d.ticket(fmt.Sprint("t", i)))
	}
	if d.chance["sessions"] {
		for i := range 1 + d.IntN(4) {
			c.Sessions = append(c.Sessions, d.session(fmt.Sprint("s", i)))
		}
	}
	return c
}

func (d *sceneDice) some(list ...any) any { return list[d.IntN(len(list))] }

func (d *sceneDice) alliance() map[string]any {
	teams, size := 1+d.IntN(3), 1+d.IntN(3)
	return map[string]any{"min_number": teams, "max_number": teams + d.IntN(2)*d.IntN(3), "player_min_number": size, "player_max_number": size + d.IntN(2)*d.IntN(4)}
}

func (d *sceneDice) drawRules() {
	d.rules["alliance"] = d.alliance()
	d.rules["rebalance_enable"] = d.some(true, false, false, nil)
	if d.chance["alliances"] {
		var list []any
		for range 1 + d.IntN(3) {
			entry := d.alliance()
			entry["duration"] = 10 * d.IntN(8)
			list = append(list, entry)
		}
		d.rules["alliance_flexing_rule"] = list
	}
	var rules, flexing []any
	for range d.IntN(4) {
		rule := map[string]any{"attribute": d.some("mmr", "mmr", "level"), "criteria": d.some("distance", "distance", "distance", "average"), "reference": 20 * (1 + d.IntN(12))}
		if d.IntN(3) == 0 {
			rule["weight"] = 0.5 * float64(d.IntN(4))
		}
		if d.IntN(3) == 0 {
			rule["normalizationMax"] = 500 * (1 + d.IntN(3))
		}
		if d.IntN(3) == 0 {
			rule["isForBalancing"] = d.IntN(2) == 0
		}
		rules = append(rules, rule)
	}
	for range d.IntN(5) {
		flexing = append(flexing, map[string]any{"duration": 10 * d.IntN(8), "attribute": d.some("mmr", "mmr", "level"),
			"criteria": d.some("distance", "distance", "distance", "smaller"), "reference": 50 * d.IntN(10)})
	}
	d.rules["matching_rule"] = rules
	if d.chance["flexing"] {
		d.rules["flexing_rule"] = flexing
	}
	d.drawOptions()
	if d.chance["regions"] {
		d.drawRegions()
	}
	if d.chance["blocks"] {
		d.rules["blocked_player_option"] = d.some("", "blockedPlayerCannotMatch", "blockedPlayerCanMatchOnDifferentTeam", "blockedPlayerCanMatch")
	}
}

func (d *sceneDice) drawOptions() {
	var options []any
	for _, name := range []string{"map", "mode", "role"} {
		if d.chance["options"] && d.IntN(2) == 0 {
			options = append(options, map[string]any{"name": name, "type": d.some("any", "any", "all", "unique", "disable")})
		}
	}
	if d.chance["platforms"] {
		options = append(options, map[string]any{"name": "cross_platform", "type": d.some("any", "any", "all")})
	}
	if options != nil {
		d.rules["match_options"] = map[string]any{"options": options}
	}
	if d.IntN(8) == 0 {
		d.rules["match_options_referred_for_backfill"] = true
	}
}

func (d *sceneDice) drawRegions() {
	if d.IntN(3) > 0 {
		d.rules["region_latency_max_ms"] = 100 + 50*d.IntN(4)
		d.rules["region_latency_initial_range_ms"] = 20 * d.IntN(5)
	}
	d.rules["region_expansion_range_ms"] = 10 * d.IntN(5)
	d.rules["region_expansion_rate_ms"] = d.some(0, 2500, 5000, 10000)
	d.rules["region_latency_rule_weight"] = d.some(nil, 0, 0.5, 3)
	if d.IntN(3) == 0 {
		d.rules["disable_bidirectional_latency_after_ms"] = 10000 * d.IntN(6)
	}
}

func (d *sceneDice) created() float64 {
	created := float64(30 + d.IntN(71))
	if d.chance["fractions"] && created < 100 {
		created += float64(d.IntN(1000)) / 1000
	}
	return created
}

func (d *sceneDice) player(latencies map[string]float64) modelPlayer {
	d.people++
	p := modelPlayer{ID: fmt.Sprint("p", d.people), Attributes: map[string]any{}, Latencies: latencies}
	if d.IntN(12) > 0 {
		p.Attributes["mmr"] = 1300 + 10*d.IntN(40)
	}
	if d.IntN(8) > 0 {
		p.Attributes["level"] = float64(d.IntN(300)) / 4
	}
	return p
}

func (d *sceneDice) ticket(id string) *modelTicket {
	t := &modelTicket{ID: id, CreatedAt: d.created(), Attributes: d.attributes()}
	var latencies map[string]float64
	if d.chance["regions"] && d.IntN(8) > 0 {
		latencies = map[string]float64{}
		for _, region := range []string{"eu", "us", "asia"} {
			if d.IntN(5) > 0 {
				latencies[region] = float64(10 + 5*d.IntN(60))
			}
		}
	}
	size := 1
	if d.chance["parties"] {
		size += d.IntN(3) * d.IntN(2)
	}
	for range size {
		t.Players = append(t.Players, d.player(latencies))
	}
	return t
}

// attributes draws the attributes of a ticket or of a session.
func (d *sceneDice) attributes() map[string]any {
	a := map[string]any{}
	set := func(key, prefix string, n int) {
		switch d.IntN(4) {
		case 0:
			a[key] = fmt.Sprint(prefix, d.IntN(n))
		case 1, 2:
			a[key] = []any{fmt.Sprint(prefix, d.IntN(n)), fmt.Sprint(prefix, d.IntN(n))}
		}
	}
	if d.chance["options"] {
		set("map", "m", 3)
		if d.IntN(3) == 0 {
			set("mode", "a", 2)
		}
		set("role", "r", 9)
	}
	if d.chance["platforms"] && d.IntN(4) > 0 {
		set("cross_platform", "x", 2)
		if d.IntN(3) > 0 {
			a["current_platform"] = fmt.Sprint("x", d.IntN(2))
		}
	}
	if d.chance["blocks"] && d.IntN(3) == 0 {
		a["blocked_players"] = []any{fmt.Sprint("p", d.IntN(20)), fmt.Sprint("p", d.IntN(40))}
	}
	if d.chance["others"] {
		for _, key := range []string{"server_name", "client_version", "lobby"} {
			if d.IntN(5) == 0 {
				a[key] = d.some("", "1", "1", "2")
			}
		}
		if d.IntN(8) == 0 {
			a["lobby"] = d.IntN(2)
		}
	}
	if d.chance["sessions"] && d.IntN(10) == 0 {
		a["new_session_only"] = true
	}
	return a
}

func (d *sceneDice) session(id string) *modelSession {
	s := &modelSession{ID: id, CreatedAt: d.created(), Attributes: d.attributes()}
	delete(s.Attributes, "new_session_only")
	if d.chance["regions"] && d.IntN(3) > 0 {
		s.Region = d.some("eu", "us", "asia").(string)
	}
	alliance := d.rules["alliance"].(map[string]any)
	for i := range 1 + d.IntN(alliance["max_number"].(int)) {
		team := &modelTeam{Players: []modelPlayer{}}
		if i == 0 { // a session has at least one player
			team.Players = append(team.Players, d.player(nil))
			s.Teams = append(s.Teams, team)
			continue
		}
		for range d.IntN(alliance["player_max_number"].(int) + 1) {
			team.Players = append(team.Players, d.player(nil))
		}
		s.Teams = append(s.Teams, team)
	}
	return s
}

// engineOutcome makes a pass of the engine over a scene.
func engineOutcome(t *testing.T, c *modelCase) (*modelOutcome, error) {
	data, err := json.Marshal(map[string]any{"dialect": "accelbyte", "rules": c.Rules, "at": c.At, "tickets": c.Tickets, "sessions": c.Sessions})
	if err != nil {
		t.Fatal(err)
	}
	if c.Sessions == nil {
		data = []byte(strings.Replace(string(data), `"sessions":null,`, "", 1))
	}
	read, err := casefile.Read("scene.json", data, nil)
	if err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	out, err := read.Run(vendor.CompileOptions{})
	if err != nil {
		return nil, err
	}
	got := &modelOutcome{Unmatched: out.Unmatched}
	balanced := c.Expect == nil && !strings.Contains(string(c.Rules), `"rebalance_enable":false`)
	for _, list := range [][]casefile.Match{out.Matches, out.Backfills} {
		for _, m := range list {
			match := modelMatch{Session: m.Session, Tickets: m.Tickets}
			if m.Session == "" {
				match.Region = &m.Region
			}
			for _, team := range m.Teams {
				if len(team.Players) > 0 {
					match.Teams = append(match.Teams, team.Players)
				}
			}
			if m.Session == "" {
				got.Matches = append(got.Matches, match)
				continue
			}
			if balanced {
				match.Teams = nil // the specification does not determine the teams
			}
			got.Backfills = append(got.Backfills, match)
		}
	}
	return got, nil
}

// TestScanAgainstModel compares the engine with the model in random scenes.
func TestScanAgainstModel(t *testing.T) {
	scenes := 5000
	if testing.Short() {
		scenes = 500
	}
	matches, backfills := 0, 0
	for seed := range uint64(scenes) {
		m, b := checkScene(t, seed)
		matches, backfills = matches+m, backfills+b
	}
	if matches < scenes || backfills < scenes/10 {
		t.Errorf("got %d matches and %d backfills, want at least one match per scene and one backfill in 10", matches, backfills)
	}
}

// checkScene compares the outcomes of a scene in the engine and in the model. A failure prints the
// seed.
func checkScene(t *testing.T, seed uint64) (matches, backfills int) {
	c := drawScene(seed)
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	again := new(modelCase) // the decoded numbers have the types that encoding/json produces
	if err := json.Unmarshal(data, again); err != nil {
		t.Fatal(err)
	}
	got, err := engineOutcome(t, c)
	if err != nil {
		return 0, 0 // refused rules are tested elsewhere
	}
	want, err := runModel(again)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if d := got.differs(want); d != "" || len(got.Backfills) != len(want.Backfills) {
		t.Fatalf("seed %d: the engine differs from the model: %s\nbackfills of the model %+v\n%s", seed, d, want.Backfills, data)
	}
	return len(want.Matches), len(want.Backfills)
}

func FuzzScanAgainstModel(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { checkScene(t, seed) })
}
