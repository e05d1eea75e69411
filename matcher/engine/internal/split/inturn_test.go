package split

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// turns is a match for InTurn. All teams have the same bounds.
type turns struct {
	teams, least, most int
	seated             []int     // indexed by team: players of a session
	seatedSums         []float64 // indexed by team
	sizes              []int     // indexed by unit
	values             []float64 // indexed by unit
	apart              [][]bool  // indexed by two units
	barred             [][]bool  // indexed by unit, then by team
	inTurn             InTurn
}

// drawTurns draws a small match with solos or parties. Many values are equal, so many assignments
// are equally even. A few matches have more than ExactUnits units.
func drawTurns(r *rand.Rand) *turns {
	m := &turns{teams: 2 + r.IntN(3)}
	units, party, values := 1+r.IntN(6), 1+r.IntN(4), 1+r.IntN(3)
	m.inTurn = InTurn{Tries: 1 + r.IntN(30)}
	if r.IntN(5) == 0 {
		units = ExactUnits + 1 + r.IntN(2)
	}
	players := 0
	for range units {
		size := 1 + r.IntN(party)
		m.sizes, m.values, players = append(m.sizes, size), append(m.values, 0.1*float64(size*r.IntN(values))), players+size
	}
	hasSession, avoids := r.IntN(3) == 0, r.IntN(3) == 0
	m.least, m.most = r.IntN(players/m.teams+2), players/m.teams+1+r.IntN(3)
	for range m.teams {
		seated, sum := 0, 0.0
		if hasSession && r.IntN(2) == 0 {
			seated, sum = 1+r.IntN(m.most), 0.1*float64(r.IntN(values))
		}
		m.seated, m.seatedSums = append(m.seated, seated), append(m.seatedSums, sum)
	}
	for range units {
		apart, barred := make([]bool, units), make([]bool, m.teams)
		for i := range apart {
			apart[i] = avoids && r.IntN(8) == 0
		}
		for team := range barred {
			barred[team] = avoids && m.seated[team] > 0 && r.IntN(4) == 0
		}
		m.apart, m.barred = append(m.apart, apart), append(m.barred, barred)
	}
	m.inTurn.MinTeams, m.inTurn.MoreTeams = r.IntN(m.teams+1), r.IntN(6) == 0
	if avoids {
		m.inTurn.Apart = func(unit, other int) bool { return m.apart[max(unit, other)][min(unit, other)] }
		m.inTurn.Barred = func(unit, team int) bool { return m.barred[unit][team] }
	}
	return m
}

// best enumerates complete assignments and returns the most even valid one, or nil. It places the
// units with the highest values first. For each unit, it tries the teams by increasing sum. Teams
// with equal sums are tried as for the previous unit.
func (m *turns) best() (best []int) {
	units := make([]int, len(m.sizes))
	for i := range units {
		units[i] = i
	}
	slices.SortStableFunc(units, func(a, b int) int { return cmp.Compare(m.values[b], m.values[a]) })
	left, bestSpread, bestGap := math.MaxInt, math.MaxInt, math.Inf(1)
	if len(units) > ExactUnits {
		left = m.inTurn.Tries
	}
	team := make([]int, len(units))
	var place func(k int, order, players []int, sums []float64)
	place = func(k int, order, players []int, sums []float64) {
		if k == len(units) {
			left--
			spread, gap := m.evenness(players, sums)
			if m.valid(team, players) && (spread < bestSpread || spread == bestSpread && gap < bestGap) {
				best, bestSpread, bestGap = slices.Clone(team), spread, gap
			}
			return
		}
		order = slices.Clone(order)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[a], sums[b]) })
		for _, at := range order {
			unit := units[k]
			if left == 0 || players[at]+m.sizes[unit] > m.most {
				continue
			}
			team[unit] = at
			newPlayers, newSums := slices.Clone(players), slices.Clone(sums)
			newPlayers[at] += m.sizes[unit]
			newSums[at] += m.values[unit]
			place(k+1, order, newPlayers, newSums)
		}
	}
	order := make([]int, m.teams)
	for i := range order {
		order[i] = i
	}
	place(0, order, m.seated, m.seatedSums)
	return best
}

func (m *turns) evenness(players []int, sums []float64) (spread int, gap float64) {
	fewest, lowest, highest := slices.Min(players), math.Inf(1), math.Inf(-1)
	if m.inTurn.MoreTeams {
		fewest = 0
	}
	for team, n := range players {
		if n > 0 {
			lowest, highest = min(lowest, sums[team]/float64(n)), max(highest, sums[team]/float64(n))
		}
	}
	return slices.Max(players) - fewest, highest - lowest
}

func (m *turns) valid(team, players []int) bool {
	filled := 0
	for _, n := range players {
		if n > 0 {
			filled++
		}
		if n > 0 && n < m.least {
			return false
		}
	}
	for i := range team {
		for k := range i {
			if team[i] == team[k] && m.apart[i][k] {
				return false
			}
		}
		if m.barred[i][team[i]] {
			return false
		}
	}
	return filled >= m.inTurn.MinTeams
}

// InTurn must select the same assignment as a simple enumeration in the same order.
func TestInTurnAgainstEnumeration(t *testing.T) {
	var s Solver
	found, none, many := 0, 0, 0
	for seed := range uint64(2000) {
		m := drawTurns(rand.New(rand.NewPCG(seed, 17)))
		s.Reset(1)
		for team := range m.teams {
			s.AddTeam(m.least, m.most)
			if m.seated[team] > 0 {
				s.Seat(team, m.seated[team], m.seatedSums[team])
			}
		}
		for i, size := range m.sizes {
			s.AddUnit(size, false, m.values[i])
		}
		want := m.best()
		ok, exact := s.Split(&m.inTurn)
		if ok != (want != nil) || ok && !slices.Equal(s.assignment(), want) {
			t.Fatalf("seed %d: got found %v with assignment %v, want %v of %+v", seed, ok, s.assignment(), want, m)
		}
		if exact != (len(m.sizes) <= ExactUnits) {
			t.Fatalf("seed %d: got exact %v with %d units, want true up to ExactUnits", seed, exact, len(m.sizes))
		}
		switch {
		case !ok:
			none++
		case !exact:
			many++
		default:
			found++
		}
	}
	if found < 500 || none < 300 || many < 100 {
		t.Errorf("got %d assignments, %d searches without one and %d of many units, want at least 500, 300 and 100", found, none, many)
	}
}
