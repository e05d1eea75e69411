package latencymap

import "slices"

// tally collects millions of measurements in bounded memory. It is a sorted list of distinct
// entries (datacenter, cell, RTT), each with a weight, which is the number of measurements. The
// result does not depend on the order of the measurements.
//
// An entry is a single word, so that entries can be sorted as integers:
//
//	datacenter 6 bits | cell 16 bits | RTT in steps of 1/16 ms, 16 bits | weight 26 bits
//
// The steps are those of Quantise, in which a run stores RTTs anyway. If there are more than limit
// entries, the length of a step is doubled for all entries, repeatedly if necessary. Too many
// measurements thus make a map coarser, but not wrong. The order of measurements still does not
// matter, because a subset of the measurements never needs longer steps than all measurements.
type tally struct {
	sorted []uint64
	fresh  []uint64 // not yet merged into sorted
	limit  int      // maximum length of sorted; at least Cells x MaxDatacenters, which is enough for the longest step
	shift  uint     // the length of a step is 1<<shift sixteenths of a ms
}

const (
	weightBits = 26
	rttBits    = 16
	pairShift  = rttBits + weightBits
	cellBits   = 16
	weightFull = 1<<weightBits - 1
)

// tallyLimit is the capacity of tally.sorted, and tallyFresh is the capacity of tally.fresh, in
// entries of 8 bytes. They reserve 160 MB and 16 MB of address space. Unused pages cost nothing.
const (
	tallyLimit = 20 << 20
	tallyFresh = 2 << 20
)

func newTally(limit, fresh int) *tally {
	return &tally{sorted: make([]uint64, 0, limit+fresh), fresh: make([]uint64, 0, fresh), limit: limit}
}

func pairOf(dc, cell int) uint32 { return uint32(dc)<<cellBits | uint32(cell) }

// add adds a measurement. steps is the RTT in steps of Quantise. weight is from 1 to weightFull. It
// takes 0.1 µs, mostly for sorting.
func (t *tally) add(pair uint32, steps uint16, weight uint32) {
	if len(t.fresh) == cap(t.fresh) {
		t.merge()
	}
	t.fresh = append(t.fresh, uint64(pair)<<pairShift|uint64(steps>>t.shift)<<weightBits|uint64(weight))
}

// merge merges the fresh entries into the sorted ones. It starts at the end and uses the spare
// capacity of sorted.
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

// combine combines adjacent entries that differ only in weight. If their total weight exceeds
// weightFull, it needs more than one entry, and fills all but the last. So the number of entries
// depends only on the total weight.
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

// each yields the entries of each pair of datacenter and cell, sorted by datacenter, then by cell.
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

// midMean returns the interquartile mean in ms of the entries of a datacenter and cell, and their
// total weight. It leaves out a quarter of the measurements at either end, and divides an entry at
// the boundary. It computes in integers until the last division.
func (t *tally) midMean(entries []uint64) (ms float64, weight uint64) {
	for _, entry := range entries {
		weight += entry & weightFull
	}
	// Each measurement counts as four units. The total is then 4 weight, and the middle half is
	// exactly the units from weight to 3 weight.
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

// halfSteps returns the RTT of an entry in units of 1/32 ms. If steps are longer than 1/16 ms, it
// is the middle of the step.
func (t *tally) halfSteps(entry uint64) uint64 {
	steps := entry >> weightBits & (1<<rttBits - 1)
	return 2*(steps<<t.shift) + 1<<t.shift - 1
}

// stepMS returns the length of a step in ms.
func (t *tally) stepMS() float64 { return float64(uint(1)<<t.shift) / StepsPerMS }
