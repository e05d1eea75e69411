package season

import "math"

// Rating is what a rating system knows about a person.
type Rating struct {
	Value      float64
	Deviation  float64 // uncertainty of Value; not used by Elo
	Volatility float64 // only used by Glicko2
}

// A System is a rating system. It reuses memory between calls, so it is not safe for concurrent use.
type System interface {
	// Update changes the ratings of all players of a match. The teams are in the order in which
	// they finished, the winner first. There are at least two, none is empty, and nobody is in two.
	Update(teams [][]Rating)
	// Predict returns the chance that team a wins against team b.
	Predict(a, b []Rating) float64
}

// meanValue returns the mean of the players' values.
func meanValue(team []Rating) float64 {
	sum := 0.0
	for i := range team {
		sum += team[i].Value
	}
	return sum / float64(len(team))
}

// totals returns the sum of the values and of the squared deviations of a team.
func totals(team []Rating) (value, variance float64) {
	for i := range team {
		value += team[i].Value
		variance += float64(team[i].Deviation * team[i].Deviation)
	}
	return value, variance
}

// addVariance adds tau² to the variance of every player, which is how OpenSkill and TrueSkill keep
// ratings able to move.
func addVariance(teams [][]Rating, tau float64) {
	for _, team := range teams {
		for i := range team {
			d := &team[i].Deviation
			*d = math.Sqrt(float64(*d**d) + float64(tau*tau))
		}
	}
}

// score returns the score of team i against team j, which finish in this order: 1 for a win.
func score(i, j int) float64 {
	if i < j {
		return 1
	}
	return 0
}

// perfectSlope returns the least-squares slope of perfect ratings on skill: those with which a system
// that is certain of them predicts the true chances of even teams with size players each. It compares
// teams whose ratings differ a little.
func perfectSlope(s System, c Contest, size int) float64 {
	const little = 1e-3
	better, other := make([]Rating, size), make([]Rating, size)
	for i := range better {
		better[i].Value = little
	}
	p := s.Predict(better, other)
	return little / c.gap(p)
}
