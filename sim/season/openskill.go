package season

import "math"

// OpenSkill is the rating system of Weng and Lin (2011) with the constants of the libraries named
// OpenSkill. It uses the model of Plackett and Luce, or the one of Bradley and Terry with all pairs.
type OpenSkill struct {
	BradleyTerry bool
	Tau          float64 // added to every deviation before a match, as a root of squares

	teams []teamSkill
}

// teamSkill is what OpenSkill computes of a team.
type teamSkill struct {
	value, variance float64 // sums over the players
	omega, delta    float64 // change of the value, and share of the variance that goes away

	best, sum float64 // of this team and the ones that finish after it: largest value, and sum of exp((value-best)/c)
}

// beta is how much the performance of a player varies, in all systems with a scale of 25.
const beta = 25.0 / 6

// leastKept is the smallest factor on a variance in OpenSkill, which calls it kappa.
const leastKept = 1e-4

// Update implements System.
func (s *OpenSkill) Update(teams [][]Rating) {
	addVariance(teams, s.Tau)
	s.teams = s.teams[:0]
	for _, team := range teams {
		value, variance := totals(team)
		s.teams = append(s.teams, teamSkill{value: value, variance: variance})
	}
	if s.BradleyTerry {
		bradleyTerry(s.teams)
	} else {
		plackettLuce(s.teams)
	}
	for i, team := range teams {
		t := &s.teams[i]
		for k := range team {
			r := &team[k]
			share := float64(r.Deviation*r.Deviation) / t.variance
			r.Value += float64(share * t.omega)
			r.Deviation *= math.Sqrt(max(1-float64(share*t.delta), leastKept))
		}
	}
}

// plackettLuce computes omega and delta of all teams. For each place q it compares the team that
// finished there with all teams that finished at q or later. Each comparison takes one exponential
// of a number that is at most 0, so that values far apart do not overflow.
func plackettLuce(teams []teamSkill) {
	square := 0.0
	for i := range teams {
		square += teams[i].variance + beta*beta
	}
	c := math.Sqrt(square)
	last := &teams[len(teams)-1]
	last.best, last.sum = last.value, 1
	for q := len(teams) - 2; q >= 0; q-- {
		t, after := &teams[q], &teams[q+1]
		t.best = max(t.value, after.best)
		t.sum = exp((t.value-t.best)/c) + float64(after.sum*exp((after.best-t.best)/c))
	}
	for i := range teams {
		t := &teams[i]
		omega, delta := 1.0, 0.0
		for q := range teams[:i+1] {
			chance := exp((t.value-teams[q].best)/c) / teams[q].sum // of i to be first among q and later
			omega -= chance
			delta += float64(chance * (1 - chance))
		}
		scaled := math.Sqrt(t.variance) / c
		t.omega = float64(omega*t.variance) / c
		t.delta = float64(float64(delta*scaled) * float64(scaled*scaled))
	}
}

// bradleyTerry computes omega and delta of all teams from the games of every pair of teams.
func bradleyTerry(teams []teamSkill) {
	for i := range teams {
		t := &teams[i]
		for q := range teams {
			if q == i {
				continue
			}
			other := &teams[q]
			c := math.Sqrt(t.variance + other.variance + 2*beta*beta)
			p := logistic((t.value - other.value) / c)
			scaled := math.Sqrt(t.variance) / c
			t.omega += float64(t.variance*(score(i, q)-p)) / c
			t.delta += float64(float64(scaled*float64(scaled*scaled)) * float64(p*(1-p)))
		}
	}
}

// Predict implements System.
func (s *OpenSkill) Predict(a, b []Rating) float64 { return normalChance(a, b, 2*beta*beta) }

// normalChance returns the chance that the sum of team a exceeds that of team b, if their difference
// is normal with the variance of the ratings plus noise.
func normalChance(a, b []Rating, noise float64) float64 {
	valueA, varianceA := totals(a)
	valueB, varianceB := totals(b)
	return below((valueA - valueB) / math.Sqrt(noise+varianceA+varianceB))
}
