// Package within keeps the regions that tickets reach within each bound of a latency rule, so
// that a search compares bits and not latencies.
package within

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
)

// Table holds, for every ticket and every player of a session, the regions within each bound,
// as bits. Comparing latencies each time took a quarter of the time of a day. Every row has a
// copy of the bits of its place, because rows are few and stay in the processor's cache.
type Table struct {
	column int
	bounds []float64  // ascending; the last is infinite
	rows   []uint64   // by row and bound
	places [][]uint64 // by place
	seats  [][]uint64 // Of players of sessions; nil: any region
	all    []uint64   // any region, by bound
}

// New returns an empty table for the steps of a bound.
func New(column int, most matcher.Steps[float64]) *Table {
	x := &Table{column: column, bounds: []float64{math.Inf(1)}}
	for _, s := range most {
		if at, known := slices.BinarySearch(x.bounds, s.Value); !known {
			x.bounds = slices.Insert(x.bounds, at, s.Value)
		}
	}
	for range x.bounds {
		x.all = append(x.all, ^uint64(0))
	}
	return x
}

// All returns the masks of any region, by bound.
func (x *Table) All() []uint64 { return x.all }

// Level returns the index of a bound; NaN means no bound.
func (x *Table) Level(bound float64) int32 {
	at, known := slices.BinarySearch(x.bounds, bound)
	if !known || math.IsNaN(bound) {
		return int32(len(x.bounds) - 1)
	}
	return int32(at)
}

// mark appends the regions within each bound.
func (x *Table) mark(dst []uint64, rtts []float64) []uint64 {
	for range x.bounds {
		dst = append(dst, 0)
	}
	for region, ms := range rtts {
		if !math.IsNaN(ms) && !math.IsInf(ms, 1) {
			at, _ := slices.BinarySearch(x.bounds, ms)
			dst[at] |= 1 << region
		}
	}
	for i := 1; i < len(dst); i++ {
		dst[i] |= dst[i-1]
	}
	return dst
}

// Load reads the round-trip times of a ticket.
func (x *Table) Load(row store.Row, c *expression.Columns, from matcher.Place) {
	n := len(x.bounds)
	x.rows = expression.Grow(x.rows, int(row)*n+n-1)
	if from == matcher.NoPlace {
		x.mark(x.rows[int(row)*n:][:0], c.RTTOf(x.column, expression.Entry(row)))
		return
	}
	for len(x.places) < len(c.Places()) {
		x.places = append(x.places, x.mark(nil, c.Places()[len(x.places)]))
	}
	copy(x.rows[int(row)*n:], x.places[from])
}

// Seat reads those of a player of a session.
func (x *Table) Seat(who expression.Entry, c *expression.Columns) {
	x.seats = expression.Grow(x.seats, int(-who-1))
	if x.seats[-who-1] = x.all; c.RTTOf(x.column, who) != nil {
		x.seats[-who-1] = x.mark(nil, c.RTTOf(x.column, who))
	}
}

// Of returns the regions of an entry by bound.
func (x *Table) Of(who expression.Entry) []uint64 {
	if who < 0 {
		return x.seats[-who-1]
	}
	n := len(x.bounds)
	return x.rows[int(who)*n:][:n]
}
