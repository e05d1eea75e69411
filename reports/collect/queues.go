package collect

import (
	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
)

// matchedIn counts a match for its queue, unless there is only one.
func (c *Collector) matchedIn(m *sim.Match) {
	if c.queues == nil {
		return
	}
	t := &c.queues[m.Queue]
	if !m.Backfill {
		t.matches++
	}
	for i := range m.Players {
		p := &m.Players[i]
		cell := &t.cells[c.spots[p.Place].cell]
		t.rtt.Add(uint64(p.RTT))
		cell.addRTT(uint64(p.RTT))
		if p.Began >= 0 {
			wait := uint64(m.At.Sub(p.Began))
			t.wait.Add(wait)
			cell.addWait(wait)
			if !p.Return {
				t.waitFirst.Add(wait)
			}
		}
	}
}

// queueTally counts the searches and matches of one of several queues.
type queueTally struct {
	tally
	waitFirst histogram.Histogram
	cells     []sums // by spot.cell
}

// queueDistributions returns the distributions of first waits and RTTs of each queue, or nil if
// there is only one.
func (c *Collector) queueDistributions() (list []result.Distribution) {
	for i := range c.queues {
		t, name := &c.queues[i], c.setup.Queues[i].Name
		list = append(list,
			result.Distribution{Measure: result.QueueMeasure(name, result.MeasureWaitFirst), Bins: waitBins(&t.waitFirst)},
			result.Distribution{Measure: result.QueueMeasure(name, result.MeasureRTT), Bins: rttBins(&t.rtt)})
	}
	return list
}

// queueMaps returns the map cells of each queue, or nil if there is only one queue.
func (c *Collector) queueMaps() (list []result.QueueCell) {
	for i := range c.queues {
		for _, cell := range c.mapOf(func(cell int) *sums { return &c.queues[i].cells[cell] }) {
			list = append(list, result.QueueCell{Queue: c.setup.Queues[i].Name, Cell: cell})
		}
	}
	return list
}

// queueList returns the statistics of each queue, or nil if there is only one.
func (c *Collector) queueList(totals *sim.Totals) outcome.QueueList {
	var list outcome.QueueList
	for i := range c.queues {
		t, of := &c.queues[i], &c.setup.Queues[i]
		matched, _ := t.rtt.Total()
		first := waitStats(&t.waitFirst)
		rules, statistics := c.rulesOf(i, totals)
		attributes, overlaps := outcome.Attributes{}, outcome.Overlaps(nil)
		for _, a := range c.attributes {
			attributes = append(attributes, a.attributeOf(a.queue(i)))
		}
		for _, o := range c.overlaps {
			overlaps = append(overlaps, o.overlapOf(o.queue(i)))
		}
		list = append(list, outcome.QueueStats{
			Name: of.Name,
			Players: outcome.QueuePlayers{
				Entries: outcome.Count(t.entries), Matched: outcome.Count(matched),
				Failed: outcome.Count(t.failed), Expired: outcome.Count(t.expired), Bots: outcome.Count(t.bots), Rejected: outcome.Count(t.rejected), Declined: t.declinedIf(of.Asks),
			},
			Wait: waitStats(&t.wait), WaitFirst: &first,
			RTT: rttStats(&t.rtt, c.setup.Ideal, c.setup.Expand),
			Matches: outcome.QueueMatches{
				Count: outcome.Count(t.matches), Players: outcome.Count(matched),
				Fill: outcome.ShareOf(outcome.Count(matched), outcome.Count(t.matches*of.MatchSize)),
			},
			Attributes: attributes, Overlaps: overlaps,
			Rules: rules, QueueStatistics: statistics,
		})
	}
	return list
}
