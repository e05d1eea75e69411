package flexmatch

import (
	"fmt"
	"math"
	"mmsim/matcher/dialect/flexmatch/literaltest"
	"mmsim/matcher/dialect/vendor"
	"slices"
	"strings"
	"testing"
)

// solos returns a scene with a solo ticket for each skill, oldest first.
func solos(skills ...float64) *given {
	g := &given{At: 100}
	for i, skill := range skills {
		id := fmt.Sprintf("p%d", i)
		g.Tickets = append(g.Tickets, givenTicket{ID: fmt.Sprintf("t%d", i), CreatedAt: float64(i) / 100, Players: []literaltest.Player{{ID: id, Attributes: map[string]any{"skill": skill}}}})
	}
	return g
}

// readSkilled reads a rule set whose players have a skill.
func readSkilled(t *testing.T, rest string) *Ruleset {
	set, warnings, err := read("f.json", []byte(`{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "skill", "type": "number"}], `+rest+`}`), vendor.CompileOptions{Strict: true})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	return set
}

// The guide's order of seats: first fill the teams below their minimum, and then all teams. Each
// time, the team with the most open seats comes first.
func TestLargeMatchFillsSeatsInOrder(t *testing.T) {
	set := readSkilled(t, `"algorithm": {"strategy": "balanced", "balancedAttribute": "skill"}, "teams": [
		{"name": "red", "minPlayers": 5, "maxPlayers": 20}, {"name": "blue", "minPlayers": 5, "maxPlayers": 20}, {"name": "green", "minPlayers": 2, "maxPlayers": 3}]`)
	for _, test := range []struct {
		players int
		want    string
	}{{11, "[]"}, {12, "[5 5 2]"}, {20, "[9 9 2]"}, {40, "[19 19 2]"}, {43, "[20 20 3]"}} {
		got := enginePass(t, set, set.Rules(0, 0), solos(make([]float64, test.players)...))
		var sizes []int
		for _, m := range got.Matches {
			for _, team := range m.Teams {
				sizes = append(sizes, len(team))
			}
		}
		if fmt.Sprint(sizes) != test.want {
			t.Errorf("%d players: got team sizes %v, want %s", test.players, sizes, test.want)
		}
	}
}

// The most even division of the skills 1 to 42 into two teams of 21 has the sums 451 and 452.
func TestLargeMatchIsBalanced(t *testing.T) {
	set := readSkilled(t, `"algorithm": {"strategy": "balanced", "balancedAttribute": "skill"}, "teams": [{"name": "side", "minPlayers": 21, "maxPlayers": 21, "quantity": 2}]`)
	var skills []float64
	for i := range 42 {
		skills = append(skills, float64(i+1))
	}
	g := solos(skills...)
	got := enginePass(t, set, set.Rules(0, 0), g)
	if len(got.Matches) != 1 {
		t.Fatalf("got %d matches, want 1", len(got.Matches))
	}
	var sums [2]float64
	for team, ids := range got.Matches[0].Teams {
		for i := range g.Tickets {
			if slices.Contains(ids, g.Tickets[i].Players[0].ID) {
				sums[team] += skills[i]
			}
		}
	}
	if math.Abs(sums[0]-sums[1]) > 3 {
		t.Errorf("got sums of the teams %v, want them at most 3 apart", sums)
	}
}

