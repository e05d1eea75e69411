package sim

import "math"

// SessionKind is the type of a distribution of session lengths.
type SessionKind uint8

// Kinds of distributions.
const (
	SessionConstant    SessionKind = iota // always Scale
	SessionExponential                    // with mean Scale
	SessionLogNormal                      // with mean Scale and standard deviation SD
	SessionWeibull                        // with scale Scale; if Shape is below 1, many leave soon and a few stay very long
)

// SessionLength is the distribution of how long players stay.
type SessionLength struct {
	Kind  SessionKind
	Scale Duration
	SD    Duration // for SessionLogNormal
	Shape float64  // for SessionWeibull
}

// Draw returns a random length of at least one millisecond. It may exceed the length of the run.
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

// sessionMax bounds the length of a session, so that instants do not overflow.
const sessionMax = 1000 * Day
