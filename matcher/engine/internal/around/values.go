package around

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
)

// Values is a rule for the candidate index: a candidate must share a value with the seed. The rule
// only avoids comparisons, because every candidate is tested again later. Without it, a pass over
// 10,000 tickets with different values would compare every pair.
//
// The values are computed when a row is loaded. Two hours of a day with two options took 4 percent more
// CPU time when they were computed for every seed and every pass.
type Values struct {
	candidate.Always
	Wanted func(seed Row) uint64      // the seed's values
	Has    func(candidate Row) uint64 // the candidate's values
	Used   func() bool                // whether any row needs the rule; nil means always

	wanted, has []uint64 // results of Wanted and Has, indexed by row
}

// load sets the values of a row.
func (v *Values) load(row Row) {
	for int(row) >= len(v.has) {
		v.wanted, v.has = append(v.wanted, 0), append(v.has, 0)
	}
	v.wanted[row], v.has[row] = v.Wanted(row), v.Has(row)
}

// Mask implements candidate.Valued.
func (v *Values) Mask(_ *Limit, seed Row) uint64 { return v.wanted[seed] }

// CandidateMask implements candidate.TwoSided.
func (v *Values) CandidateMask(_ *Limit, row Row) uint64 { return v.has[row] }

// CandidateMasks implements candidate.CandidateMasking.
func (v *Values) CandidateMasks(masks []uint64, _ *Limit, rows []Row) {
	for i, row := range rows {
		masks[i] = v.has[row]
	}
}

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
