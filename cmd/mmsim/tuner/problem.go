package tuner

import "errors"

// Problem is what is searched.
type Problem struct {
	Settings []Setting // one or more
	Goals    int       // figures that are made small, one or more
	Start    int       // points of the Latin hypercube, two or more
	Shares   []float64 // of the full cost, by round of halving: ascending, the last is 1
	Also     []Point   // tried at full cost, whatever the halving says: what is known to be good

	// Uniform draws from [0, 1), Normal from the standard normal distribution.
	Uniform, Normal func() float64

	// Try tries candidates, in any order, and returns their results in theirs. No
	// candidate comes twice. ErrSpent ends the search well, any other error ends it.
	Try func([]Candidate) ([]Result, error)
}

// ErrSpent is what Try returns, having tried nothing, when the budget has no room for
// all the candidates.
var ErrSpent = errors.New("the budget is spent")

// Setting is one coordinate.
type Setting struct {
	Levels  int  // 0: any number
	Ordered bool // neighbouring levels are alike; else levels are words
}

// Point is a place to try: a coordinate from 0 to 1 per setting. A setting with levels
// is at the middle of one of as many equal parts.
type Point []float64

// isWord tells whether nothing is alike among the values of a setting.
func (s Setting) isWord() bool { return s.Levels > 0 && !s.Ordered }

// Level is the level of a setting with levels at a coordinate.
func (s Setting) Level(at float64) int { return min(s.Levels-1, int(at*float64(s.Levels))) }

// snap moves a coordinate to where the setting can be: folded at both ends into the
// range, and onto a level where there are levels.
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
	PhaseHalve  Phase = "halve"  // those that got through to more cost
	PhaseRefine Phase = "refine" // numbers near the best
	PhaseChoose Phase = "choose" // other words at the best
)

// Result is what came out. A goal that is NaN counts as worse than any number.
type Result struct {
	Goals     []float64
	Violation float64 // how far beyond the constraints, 0: all hold
}

// Trial is a candidate with its result.
type Trial struct {
	Candidate
	Result
}
