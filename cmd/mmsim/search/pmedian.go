package search

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// sitesMax is the maximum number of sites, because a siteSet is one word.
const sitesMax = 64

// A siteSet is a set of sites. Bit i stands for site i.
type siteSet uint64

// Len returns the number of sites in the set.
func (s siteSet) Len() int { return bits.OnesCount64(uint64(s)) }

// Has reports whether a site is in the set.
func (s siteSet) Has(site int) bool { return s>>site&1 == 1 }

// With returns the set and a site.
func (s siteSet) With(site int) siteSet { return s | 1<<site }

// swapped returns the set without one site and with another.
func (s siteSet) swapped(out, in int) siteSet { return s&^(1<<out) | 1<<in }

// A pMedian chooses sites for customers: k of at most 64 sites, such that the sum over all customers
// of the cost to the nearest chosen site is as low as possible (the p-median problem). It is
// independent of matchmaking: costs may be RTTs, or 1 for a customer whose RTT is too high. The zero
// value is not valid; see newPMedian.
//
// Candidates searches with a greedy start and then swaps, which do not have to find the best set. For
// days of joins and lists of datacenters they find it.
//
// All sums are whole numbers, and the order of the sites breaks ties, so results do not depend on the
// order of the customers.
type pMedian struct {
	sites   int
	costs   []uint16       // costs[row*sites+site]
	weights []int64        // by row
	rows    map[string]int // by the bytes of their costs
	key     []byte
}

// newPMedian returns a problem with a number of sites and no customers. It panics if there are more than
// sitesMax.
func newPMedian(sites int) *pMedian {
	if sites < 1 || sites > sitesMax {
		panic(fmt.Sprintf("pmedian: %d sites, expected 1 to %d (sitesMax)", sites, sitesMax))
	}
	return &pMedian{sites: sites, rows: map[string]int{}}
}

// Add adds a number of customers with the same cost to each site. Customers with equal costs become
// one row, whose number the search pays for.
func (p *pMedian) Add(costs []uint16, customers int64) {
	p.key = p.key[:0]
	for _, cost := range costs {
		p.key = binary.LittleEndian.AppendUint16(p.key, cost)
	}
	row, ok := p.rows[string(p.key)]
	if !ok {
		row = len(p.weights)
		p.rows[string(p.key)] = row
		p.costs, p.weights = append(p.costs, costs[:p.sites]...), append(p.weights, 0)
	}
	p.weights[row] += customers
}

// Cost returns the sum over all customers of the cost to the nearest site in a set, which must not be
// empty.
func (p *pMedian) Cost(s siteSet) (sum int64) {
	for row, weight := range p.weights {
		nearest := uint16(math.MaxUint16)
		costs := p.row(row)
		for left := uint64(s); left != 0; left &= left - 1 {
			nearest = min(nearest, costs[bits.TrailingZeros64(left)])
		}
		sum += weight * int64(nearest)
	}
	return sum
}

func (p *pMedian) row(row int) []uint16 { return p.costs[row*p.sites:][:p.sites] }

// Candidates returns at most the given number of sets of k sites that include always and none of
// never. The first is the best set that the search finds. The others are its neighbours by one swap,
// the best first, then those of the second set, and so on. Candidates panics if no set is possible.
func (p *pMedian) Candidates(k, most int, always, never siteSet) []siteSet {
	all := ^siteSet(0) >> (sitesMax - p.sites)
	if k < max(1, always.Len()) || k > (all&^never).Len() || always&^all != 0 || always&never != 0 {
		panic(fmt.Sprintf("pmedian: sets of %d of %d sites with %b and without %b, expected one to be possible", k, p.sites, always, never))
	}
	list := []siteSet{p.search(p.greedy(k, always, never), always, never)}
	for i := 0; i < len(list) && len(list) < most; i++ {
		swaps := p.swaps(list[i], always, never)
		slices.SortStableFunc(swaps, func(a, b swap) int { return cmp.Compare(a.cost, b.cost) })
		for _, s := range swaps {
			if len(list) < most && !slices.Contains(list, s.set) {
				list = append(list, s.set)
			}
		}
	}
	return list
}

// greedy returns always and further sites, each of which is the best addition to those before it.
func (p *pMedian) greedy(k int, always, never siteSet) siteSet {
	nearest := make([]uint16, len(p.weights))
	for row := range nearest {
		nearest[row] = math.MaxUint16
		for site, cost := range p.row(row) {
			if always.Has(site) {
				nearest[row] = min(nearest[row], cost)
			}
		}
	}
	sums := make([]int64, p.sites)
	s := always
	for s.Len() < k {
		clear(sums)
		for row, weight := range p.weights {
			for site, cost := range p.row(row) {
				sums[site] += weight * int64(min(nearest[row], cost))
			}
		}
		best := -1
		for site, sum := range sums {
			if !(s | never).Has(site) && (best < 0 || sum < sums[best]) {
				best = site
			}
		}
		s = s.With(best)
		for row := range nearest {
			nearest[row] = min(nearest[row], p.row(row)[best])
		}
	}
	return s
}

// search makes the best swap as long as one lowers the cost. Every step lowers it, so that the search
// ends.
func (p *pMedian) search(s, always, never siteSet) siteSet {
	for cost := p.Cost(s); ; {
		best := swap{s, cost}
		for _, other := range p.swaps(s, always, never) {
			if other.cost < best.cost {
				best = other
			}
		}
		if best.set == s {
			return s
		}
		s, cost = best.set, best.cost
	}
}

// swap is a set that a swap leads to, with its cost.
type swap struct {
	set  siteSet
	cost int64
}

// swaps returns every set that has one other site, in the order of the site that goes, then of the
// site that comes. All of them together cost one pass over the rows: the nearest site of a row goes
// in one of k swaps, so that in the others the row's cost depends only on the site that comes.
func (p *pMedian) swaps(s, always, never siteSet) []swap {
	n := p.sites
	stays := make([]int64, n)  // by site that comes: sum if every row keeps its nearest site
	goes := make([]int64, n*n) // by site that goes and site that comes: what rows add whose nearest site goes
	for row, weight := range p.weights {
		costs := p.row(row)
		nearest, second, at := uint16(math.MaxUint16), uint16(math.MaxUint16), 0
		for left := uint64(s); left != 0; left &= left - 1 {
			site := bits.TrailingZeros64(left)
			switch cost := costs[site]; {
			case cost < nearest:
				nearest, second, at = cost, nearest, site
			case cost < second:
				second = cost
			}
		}
		more := goes[at*n:][:n]
		for site, cost := range costs {
			kept := min(nearest, cost)
			stays[site] += weight * int64(kept)
			more[site] += weight * int64(min(second, cost)-kept)
		}
	}
	var list []swap
	for out := range n {
		for in := range n {
			if s.Has(out) && !always.Has(out) && !(s | never).Has(in) {
				list = append(list, swap{s.swapped(out, in), stays[in] + goes[out*n+in]})
			}
		}
	}
	return list
}
