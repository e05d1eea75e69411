package reach

import "mmsim/matcher/engine/internal/store"

// Common makes the candidate index exclude rows that have no region in common with the seed. The
// bound of the rule about round-trip times must not decrease with the wait. If the newest ticket
// decides the stage, each row must reach the region within its own bound, since the lower of two
// bounds applies.
type Common struct {
	Entries *Entries
	Rows    **store.Rows
	Limit   int  // index of the bound in the limits of a stage
	Newest  bool // the newest ticket decides the stage
}

// Certain implements candidate.Valued.
func (*Common) Certain(*store.Limit) bool { return true }

// Filters implements candidate.Valued.
func (*Common) Filters(*store.Limit) bool { return true }

// Mask implements candidate.Valued.
func (v *Common) Mask(l *store.Limit, row Row) uint64 { return v.Entries.ByLevel(row)[l.Level-1] }

// CandidateMask implements candidate.TwoSided.
func (v *Common) CandidateMask(l *store.Limit, candidate Row) uint64 {
	if v.Newest {
		l = &(*v.Rows).Stage[candidate].Limits[v.Limit]
	}
	return v.Mask(l, candidate)
}

// Asks implements candidate.TwoSided.
func (v *Common) Asks(l *store.Limit) float64 {
	if v.Newest {
		return 0
	}
	return l.Bound
}
