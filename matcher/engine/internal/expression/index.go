package expression

import "mmsim/matcher/engine/internal/store"

// NumberKey sorts the candidate index by the number of a column. Most converts the bound of a rule
// to the largest difference between two numbers. The bound must not decrease with the wait. In a
// match, two rows' numbers then differ by at most the bound of the row that has waited longest.
type NumberKey struct {
	Columns *Columns
	Column  int
	Most    func(bound float64) float64
}

// Key implements candidate.Keyed, as do the other methods.
func (k NumberKey) Key(row Row) float64 { return k.Columns.Cell(k.Column, Entry(row)).Number }

// Certain returns true.
func (NumberKey) Certain(*store.Limit) bool { return true }

// Width returns the largest difference that a limit allows.
func (k NumberKey) Width(l *store.Limit) float64 { return k.Most(l.Bound) }

// Spread returns the same as Width.
func (k NumberKey) Spread(l *store.Limit) float64 { return k.Width(l) }

// TextValues makes the candidate index exclude rows that have no text in common with the seed.
type TextValues struct {
	Columns *Columns
	Column  int
}

// Certain returns true.
func (TextValues) Certain(*store.Limit) bool { return true }

// Filters returns true.
func (TextValues) Filters(*store.Limit) bool { return true }

// Mask implements candidate.Valued.
func (v TextValues) Mask(_ *store.Limit, row Row) uint64 {
	return v.Columns.Cell(v.Column, Entry(row)).All
}
