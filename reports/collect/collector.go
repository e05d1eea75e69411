// Package collect turns the events of a simulation into a result. A [Collector] observes a run
// and counts; its Finish returns the contents of a result directory. A [Watch] shows the players in matches
// while the run goes on.
//
// Nothing here depends on the wall clock or the iteration order of a map, so equal runs give
// equal results.
package collect

import (
	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Collector observes a run and counts everything that its result contains. It keeps counters
// per group and nothing per player, so its memory does not grow with the number of joins. It
// needs 4 bytes per place and, if waits are at most half a minute, about 200 KiB per datacenter,
// hour and continent, and 500 KiB per queue. Counting a match of four players, with their
// searches, takes about 150 ns. The Collector allocates only when a value is higher than any
// before.
//
// An event is counted once in each grouping, such as queues or hours. Totals are not counted
// separately: they are sums over the queues. Waits and RTTs of players without a party, the
// largest group by party size, are not counted either: they are the total minus the other groups;
// see addRemainder.
type Collector struct {
	setup setup.Run
	spots []spot // by place

	datacenters []tally
	continents  []tally          // addRegionHours sets the searches that began, and those without a match
	hours       [24]tally        // by the UTC hour in which the search began; the same is true of them
	regionHours [][24]regionHour // by continent and hour
	sizes       []tally          // by party size; [0] is unused; addRemainder sets the waits and RTTs of [1]
	queues      []queueTally
	states      [searchStates]sums
	cells       []mapCell
	attributes  []*attributeTally
	overlaps    []*overlapTally
	rules       []*rulesTally // by queue

	failedWait, botsWait histogram.Histogram
	estimate             histogram.Histogram // empty without jitter
	overAll              uint64              // sum over matched players, in 1/16 ms; 0 unless setup.OverAll

	life   *lifeTally   // nil if nobody can be missing from matches
	events *eventsTally // nil without events

	series     series
	placements *placements // nil if players are matched and not placed on servers
	lapse      lapse
	frames     []result.Frame // completed frames of lapse
}

var _ sim.PlacementObserver = (*Collector)(nil)

// NewCollector returns a Collector for one run. It visits every place once and sorts every
// attribute's sample.
func NewCollector(run setup.Run) *Collector {
	run.Check()
	c := &Collector{
		setup:       run,
		datacenters: make([]tally, len(run.Datacenters)),
		continents:  make([]tally, len(run.Continents)),
		regionHours: make([][24]regionHour, len(run.Continents)),
		series:      newSeries(run.Duration, run.EventSpans()),
	}
	c.spots, c.cells = locate(run.Places)
	for i := range run.Queues {
		c.size(run.Queues[i].MatchSize) // so that parties of all sizes have a tally
		c.queues = append(c.queues, queueTally{first: i, end: i + 1, cells: make([]sums, len(c.cells))})
	}
	c.events = newEventsTally(&run)
	if run.Missing {
		c.life = &lifeTally{}
	}
	if run.Servers != nil {
		c.placements = newPlacements(run.Servers, run.Duration)
	}
	step := frameStep(run.Duration, len(c.cells))
	c.lapse = newLapse(step, (run.Duration-1)/step*step, c.cells, run.Datacenters, func(f result.Frame) { c.frames = append(c.frames, f) })
	for _, attribute := range run.Attributes {
		c.attributes = append(c.attributes, newAttributeTally(attribute, len(run.Queues)))
	}
	for _, texts := range run.Texts {
		c.overlaps = append(c.overlaps, &overlapTally{Texts: texts, queues: make([]overlapCount, len(run.Queues))})
	}
	for i := range run.Queues {
		c.rules = append(c.rules, newRulesTally(&run.Queues[i]))
	}
	return c
}
