package season

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// featuresOf returns values by the names of their features.
func featuresOf(t *testing.T, values map[string]float64) (f Features) {
	t.Helper()
	for name, value := range values {
		i := slices.Index(FeatureNames[:], name)
		if i < 0 {
			t.Fatalf("unknown feature %q", name)
		}
		f[i] = value
	}
	return f
}

func TestRetentionVectors(t *testing.T) {
	list := readVectors(t).Retention
	if len(list) != 6 {
		t.Fatalf("%d cases, want 6", len(list))
	}
	for _, c := range list {
		effects, features := Effects(featuresOf(t, c.Effects)), featuresOf(t, c.Of)
		near(t, c.Name, effects.Chance(c.Base, &features), c.Expect, 1e-9)
	}
}

// TestChanceWithoutEffects checks that a chance without effects is the base, bit for bit and without
// the limit, and that a chance of 0 stays 0.
func TestChanceWithoutEffects(t *testing.T) {
	features := Features{Win: 1, Wait: 1000}
	for _, base := range []float64{0, 0.03, 0.995, 1} {
		if got := new(Effects).Chance(base, &features); got != base {
			t.Errorf("no effects: got %v, want %v", got, base)
		}
	}
	if got := (&Effects{Win: 100}).Chance(0, &features); got != 0 {
		t.Errorf("a chance of 0 became %v", got)
	}
	if got := (&Effects{Win: 100, Wait: 100}).Chance(0.5, &features); got != MaxChance {
		t.Errorf("a chance became %v, want %v", got, MaxChance)
	}
}

// TestContest compares how often teams finish in each order with the model of Plackett and Luce, in
// which a team of skill s has strength 10^(s/scale).
func TestContest(t *testing.T) {
	c, r := Contest{Scale: 400}, rand.New(rand.NewPCG(1, 2))
	skills := []float64{1700, 1500, 1400}
	const rounds = 200_000
	won := map[[2]int]float64{} // by winner and second
	for range rounds {
		order := []int{0, 1, 2}
		var performance [3]float64
		for i, skill := range skills {
			performance[i] = c.Performance(skill, (float64(r.Uint64()>>12)+0.5)*0x1p-52)
		}
		slices.SortFunc(order, func(i, j int) int {
			if performance[i] > performance[j] {
				return -1
			}
			return 1
		})
		won[[2]int{order[0], order[1]}]++
	}
	strength := func(i int) float64 { return math.Pow(10, skills[i]/400) }
	all := strength(0) + strength(1) + strength(2)
	for first := range 3 {
		for second := range 3 {
			if first == second {
				continue
			}
			p := strength(first) / all * strength(second) / (all - strength(first))
			if got, limit := won[[2]int{first, second}]/rounds, 4*math.Sqrt(p*(1-p)/rounds); math.Abs(got-p) > limit {
				t.Errorf("%d before %d: %.4f of the matches, want %.4f", first, second, got, p)
			}
		}
	}
	near(t, "two teams", c.Chance(200), 1/(1+math.Pow(10, -0.5)), 1e-12)
}
