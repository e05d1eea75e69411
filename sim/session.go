package sim

import "math"

// SessionKind is a distribution of lengths of sessions.
type SessionKind uint8

// The distributions.
const (
	SessionConstant    SessionKind = iota // always Scale
	SessionExponential                    // of mean Scale
	SessionLogNormal                      // of mean Scale and standard deviation SD
	SessionWeibull                        // of scale Scale; Shape below 1: many leave soon, few stay very long
)

// SessionLength is the distribution of how long players stay.
type SessionLength struct {
	Kind  SessionKind
	Scale Duration
	SD    Duration // log-normal
	Shape float64  // Weibull
}

// Draw returns a random length of at least a millisecond, perhaps longer than any run.
func (l SessionLength) Draw(s Stream, entity uint64) Duration {
	if l.Kind == SessionConstant {
		return l.Scale
	}
	if l.Kind == SessionLogNormal {
		return min(Length{Mean: l.Scale, SD: l.SD}.Draw(s, entity, 0), sessionMax)
	}
	x := -math.Log1p(-s.Uniform(entity, 0)) // exponential of mean 1
	if l.Kind == SessionWeibull {
		x = math.Pow(x, 1/l.Shape)
	}
	return max(Millisecond, Duration(math.Round(min(x*float64(l.Scale), float64(sessionMax)))))
}

// sessionMax bounds the length of a session, so that instants stay far inside the range of an
// int64.
const sessionMax = 1000 * Day
