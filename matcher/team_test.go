package matcher

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// grouped is a group of parties that a teamer is asked about.
type grouped struct {
	sizes []int
	skill []float64 // of every player of the party
}

// divide asks the engine for teams of a group, straight past the search.
func divide(t *testing.T, rules *Ruleset, g grouped) (*Pool, bool) {
	t.Helper()
	var schema Schema
	skill := schema.Column("skill")
	pool, err := NewPool(rules, &schema)
	if err != nil {
		t.Fatal(err)
	}
	s := &pool.search
	for i, size := range g.sizes {
		ticket := Ticket{}
		for range size {
			values := make([]Value, skill+1)
			values[skill] = NumberValue(g.skill[i])
			ticket.Players = append(ticket.Players, Player{Values: values})
		}
		row, err := pool.Add(ticket)
		if err != nil {
			t.Fatal(err)
		}
		pool.advance(0)
		s.push(&candidate{row: row, size: int32(size)})
	}
	pool.teamer.left = TeamBudget
	return pool, pool.teamer.assign(s.frames[:s.depth], s.top())
}

func gapRule(limit float64) *TeamGap {
	return &TeamGap{Common{"gap", 0, Never}, 0, Fixed(limit), 0}
}

func teamsOf(n, least, most int) []Team {
	var teams []Team
	for i := range n {
		teams = append(teams, Team{fmt.Sprint(i), least, most})
	}
	return teams
}

// spreadAndGap measures the teams that were found.
func spreadAndGap(p *Pool, g grouped) (spread int, gap float64) {
	n := len(p.rules.Teams)
	size, sum := make([]int, n), make([]float64, n)
	for i, side := range p.teamer.result(0) {
		for _, row := range side.Tickets {
			size[i] += g.sizes[row]
			sum[i] += float64(g.sizes[row]) * g.skill[row]
		}
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range size {
		if size[i] > 0 {
			lowest, highest = min(lowest, sum[i]/float64(size[i])), max(highest, sum[i]/float64(size[i]))
		}
	}
	return slices.Max(size) - slices.Min(size), highest - lowest
}

// bestSplit tries all ways to make two teams.
func bestSplit(g grouped, least, most int) (spread int, gap float64) {
	spread, gap = math.MaxInt, math.Inf(1)
	for mask := range 1 << len(g.sizes) {
		var size [2]int
		var sum [2]float64
		for i, n := range g.sizes {
			team := mask >> i & 1
			size[team] += n
			sum[team] += float64(n) * g.skill[i]
		}
		d := max(size[0], size[1]) - min(size[0], size[1])
		if min(size[0], size[1]) < least || max(size[0], size[1]) > most || d > spread {
			continue
		}
		apart := 0.0
		if size[0] > 0 && size[1] > 0 {
			apart = math.Abs(sum[0]/float64(size[0]) - sum[1]/float64(size[1]))
		}
		if d < spread || apart < gap {
			spread, gap = d, apart
		}
	}
	return spread, gap
}

// With two teams and a rule about averages the assignment found is the best one:
// smallest difference in sizes, then in averages.
func TestTwoTeamsAreTheBestSplit(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 9))
		g := grouped{}
		for range 2 + r.IntN(9) {
			g.sizes, g.skill = append(g.sizes, 1+r.IntN(3)), append(g.skill, float64(r.IntN(50)))
		}
		least, most := r.IntN(3), 4+r.IntN(10)
		rules := &Ruleset{MinPlayers: 1, MaxPlayers: 32, Teams: teamsOf(2, least, most), Rules: []Rule{gapRule(1e6)}}
		pool, found := divide(t, rules, g)
		spread, gap := bestSplit(g, least, most)
		if found != (spread < math.MaxInt) {
			t.Fatalf("seed %d: found %v, but the best split is %d, %v", seed, found, spread, gap)
		}
		if !found {
			continue
		}
		if gotSpread, gotGap := spreadAndGap(pool, g); gotSpread != spread || math.Abs(gotGap-gap) > 1e-9 {
			t.Fatalf("seed %d: teams differ by %d and %v, want %d and %v (%+v)", seed, gotSpread, gotGap, spread, gap, g)
		}
	}
}

