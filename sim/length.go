package sim

import "math"

// Length is the distribution of a duration. It is constant if SD is 0, and log-normal otherwise.
type Length struct{ Mean, SD Duration }

// Draw returns a random length of at least one millisecond.
func (l Length) Draw(s Stream, entity, k uint64) Duration {
	if l.SD == 0 {
		return l.Mean
	}
	mean, sd := float64(l.Mean), float64(l.SD)
	variance := math.Log1p(sd * sd / (mean * mean)) // variance of the logarithm
	x := mean * math.Exp(float64(math.Sqrt(variance)*s.Normal(entity, k))-variance/2)
	return max(Millisecond, Duration(math.Round(x)))
}
