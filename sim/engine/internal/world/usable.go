package world

import (
	"math/bits"

	"mmsim/sim"
)

// usable is what a World knows about the datacenters that may be used now.
type usable struct {
	set       uint64
	isPart    bool      // whether some datacenters may not be used
	bestRTTs  []sim.RTT // by place: lowest RTT to a datacenter of set
	ownMemory []sim.RTT // memory of bestRTTs while isPart
}

// Usable returns the set of datacenters that may be used now. Everything that walks datacenters asks
// for it: the queues of the states, the regions of a pool, servers, the choice of the datacenter of a
// match, and the lowest RTT of a player. It can become empty. Numbers that were derived from it, such as
// the RTTs that a rule engine keeps for a place, are valid until it changes; see Change.
func (w *World) Usable() uint64 { return w.usable.set }

// TakePart returns the set of datacenters that take part in the run, even if an event makes some of
// them unusable now.
func (w *World) TakePart() uint64 { return w.takePart }

// setUsable changes the set of datacenters that may be used. It takes about 30 ns per place.
func (w *World) setUsable(set uint64) {
	u, p := &w.usable, w.Places
	u.set, u.isPart, u.bestRTTs = set, set != p.AllDatacenters(), p.Best
	if !u.isPart {
		return
	}
	if u.ownMemory == nil {
		u.ownMemory = make([]sim.RTT, len(p.Best))
	}
	u.bestRTTs = u.ownMemory
	for place := range u.bestRTTs {
		row, best := p.Row(uint32(place)), ^sim.RTT(0)
		for rest := set; rest != 0; rest &= rest - 1 {
			best = min(best, row[bits.TrailingZeros64(rest)])
		}
		u.bestRTTs[place] = best
	}
}

// BestUsable returns, by place, the lowest RTT to a datacenter that may be used now, as long as no event
// adds to RTTs.
func (w *World) BestUsable() []sim.RTT { return w.usable.bestRTTs }

// Best returns the lowest RTT of a place to a datacenter that may be used now, and to any datacenter, as
// they were measured.
func (w *World) Best(m Measured, place uint32) (usable, all sim.RTT) {
	if m != 0 {
		if all = w.slowed(m, place).best; w.usable.isPart {
			return w.LowestOf(w.usable.set, m, place), all
		}
		return all, all
	}
	if usable = w.usable.bestRTTs[place]; !w.usable.isPart {
		return usable, usable
	}
	return usable, w.Places.Best[place]
}
