package tuner

import "errors"

// Problem is the problem to search.
type Problem struct {
	Settings []Setting // one or more
	Goals    int       // number of goals to minimise, one or more
	Start    int       // points of the Latin hypercube, two or more
	Shares   []float64 // of the full cost, by round of halving: ascending, the last is 1
	Also     []Point   // points known to be good, which are tried at full cost in any case

	// Uniform draws from [0, 1), Normal from the standard normal distribution.
	Uniform, Normal func() float64

	// Try tries candidates, in any order, and returns their results in the order of the
	// candidates. No candidate comes twice. ErrSpent ends the search normally; any other error
	// is returned.
	Try func([]Candidate) ([]Result, error)
}

// ErrSpent is returned by Try, without trying anything, if the budget does not suffice for all
// candidates.
var ErrSpent = errors.New("the budget is spent")

// Setting is one coordinate.
type Setting struct {
	Levels  int  // 0: any number
	Ordered bool // neighbouring levels are similar; otherwise levels are words
}

// Point is a place to try: a coordinate from 0 to 1 per setting. A setting with levels
// is at the middle of one of as many equal parts.
type Point []float64

// isWord reports whether the values of a setting have no order.
func (s Setting) isWord() bool { return s.Levels > 0 && !s.Ordered }

// Level is the level of a setting with levels at a coordinate.
func (s Setting) Level(at float64) int { return min(s.Levels-1, int(at*float64(s.Levels))) }

// snap moves a coordinate to a valid one: it reflects it at the ends of the range and, for a
// setting with levels, moves it to the nearest level.
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

// Candidate is a point to be tried at a share of the full cost.
type Candidate struct {
	Point Point
	Share float64
	Phase Phase
}

// Phase is the part of the search that proposed a candidate.
type Phase string

// Phases of a search.
const (
	PhaseStart  Phase = "start"  // the Latin hypercube, at least cost
	PhaseHalve  Phase = "halve"  // the better half of a round, at more cost
	PhaseRefine Phase = "refine" // numbers near the best
	PhaseChoose Phase = "choose" // other words at the best
)

// Result is the result of a trial. A goal that is NaN counts as worse than any number.
type Result struct {
	Goals     []float64
	Violation float64 // how far beyond the constraints; 0: all hold
}

// Trial is a candidate with its result.
type Trial struct {
	Candidate
	Result
}
