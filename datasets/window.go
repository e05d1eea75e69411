package datasets

import (
	"cmp"
	"slices"
)

const (
	secondsPerDay = MillisPerDay / 1000

	// jitterSeconds is how far the copies of a scaled row are moved in time.
	jitterSeconds = 30

	// windowSeconds holds all seconds that a join already read can fall into: up
	// to jitterSeconds behind and ahead of its own. A power of two.
	windowSeconds = 64
)

// entry is one join that waits for its second.
type entry struct {
	key   uint64 // 10 bits millisecond in the second, 32 bits row, 22 bits copy: the order of arrivals
	place uint32
}

const copyBits = 22 // more than MaxScale needs

func newEntryKey(row, c uint32) uint64 { return uint64(row)<<copyBits | uint64(c) }

func (e entry) ms() uint32   { return uint32(e.key >> (32 + copyBits)) }
func (e entry) row() uint32  { return uint32(e.key >> copyBits) }
func (e entry) copy() uint32 { return uint32(e.key & (1<<copyBits - 1)) }

// window is a ring buffer of the next seconds with the joins of each.
type window struct {
	seconds [windowSeconds][]entry
	scratch []entry
}

// add enters a join at an instant in milliseconds since midnight.
func (w *window) add(ms uint32, e entry) {
	second := ms / 1000
	e.key |= uint64(ms-second*1000) << (32 + copyBits)
	bucket := &w.seconds[second%windowSeconds]
	*bucket = append(*bucket, e)
}

// take returns the joins of a second in order, and frees its bucket for the
// second that comes windowSeconds later. They stay valid until that is filled.
func (w *window) take(second int) []entry {
	bucket := &w.seconds[second%windowSeconds]
	entries := *bucket
	*bucket = entries[:0]
	w.sort(entries)
	return entries
}

// crowded is the smallest number of joins in a second for which a bucket sort by slices of
// the second is faster than a comparison sort.
const crowded = 32

// sliceBits makes a slice 8 ms wide: 125 slices a second, few enough for the L1 cache.
const sliceBits = 3

// sort brings joins into the order of their keys.
func (w *window) sort(entries []entry) {
	byKey := func(a, b entry) int { return cmp.Compare(a.key, b.key) }
	if len(entries) < crowded {
		slices.SortFunc(entries, byKey)
		return
	}
	var next [1000 >> sliceBits]uint32
	for _, e := range entries {
		next[e.ms()>>sliceBits]++
	}
	sum := uint32(0)
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	w.scratch = append(w.scratch[:0], entries...)
	for _, e := range w.scratch {
		i := e.ms() >> sliceBits
		entries[next[i]] = e
		next[i]++
	}
	start := uint32(0)
	for _, end := range next { // next now holds the end of each slice
		if end-start > 1 {
			slices.SortFunc(entries[start:end], byKey)
		}
		start = end
	}
}
