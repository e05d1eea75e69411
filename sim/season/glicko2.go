package season

import "math"

// Glicko2 is the rating system Glicko-2 as described by Glickman (2022). One match is one rating
// period. A player plays one game against each other team, as if that were one player with the mean
// rating and the root mean square of the deviations of the team.
type Glicko2 struct {
	Tau float64 // how much the volatility may change; above 0

	opponents []opponent // one for each team
}

// glickoScale converts ratings and deviations to the scale of the formulas. glickoCentre is the
// rating that is 0 there.
const (
	glickoScale  = 173.7178
	glickoCentre = 1500
)

// opponent is a team as the players of the other teams meet it.
type opponent struct{ value, factor float64 } // factor is the reduction of its variance

// Update implements System.
func (s *Glicko2) Update(teams [][]Rating) {
	s.opponents = s.opponents[:0]
	for _, team := range teams {
		one := asOne(team)
		deviation := one.Deviation / glickoScale
		s.opponents = append(s.opponents, opponent{one.Value, reduction(float64(deviation * deviation))})
	}
	for i, team := range teams {
		for k := range team {
			s.period(&team[k], i)
		}
	}
}

// Predict implements System.
func (s *Glicko2) Predict(a, b []Rating) float64 {
	one, other := asOne(a), asOne(b)
	variance := (float64(one.Deviation*one.Deviation) + float64(other.Deviation*other.Deviation)) / (glickoScale * glickoScale)
	return logistic(float64(reduction(variance) * ((one.Value - other.Value) / glickoScale)))
}

// asOne returns a player who stands for a team.
func asOne(team []Rating) Rating {
	if len(team) == 1 {
		return team[0]
	}
	_, variance := totals(team)
	return Rating{Value: meanValue(team), Deviation: math.Sqrt(variance / float64(len(team)))}
}

// reduction returns the factor g, by which an uncertain opponent counts less.
func reduction(variance float64) float64 {
	return 1 / math.Sqrt(1+float64(3*variance)/(math.Pi*math.Pi))
}

// period changes the rating of a player by the games of one rating period, against all teams but the
// player's own one. A team wins against those that finished after it.
func (s *Glicko2) period(r *Rating, own int) {
	information, surprise := 0.0, 0.0 // 1/v and Δ/v
	for i := range s.opponents {
		if i == own {
			continue
		}
		other := &s.opponents[i]
		g := other.factor
		win, lose := chances(float64(g * ((r.Value - other.value) / glickoScale)))
		information += float64(float64(g*g) * float64(win*lose))
		if own < i {
			surprise += float64(g * lose)
		} else {
			surprise -= float64(g * win)
		}
	}
	deviation := r.Deviation / glickoScale
	if information > leastInformation { // else the games say nothing, and the volatility stays
		r.Volatility = s.newVolatility(r.Volatility, float64(deviation*deviation), 1/information, surprise/information)
	}
	before := float64(deviation*deviation) + float64(r.Volatility*r.Volatility)
	after := 1 / (1/before + information)
	r.Deviation = glickoScale * math.Sqrt(after)
	r.Value += float64(glickoScale * float64(after*surprise))
}

// leastInformation is the information of games between players whose ratings are so far apart, over
// 40,000 points, that squares of its inverse would not fit into a float64.
const leastInformation = 1e-100

// newVolatility finds the new volatility by the Illinois method, to volatilityPrecision in the
// logarithm of its square. variance is the square of the deviation, v the variance of the rating
// from the games alone, and delta the improvement that they suggest.
func (s *Glicko2) newVolatility(old, variance, v, delta float64) float64 {
	squared := float64(old * old)
	start := log(squared)
	excess := float64(delta*delta) - variance - v
	f := func(x, e float64) float64 { // e is exp(x), which is most of the work
		below := variance + v + e
		return float64(e*(excess-e))/float64(2*float64(below*below)) - (x-start)/float64(s.Tau*s.Tau)
	}
	a, ea := start, squared
	b, eb := start-s.Tau, excess
	if excess > 0 {
		b = log(excess)
	} else {
		for eb = exp(b); f(b, eb) < 0; eb = exp(b) {
			b -= s.Tau
		}
	}
	fa, fb := f(a, ea), f(b, eb)
	for range volatilitySteps {
		if math.Abs(b-a) <= volatilityPrecision {
			break
		}
		c := a + float64((a-b)*fa)/(fb-fa)
		ec := exp(c)
		fc := f(c, ec)
		if float64(fc*fb) <= 0 {
			a, ea, fa = b, eb, fb
		} else {
			fa /= 2
		}
		b, eb, fb = c, ec, fc
	}
	return math.Sqrt(ea)
}

const (
	volatilityPrecision = 1e-6
	volatilitySteps     = 100 // a limit that is never reached: the method takes about five steps
)
