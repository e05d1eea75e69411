package season

import "math"

// Elo is the rating system of chess. Every player of a team gains or loses the same amount: K times
// the mean, over the other teams, of the score minus the chance to win by the mean ratings.
type Elo struct {
	K float64 // largest change in a match

	means []float64
}

// Update implements System.
func (s *Elo) Update(teams [][]Rating) {
	s.means = s.means[:0]
	for _, team := range teams {
		s.means = append(s.means, meanValue(team))
	}
	for i, team := range teams {
		sum := 0.0
		for j := range teams {
			if j != i {
				sum += score(i, j) - eloChance(s.means[i]-s.means[j])
			}
		}
		change := float64(s.K * (sum / float64(len(teams)-1)))
		for k := range team {
			team[k].Value += change
		}
	}
}

// Predict implements System.
func (s *Elo) Predict(a, b []Rating) float64 { return eloChance(meanValue(a) - meanValue(b)) }

// eloChance returns the chance to win with a rating that is higher by gap.
func eloChance(gap float64) float64 { return logistic(float64(gap * (math.Ln10 / 400))) }
