package matcher

import (
	"math"
	"math/rand/v2"
	"testing"
)

// evenTeams divides tickets of given sizes and values and returns how even they
// became.
func evenTeams(t *testing.T, sizes []int, values []float64, rule TeamSizes) evenness {
	t.Helper()
	var b balancer
	b.sizes = rule
	for range rule.MaxTeams {
		b.teams = append(b.teams, balanceTeam{})
	}
	players := make([]int, rule.MaxTeams)
	for i, size := range sizes {
		team := 0
		for players[team]+size > rule.MaxPlayers {
			team++
		}
		players[team] += size
		b.units = append(b.units, balanceUnit{i, size, values[i], team})
	}
	b.solve()
	if copy(b.teams, make([]balanceTeam, len(b.teams))); len(b.units) != len(sizes) {
		t.Fatalf("%d units of %d", len(b.units), len(sizes))
	}
	for i := range b.units {
		b.put(i, 1)
	}
	return b.judge()
}

// Sixteen solos have 6,435 divisions, 24 have 1.4 million: tried one by one.
func TestBalanceOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{14, 16, 18} {
		sizes, values, sum := make([]int, n), make([]float64, n), 0.0
		for i := range sizes {
			sizes[i], values[i] = 1, math.Round(r.NormFloat64()*300+1500)
			sum += values[i]
		}
		got := evenTeams(t, sizes, values, TeamSizes{MinTeams: 2, MaxTeams: 2, MinPlayers: n / 2, MaxPlayers: n / 2})
		best := math.Inf(1)
		for mask := range 1 << (n - 1) {
			half, count := 0.0, 0
			for i := range n {
				if mask>>i&1 == 1 {
					half, count = half+values[i], count+1
				}
			}
			if count == n/2 {
				best = min(best, math.Abs(sum-2*half)/float64(count))
			}
		}
		if got.sizeGap != 0 || got.averageGap > best+2 {
			t.Errorf("%d solos: got %+v, the best is %g", n, got, best)
		}
	}
}

// Crowds cannot be searched, and still become even.
func TestBalanceOfCrowds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, test := range []struct{ teams, perTeam int }{{2, 50}, {50, 2}, {10, 10}, {25, 4}, {2, 500}} {
		var sizes []int
		var values []float64
		for players := 0; players < test.teams*test.perTeam; players += sizes[len(sizes)-1] {
			size := 1
			if test.perTeam > 4 {
				size = min(1+r.IntN(3), test.teams*test.perTeam-players)
			}
			sizes, values = append(sizes, size), append(values, float64(size)*(r.NormFloat64()*300+1500))
		}
		got := evenTeams(t, sizes, values, TeamSizes{MinTeams: 1, MaxTeams: test.teams, MinPlayers: 1, MaxPlayers: 2 * test.perTeam})
		if got.sizeGap > 1 || got.averageGap > 300 {
			t.Errorf("%d teams of %d: %+v", test.teams, test.perTeam, got)
		}
	}
}
