package reports

import (
	"fmt"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/reports/words"
	"mmsim/sim"
)

// newQueueTallies makes a tally for each queue, none for a single one: it would
// count what all the others do.
func newQueueTallies(queues []setup.Queue) []tally {
	if len(queues) < 2 {
		return nil
	}
	return make([]tally, len(queues))
}

// matchedIn counts a match for its queue.
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
		t.rtt.add(uint64(p.RTT))
		if p.Began >= 0 {
			t.wait.add(uint64(m.At.Sub(p.Began)))
		}
	}
}

// queueList describes the queues, nil where there is one.
func (c *Collector) queueList(totals *sim.Totals) outcome.QueueList {
	var list outcome.QueueList
	for i := range c.queues {
		t, of := &c.queues[i], &c.setup.Queues[i]
		matched, _ := t.rtt.total()
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
				Failed: outcome.Count(t.failed), Expired: outcome.Count(t.expired), Bots: outcome.Count(t.bots), Rejected: outcome.Count(t.rejected),
			},
			Wait: waitStats(&t.wait),
			RTT:  rttStats(&t.rtt, c.setup.Ideal, c.setup.Expand),
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

// queues writes a line for each of several queues.
func (t *text) queues(s *outcome.Summary) {
	for i := range s.Queues {
		q := &s.Queues[i]
		say := words.Plural(q.Players.Matched, "player") + " matched"
		if q.Players.Matched > 0 {
			say += fmt.Sprintf(", %s full, wait %s on average, p95 %s, RTT %s",
				words.Percent(q.Matches.Fill), words.Seconds(q.Wait.Mean), words.Seconds(q.Wait.P95), words.Millis(q.RTT.Mean))
		}
		t.line("Queue "+q.Name, "%s; %s found no match", say,
			words.Percent(outcome.ShareOf(q.Players.Failed+q.Players.Expired, q.Players.Entries)))
		if q.Rules != nil {
			t.alike(q.Attributes, q.Overlaps)
			t.rules(q.Rules)
			t.expiry(q.Rules)
		}
	}
}