// The oldest ticket accepts both regions. Region "eu" is faster, but more tickets accept region
// "us".
func TestLargeMatchIsOfOneRegion(t *testing.T) {
	for _, test := range []struct{ preference, want string }{{"largestPopulation", "us"}, {"fastestRegion", "eu"}} {
		set := readSkilled(t, `"algorithm": {"strategy": "balanced", "balancedAttribute": "skill", "batchingPreference": "`+test.preference+`"},
			"rules": [{"name": "Fast", "type": "latency", "maxLatency": 100}], "teams": [{"name": "side", "minPlayers": 2, "maxPlayers": 21, "quantity": 2}]`)
		g := solos(make([]float64, 12)...)
		for i := range g.Tickets {
			latencies := map[string]float64{"us": 50, "eu": 150}
			if i < 5 {
				latencies = map[string]float64{"us": 150, "eu": 40}
			}
			if i == 0 {
				latencies = map[string]float64{"us": 50, "eu": 40}
			}
			g.Tickets[i].Players[0].Latencies = latencies
		}
		got := enginePass(t, set, set.Rules(0, 0), g)
		if len(got.Matches) == 0 || got.Matches[0].Region != test.want || !slices.Contains(got.Matches[0].Tickets, "t0") {
			t.Errorf("%s: got matches %+v, want the first in %s and with ticket t0", test.preference, got.Matches, test.want)
		}
	}
}

const duel = `"teams": [{"name": "side", "minPlayers": 1, "maxPlayers": 1, "quantity": 2}]`

// Sorted tickets are divided into batches of similar skills.
func TestSortedBatches(t *testing.T) {
	set := readSkilled(t, `"algorithm": {"batchingPreference": "sorted", "sortByAttributes": ["skill"]}, `+duel)
	for _, test := range []struct {
		batch int
		want  string
	}{{2, "[t0 t2] [t1 t3]"}, {4, "[t0 t1] [t2 t3]"}, {0, "[t0 t1] [t2 t3]"}} {
		got := enginePass(t, set, set.Rules(0, test.batch), solos(1, 9, 2, 8))
		var matches []string
		for _, m := range got.Matches {
			matches = append(matches, fmt.Sprint(m.Tickets))
		}
		if strings.Join(matches, " ") != test.want {
			t.Errorf("batches of %d: got matches %v, want %s", test.batch, matches, test.want)
		}
	}
}

// A list of attributes to sort by is ignored, with a warning, unless batches are sorted.
func TestUnsortedBatchesIgnoreAttributes(t *testing.T) {
	for _, algorithm := range []string{`"batchingPreference": "random"`, `"strategy": "balanced", "balancedAttribute": "skill"`} {
		set, warnings, err := read("f.json", []byte(`{"ruleLanguageVersion": "1.0", "playerAttributes": [{"name": "skill", "type": "number"}],
			"algorithm": {`+algorithm+`, "sortByAttributes": ["skill"]}, `+duel+`}`), vendor.CompileOptions{})
		if err != nil || !strings.Contains(fmt.Sprint(warnings), "sortByAttributes: ignored") {
			t.Fatalf("%s: got warnings %q and error %v, want one that sortByAttributes is ignored", algorithm, warnings, err)
		}
		if got := set.Rules(0, 2).Seats.SortBy; len(got) > 0 {
			t.Errorf("%s: got tickets sorted by columns %v, want no order", algorithm, got)
		}
	}
}

// Random batches of two give every ticket a random partner. A new pool with the same tickets gives
// the same partners at the same instant, and different ones at another instant. Few partners are
// next to each other in age.
func TestRandomBatches(t *testing.T) {
	set := readSkilled(t, `"rules": [], `+duel)
	g := solos(make([]float64, 100)...)
	pass := func(at float64) (list []string) {
		g.At = at
		for _, m := range enginePass(t, set, set.Rules(0, 2), g).Matches {
			list = append(list, fmt.Sprint(m.Tickets))
		}
		return list
	}
	first, again, later := pass(100), pass(100), pass(101)
	if len(first) != 50 || !slices.Equal(first, again) || slices.Equal(first, later) {
		t.Errorf("got %d matches, equal at the same instant: %v, different later: %v; want 50, true and true", len(first), slices.Equal(first, again), !slices.Equal(first, later))
	}
	neighbours := 0
	for i := range 50 {
		if slices.Contains(first, fmt.Sprintf("[t%d t%d]", 2*i, 2*i+1)) {
			neighbours++
		}
	}
	if neighbours > 5 { // 50 pairs with 99 possible partners each: 0.5 are expected
		t.Errorf("got %d matches of tickets that were added one after the other, want at most 5", neighbours)
	}
}
