package flexmatch

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/flexmatch/literaltest"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

// ofEight is the number of scenes with 6 to 8 tickets that are searched completely. 5,000 scenes
// take a few minutes.
var ofEight = flag.Int("scenes", 60, "random scenes of 6 to 8 tickets that the engine and the twin decide")

// ample is a budget that no scene of a few tickets uses up.
const ample = 10_000_000

// The engine makes exactly the matches of the twin, which tries all groups in the order that the
// vendor's guide describes.
func TestEngineAgreesWithTheTwin(t *testing.T) {
	const ofFive = 200
	scenes, matches, backfills := ofFive+*ofEight, 0, 0
	for seed := range uint64(scenes) {
		w := generator{rand.New(rand.NewPCG(seed, 21)), true, 0} // with teams of different sizes, the guide leaves open which one is filled first
		text := w.ruleset()
		set, _, err := read("f.json", []byte(text), vendor.CompileOptions{Strict: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		tickets := 2 + w.IntN(4)
		if seed >= ofFive {
			tickets = 6 + w.IntN(3)
		}
		g, twin := w.scene(tickets), literaltest.Read([]byte(text))
		if seed%3 == 0 {
			w.sessions(g, twin)
		}
		s := scenario{t: t, g: g, twin: twin, set: set}
		want := s.pass()
		got := enginePass(t, set, set.Rules(ample, 0), g)
		if !same(&want, &got) {
			scene, _ := json.Marshal(g.Tickets)
			t.Fatalf("seed %d:\ngot  %+v\nwant %+v\n%s\n%s", seed, got, want, text, scene)
		}
		matches += len(want.Matches)
		backfills += len(want.Backfills)
	}
	if matches < scenes/4 || backfills < scenes/20 {
		t.Errorf("got %d matches and %d backfills in %d scenes, want at least one match in 4 scenes and one backfill in 20", matches, backfills, scenes)
	}
}

// After a pass, the waiting tickets cannot form another match: the twin finds none among six of
// them.
func TestPassesLeaveNoMatch(t *testing.T) {
	tried := 0
	for seed := range uint64(40) {
		w := generator{rand.New(rand.NewPCG(seed, 23)), true, 0}
		text := w.ruleset()
		set, _, err := read("f.json", []byte(text), vendor.CompileOptions{Strict: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		g := w.scene(16)
		left := enginePass(t, set, set.Rules(ample, 0), g).Unmatched
		w.Shuffle(len(left), func(i, k int) { left[i], left[k] = left[k], left[i] })
		g.Tickets = slices.DeleteFunc(g.Tickets, func(ticket givenTicket) bool { return !slices.Contains(left[:min(6, len(left))], ticket.ID) })
		if len(g.Tickets) < 2 {
			continue
		}
		s := scenario{t: t, g: g, twin: literaltest.Read([]byte(text)), set: set}
		if more := s.pass().Matches; len(more) > 0 {
			t.Fatalf("seed %d: a second pass made the matches %v from the remaining tickets, want none\n%s", seed, more, text)
		}
		tried++
	}
	if tried < 10 {
		t.Errorf("%d scenes had remaining tickets, want at least 10", tried)
	}
}

// The first two players have one map each, and the third has two. A rule about the longest list
// must not reject the first two, because the third may still join them.
func TestCountsOfListsMayGrow(t *testing.T) {
	set, _, err := read("f.json", []byte(`{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "maps", "type": "string_list"}],
		"rules": [{"name": "Long", "type": "comparison", "measurements": ["max(count(teams[red].players.attributes[maps]))"], "operation": "=", "referenceValue": 2}],
		"teams": [{"name": "red", "minPlayers": 3, "maxPlayers": 3}]}`), vendor.CompileOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	g := &given{At: 100}
	for i, maps := range [][]any{{"x"}, {"y"}, {"x", "y"}} {
		id := fmt.Sprint(i)
		g.Tickets = append(g.Tickets, givenTicket{ID: id, CreatedAt: float64(i), Players: []literaltest.Player{{ID: id, Attributes: map[string]any{"maps": maps}}}})
	}
	if got := enginePass(t, set, set.Rules(0, 0), g); len(got.Matches) != 1 {
		t.Errorf("got %d matches, want one of all three tickets", len(got.Matches))
	}
}

// Larger scenes have too many combinations to try them all. The test only checks that every match
// satisfies the rules in the JSON.
func TestMatchesOfManyTicketsObey(t *testing.T) {
	matches := 0
	for seed := range uint64(15) {
		w := generator{rand.New(rand.NewPCG(seed, 22)), false, 0}
		text := w.ruleset()
		set, _, err := read("f.json", []byte(text), vendor.CompileOptions{Strict: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		g, twin := w.scene(60), literaltest.Read([]byte(text))
		got := enginePass(t, set, set.Rules(1000, 0), g)
		for _, m := range got.Matches {
			match := make([][]literaltest.Party, len(twin.Teams))
			for _, ticket := range g.Tickets {
				team := slices.IndexFunc(m.Teams, func(ids []string) bool { return slices.Contains(ids, ticket.Players[0].ID) })
				if team >= 0 {
					match[team] = append(match[team], literaltest.Party{Players: ticket.Players, Wait: g.At - ticket.CreatedAt})
				}
			}
			if matches++; !twin.Obeys(match) {
				t.Fatalf("seed %d: match %v breaks the rules\n%s", seed, m, text)
			}
		}
	}
	if matches < 50 {
		t.Errorf("got %d matches, want at least 50", matches)
	}
}

// If the oldest ticket decides the expansions, its limits apply from the first ticket that joins
// it. Here its skill differs by 9 from those of 16 other tickets, half of them above and half
// below. The two halves are 18 apart, so a match contains tickets of one half only. A search that
// used the limits of a longer wait would try thousands of mixed groups.
func TestOldestDecidesFromTheStart(t *testing.T) {
	for _, test := range []struct{ algorithm, teams string }{
		{`{"strategy": "exhaustiveSearch", "expansionAgeSelection": "oldest"}`, `{"name": "side", "minPlayers": 5, "maxPlayers": 5, "quantity": 2}`},
		{`{"strategy": "balanced", "balancedAttribute": "skill", "expansionAgeSelection": "oldest"}`, `{"name": "side", "minPlayers": 5, "maxPlayers": 40, "quantity": 2}`},
	} {
		set := readSkilled(t, `"algorithm": `+test.algorithm+`, "teams": [`+test.teams+`],
			"rules": [{"name": "Skill", "type": "batchDistance", "batchAttribute": "skill", "maxDistance": 10}],
			"expansions": [{"target": "rules[Skill].maxDistance", "steps": [{"waitTimeSeconds": 50, "value": 100}]}]`)
		pool := newPool(t, set.Rules(100, 0), set)
		want := "["
		for i := range 18 {
			skill := 9.0 // of tickets with odd indices
			switch {
			case i == 0 || i == 17:
				skill = 0
			case i%2 == 0:
				skill = -9
			}
			player, err := loadPlayer(t, set, literaltest.Player{Attributes: map[string]any{"skill": skill}})
			if err != nil {
				t.Fatal(err)
			}
			row, err := pool.Add(matcher.Ticket{CreatedMS: int64(i), Players: []matcher.Player{player}})
			if err != nil {
				t.Fatal(err)
			}
			if skill == 9 || i == 0 {
				want += fmt.Sprint(row) + " "
			}
			if i == 17 {
				want += fmt.Sprint(row) + "]"
			}
		}
		out := pool.Pass(1000)
		if len(out.BudgetHits) > 0 || len(out.Matches) != 1 || fmt.Sprint(out.Matches[0].Tickets) != want {
			t.Errorf("%s: got %+v, want one match with the tickets %s and no budget hit", test.algorithm, out, want)
		}
	}
}

// scene draws a scene of waiting tickets.
func (w generator) scene(tickets int) *given {
	g := &given{At: 30}
	for i := range tickets {
		p := w.match(1)[0][0]
		for k := range p.Players {
			p.Players[k].ID = fmt.Sprintf("p%d-%d", i, k)
		}
		g.Tickets = append(g.Tickets, givenTicket{ID: fmt.Sprint("t", i), CreatedAt: g.At - p.Wait, Players: p.Players})
	}
	return g
}

// sessions draws running matches that look for players. Their players have a latency only for the
// region of the match.
func (w generator) sessions(g *given, twin *literaltest.Rules) {
	for i := range 1 + w.IntN(2) {
		session := givenSession{ID: fmt.Sprint("s", i), CreatedAt: g.At - float64(w.IntN(25)), Region: "eu"}
		seated := 0
		for _, team := range twin.Teams {
			players := []literaltest.Player{}
			for k := range w.IntN(int(team.Max)) {
				p := w.match(1)[0][0].Players[0]
				p.ID = fmt.Sprintf("s%d-%s-%d", i, team.Name, k)
				p.Latencies = map[string]float64{"eu": p.Latencies["eu"]}
				p.Attributes["level"] = float64(w.IntN(10))
				players = append(players, p)
			}
			seated += len(players)
			session.Teams = append(session.Teams, givenTeam{team.Name, players})
		}
		if seated == 0 {
			continue
		}
		if w.IntN(2) == 0 {
			session.Capacity = seated + 1 + w.IntN(2)
		}
		g.Sessions = append(g.Sessions, session)
	}
}

// A pass that evaluates every candidate, which explanations need, makes the same decisions as an
// ordinary pass.
func TestUnfilteredPassesGiveEqualMatches(t *testing.T) {
	matches, more := 0, int64(0)
	for seed := range uint64(60) {
		w := generator{rand.New(rand.NewPCG(seed, 24)), false, 0}
		set, _, err := read("f.json", []byte(w.ruleset()), vendor.CompileOptions{Strict: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		g := w.scene(7)
		filtered := newPool(t, set.Rules(ample, 0), set)
		all := newPool(t, set.Rules(ample, 0), set)
		all.Unfiltered = true
		want, got := poolPass(t, set, filtered, g), poolPass(t, set, all, g)
		if !same(&want, &got) {
			t.Errorf("seed %d: with all rules checked, got %+v, want %+v", seed, got, want)
		}
		matches += len(want.Matches)
		for i, e := range all.Evaluations() {
			more += e.Failed - filtered.Evaluations()[i].Failed
		}
	}
	if matches < 15 || more <= 0 {
		t.Errorf("got %d matches and %d more counted rule failures, want at least 15 and 1", matches, more)
	}
}

func newPool(t *testing.T, rules *matcher.Ruleset, set *Ruleset) *engine.Pool {
	pool, err := engine.NewPool(rules, set.Schema)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// enginePass makes one engine pass over a scene.
func enginePass(t *testing.T, set *Ruleset, rules *matcher.Ruleset, g *given) decision {
	return poolPass(t, set, newPool(t, rules, set), g)
}

// poolPass makes one pass over a scene with an empty pool.
func poolPass(t *testing.T, set *Ruleset, pool *engine.Pool, g *given) decision {
	pool.Draw = func(ticket, k uint64) uint64 { return rand.NewPCG(ticket, k).Uint64() }
	ids := map[matcher.Row]string{}
	var out decision
	for _, ticket := range g.Tickets {
		x := matcher.Ticket{CreatedMS: int64(math.Round(ticket.CreatedAt * 1000))}
		var refused error
		for _, player := range ticket.Players {
			p, err := loadPlayer(t, set, player)
			if err != nil {
				refused = err
			}
			x.Players = append(x.Players, p)
		}
		row := matcher.Row(-1)
		if refused == nil {
			row, refused = pool.Add(x)
		}
		if refused != nil {
			out.Unmatched = append(out.Unmatched, ticket.ID)
			continue
		}
		ids[row] = ticket.ID
	}
	for i := range g.Sessions {
		row, err := pool.AddSession(loadSession(t, set, &g.Sessions[i]))
		if err != nil {
			t.Fatal(err)
		}
		ids[row] = g.Sessions[i].ID
	}
	decided := pool.Pass(int64(g.At * 1000))
	if len(decided.BudgetHits) > 0 && len(g.Tickets) < 10 {
		t.Error("a search with fewer than 10 tickets exhausted its budget, want none to")
	}
	names := func(rows []matcher.Row) (list []string) {
		for _, row := range rows {
			list = append(list, ids[row])
		}
		return list
	}
	for _, m := range decided.Matches {
		match := givenMatch{Tickets: names(m.Tickets), Region: set.Schema.RegionName(m.Region)}
		for _, side := range m.Teams {
			var players []string
			for _, id := range names(side.Tickets) {
				at := slices.IndexFunc(g.Tickets, func(x givenTicket) bool { return x.ID == id })
				for _, p := range g.Tickets[at].Players {
					players = append(players, p.ID)
				}
			}
			match.Teams = append(match.Teams, players)
		}
		out.Matches = append(out.Matches, match)
	}
	for _, b := range decided.Backfills {
		out.Backfills = append(out.Backfills, givenBackfill{ids[b.Session], names(b.Tickets)})
	}
	for _, row := range pool.AppendWaiting(nil) {
		out.Unmatched = append(out.Unmatched, ids[row])
	}
	return out
}

// loadSession converts a running match.
func loadSession(t *testing.T, set *Ruleset, s *givenSession) matcher.Session {
	region, err := set.Schema.Region(s.Region)
	if err != nil {
		t.Fatal(err)
	}
	session := matcher.Session{CreatedMS: int64(math.Round(s.CreatedAt * 1000)), Region: region, Capacity: s.Capacity, Teams: len(s.Teams)}
	for team := range s.Teams {
		for _, player := range s.Teams[team].Players {
			p, err := loadPlayer(t, set, player)
			if err != nil {
				t.Fatal(err)
			}
			session.Members = append(session.Members, matcher.Member{Player: p, Team: team})
		}
	}
	return session
}

// loadPlayer converts a player with latencies.
func loadPlayer(t *testing.T, set *Ruleset, player literaltest.Player) (matcher.Player, error) {
	text, _ := json.Marshal(player.Attributes)
	attributes, err := jsontree.Parse("player", text)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := set.Player(player.ID, attributes)
	for _, name := range []string{"eu", "eu-west", "us", "us-east"} {
		ms, ok := player.Latencies[name]
		if !ok {
			continue
		}
		region, err := set.Schema.Region(name)
		if err != nil {
			t.Fatal(err)
		}
		for len(loaded.RTTMS) <= int(region) {
			loaded.RTTMS = append(loaded.RTTMS, math.NaN())
		}
		loaded.RTTMS[region] = ms
	}
	return loaded, err
}
