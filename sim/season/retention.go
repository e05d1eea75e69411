package season

import "math"

// Feature is something that a person experiences and that may change its chance to play again or to
// quit.
type Feature uint8

// Features, with the units of their coefficients.
const (
	Win        Feature = iota // 1 for the first rank, else 0
	LossStreak                // losses in a row, at most MaxLossStreak
	Wait                      // seconds
	RTT                       // milliseconds
	Unfair                    // distance of the true chance from 1/2; 0 with other than two teams
	Novice                    // 1 with fewer than NewBelow finished matches, else 0
	Failed                    // 1 if the last search of the day found no match, else 0; only for quitting
	featureCount
)

// Limits of features.
const (
	MaxLossStreak = 5
	NewBelow      = 10
)

// FeatureNames are the names of the features in configurations.
var FeatureNames = [featureCount]string{"win", "loss_streak", "wait", "rtt", "unfair", "new", "failed"}

// Features are the values of all features for a person.
type Features [featureCount]float64

// Effects are the changes of the log-odds of a chance, per unit of each feature.
type Effects [featureCount]float64

// MaxChance is the largest chance that effects can lead to.
const MaxChance = 0.99

// Chance returns the chance whose log-odds are those of base plus the effects of the features. It
// is at most MaxChance. Without effects, or if base is 0, it is base itself.
func (e *Effects) Chance(base float64, f *Features) float64 {
	if base == 0 || *e == (Effects{}) {
		return base
	}
	odds := log(base / (1 - base))
	for i := range e {
		odds += float64(e[i] * f[i])
	}
	return min(logistic(odds), MaxChance)
}

// Contest draws results of matches. A gap of Scale between the skills of two teams lets the better
// one win 10 of 11 matches.
type Contest struct{ Scale float64 }

// Performance returns the performance of a team with the given mean skill. u is a uniform draw from
// inside (0, 1). Teams finish in descending order of performance. The noise has the Gumbel
// distribution, so the order has the distribution of Plackett and Luce, and Chance of two teams.
func (c Contest) Performance(skill, u float64) float64 {
	return skill - float64(c.Scale/math.Ln10*log(-log(u)))
}

// Chance returns the chance that a team wins against another one whose mean skill is lower by gap.
func (c Contest) Chance(gap float64) float64 { return logistic(float64(gap / c.Scale * math.Ln10)) }

// gap is the inverse of Chance.
func (c Contest) gap(chance float64) float64 { return c.Scale / math.Ln10 * log(chance/(1-chance)) }
