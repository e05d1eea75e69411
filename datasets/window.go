package datasets

import (
	"cmp"
	"slices"
)

const (
	secondsPerDay = MillisPerDay / 1000

	// jitterSeconds is the number of seconds by which copies of a scaled row may move.
	jitterSeconds = 30

	// windowSeconds is enough for all seconds that a join may fall into: up to jitterSeconds before
	// and after its own. It is a power of two.
	windowSeconds = 64
)

// entry is a join that waits for its second.
type entry struct {
	key   uint64 // millisecond within the second (10 bits), row (32 bits) and copy (22 bits), so keys sort by the order of arrivals
	place uint32
}

const copyBits = 22 // more than MaxScale needs

func newEntryKey(row, c uint32) uint64 { return uint64(row)<<copyBits | uint64(c) }

func (e entry) ms() uint32   { return uint32(e.key >> (32 + copyBits)) }
func (e entry) row() uint32  { return uint32(e.key >> copyBits) }
func (e entry) copy() uint32 { return uint32(e.key & (1<<copyBits - 1)) }

// window is a ring buffer with the joins of each of the next seconds.
type window struct {
	seconds [windowSeconds][]entry
	scratch []entry
}

// add adds a join at a time in milliseconds since midnight.
func (w *window) add(ms uint32, e entry) {
	second := ms / 1000
	e.key |= uint64(ms-second*1000) << (32 + copyBits)
	bucket := &w.seconds[second%windowSeconds]
	*bucket = append(*bucket, e)
}

// take returns the joins of a second in order, and frees its bucket for the second that comes
// windowSeconds later. The joins are valid until that bucket is filled again.
func (w *window) take(second int) []entry {
	bucket := &w.seconds[second%windowSeconds]
	entries := *bucket
	*bucket = entries[:0]
	w.sort(entries)
	return entries
}

// crowded is the minimum number of joins in a second for which a bucket sort is faster than a
// comparison sort.
const crowded = 32

// sliceBits makes a bucket of the sort 8 ms wide. A second then has 125 buckets, few enough for the
// L1 cache.
const sliceBits = 3

// sort sorts joins by key.
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
	for _, end := range next { // next now contains the end of each slice
		if end-start > 1 {
			slices.SortFunc(entries[start:end], byKey)
		}
		start = end
	}
}
