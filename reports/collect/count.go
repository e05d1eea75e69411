package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Entered counts a search that begins.
func (c *Collector) Entered(s *sim.Search) {
	n := len(s.Players)
	c.series.entered(s.Began, n, s.Return)
	c.size(n).entries += n
	c.queues[s.Queue].entries += n
	for i := range s.Players {
		c.regionHour(s.Players[i].Place, s.Began).entries++
		for _, a := range c.attributes {
			a.entered(&s.Players[i])
		}
	}
}

// size returns the tally of a party size. It grows the list of tallies, after the start only for a party that
// is too large for any match.
func (c *Collector) size(n int) *tally {
	for n >= len(c.sizes) {
		c.sizes = append(c.sizes, tally{})
	}
	return &c.sizes[n]
}

// Ended counts a search that ended without a match. A search that ends with bots did not fail,
// because its players do play, so its wait is counted separately. A rejected search has no wait.
func (c *Collector) Ended(e *sim.Ended) {
	n := len(e.Players)
	c.queues[e.Queue].unmatched[e.Into] += n
	c.size(int(e.PartySize)).unmatched[e.Into] += n
	for i := range e.Players {
		c.regionHour(e.Players[i].Place, e.Began).unmatched[e.Into]++
		for _, a := range c.attributes {
			a.ended(&e.Players[i], e.Into)
		}
	}
	isOver := e.Into == sim.StateExpired || e.Into == sim.StateFailed || e.Into == sim.StateBots // its time was over
	if rules := c.rules[e.Queue]; rules != nil && isOver {
		rules.expiry.expired(e, rules.MinPlayers)
	}
	c.events.ended(e)
	switch e.Into {
	case sim.StateRejected, sim.StateLost:
	case sim.StateBots:
		countWait(&c.botsWait, e)
	default:
		c.series.failed(e.At, n)
		countWait(&c.failedWait, e)
	}
}

// countWait counts the wait of a search that ended without a match, once per player. A search
// that began in the warm-up period does not count.
func countWait(h *histogram.Histogram, e *sim.Ended) {
	if e.Began >= 0 {
		h.AddN(uint64(e.At.Sub(e.Began)), uint32(len(e.Players)))
	}
}

// Sampled keeps a census that was taken on a whole minute.
func (c *Collector) Sampled(census *sim.Census) {
	c.series.sampled(census)
	if c.placements != nil {
		c.placements.sampled(census)
	}
}

// Matched counts a match, or players who join a running match.
func (c *Collector) Matched(m *sim.Match) {
	c.series.matched(m)
	c.lapse.matched(m, c.spots)
	datacenter, queue := &c.datacenters[m.Datacenter], &c.queues[m.Queue]
	oldest := 0
	for i := range m.Players {
		p := &m.Players[i]
		if p.Began < m.Players[oldest].Began {
			oldest = i
		}
		queue.add(p, m.At)
		c.matched(p, datacenter, queue, m.At)
	}
	if !m.Backfill {
		datacenter.matches++
		oldestPlayer := &m.Players[oldest]
		c.hours[hourOf(oldestPlayer.Began)].matches++
		c.sizes[oldestPlayer.PartySize].matches++
		c.continents[c.spots[oldestPlayer.Place].Continent].matches++
	}
	queue.matches.matched(m, c.setup.Queues[m.Queue].MatchSize, c.series.at(m.At))
	for _, a := range c.attributes {
		a.matched(m, oldest)
	}
	if !m.Backfill {
		for _, o := range c.overlaps {
			o.matched(m)
		}
	}
	if rules := c.rules[m.Queue]; rules != nil {
		rules.matched(m)
	}
	if c.life != nil {
		c.life.matched(m, c.setup.Queues[m.Queue].Refills, sim.Instant(c.setup.Duration))
	}
	c.events.matched(m)
}

// matched counts one player of a match in all groups. What a summary has of the run and of each
// queue is counted in searchTally.add instead.
func (c *Collector) matched(p *sim.Matched, datacenter *tally, queue *queueTally, at sim.Instant) {
	spot := c.spots[p.Place]
	hourOfDay := hourOf(p.Began)
	continent, hour, both := &c.continents[spot.Continent], &c.hours[hourOfDay], &c.regionHours[spot.Continent][hourOfDay]
	state, cell := &c.states[p.State], &queue.cells[spot.Cell]

	rtt := uint64(p.RTT)
	datacenter.rtt.Add(rtt)
	continent.rtt.Add(rtt)
	hour.rtt.Add(rtt)
	if p.PartySize > 1 {
		c.sizes[p.PartySize].rtt.Add(rtt)
	}
	both.addRTT(rtt)
	state.addRTT(rtt)
	cell.addRTT(rtt)
	if c.setup.Jitter {
		c.estimate.Add(uint64(p.Estimate))
	}
	if c.setup.OverAll {
		c.overAll += uint64(p.Estimate - p.BestOfAll)
	}

	if p.Began < 0 { // the search began in the warm-up period, so its wait does not count
		return
	}
	wait := uint64(at.Sub(p.Began))
	datacenter.wait.Add(wait)
	continent.wait.Add(wait)
	hour.wait.Add(wait)
	if p.PartySize > 1 {
		c.sizes[p.PartySize].wait.Add(wait)
	}
	both.addWait(wait)
	state.addWait(wait)
	cell.addWait(wait)
}

// Placed counts a player who is placed on a server.
func (c *Collector) Placed(placed *sim.Placed) {
	p := c.placements
	window := &p.windows[placed.At/(result.WindowLength*sim.Instant(sim.Second))]
	p.placed++
	window.Placed++
	if placed.Opened {
		p.opening++
		window.Opened++
	}
	for i, value := range placed.Measures {
		kind := p.servers.Measures[i].Kind
		switch {
		case kind == setup.OfFriend:
			p.preferred += int(value)
			window.Preferred += int(value)
		case !math.IsNaN(value) && (kind == setup.OfPing || !placed.Opened):
			p.metrics[i].Add(value)
		}
	}
	if !placed.Opened {
		p.decision(placed)
	}
}
