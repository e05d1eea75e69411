package engine

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher/engine/internal/criterion"
)

// split implements optionalFuncs.split. It splits rows into parts of about Ruleset.PartitionAbove rows.
// Rows are grouped by the texts of an EqualText rule, or else by the numbers of a NumberDistance
// rule. If no such rule divides them, they are assigned round-robin. If there are several such
// rules, split prefers rules that do not change with the wait, and then rules with a higher weight.
func (g *groups) split(rows []Row) {
	var rules []criterion.Divider
	for _, c := range g.rules.All {
		if c, ok := c.(criterion.Divider); ok {
			rules = append(rules, c)
		}
	}
	slices.SortStableFunc(rules, func(a, b criterion.Divider) int {
		return cmp.Or(cmp.Compare(a.Unsuited(), b.Unsuited()), cmp.Compare(b.Rule().Weight, a.Rule().Weight))
	})
	for _, rule := range rules {
		if g.splitAlong(rule.Order(g.pool.schema), slices.Clone(rows)) {
			return
		}
	}
	size := g.pool.rules.PartitionAbove
	parts := (g.pool.waiting + size - 1) / size
	for i, row := range rows {
		g.pool.parts[row] = int32(i % parts)
	}
}

// splitAlong sorts rows by a value and splits them into parts. A part that is full ends where the
// value next changes. Rows without a value join the largest part. If more than half of the rows
// have the same value, or more than half have no value, it does nothing and returns false.
func (g *groups) splitAlong(value func(Row) float64, rows []Row) bool {
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(value(a), value(b)) }) // rows without a value are NaN and come first
	known, half := slices.IndexFunc(rows, func(row Row) bool { return !math.IsNaN(value(row)) }), len(rows)/2
	if known < 0 || 2*known > len(rows) {
		return false
	}
	for i := known; i+half < len(rows); i++ {
		if value(rows[i]) == value(rows[i+half]) {
			return false
		}
	}
	parts := g.pool.parts
	part, size, largest, largestSize := int32(0), 0, int32(0), 0
	for i := known; i < len(rows); i++ {
		if size >= g.pool.rules.PartitionAbove && value(rows[i]) != value(rows[i-1]) {
			part, size = part+1, 0
		}
		parts[rows[i]] = part
		if size++; size > largestSize {
			largest, largestSize = part, size
		}
	}
	for _, row := range rows[:known] {
		parts[row] = largest
	}
	return true
}
