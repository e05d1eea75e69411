package search

import (
	"mmsim/cmd/mmsim/tuner"
	"mmsim/cmd/mmsim/yamltree"
)

// tunable is a setting that may change: between two ends, or one of some values.
type tunable struct {
	key    yamltree.Node
	at     yamltree.Node
	values []yamltree.Node // none: any value of the range
	within valueRange
	tuner.Setting
}

// value is the value at a coordinate of the search.
func (t *tunable) value(at float64) yamltree.Node {
	if t.Levels > 0 {
		return t.values[t.Level(at)]
	}
	return yamltree.Node{Kind: yamltree.Plain, Text: t.within.write(t.within.at(at)), From: t.at.From, Line: t.at.Line, Column: t.at.Column}
}

// coordinate is where a value, as it is written, lies in the search; false where it is
// not among the values.
func (t *tunable) coordinate(written string) (float64, bool) {
	if t.Levels > 0 {
		for level, n := range t.values {
			if n.Text == written {
				return (float64(level) + 0.5) / float64(t.Levels), true
			}
		}
		return 0, false
	}
	x, isDuration, err := amount(yamltree.Node{Kind: yamltree.Plain, Text: written})
	if err != nil || isDuration != t.within.durations || x < t.within.from || x > t.within.to {
		return 0, false
	}
	return t.within.share(x), true
}

// ends are values that show whether all are sound: the ends of a range as they are
// written, else all.
func (t *tunable) ends() []yamltree.Node {
	var ends []yamltree.Node
	for _, part := range t.at.Entries {
		if part.Key.Text == "from" || part.Key.Text == "to" {
			ends = append(ends, part.Value)
		}
	}
	if t.at.Kind == yamltree.Mapping {
		return ends
	}
	return t.values
}

// readTunable reads a setting: the list or range of a sweep, or a range of which any
// value will do.
func readTunable(e yamltree.Entry) (tunable, error) {
	t := tunable{key: e.Key, at: e.Value}
	if e.Value.Kind != yamltree.Mapping {
		values, err := axisValues(e)
		if err != nil {
			return t, err
		}
		t.values = values
		t.Setting = tuner.Setting{Levels: len(values), Ordered: ascending(values)}
		return t, nil
	}
	r, err := readRange(e, true)
	if err != nil {
		return t, err
	}
	t.within = r
	if r.whole && r.step == 0 && r.steps == 0 {
		if r.step = 1; r.log {
			r.step, r.steps = 0, wholeSteps
		}
	}
	if r.step > 0 || r.steps > 0 {
		if r.step > 0 && (r.to-r.from)/r.step > sweepPointsMax {
			return t, e.Value.Errorf("%s: more than %d values, expected a larger step", e.Key.Text, sweepPointsMax)
		}
		t.values = r.values(e)
		t.Setting = tuner.Setting{Levels: len(t.values), Ordered: true}
	}
	return t, nil
}

// wholeSteps is how finely whole numbers are told apart on a logarithmic scale.
const wholeSteps = 64

// ascending tells whether values are numbers or durations that grow, so that neighbours
// are alike.
func ascending(values []yamltree.Node) bool {
	before := 0.0
	for i, n := range values {
		x, _, err := amount(n)
		if err != nil || i > 0 && x <= before {
			return false
		}
		before = x
	}
	return len(values) > 1
}
