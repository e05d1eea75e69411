package tuning

import "errors"

// Problem describes what to minimise and how to try points.
type Problem struct {
	Settings []Setting // at least one
	Goals    int       // number of goals to minimise, at least one
	Start    int       // number of points in the Latin hypercube, at least two
	Shares   []float64 // share of the full cost in each round of successive halving: ascending, and the last is 1
	Also     []Point   // points that are known to be good and are always tried at full cost

	// Uniform draws from [0, 1). Normal draws from the standard normal distribution.
	Uniform, Normal func() float64

	// Try tries candidates in any order and returns their results in the order of the
	// candidates. It never receives the same candidate twice. If it returns ErrSpent, the
	// search ends without an error. Any other error ends the search and is returned.
	Try func([]Candidate) ([]Result, error)
}

// ErrSpent is returned by Try if the budget does not suffice for all candidates. Try must not
// have tried any of them.
var ErrSpent = errors.New("the budget is spent")

// Setting is one dimension of the search space.
type Setting struct {
	Levels  int  // number of values, or 0 if any number is allowed
	Ordered bool // whether neighbouring levels are similar; if not, the levels are words without an order
}

// Point is a point of the search space. It has a coordinate from 0 to 1 for each setting. A
// setting with n levels divides this range into n equal parts, and the coordinate of a level
// is the middle of its part.
type Point []float64

// isWord reports whether the setting's values have no order.
func (s Setting) isWord() bool { return s.Levels > 0 && !s.Ordered }

// Level returns the level at a coordinate. The setting must have levels.
func (s Setting) Level(at float64) int { return min(s.Levels-1, int(at*float64(s.Levels))) }

// snap moves a coordinate to a valid one. It reflects a coordinate outside of the range at the
// end of the range. For a setting with levels, it then moves the coordinate to the middle of a
// level.
func (s Setting) snap(at float64) float64 {
	for at < 0 || at > 1 {
		if at < 0 {
			at = -at
		} else {
			at = 2 - at
		}
	}
	if s.Levels > 0 {
		at = (float64(s.Level(at)) + 0.5) / float64(s.Levels)
	}
	return at
}

// Candidate is a point to try at a share of the full cost.
type Candidate struct {
	Point Point
	Share float64
	Phase Phase
}

// Phase is the part of the search that proposed a candidate.
type Phase string

// Phases of a search.
const (
	PhaseStart  Phase = "start"  // Latin hypercube at the lowest cost
	PhaseHalve  Phase = "halve"  // better half of a round, at a higher cost
	PhaseRefine Phase = "refine" // numbers near the best point
	PhaseChoose Phase = "choose" // the remaining words at the best point
)

// Result is the result of a trial. A goal that is NaN is worse than any number.
type Result struct {
	Goals     []float64
	Violation float64 // how far the constraints are violated, or 0 if all are met
}

// Trial is a candidate with its result.
type Trial struct {
	Candidate
	Result
}
