package pivot

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
)

// shared is a SharedValue option for the index: the tickets of a match have one of its values
// in common.
type shared struct {
	candidate.Always
	rules  *Rules
	option int
}

// noValues is the bit of tickets without the option, which meet only each other.
const noValues = 63

// Mask implements candidate.Valued. With more than 63 values, several share a bit. Two tickets
// that both have PivotOption.Own need not share a value.
func (o *shared) Mask(_ *Limit, row Row) (mask uint64) {
	t := &o.rules.traits[row]
	if len(t.own[o.option]) > 0 {
		return candidate.AllValues
	}
	for _, text := range t.options[o.option] {
		mask |= 1 << (uint32(text) % noValues)
	}
	if mask == 0 {
		return 1 << noValues
	}
	return mask
}

// addOptions adds the SharedValue options to the index. Otherwise 10,000 tickets with different
// values would be compared with each other in every pass.
func (r *Rules) addOptions() {
	for i := range r.Set.Options {
		if r.Set.Options[i].Kind == matcher.SharedValue {
			r.Index.Valued, r.Index.At = append(r.Index.Valued, &shared{rules: r, option: i}), append(r.Index.At, len(r.Set.Distances))
		}
	}
}
