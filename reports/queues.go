package reports

import (
	"fmt"

	"mmsim/sim"
)

// QueueStats describes one of several queues. Those of a run add up to its Players
// and Matches.
type QueueStats struct {
	Name    string       `json:"-"`
	Players QueuePlayers `json:"players"`
	Wait    WaitStats    `json:"wait_s"`
	RTT     RTTStats     `json:"rtt_ms"`
	Matches QueueMatches `json:"matches"`

	Attributes Attributes `json:"attributes"`
	Overlaps   Overlaps   `json:"overlaps,omitempty"`

	Rules           *Rules           `json:"rules,omitempty"` // nil: the article's matches
	QueueStatistics *QueueStatistics `json:"queue_statistics,omitempty"`
}

// QueuePlayers counts the players who began to search in a queue, and what became of
// them.
type QueuePlayers struct {
	Entries  Count `json:"entries"`
	Matched  Count `json:"matched"`
	Failed   Count `json:"failed"`
	Expired  Count `json:"expired"`
	Bots     Count `json:"bots"`
	Rejected Count `json:"rejected"`
}

// QueueMatches counts the matches of a queue.
type QueueMatches struct {
	Count   Count `json:"count"`
	Players Count `json:"players"`
	Fill    Share `json:"fill"` // players / seats
}

// QueueList is in the order of the configuration; an object in JSON.
type QueueList []QueueStats

func (q *QueueStats) member() (*string, any) { return &q.Name, q }

// MarshalJSON writes an object with a member per queue, in order.
func (q QueueList) MarshalJSON() ([]byte, error) { return marshalObject(q, (*QueueStats).member) }

// UnmarshalJSON reads what MarshalJSON wrote, in the order of the text.
func (q *QueueList) UnmarshalJSON(text []byte) (err error) {
	*q, err = parseObject(text, (*QueueStats).member)
	return err
}

// newQueueTallies makes a tally for each queue, none for a single one: it would
// count what all the others do.
func newQueueTallies(queues []Queue) []tally {
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
func (c *Collector) queueList(totals *sim.Totals) QueueList {
	var list QueueList
	for i := range c.queues {
		t, of := &c.queues[i], &c.setup.Queues[i]
		matched, _ := t.rtt.total()
		rules, statistics := c.rulesOf(i, totals)
		attributes, overlaps := Attributes{}, Overlaps(nil)
		for _, a := range c.attributes {
			attributes = append(attributes, a.attributeOf(a.queue(i)))
		}
		for _, o := range c.overlaps {
			overlaps = append(overlaps, o.overlapOf(o.queue(i)))
		}
		list = append(list, QueueStats{
			Name: of.Name,
			Players: QueuePlayers{
				Entries: Count(t.entries), Matched: Count(matched),
				Failed: Count(t.failed), Expired: Count(t.expired), Bots: Count(t.bots), Rejected: Count(t.rejected),
			},
			Wait: waitStats(&t.wait),
			RTT:  rttStats(&t.rtt, c.setup.Ideal, c.setup.Expand),
			Matches: QueueMatches{
				Count: Count(t.matches), Players: Count(matched),
				Fill: ShareOf(Count(matched), Count(t.matches*of.MatchSize)),
			},
			Attributes: attributes, Overlaps: overlaps,
			Rules: rules, QueueStatistics: statistics,
		})
	}
	return list
}

// gaps makes statistics of nobody NaN, see Summary.withGaps.
func (q QueueList) gaps() QueueList {
	return edited(q, func(q *QueueStats) {
		gapUnless(q.Players.Matched > 0, &q.Wait, &q.RTT, &q.Matches.Fill)
		q.Attributes, q.Overlaps = q.Attributes.gaps(), q.Overlaps.gaps()
		q.Rules, q.QueueStatistics = q.Rules.withGaps(), q.QueueStatistics.withGaps()
	})
}

// queues writes a line for each of several queues.
func (t *text) queues(s *Summary) {
	for i := range s.Queues {
		q := &s.Queues[i]
		say := plural(q.Players.Matched, "player") + " matched"
		if q.Players.Matched > 0 {
			say += fmt.Sprintf(", %s full, wait %s on average, p95 %s, RTT %s",
				percent(q.Matches.Fill), inSeconds(q.Wait.Mean), inSeconds(q.Wait.P95), inMillis(q.RTT.Mean))
		}
		t.line("Queue "+q.Name, "%s; %s found no match", say,
			percent(ShareOf(q.Players.Failed+q.Players.Expired, q.Players.Entries)))
		if q.Rules != nil {
			t.alike(q.Attributes, q.Overlaps)
			t.rules(q.Rules)
			t.expiry(q.Rules)
		}
	}
}
