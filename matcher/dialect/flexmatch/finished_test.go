package flexmatch

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/dialect/flexmatch/literaltest"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

// finished is a random match, in which some tickets may have been playing already, with a pool of
// its tickets.
type finished struct {
	set     *Ruleset
	pool    *engine.Pool
	twin    *literaltest.Rules
	match   [][]literaltest.Party // by team
	made    matcher.Proposal
	session *matcher.Row
	region  string
}

// atMS is the time at which all matches are checked.
const atMS = 60_000

// drawFinished draws a match. It returns nil if the match has a ticket that the service never
// accepts.
func drawFinished(t *testing.T, seed uint64) *finished {
	w := generator{rand.New(rand.NewPCG(seed, 24)), false, 0}
	text := w.ruleset()
	set, _, err := read("f.json", []byte(text), vendor.CompileOptions{Strict: true})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	f := &finished{set: set, twin: literaltest.Read([]byte(text)), region: pick(w, "eu", "us")}
	for _, name := range []string{"eu", "us"} {
		if _, err := set.Schema.Region(name); err != nil {
			t.Fatal(err)
		}
	}
	if f.pool, err = engine.NewPool(set.Rules(ample, 0), set.Schema); err != nil {
		t.Fatal(err)
	}
	f.match = aloneIfSeated(w.match(len(f.twin.Teams)))
	f.made = matcher.Proposal{Region: matcher.Region(slices.Index([]string{"eu", "us"}, f.region)), Teams: make([]matcher.Side, len(f.match))}
	session := matcher.Session{CreatedMS: atMS, Region: f.made.Region}
	for team, parties := range f.match {
		for _, party := range parties {
			var players []matcher.Player
			for _, player := range party.Players {
				p, err := loadPlayer(t, set, player)
				if err != nil {
					return nil
				}
				players = append(players, p)
				if party.Seated {
					maps.DeleteFunc(player.Latencies, func(name string, _ float64) bool { return name != f.region }) // the session's region is fixed
					session.Members = append(session.Members, matcher.Member{Player: p, Team: team})
				}
			}
			if party.Seated {
				continue
			}
			row, err := f.pool.Add(matcher.Ticket{CreatedMS: atMS - int64(math.Round(party.Wait*1000)), Players: players})
			if err != nil {
				return nil
			}
			f.made.Tickets = append(f.made.Tickets, row)
			f.made.Teams[team].Tickets = append(f.made.Teams[team].Tickets, row)
		}
	}
	if len(session.Members) > 0 {
		row, err := f.pool.AddSession(session)
		if err != nil {
			return nil
		}
		f.session = &row
	}
	if len(f.made.Tickets) == 0 {
		return nil
	}
	return f
}

// aloneIfSeated splits parties that are already playing into single players, because a session does
// not record parties.
func aloneIfSeated(match [][]literaltest.Party) [][]literaltest.Party {
	for team, parties := range match {
		match[team] = nil
		for _, party := range parties {
			if !party.Seated {
				match[team] = append(match[team], party)
				continue
			}
			for _, player := range party.Players {
				match[team] = append(match[team], literaltest.Party{Players: []literaltest.Player{player}, Wait: party.Wait, Seated: true})
			}
		}
	}
	return match
}

// broken returns the names of the rules that the match breaks.
func (f *finished) broken() (names []string) {
	all := f.set.Rules(ample, 0).RuleNames()
	for _, at := range f.pool.Broken(nil, atMS, f.session, &f.made) {
		names = append(names, all[at])
	}
	return names
}

// For random matches, Broken returns the same rules as package literal, which checks each rule
// separately.
func TestBrokenAgainstTwin(t *testing.T) {
	tried, held, broken := 0, map[string]int{}, map[string]int{}
	for seed := range uint64(4000) {
		f := drawFinished(t, seed)
		if f == nil {
			continue
		}
		tried++
		want := f.twin.Breaks(f.match, f.region)
		if got := f.broken(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got broken rules %v, want %v\n%v\n%+v", seed, got, want, f.twin.JSON, f.match)
		}
		for _, r := range literaltest.Objects(f.twin.JSON["rules"]) {
			if slices.Contains(want, r["name"].(string)) {
				broken[r["type"].(string)]++
			} else {
				held[r["type"].(string)]++
			}
		}
	}
	for kind := range held {
		if held[kind] < 100 || broken[kind] < 50 {
			t.Errorf("%s held %d times and was broken %d times, want at least 100 and 50", kind, held[kind], broken[kind])
		}
	}
	if tried < 2000 {
		t.Errorf("%d matches were checked, want at least 2000", tried)
	}
}

// For a match without teams, Broken checks only rules whose result does not depend on the division
// into teams. It never returns a rule that some division satisfies.
func TestBrokenWithoutTeams(t *testing.T) {
	looked := 0
	for seed := range uint64(1500) {
		f := drawFinished(t, seed)
		if f == nil || f.session != nil {
			continue
		}
		var parties []literaltest.Party
		for _, list := range f.match {
			parties = append(parties, list...)
		}
		always, r := map[string]bool{}, rand.New(rand.NewPCG(seed, 25)) // the rules that some division satisfies
		for range 40 {
			divided := make([][]literaltest.Party, len(f.match))
			for _, party := range parties {
				team := r.IntN(len(divided))
				divided[team] = append(divided[team], party)
			}
			broken := f.twin.Breaks(divided, f.region)
			for _, r := range literaltest.Objects(f.twin.JSON["rules"]) {
				name := r["name"].(string)
				always[name] = always[name] || !slices.Contains(broken, name)
			}
			looked++
		}
		f.made.Teams = nil
		for _, name := range f.broken() {
			if always[name] || name == literaltest.TeamSizes {
				t.Fatalf("seed %d: rule %s is reported as broken without teams, but some division into teams satisfies it\n%v", seed, name, f.twin.JSON)
			}
		}
	}
	if looked < 1000 {
		t.Errorf("%d divisions into teams were checked, want at least 1000", looked)
	}
	for _, test := range []struct {
		measured string
		looks    bool
	}{
		{"flatten(teams[*].players.attributes[skill])", true},
		{"teams[*].players.attributes[skill]", true},
		{"avg(flatten(teams[*].players.attributes[skill]))", true},
		{"avg(teams[*].players.attributes[skill])", false},
		{"teams[red].players.attributes[skill]", false},
	} {
		text := `{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "skill", "type": "number"}],
			"teams": [{"name": "red", "minPlayers": 1, "maxPlayers": 2}, {"name": "blue", "minPlayers": 1, "maxPlayers": 2}],
			"rules": [{"name": "low", "type": "comparison", "measurements": ["` + test.measured + `"], "operation": "<", "referenceValue": 5}]}`
		set, _, err := read("f.json", []byte(text), vendor.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pool, err := engine.NewPool(set.Rules(ample, 0), set.Schema)
		if err != nil {
			t.Fatal(err)
		}
		var m matcher.Proposal
		for range 2 {
			p, err := loadPlayer(t, set, literaltest.Player{ID: "p", Attributes: map[string]any{"skill": 9.0}})
			if err != nil {
				t.Fatal(err)
			}
			row, err := pool.Add(matcher.Ticket{Players: []matcher.Player{p}})
			if err != nil {
				t.Fatal(err)
			}
			m.Tickets = append(m.Tickets, row)
		}
		if got := pool.Broken(nil, 0, nil, &m); (len(got) > 0) != test.looks {
			t.Errorf("%s: got broken rules %v without teams, want the rule to be checked: %v", test.measured, got, test.looks)
		}
	}
}