// Thirty-two solos who can be divided evenly in a way that was hidden among them:
// each has a twin whose value is found nowhere else.
func TestTwoTeamsOf32FindTheHiddenSplit(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 11))
		g := grouped{sizes: slices.Repeat([]int{1}, 32)}
		for range 15 {
			v := math.Floor(r.Float64() * 1e9)
			g.skill = append(g.skill, v, v)
		}
		g.skill = append(g.skill, 5e9, 5e9)
		r.Shuffle(32, func(i, j int) { g.skill[i], g.skill[j] = g.skill[j], g.skill[i] })
		rules := &Ruleset{MinPlayers: 2, MaxPlayers: 32, Teams: teamsOf(2, 16, 16), Rules: []Rule{gapRule(0)}}
		if _, found := divide(t, rules, g); !found {
			t.Fatalf("seed %d: no even split found", seed)
		}
	}
}

// Parties that were cut out of full teams go back into full teams.
func TestPartiesPackIntoFullTeams(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 13))
		size := 2 + r.IntN(7)
		teams := 2 + r.IntN(32/size-1)
		g := grouped{}
		for range teams {
			for left := size; left > 0; {
				n := 1 + r.IntN(min(left, size))
				if teams*size == n {
					n--
				}
				g.sizes, g.skill = append(g.sizes, n), append(g.skill, 0)
				left -= n
			}
		}
		r.Shuffle(len(g.sizes), func(i, j int) { g.sizes[i], g.sizes[j] = g.sizes[j], g.sizes[i] })
		rules := &Ruleset{MinPlayers: 2, MaxPlayers: 32, Teams: teamsOf(teams, size, size)}
		pool, found := divide(t, rules, g)
		if !found {
			t.Fatalf("seed %d: %v do not go into %d teams of %d", seed, g.sizes, teams, size)
		}
		if spread, _ := spreadAndGap(pool, g); spread != 0 {
			t.Fatalf("seed %d: full teams differ by %d", seed, spread)
		}
	}
}

// Fifteen values with a sum that five teams cannot share evenly: with too small a
// budget the search says that it did not see everything.
func TestTeamBudgetIsReported(t *testing.T) {
	g := grouped{sizes: slices.Repeat([]int{1}, 15)}
	for i := range g.sizes {
		g.skill = append(g.skill, float64(i))
	}
	g.skill[0] = 1 // the sum is 106
	rules := &Ruleset{MinPlayers: 2, MaxPlayers: 15, Teams: teamsOf(5, 3, 3), Rules: []Rule{gapRule(0)}}
	pool, found := divide(t, rules, g)
	if found || pool.teamer.hit {
		t.Errorf("found %v, budget hit %v, want a search that saw that there are none", found, pool.teamer.hit)
	}
	s := &pool.search
	pool.teamer.left = 10
	if found = pool.teamer.assign(s.frames[:s.depth], s.top()); found || !pool.teamer.hit {
		t.Errorf("found %v, budget hit %v, want a search that gave up", found, pool.teamer.hit)
	}
	rules.Rules = []Rule{gapRule(1)}
	if pool, found = divide(t, rules, g); !found || pool.teamer.hit {
		t.Errorf("found %v, budget hit %v, want teams", found, pool.teamer.hit)
	}
}

func BenchmarkTeams(b *testing.B) {
	for _, n := range []int{10, 20, 32} {
		b.Run(fmt.Sprint(n, " solos, two even teams"), func(b *testing.B) {
			var schema Schema
			skill := schema.Column("skill")
			rules := &Ruleset{MinPlayers: n, MaxPlayers: n, Teams: teamsOf(2, n/2, n/2), Rules: []Rule{gapRule(1e6)}}
			pool, err := NewPool(rules, &schema)
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 1))
			for range n {
				values := make([]Value, skill+1)
				values[skill] = NumberValue(math.Floor(1500 + 300*r.NormFloat64()))
				row, _ := pool.Add(Ticket{Players: []Player{{Values: values}}})
				pool.advance(0)
				pool.search.push(&candidate{row: row, size: 1})
			}
			b.ReportAllocs()
			for b.Loop() {
				pool.teamer.left = TeamBudget
				if !pool.teamer.assign(pool.search.frames[:n], pool.search.top()) {
					b.Fatal("no teams")
				}
			}
		})
	}
}
