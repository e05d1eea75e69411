// Package within determines the regions that tickets reach under each bound of a latency rule. It
// stores them as masks, so that a search can intersect masks instead of comparing round-trip
// times.
package within

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
)

// Table stores, for every ticket and session player, a mask of the regions within each bound of a
// latency rule. Comparing round-trip times instead took a quarter of the time of a simulated day.
// Each row has its own copy of its place's masks. There are few rows, so the copies stay in the
// CPU cache.
type Table struct {
	column int
	bounds []float64  // ascending; the last is infinite
	rows   []uint64   // indexed by row and bound
	places [][]uint64 // indexed by place and bound
	seats  [][]uint64 // indexed by session player and bound
	all    []uint64   // indexed by bound: the mask of all regions
}

// New returns an empty table. column is a column of round-trip times, and most is the schedule of
// the rule's bounds.
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

// All returns a slice with an element for each bound. Every element is the mask of all regions.
func (x *Table) All() []uint64 { return x.all }

// Level returns the index of a bound in the slices that Of returns. If bound is NaN, latencies
// are not limited.
func (x *Table) Level(bound float64) int32 {
	at, known := slices.BinarySearch(x.bounds, bound)
	if !known || math.IsNaN(bound) {
		return int32(len(x.bounds) - 1)
	}
	return int32(at)
}

// mark appends, for each bound, the mask of the regions whose round-trip time is within it.
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

// Load stores the masks of a ticket.
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

// Seat stores the masks of a session player.
func (x *Table) Seat(entry expression.Entry, c *expression.Columns) {
	x.seats = expression.Grow(x.seats, int(-entry-1))
	if x.seats[-entry-1] = x.all; c.RTTOf(x.column, entry) != nil {
		x.seats[-entry-1] = x.mark(nil, c.RTTOf(x.column, entry))
	}
}

// Of returns, for each bound, the mask of the regions that an entry reaches within it.
func (x *Table) Of(entry expression.Entry) []uint64 {
	if entry < 0 {
		return x.seats[-entry-1]
	}
	n := len(x.bounds)
	return x.rows[int(entry)*n:][:n]
}
