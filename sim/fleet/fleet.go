package fleet

import (
	"fmt"
	"math"
	"slices"

	"mmsim/sim"
)

// Config describes the machines of every datacenter.
type Config struct {
	PerMachine int          // matches that one machine hosts at once, from 1
	Start      sim.Duration // from the order of a machine to its first match
	Idle       sim.Duration // a machine that has been empty for so long is released if it is not needed
	Billing    sim.Duration // the billed time of a machine is rounded up to a multiple of this
	Buffer     Buffer       // free slots to keep
	Sites      []Site       // by datacenter
}

// Buffer is a number of free slots: Slots, plus Share of the busy slots, rounded up. One of the two
// is 0.
type Buffer struct {
	Slots int
	Share float64
}

// of returns the number of slots to keep free while some are busy.
func (b Buffer) of(busy int) int {
	// A product such as 0.1·30 may be above the whole number by a rounding error.
	return b.Slots + int(math.Ceil(float64(b.Share*float64(busy))-1e-9))
}

// Site has the limits of one datacenter.
type Site struct {
	Min, Max int // machines; Max is NoLimit without a limit
}

// NoLimit is the Max of a datacenter that gets as many machines as it wants.
const NoLimit = math.MaxInt

// Validate returns an error that names the first wrong field.
func (c *Config) Validate() error {
	switch {
	case c.PerMachine < 1:
		return fmt.Errorf("fleet: PerMachine is %d, expected 1 or more", c.PerMachine)
	case c.Start < 0 || c.Idle < 0:
		return fmt.Errorf("fleet: Start is %d ms and Idle %d ms, expected 0 or more", c.Start, c.Idle)
	case c.Billing < sim.Second:
		return fmt.Errorf("fleet: Billing is %d ms, expected 1 s or more", c.Billing)
	case c.Buffer.Slots < 0 || !(c.Buffer.Share >= 0):
		return fmt.Errorf("fleet: Buffer is %d slots and a share of %g, expected 0 or more", c.Buffer.Slots, c.Buffer.Share)
	}
	for i, s := range c.Sites {
		if s.Min < 0 || s.Max < s.Min {
			return fmt.Errorf("fleet: datacenter %d has at least %d and at most %d machines, expected 0 <= min <= max", i, s.Min, s.Max)
		}
	}
	return nil
}

// Usage is what the machines of a datacenter did in the measured window.
type Usage struct {
	Billed      sim.Duration   // life of all machines in the window, each rounded up to Config.Billing
	PlayerTime  float64        // players times ms, as played: after the wait for a slot
	MachineTime float64        // machines, ready and starting, times ms: the sum of Through
	UsedTime    float64        // busy slots times ms
	Peak        int            // most machines, ready and starting
	Matches     int            // that asked for a slot
	Waited      int            // that did not get one at once, also those that are queued at the end
	Unserved    int            // that are queued at the end of the window
	Waits       []sim.Duration // above 0, of matches that got a slot
	Lives       []Life         // of machines, ready and starting
	Through     []WindowUse    // of each Window of the measured window; the last may be shorter
}

// Window is the length of the windows in which Usage.Through divides the measured window.
const Window = 15 * sim.Minute

// WindowUse is what the machines of a datacenter do in a Window. All times are machines times ms.
type WindowUse struct {
	Starting float64
	Empty    float64 // ready machines without a match
	Busy     float64 // ready machines with one match or more
}

// Life is the time in the window in which a machine is starting or ready.
type Life struct{ From, To sim.Instant }

// Peak returns the most machines at an instant in all datacenters together.
func Peak(usage []Usage) (peak int) {
	var from, to []sim.Instant
	for i := range usage {
		for _, life := range usage[i].Lives {
			from, to = append(from, life.From), append(to, life.To)
		}
	}
	slices.Sort(from)
	slices.Sort(to)
	ended := 0
	for i, at := range from {
		for to[ended] <= at { // a machine that is released now does not meet one that is ordered now
			ended++
		}
		peak = max(peak, i+1-ended)
	}
	return peak
}

// A Fleet has the machines of all datacenters. It is fed with matches in the order in which they
// start.
type Fleet struct {
	sites []*site
}

// New returns a fleet whose clock begins at from, which is the start of the warm-up, with the least
// machines ready. It measures the window from instant 0. c must be valid.
func New(c *Config, from sim.Instant) *Fleet {
	f := &Fleet{}
	for i := range c.Sites {
		f.sites = append(f.sites, newSite(c, c.Sites[i], from))
	}
	return f
}

// A Match asks for a slot, or is what further players join.
type Match struct {
	ID         uint64
	Datacenter int
	At         sim.Instant  // when it would start, or when the players join, if no match had to wait
	Length     sim.Duration // until these players stop playing
	Players    int
}

// Start lets a match ask for a slot. Of one datacenter, no call of Start or Join may be earlier than
// the one before it.
func (f *Fleet) Start(m Match) { f.sites[m.Datacenter].start(m) }

// Join reports players who join a match that is already running. They play on its slot, and join as
// much later as the match had to wait.
func (f *Fleet) Join(m Match) { f.sites[m.Datacenter].join(m) }

// Finish runs the machines until the end of the window, and returns the usage by datacenter. The fleet
// cannot be used afterwards.
func (f *Fleet) Finish(until sim.Instant) []Usage {
	usage := make([]Usage, len(f.sites))
	for i, s := range f.sites {
		usage[i] = s.finish(until)
	}
	return usage
}
