package latencymap

import "slices"

// tally collects millions of measurements in bounded memory: a sorted list of distinct
// entries (datacenter, cell, RTT), each with its weight, the number of measurements. The
// result does not depend on the order of the measurements.
//
// An entry is one word, so that sorting entries is sorting integers:
//
//	datacenter 6 bits | cell 16 bits | RTT in steps of 1/16 ms, 16 bits | weight 26 bits
//
// The steps are those of Quantise, so a run sees no difference. With more than limit
// entries, all RTTs are kept in steps of twice the length, and so on: more measurements
// than memory make a map coarser, never wrong. A subset of the entries never needs
// longer steps than all of them, which is why the order does not matter.
type tally struct {
	sorted []uint64
	fresh  []uint64 // not yet sorted in
	limit  int      // of sorted; at least Cells x MaxDatacenters, the fewest entries that any step can lead to
	shift  uint     // a step is 1<<shift sixteenths
}

const (
	weightBits = 26
	rttBits    = 16
	pairShift  = rttBits + weightBits
	cellBits   = 16
	weightFull = 1<<weightBits - 1
)

// Sizes of a tally, in entries of 8 bytes: 160 MB of address space (unused pages cost
// nothing) and 16 MB.
const (
	tallyLimit = 20 << 20
	tallyFresh = 2 << 20
)

func newTally(limit, fresh int) *tally {
	return &tally{sorted: make([]uint64, 0, limit+fresh), fresh: make([]uint64, 0, fresh), limit: limit}
}

func pairOf(dc, cell int) uint32 { return uint32(dc)<<cellBits | uint32(cell) }

// add counts a measurement. Its RTT is in steps of Quantise, its weight from 1 to
// weightFull. Cost: 0.1 µs, most of it sorting.
func (t *tally) add(pair uint32, steps uint16, weight uint32) {
	if len(t.fresh) == cap(t.fresh) {
		t.merge()
	}
	t.fresh = append(t.fresh, uint64(pair)<<pairShift|uint64(steps>>t.shift)<<weightBits|uint64(weight))
}

// merge merges the fresh entries into the sorted ones, from the back, in the spare
// capacity behind them.
func (t *tally) merge() {
	slices.Sort(t.fresh)
	t.fresh = combine(t.fresh)
	a, b := len(t.sorted)-1, len(t.fresh)-1
	t.sorted = t.sorted[:len(t.sorted)+len(t.fresh)]
	for to := len(t.sorted) - 1; b >= 0; to-- {
		if a >= 0 && t.sorted[a] > t.fresh[b] {
			t.sorted[to] = t.sorted[a]
			a--
		} else {
			t.sorted[to] = t.fresh[b]
			b--
		}
	}
	t.fresh = t.fresh[:0]
	t.sorted = combine(t.sorted)
	for len(t.sorted) > t.limit {
		t.shift++
		for i, entry := range t.sorted {
			steps := entry >> weightBits & (1<<rttBits - 1) >> 1
			t.sorted[i] = entry>>pairShift<<pairShift | steps<<weightBits | entry&weightFull
		}
		t.sorted = combine(t.sorted)
	}
}

// combine adds up adjacent entries that differ only in weight. A full weight continues
// in a further entry, so the number of entries depends only on the sum.
func combine(list []uint64) []uint64 {
	n := 0
	for _, entry := range list {
		if n > 0 && list[n-1]>>weightBits == entry>>weightBits {
			sum := list[n-1]&weightFull + entry&weightFull
			if sum <= weightFull {
				list[n-1] += entry & weightFull
				continue
			}
			list[n-1] |= weightFull
			entry = entry>>weightBits<<weightBits | (sum - weightFull)
		}
		list[n] = entry
		n++
	}
	return list[:n]
}

// each yields the entries of every pair, by datacenter and then by cell.
func (t *tally) each(yield func(dc, cell int, entries []uint64)) {
	t.merge()
	for from := 0; from < len(t.sorted); {
		pair, to := t.sorted[from]>>pairShift, from+1
		for to < len(t.sorted) && t.sorted[to]>>pairShift == pair {
			to++
		}
		yield(int(pair>>cellBits), int(pair&(1<<cellBits-1)), t.sorted[from:to])
		from = to
	}
}

// midMean returns the interquartile mean, in ms, of the entries of one datacenter and
// cell, and their weight. It drops a quarter of the measurements at either end, dividing
// the entry at the cut, and averages the rest in integers until the last division.
func (t *tally) midMean(entries []uint64) (ms float64, weight uint64) {
	for _, entry := range entries {
		weight += entry & weightFull
	}
	// In quarters of a measurement the middle half is [weight, 3 weight).
	var sum, at uint64
	for _, entry := range entries {
		next := at + 4*(entry&weightFull)
		if low, high := max(at, weight), min(next, 3*weight); low < high {
			sum += (high - low) * t.halfSteps(entry)
		}
		at = next
	}
	return min(float64(sum)/float64(4*weight*StepsPerMS), SampleMaxMS), weight
}

// halfSteps returns the middle of the range of RTTs that an entry represents, in 1/32 ms.
func (t *tally) halfSteps(entry uint64) uint64 {
	steps := entry >> weightBits & (1<<rttBits - 1)
	return 2*(steps<<t.shift) + 1<<t.shift - 1
}

// stepMS is the resolution of the stored RTTs, in ms.
func (t *tally) stepMS() float64 { return float64(uint(1)<<t.shift) / StepsPerMS }
