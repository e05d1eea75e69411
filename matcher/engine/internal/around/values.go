package around

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
)

// Values is a rule for the candidate index: a candidate must share a value with the seed. The rule
// only avoids comparisons, because every candidate is tested again later. Without it, a pass over
// 10,000 tickets with different values would compare every pair.
type Values struct {
	candidate.Always
	Wanted func(seed Row) uint64      // the seed's values
	Has    func(candidate Row) uint64 // the candidate's values
	Used   func() bool                // whether any row needs the rule; nil means always
}

// Mask implements candidate.Valued.
func (v *Values) Mask(_ *Limit, seed Row) uint64 { return v.Wanted(seed) }

// CandidateMask implements candidate.TwoSided.
func (v *Values) CandidateMask(_ *Limit, row Row) uint64 { return v.Has(row) }

// Filters implements candidate.Valued.
func (v *Values) Filters(*Limit) bool { return v.Used == nil || v.Used() }

// Bits returns a mask with one bit for each text. Since there are only 64 bits, several texts may
// share one.
func Bits(texts ...matcher.Text) (mask uint64) {
	for _, text := range texts {
		mask |= 1 << (uint32(text) % 64)
	}
	return mask
}
