package matcher

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Halving finds, bit by bit, the division that the search among any teams finds. Values
// of a few kinds tie in many ways; those of any size round.
func TestHalvesAgainstPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for trial := range 20_000 {
		n := 2 + 2*r.IntN(BalanceExact/2)
		spread, coarse := math.Pow(10, float64(r.IntN(7)-2)), r.IntN(3) > 0
		draw := func() float64 {
			v := r.NormFloat64() * spread
			if coarse {
				v = math.Round(v)
			}
			return v + float64(r.IntN(2)*1500)
		}
		var halves, any balancer
		for i := range n {
			halves.units = append(halves.units, balanceUnit{member: i, size: 1, value: draw(), team: i % 2})
		}
		for _, b := range []*balancer{&halves, &any} {
			b.sizes = TeamSizes{MinTeams: 2, MaxTeams: 2, MinPlayers: 1 + r.IntN(n/2), MaxPlayers: n/2 + r.IntN(2)}
			b.units, b.teams = slices.Clone(halves.units), make([]balanceTeam, 2)
		}
		halves.begin()
		if !halves.halve() {
			t.Fatalf("trial %d: %d solos are not halved", trial, n)
		}
		any.begin()
		any.count()
		any.within(0)
		if !slices.Equal(halves.best, any.best) || halves.bestGap != any.bestGap {
			t.Fatalf("trial %d: got %v, %v, want %v, %v of %v", trial, halves.best, halves.bestGap, any.best, any.bestGap, halves.units)
		}
	}
}

// What are no solos in two teams of the same size are not halved.
func TestHalvesKnowTheirPlace(t *testing.T) {
	for name, change := range map[string]func(*balancer){
		"a party":         func(b *balancer) { b.units[0].size = 2 },
		"an odd one":      func(b *balancer) { b.units = b.units[1:] },
		"a third team":    func(b *balancer) { b.sizes.MaxTeams++ },
		"a session":       func(b *balancer) { b.teams[0] = balanceTeam{size: 1, fixed: true} },
		"too small teams": func(b *balancer) { b.sizes.MinPlayers = 3 },
		"too large teams": func(b *balancer) { b.sizes.MaxPlayers = 1 },
		"blocks":          func(b *balancer) { b.apart = func(int, int) bool { return false } },
		"a session's":     func(b *balancer) { b.barred = func(int, int) bool { return false } },
	} {
		b := balancer{sizes: TeamSizes{MinTeams: 2, MaxTeams: 2, MinPlayers: 1, MaxPlayers: 2}, teams: make([]balanceTeam, 2),
			units: make([]balanceUnit, 4)}
		for i := range b.units {
			b.units[i].size = 1
		}
		change(&b)
		if b.begin(); b.halve() {
			t.Errorf("%s: halved", name)
		}
	}
}
