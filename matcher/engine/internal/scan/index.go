package scan

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/criterion"
)

// What the index may rule out. All of it is tested again.

// Key implements candidate.Keyed.
func (r *Rules) Key(row Row) float64 { return r.numbers[int(row)*len(r.Set.Distances)] }

// Width implements candidate.Keyed.
func (r *Rules) Width(l *Limit) float64 { return l.Bound + criterion.Tolerance }

// Spread implements candidate.Keyed: candidates are compared with the seed alone.
func (r *Rules) Spread(*Limit) float64 { return math.Inf(1) }

// Certain implements candidate.Keyed: if the seed's rule is absent, the candidate's is not
// checked either.
func (r *Rules) Certain(l *Limit) bool { return l.Active }

// optionValues is a SharedValue or SameSet option: a candidate must have one of the seed's
// values, or all of them.
type optionValues struct {
	candidate.Always
	rules  *Rules
	option int
}

// Mask implements candidate.Valued. With more than 64 values, several share a bit.
func (o *optionValues) Mask(_ *Limit, seed Row) uint64 {
	values := o.rules.traits[seed].options[o.option]
	switch {
	case len(values) == 0:
		return candidate.AllValues
	case o.rules.Set.Options[o.option].Kind == matcher.SameSet:
		return maskOf(values[:1])
	}
	return maskOf(values)
}

// Theirs implements candidate.TwoSided.
func (o *optionValues) Theirs(_ *Limit, candidate Row) uint64 {
	return maskOf(o.rules.traits[candidate].options[o.option])
}

// otherValues is the other attributes: a candidate must have all values of the seed.
type otherValues struct {
	candidate.Always
	rules *Rules
}

// Filters implements candidate.Valued.
func (o *otherValues) Filters(*Limit) bool { return o.rules.asking > 0 }

// Mask implements candidate.Valued. With more than 64 values, several share a bit.
func (o *otherValues) Mask(_ *Limit, seed Row) uint64 {
	if others := o.rules.traits[seed].others; len(others) > 0 {
		return maskOf(others[:1])
	}
	return candidate.AllValues
}

// Theirs implements candidate.TwoSided.
func (o *otherValues) Theirs(_ *Limit, candidate Row) uint64 {
	return maskOf(o.rules.traits[candidate].others)
}

func maskOf(values []matcher.Text) (mask uint64) {
	for _, text := range values {
		mask |= 1 << (uint32(text) % 64)
	}
	return mask
}
