package states

import "mmsim/sim"

// failedSearches remembers the datacenters whose last search found no group. A search that is bound
// to fail is thus not repeated.
//
// A search tries every group that includes a regular ticket. So whether it fails does not depend on
// the walking order, unless the packer runs out of its budget. A failed search still fails after a
// ticket leaves. It may succeed after a ticket begins to wait for the datacenter, after a ticket
// becomes a warm body, or after a cool-down ends. After each of these events, the affected failed
// searches are forgotten.
type failedSearches struct {
	datacenters uint64
	cooledAt    sim.Instant // no waiting ticket's cool-down ends earlier; Never if none is cooling down
	gaveUp      bool        // a search in this pass ran out of its budget and must be repeated
}

// add remembers that a datacenter found no group.
func (f *failedSearches) add(dc int) { f.datacenters |= 1 << dc }

// invalidate forgets the failed searches of the datacenters for which a ticket begins to wait. If
// datacenters is 0, the ticket has become a warm body, which can join a match in any datacenter.
func (f *failedSearches) invalidate(datacenters uint64) {
	if datacenters == 0 {
		datacenters = ^uint64(0)
	}
	f.datacenters &^= datacenters
}

// coolDownEnds remembers when the cool-down of a waiting ticket ends.
func (f *failedSearches) coolDownEnds(at sim.Instant) { f.cooledAt = min(f.cooledAt, at) }

// reset forgets all failed searches and all cool-downs.
func (f *failedSearches) reset() { f.datacenters, f.cooledAt = 0, sim.Never }
