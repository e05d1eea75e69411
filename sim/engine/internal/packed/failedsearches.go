package packed

import "mmsim/sim"

// failedSearches remembers the datacenters whose last search found no group, so
// that a search which must fail again is not repeated.
//
// A search fails in every walking order or in none, unless the packer exceeded its
// budget: it tried every group that has a regular ticket. A ticket that leaves
// cannot make it succeed. These can, and each of them invalidates: a ticket that
// begins to wait for the datacenter, a new warm body, and the end of a cool-down.
type failedSearches struct {
	datacenters uint64
	cooledAt    sim.Instant // no cool-down of a waiting ticket ends earlier; Never: no ticket cools down
	gaveUp      bool        // in this pass a search exceeded the packer's budget: it is to be repeated
}

// add notes that a datacenter found no group.
func (f *failedSearches) add(dc int) { f.datacenters |= 1 << dc }

// has reports whether a search at a datacenter would fail again.
func (f *failedSearches) has(dc int) bool { return f.datacenters>>dc&1 != 0 }

// invalidate forgets the failed searches at the datacenters for which a ticket begins to wait.
// 0 means a warm body, which may join a match at any datacenter.
func (f *failedSearches) invalidate(datacenters uint64) {
	if datacenters == 0 {
		datacenters = ^uint64(0)
	}
	f.datacenters &^= datacenters
}

// coolDownEnds notes when the cool-down of a waiting ticket ends.
func (f *failedSearches) coolDownEnds(at sim.Instant) { f.cooledAt = min(f.cooledAt, at) }

// reset invalidates all failed searches and forgets all cool-downs.
func (f *failedSearches) reset() { f.datacenters, f.cooledAt = 0, sim.Never }
