package search

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn returns a random problem with few different costs, so that there are ties, and the same
// customers in a list.
func drawn(t *rapid.T) (p *pMedian, costs [][]uint16, weights []int64) {
	sites := rapid.IntRange(1, 7).Draw(t, "sites")
	most := rapid.SampledFrom([]uint16{1, 3, 1000, math.MaxUint16}).Draw(t, "most")
	p = newPMedian(sites)
	for range rapid.IntRange(0, 12).Draw(t, "customers") {
		costs = append(costs, rapid.SliceOfN(rapid.Uint16Range(0, most), sites, sites).Draw(t, "costs"))
		weights = append(weights, rapid.Int64Range(0, 5).Draw(t, "weight"))
		p.Add(costs[len(costs)-1], weights[len(weights)-1])
	}
	return p, costs, weights
}

// costOf is pMedian.Cost without rows and masks.
func costOf(costs [][]uint16, weights []int64, s siteSet) (sum int64) {
	for i, of := range costs {
		nearest := int64(math.MaxInt64)
		for site, cost := range of {
			if s.Has(site) {
				nearest = min(nearest, int64(cost))
			}
		}
		sum += weights[i] * nearest
	}
	return sum
}

// TestCandidates checks the search against its definition, step by step, with costs that are summed
// anew for every set.
func TestCandidates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, costs, weights := drawn(t)
		always := siteSet(rapid.Uint64Range(0, 1<<p.sites-1).Draw(t, "always"))
		never := siteSet(rapid.Uint64Range(0, 1<<p.sites-1).Draw(t, "never")) &^ always
		if never.Len() == p.sites {
			never = 0
		}
		k := rapid.IntRange(max(1, always.Len()), p.sites-never.Len()).Draw(t, "k")
		most := rapid.IntRange(1, 8).Draw(t, "most")
		want := candidatesOf(costs, weights, p.sites, k, most, always, never)
		if got := p.Candidates(k, most, always, never); !slices.Equal(got, want) {
			t.Fatalf("got %b, want %b", got, want)
		}
		for _, s := range want {
			if got := p.Cost(s); got != costOf(costs, weights, s) {
				t.Fatalf("cost of %b: got %d, want %d", s, got, costOf(costs, weights, s))
			}
		}
	})
}

// candidatesOf is pMedian.Candidates as its comment says it.
func candidatesOf(costs [][]uint16, weights []int64, sites, k, most int, always, never siteSet) []siteSet {
	s := always
	for s.Len() < k {
		best, least := -1, int64(0)
		for site := range sites {
			if cost := costOf(costs, weights, s.With(site)); !(s | never).Has(site) && (best < 0 || cost < least) {
				best, least = site, cost
			}
		}
		s = s.With(best)
	}
	neighbours := func(s siteSet) (list []siteSet) {
		for out := range sites {
			for in := range sites {
				if s.Has(out) && !always.Has(out) && !(s | never).Has(in) {
					list = append(list, s&^(1<<out)|1<<in)
				}
			}
		}
		return list
	}
	for improves := true; improves; {
		improves = false
		best := s
		for _, other := range neighbours(s) {
			if costOf(costs, weights, other) < costOf(costs, weights, best) {
				best, improves = other, true
			}
		}
		s = best
	}
	list := []siteSet{s}
	for i := 0; i < len(list); i++ {
		for left := neighbours(list[i]); len(left) > 0 && len(list) < most; {
			best := 0
			for j := range left {
				if costOf(costs, weights, left[j]) < costOf(costs, weights, left[best]) {
					best = j
				}
			}
			if !slices.Contains(list, left[best]) {
				list = append(list, left[best])
			}
			left = slices.Delete(left, best, best+1)
		}
	}
	return list
}

// A set of all 64 sites has no neighbours, and shifts by 64 bits must not go wrong.
func TestMaxSites(t *testing.T) {
	p := newPMedian(sitesMax)
	costs := make([]uint16, sitesMax)
	for i := range costs {
		costs[i] = uint16(100 - i)
	}
	p.Add(costs, 3)
	if got := p.Candidates(sitesMax, 9, math.MaxUint64, 0); !slices.Equal(got, []siteSet{math.MaxUint64}) || p.Cost(got[0]) != 3*37 {
		t.Errorf("got %b, want only the set of all sites, with the cost 111", got)
	}
	if got := p.Candidates(1, 3, 0, 1<<62); !slices.Equal(got, []siteSet{1 << 63, 1 << 61, 1 << 60}) {
		t.Errorf("got %b, want the last sites but one, which cost least", got)
	}
}
