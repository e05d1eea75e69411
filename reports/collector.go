package reports

import (
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Collector observes a run and counts everything that its Result tells. It keeps
// counters per group, never a record per player, so its memory does not grow with
// the number of joins: 4 bytes per place, and some 200 KiB per datacenter, hour and
// continent for waits of up to half a minute. A match of four with its entries costs
// about 150 ns.
//
// Each fact is counted once per grouping; totals are sums over the groups of one
// grouping. Waits and RTTs of the group with most players, where it is known before, are
// not counted: they are what the other groups leave of the total, see leftOver. It
// allocates only when a value higher than any before is counted.
type Collector struct {
	setup setup.Run
	spots []spot // by place

	datacenters []tally
	continents  []tally
	hours       [24]tally // by the UTC hour in which the search began
	sizes       []tally   // by party size; [0] stays empty, and who is alone is left over
	queues      []tally   // nil for a single one
	states      [searchStates]sums
	cells       []cellTally
	attributes  []*attributeTally
	overlaps    []*overlapTally
	rules       []*rulesTally // by queue

	waitFirst, failedWait, botsWait histogram // waits of returning players are left over
	delta                           histogram
	estimate                        histogram // with jitter only

	unmatched
	withWarmBody       int
	seats              int // of all matches, taken or not
	returned, repeated int // returning players matched; those who met a partner again

	series     series
	placements *placements // nil: players are matched
	lapse      lapse
	frames     []result.Frame // of the lapse
}

var _ sim.PlacementObserver = (*Collector)(nil)

// searchStates is the number of states in which a player can be matched: the
// searching ones, which come first.
const searchStates = sim.StateWaiting + 1

// spot is what a place is to the Collector: 4 bytes, since the spots of a random
// player are a cache miss in a large table.
type spot struct {
	cell      uint16 // index into Collector.cells
	continent uint8
}

// cellTally sums over the players matched from one cell of the map.
type cellTally struct {
	row, column int
	sums
}

// NewCollector returns a Collector for one run. It costs one pass over places and
// a sort of every attribute's sample.
func NewCollector(run setup.Run) *Collector {
	run.Check()
	c := &Collector{
		setup:       run,
		datacenters: make([]tally, len(run.Datacenters)),
		continents:  make([]tally, len(run.Continents)),
		sizes:       make([]tally, run.LargestMatch()+1),
		queues:      newQueueTallies(run.Queues),
		series:      newSeries(run.Duration),
	}
	c.spots, c.cells = locate(run.Places)
	if run.Servers != nil {
		c.placements = newPlacements(run.Servers, run.Duration)
	}
	step := frameStep(run.Duration, len(c.cells))
	c.lapse = newLapse(step, run.Duration, c.cells, len(run.Datacenters), func(f result.Frame) { c.frames = append(c.frames, f) })
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

// locate returns a spot for every place and a cell for every cell of the map that has
// a place, in the order of the map: from the south, and from the west.
func locate(places []setup.Place) (spots []spot, cells []cellTally) {
	var inhabited [180][360]bool
	for _, p := range places {
		row, column := p.Cell()
		inhabited[row][column] = true
	}
	var index [180][360]uint16
	for row := range inhabited {
		for column, yes := range inhabited[row] {
			if yes {
				index[row][column] = uint16(len(cells))
				cells = append(cells, cellTally{row: row, column: column})
			}
		}
	}
	spots = make([]spot, len(places))
	for i, p := range places {
		row, column := p.Cell()
		spots[i] = spot{cell: index[row][column], continent: p.Continent}
	}
	return spots, cells
}
