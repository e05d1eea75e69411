// Package collect turns the facts of a simulation into a result: a [Collector] observes a run and
// counts, and its Finish returns the contents of a result directory. A [Watch] shows the players
// in matches during the run.
//
// Nothing here depends on the wall clock or the order of a map: equal runs give equal
// results.
package collect

import (
	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Collector observes a run and counts everything that is in its result. It keeps
// counters per group and no record per player, so its memory does not grow with the
// number of joins: 4 bytes per place, and about 200 KiB per datacenter, hour and continent
// for waits of up to half a minute. A match of four with its entries costs about 150 ns.
//
// Each fact is counted once per grouping; totals are sums over the groups of one
// grouping. For some groupings the waits and RTTs of the largest group are not counted:
// they are the total minus the other groups, see leftOver. The Collector allocates only
// when it counts a value higher than any before.
type Collector struct {
	setup setup.Run
	spots []spot // by place

	datacenters []tally
	continents  []tally
	hours       [24]tally    // by the UTC hour in which the search began
	sizes       []tally      // by party size; [0] stays empty, and waits and RTTs of [1] come from leftOver
	queues      []queueTally // nil for a single queue
	states      [searchStates]sums
	cells       []cellTally
	attributes  []*attributeTally
	overlaps    []*overlapTally
	rules       []*rulesTally // by queue

	waitFirst, failedWait, botsWait histogram.Histogram // waits of returning players are the total minus waitFirst
	delta                           histogram.Histogram
	estimate                        histogram.Histogram // with jitter only

	unmatched
	matches matchTally

	series     series
	placements *placements // nil: players are matched
	lapse      lapse
	frames     []result.Frame // of the lapse
}

var _ sim.PlacementObserver = (*Collector)(nil)

// NewCollector returns a Collector for one run. It costs one pass over places and
// a sort of every attribute's sample.
func NewCollector(run setup.Run) *Collector {
	run.Check()
	c := &Collector{
		setup:       run,
		datacenters: make([]tally, len(run.Datacenters)),
		continents:  make([]tally, len(run.Continents)),
		sizes:       make([]tally, run.LargestMatch()+1),
		series:      newSeries(run.Duration),
	}
	c.spots, c.cells = locate(run.Places)
	c.queues = newQueueTallies(run.Queues, len(c.cells))
	if run.Servers != nil {
		c.placements = newPlacements(run.Servers, run.Duration)
	}
	step := frameStep(run.Duration, len(c.cells))
	c.lapse = newLapse(step, (run.Duration-1)/step*step, c.cells, len(run.Datacenters), func(f result.Frame) { c.frames = append(c.frames, f) })
	for _, attribute := range run.Attributes {
		c.attributes = append(c.attributes, newAttributeTally(attribute))
	}
	for _, texts := range run.Texts {
		c.overlaps = append(c.overlaps, &overlapTally{Texts: texts})
	}
	for i := range run.Queues {
		c.rules = append(c.rules, newRulesTally(&run.Queues[i]))
	}
	return c
}

// newQueueTallies returns a tally for each of several queues, with a number of cells of the map. It
// returns nil for a single queue, whose tally would repeat the totals.
func newQueueTallies(queues []setup.Queue, cells int) []queueTally {
	if len(queues) < 2 {
		return nil
	}
	tallies := make([]queueTally, len(queues))
	for i := range tallies {
		tallies[i].cells = make([]sums, cells)
	}
	return tallies
}
