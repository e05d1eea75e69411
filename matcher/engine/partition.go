package engine

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher/engine/internal/criterion"
)

// partition splits the tickets into parts that are matched apart when more wait than
// Ruleset.PartitionAbove: along the texts of an EqualText rule, or else along the numbers
// of a NumberDistance rule, or else by turns. Rules that do not change with the wait come
// before those that do, then heavier ones. A rule is passed over when one value stands for
// more than half of the tickets, or half of them have none. Tickets without a value go to
// the largest part.
func (p *Pool) partition() {
	split := p.rules.PartitionAbove > 0 && p.waiting > p.rules.PartitionAbove
	if !split && p.parts == nil {
		return
	}
	p.epoch++ // parts are drawn anew in each pass
	p.parts = nil
	if !split {
		return
	}
	p.parts = make([]int32, p.rows.Len())
	rows := append(p.all.AppendRows(nil), p.sessions...)
	for _, rule := range p.dividers() {
		if p.splitAlong(rule, rows) {
			return
		}
	}
	parts := (p.waiting + p.rules.PartitionAbove - 1) / p.rules.PartitionAbove
	for i, row := range rows {
		p.parts[row] = int32(i % parts)
	}
}

// samePart keeps of some rows those in the part of another.
func (p *Pool) samePart(rows []Row, as Row) []Row {
	return slices.DeleteFunc(rows, func(row Row) bool { return p.parts[row] != p.parts[as] })
}

// dividers returns the rules that tickets may be split along, the best first.
func (p *Pool) dividers() []criterion.Divider {
	var list []criterion.Divider
	for _, c := range p.method.criteria() {
		if c, ok := c.(criterion.Divider); ok {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b criterion.Divider) int {
		return cmp.Or(cmp.Compare(a.Unsuited(), b.Unsuited()), cmp.Compare(b.Rule().Weight, a.Rule().Weight))
	})
	return list
}

// splitAlong splits along the values of one rule, if they are good for it: rows in the
// order of their values, cut where a part is full and the value changes.
func (p *Pool) splitAlong(rule criterion.Divider, rows []Row) bool {
	rows = slices.Clone(rows)
	value := rule.Order(p.schema)
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(value(a), value(b)) }) // NaN first
	known := slices.IndexFunc(rows, func(row Row) bool { return !math.IsNaN(value(row)) })
	if known < 0 || 2*known > len(rows) || dominated(rows[known:], value, len(rows)) {
		return false
	}
	part, size, largest, largestSize := int32(0), 0, int32(0), 0
	for i := known; i < len(rows); i++ {
		if size >= p.rules.PartitionAbove && value(rows[i]) != value(rows[i-1]) {
			part, size = part+1, 0
		}
		p.parts[rows[i]] = part
		if size++; size > largestSize {
			largest, largestSize = part, size
		}
	}
	for _, row := range rows[:known] {
		p.parts[row] = largest
	}
	return true
}

// dominated tells whether one value, of rows in the order of their values, stands for more
// than half of all.
func dominated(rows []Row, value func(Row) float64, all int) bool {
	run := 0
	for i, row := range rows {
		if i > 0 && value(row) != value(rows[i-1]) {
			run = 0
		}
		if run++; 2*run > all {
			return true
		}
	}
	return false
}

// criteria implements method.
func (g *groups) criteria() []criterion.Criterion { return g.rules.All }
