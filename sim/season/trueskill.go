package season

import "math"

// TrueSkill is the rating system of Herbrich, Minka and Graepel (2006) for two teams.
type TrueSkill struct {
	tau    float64
	margin float64 // a difference of performance below this, per root of the players' number times beta, would be a draw
}

// NewTrueSkill returns the system. tau is added to every deviation before a match, as a root of
// squares. draw is the share of draws that the system assumes, from 0 to below 1.
func NewTrueSkill(tau, draw float64) *TrueSkill {
	return &TrueSkill{tau: tau, margin: normalQuantile((draw + 1) / 2)}
}

// Update implements System. There must be exactly two teams.
func (s *TrueSkill) Update(teams [][]Rating) {
	addVariance(teams, s.tau)
	winners, losers := teams[0], teams[1]
	valueW, varianceW := totals(winners)
	valueL, varianceL := totals(losers)
	noise := gameNoise(winners, losers)
	square := varianceW + varianceL + noise
	c := math.Sqrt(square)
	x := (valueW-valueL)/c - float64(s.margin*math.Sqrt(noise))/c
	v := densityOverBelow(x)
	w := float64(v * (v + x))
	for i, sign := range [...]float64{1, -1} {
		for k := range teams[i] {
			r := &teams[i][k]
			variance := float64(r.Deviation * r.Deviation)
			r.Value += sign * float64(variance*v) / c
			r.Deviation = math.Sqrt(float64(variance * (1 - float64(variance*w)/square)))
		}
	}
}

// Predict implements System.
func (s *TrueSkill) Predict(a, b []Rating) float64 { return normalChance(a, b, gameNoise(a, b)) }

// gameNoise returns the variance of the difference of two teams' performances around their skill.
func gameNoise(a, b []Rating) float64 { return float64(float64(len(a)+len(b)) * (beta * beta)) }
