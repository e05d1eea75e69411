package collect

import (
	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
)

// searchTally has the distribution of every measure over matched players.
type searchTally [result.Measures]histogram.Histogram

// add counts one player of a match, except under MeasureWait; see total. The wait of a search that
// began in the warm-up period does not count.
func (t *searchTally) add(p *sim.Matched, at sim.Instant) {
	t[result.MeasureRTT].Add(uint64(p.RTT))
	t[result.MeasureDeltaRTT].Add(uint64(p.Estimate - p.Best))
	switch {
	case p.Began < 0:
	case p.Return:
		t[result.MeasureWaitRepeat].Add(uint64(at.Sub(p.Began)))
	default:
		t[result.MeasureWaitFirst].Add(uint64(at.Sub(p.Began)))
	}
}

// total sets MeasureWait to the waits of first and repeat searches.
func (t *searchTally) total() {
	t[result.MeasureWait].Merge(&t[result.MeasureWaitFirst])
	t[result.MeasureWait].Merge(&t[result.MeasureWaitRepeat])
}

// queueTally counts the searches and matches of one queue, or of all queues together.
type queueTally struct {
	first, end int // the queues, from first up to but not including end
	searchTally
	matches matchTally
	entries int
	unmatched
	cells   []sums            // by Spot.Cell
	firstIn [searchStates]int // first searches by the state in which they were matched
}

// add counts one player of a match.
func (t *queueTally) add(p *sim.Matched, at sim.Instant) {
	t.searchTally.add(p, at)
	if p.Began >= 0 && !p.Return {
		t.firstIn[p.State]++
	}
}

func (t *queueTally) merge(other *queueTally) {
	for m := range t.searchTally {
		t.searchTally[m].Merge(&other.searchTally[m])
	}
	t.matches.merge(&other.matches)
	t.entries += other.entries
	t.unmatched.merge(&other.unmatched)
	for i := range t.cells {
		t.cells[i].merge(&other.cells[i])
	}
}

// matched returns the number of matched players.
func (t *queueTally) matched() outcome.Count {
	return outcome.Count(t.searchTally[result.MeasureRTT].Count())
}

// allQueues returns the tally of all queues together.
func (c *Collector) allQueues() *queueTally {
	all := queueTally{end: len(c.queues), cells: make([]sums, len(c.cells))}
	for i := range c.queues {
		c.queues[i].total()
		all.merge(&c.queues[i])
	}
	return &all
}

// several returns the tallies of the queues, or none if there is only one queue, because its
// tally would repeat the totals.
func (c *Collector) several() []queueTally {
	if len(c.queues) < 2 {
		return nil
	}
	return c.queues
}

// distributions returns the distributions of all queues together, then those of each of several
// queues. It leaves out a queue's distribution without players, of which distributions.csv has no
// rows.
func (c *Collector) distributions(all *queueTally) (list []result.Distribution) {
	for m := range result.Measures {
		list = append(list, result.Distribution{Measure: m, Bins: binsOf(m, &all.searchTally[m])})
	}
	for i := range c.several() {
		for m := range result.Measures {
			if h := &c.queues[i].searchTally[m]; m.IsPerQueue() && !h.Empty() {
				list = append(list, result.Distribution{Measure: m, Queue: c.setup.Queues[i].Name, Bins: binsOf(m, h)})
			}
		}
	}
	return list
}

// queueMaps returns the map cells of each queue, or nil if there is only one queue.
func (c *Collector) queueMaps() (list []result.QueueCell) {
	for i := range c.several() {
		for _, cell := range c.mapOf(c.queues[i].cells) {
			list = append(list, result.QueueCell{Queue: c.setup.Queues[i].Name, Cell: cell})
		}
	}
	return list
}

// common returns the statistics that a run and each of its queues have. t is the tally of all
// queues, or of one queue.
func (c *Collector) common(t *queueTally) outcome.Common {
	s := outcome.Common{Attributes: outcome.Attributes{}}
	for _, a := range c.attributes {
		s.Attributes = append(s.Attributes, a.attribute(t.first, t.end))
	}
	for _, o := range c.overlaps {
		s.Overlaps = append(s.Overlaps, o.overlap(t.first, t.end))
	}
	return s
}

// queueList returns the statistics of each queue, or nil if there is only one.
func (c *Collector) queueList(totals *sim.Totals) outcome.QueueList {
	var list outcome.QueueList
	for i := range c.several() {
		t, of := &c.queues[i], &c.setup.Queues[i]
		players := outcome.QueuePlayers{
			Entries: outcome.Count(t.entries), Matched: t.matched(), Losses: t.losses(of.Asks, c.setup.Patience, c.setup.Maintenance, c.setup.Production),
		}
		outcome.SetEnds(&players)
		list = append(list, outcome.QueueStats{
			Name: of.Name, Players: players,
			Wait: waitStats(&t.searchTally[result.MeasureWait]), WaitFirst: waitStats(&t.searchTally[result.MeasureWaitFirst]),
			RTT:         rttStats(&t.searchTally[result.MeasureRTT], c.setup.Ideal, c.setup.Expand),
			Matches:     t.matches.ofQueue(t.matched()),
			Common:      c.common(t),
			Matchmaking: c.matchmaking(i, totals),
			Acceptance:  acceptance(c.setup.Queues, totals, t.first, t.end),
		})
	}
	return list
}
