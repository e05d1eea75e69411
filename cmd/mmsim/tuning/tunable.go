package tuning

import (
	"math"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
)

// tunable is a setting to tune, with a range or a list of values.
type tunable struct {
	key    yamltree.Node
	at     yamltree.Node
	values []yamltree.Node // empty if any value in the range is allowed
	within search.Range
	Setting
}

// value returns the value at a coordinate of the search space.
func (t *tunable) value(at float64) yamltree.Node {
	if t.Levels > 0 {
		return t.values[t.Level(at)]
	}
	return yamltree.Node{Kind: yamltree.Plain, Text: t.within.Write(t.within.At(at)), From: t.at.From, Line: t.at.Line, Column: t.at.Column}
}

// coordinate returns the coordinate of a formatted value. The second result is false if the
// setting cannot have the value.
func (t *tunable) coordinate(written string) (float64, bool) {
	if t.Levels > 0 {
		for level, n := range t.values {
			if n.Text == written {
				return (float64(level) + 0.5) / float64(t.Levels), true
			}
		}
		return 0, false
	}
	x, isDuration, err := search.Amount(yamltree.Node{Kind: yamltree.Plain, Text: written})
	if err != nil || isDuration != t.within.Durations || x < t.within.From || x > t.within.To {
		return 0, false
	}
	return t.within.Share(x), true
}

// nearEnd is the part of a range, as a fraction, that counts as its end. The search reflects
// points at the ends of a range, so its best point rarely is exactly there.
const nearEnd = 0.02

// atEnd returns the settings whose value at a point is at the end of their range or ordered list,
// where a value beyond it is possible. A list of two values has nothing but ends, so it says
// nothing.
func (s *tuneSpec) atEnd(p Point) []judge.RangeEnd {
	var list []judge.RangeEnd
	for i := range s.settings {
		t := &s.settings[i]
		at, near, of := p[i], nearEnd, "range"
		switch {
		case t.Levels > 0 && !t.Ordered, t.Levels == 1, t.Levels == 2:
			continue
		case t.Levels > 0:
			near = 1 / float64(t.Levels)
		}
		if t.at.Kind != yamltree.Mapping {
			of = "list"
		}
		end := 1.0
		switch {
		case at < near:
			end = 0
		case at <= 1-near:
			continue
		}
		if t.canWiden(end) {
			list = append(list, judge.RangeEnd{Setting: t.key.Text, Value: t.value(end).Text, Of: of})
		}
	}
	return list
}

// canWiden reports whether mmsim accepts a value beyond an end of the setting, which is 0 or 1. It
// is true if only a whole configuration can tell, as for keys of rulesets.
func (t *tunable) canWiden(end float64) bool {
	x, durations, err := search.Amount(t.value(end))
	if err != nil {
		return true
	}
	beyond := search.Range{Durations: durations, Whole: t.within.Whole}
	step := max(math.Abs(x)/100, 1e-3)
	if setting := config.SettingNamed(t.key.Text); setting != nil && setting.IsWhole {
		beyond.Whole, step = true, 1
	}
	n := yamltree.Node{Kind: yamltree.Plain, Text: beyond.Write(x + float64((2*end-1)*step)), From: t.at.From, Line: t.at.Line, Column: t.at.Column}
	return config.CheckKey(t.key, n) == nil
}

// ends returns the ends of a range, or all values of a list. If these are valid, every value of
// the setting is valid.
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

// readTunable reads a setting, written as a list or a range. A range without steps allows any
// value in it.
func readTunable(key, n yamltree.Node) (tunable, error) {
	t := tunable{key: key, at: n}
	if n.Kind != yamltree.Mapping {
		values, err := search.Values(key, n)
		if err != nil {
			return t, err
		}
		t.values = values
		t.Setting = Setting{Levels: len(values), Ordered: ascending(values)}
		return t, nil
	}
	r, err := search.ReadRange(key, n, true)
	if err != nil {
		return t, err
	}
	t.within = r
	if r.Whole && r.Step == 0 && r.Steps == 0 {
		if r.Step = 1; r.Log {
			r.Step, r.Steps = 0, wholeSteps
		}
	}
	if r.Step > 0 || r.Steps > 0 {
		if r.Step > 0 && (r.To-r.From)/r.Step > search.PointsMax {
			return t, n.Errorf("more than %d values, expected a larger step", search.PointsMax)
		}
		t.values = r.Values(n)
		t.Setting = Setting{Levels: len(t.values), Ordered: true}
	}
	return t, nil
}

// wholeSteps is the number of values of a logarithmic range of whole numbers, before rounding
// makes some of them equal.
const wholeSteps = 64

// ascending reports whether the values are increasing numbers or durations. Neighbouring
// values are then similar.
func ascending(values []yamltree.Node) bool {
	before := 0.0
	for i, n := range values {
		x, _, err := search.Amount(n)
		if err != nil || i > 0 && x <= before {
			return false
		}
		before = x
	}
	return len(values) > 1
}
