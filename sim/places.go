package sim

import (
	"fmt"
	"math/bits"
)

// Places holds the RTT from every place where players live to every datacenter. A place is
// identified by its index. The simulation knows nothing else about it.
type Places struct {
	Datacenters int     // number of datacenters, which is the number of columns of RTT
	RTT         []RTT   // RTT[place*Datacenters+datacenter]
	Best        []RTT   // lowest RTT of each place
	Reach       []Reach // by place
}

// Reach holds the sets of datacenters near a place. A search reads both sets, so they are adjacent
// in memory.
type Reach struct {
	Ideal  uint64 // bit d is set if datacenter d is within the ideal threshold
	Expand uint64 // bit d is set if datacenter d is within the expand threshold
}

// Validate returns an error if the fields do not fit together.
func (p *Places) Validate() error {
	switch {
	case p.Datacenters < 1 || p.Datacenters > MaxDatacenters:
		return fmt.Errorf("sim: %d datacenters, want 1 to %d (MaxDatacenters)", p.Datacenters, MaxDatacenters)
	case len(p.RTT) != len(p.Reach)*p.Datacenters:
		return fmt.Errorf("sim: %d RTTs of %d places to %d datacenters", len(p.RTT), len(p.Reach), p.Datacenters)
	case len(p.Best) != len(p.Reach):
		return fmt.Errorf("sim: %d lowest RTTs of %d places", len(p.Best), len(p.Reach))
	}
	return nil
}

// AllDatacenters returns the set of all datacenters.
func (p *Places) AllDatacenters() uint64 { return ^uint64(0) >> (MaxDatacenters - p.Datacenters) }

// Row returns the RTTs of a place to all datacenters.
func (p *Places) Row(place uint32) []RTT {
	i := int(place) * p.Datacenters
	return p.RTT[i : i+p.Datacenters : i+p.Datacenters]
}

// Within returns the set of datacenters whose RTT from a place, plus the delay, is at most limit.
func (p *Places) Within(place uint32, limit, delay RTT) uint64 {
	var set uint64
	for dc, rtt := range p.Row(place) {
		if AddDelay(rtt, delay) <= limit {
			set |= 1 << dc
		}
	}
	return set
}

// DatacentersIn yields the datacenters of a set in ascending order.
func DatacentersIn(set uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
