package matcher

import (
	"cmp"
	"math"
	"slices"
)

// partition splits the tickets into parts that are evaluated apart when more wait
// than Ruleset.PartitionAbove: along the texts of an EqualText rule, or else
// along the numbers of a NumberDistance rule, or else by turns. Rules that do not
// change with the wait come before those that do, then heavier ones. A rule is
// passed over when one value stands for more than half of the tickets, or half of
// them have none. Tickets without a value go to the largest part.
func (p *Pool) partition() {
	split := p.rules.PartitionAbove > 0 && p.waiting > p.rules.PartitionAbove
	if !split && !p.partitioned {
		return
	}
	p.all.alone.forget() // parts are drawn anew in each pass
	clear(p.part)
	p.partitioned = split
	if split {
		p.split()
	}
}

// split gives every row its part.
func (p *Pool) split() {
	rules := slices.Clone(p.pairs)
	slices.SortStableFunc(rules, func(a, b *column) int {
		rank := func(c *column) int {
			n := 0
			if !c.firm() || !c.constant() {
				n = 2
			}
			return n + int(min(c.kind, numberDistance))
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.weight, a.weight))
	})
	rows := append(p.all.AppendRows(nil), p.sessions...)
	for _, c := range rules {
		if p.splitAlong(c, rows) {
			return
		}
	}
	parts := (p.waiting + p.rules.PartitionAbove - 1) / p.rules.PartitionAbove
	for i, row := range rows {
		p.part[row] = int32(i % parts)
	}
}

// splitAlong splits along the values of one rule, if they are good for it: rows
// in the order of their values, cut where a part is full and the value changes.
func (p *Pool) splitAlong(c *column, rows []Row) bool {
	rows = slices.Clone(rows)
	value := func(row Row) float64 { return c.number[row] }
	if c.kind == equalText {
		value = p.textOrder(c)
	}
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
		p.part[rows[i]] = part
		if size++; size > largestSize {
			largest, largestSize = part, size
		}
	}
	for _, row := range rows[:known] {
		p.part[row] = largest
	}
	return true
}

// textOrder returns a function that numbers the texts of rows by their strings,
// whatever the order in which they were seen. NaN stands for no text.
func (p *Pool) textOrder(c *column) func(Row) float64 {
	texts := make([]Text, len(p.schema.texts.list))
	for i := range texts {
		texts[i] = Text(i)
	}
	slices.SortFunc(texts, func(a, b Text) int {
		return cmp.Compare(p.schema.TextString(a), p.schema.TextString(b))
	})
	numbers := make([]float64, len(texts))
	for i, text := range texts {
		numbers[text] = float64(i)
	}
	return func(row Row) float64 {
		if c.text[row] < 0 {
			return math.NaN()
		}
		return numbers[c.text[row]]
	}
}

// dominated tells whether one value, of rows in the order of their values, stands
// for more than half of all.
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
