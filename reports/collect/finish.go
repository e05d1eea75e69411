package collect

import (
	"math"
	"slices"
	"strconv"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Header has the facts about a run that its result contains but the Collector does not count. Finish
// completes Run.
type Header struct {
	Run      outcome.Run
	Complete bool // false if the run was interrupted
	Warnings []string
	Latency  outcome.Latency
}

// Finish returns the result of the run. The Collector cannot be used afterwards.
func (c *Collector) Finish(t sim.Totals, h Header) *result.Result {
	all := c.allQueues()
	c.addRemainder(&all.searchTally)
	regionHours := c.addRegionHours()
	minutes, windows := c.series.finish(t.Reached)
	c.lapse.finish(t.Reached)
	r := &result.Result{
		Summary:       c.summary(&t, &h, all),
		Series:        minutes,
		Windows:       windows,
		Distributions: c.distributions(all),
		Map:           c.mapOf(all.cells),
		QueueMaps:     c.queueMaps(),
		RegionHours:   regionHours,
		Spreads:       c.spreadBins(),
		Timelapse:     c.frames,
	}
	for i := range c.queues {
		t, q, name := &c.queues[i], &c.setup.Queues[i], ""
		if len(c.queues) > 1 {
			name = q.Name
		}
		r.Steps = append(r.Steps, stepRows(name, q.Steps, &t.searchTally[result.MeasureWaitFirst], t.firstIn[:])...)
	}
	if c.placements != nil {
		r.Summary.Servers, r.Servers = c.placements.finish(&t)
		r.Summary.Matches.Fill = r.Summary.Servers.OccupancyMean // a server counts as a match
	}
	r.Summary.MarkUnmeasured()
	return r
}

// addRemainder sets the waits and RTTs of players without a party to the total minus those of players
// in parties. Players without a party are the largest group, so not counting them saves time.
func (c *Collector) addRemainder(all *searchTally) {
	var together tally
	for i := range c.sizes {
		together.wait.Merge(&c.sizes[i].wait)
		together.rtt.Merge(&c.sizes[i].rtt)
	}
	alone := c.size(1)
	alone.wait, alone.rtt = all[result.MeasureWait].Without(&together.wait), all[result.MeasureRTT].Without(&together.rtt)
}

func (c *Collector) summary(t *sim.Totals, h *Header, all *queueTally) outcome.Summary {
	ideal, expand, counted := c.setup.Ideal, c.setup.Expand, &all.searchTally
	s := outcome.Summary{
		Schema:            outcome.Schema,
		Complete:          h.Complete,
		Run:               c.run(t, h.Run),
		Warnings:          append([]string{}, h.Warnings...),
		Players:           c.players(t, all),
		Wait:              waitStats(&counted[result.MeasureWait]),
		WaitFirst:         waitStats(&counted[result.MeasureWaitFirst]),
		WaitRepeat:        waitStats(&counted[result.MeasureWaitRepeat]),
		FailedWait:        waitStats(&c.failedWait),
		BotsWait:          waitStats(&c.botsWait),
		RTT:               rttStats(&counted[result.MeasureRTT], ideal, expand),
		DeltaRTT:          deltaStats(&counted[result.MeasureDeltaRTT]),
		Latency:           h.Latency,
		Thresholds:        outcome.Thresholds{Ideal: rttMillis(float64(ideal)), Expand: rttMillis(float64(expand))},
		Limits:            c.limits(counted),
		Matches:           all.matches.matches(all.matched()),
		CCU:               ccu(t),
		States:            c.stateStats(all.matched()),
		Common:            c.common(all),
		ByDatacenter:      c.byDatacenter(),
		ByContinent:       groups(c.continents, func(i int) string { return c.setup.Continents[i] }),
		ByHour:            c.byHour(),
		ByPartySize:       groups(c.sizes, strconv.Itoa),
		ByAttributeDecile: outcome.Deciles{},
		Queues:            c.queueList(t),
		Acceptance:        acceptance(c.setup.Queues, t, 0, len(c.queues)),
	}
	if c.events != nil {
		s.Events = c.events.result(t)
	}
	if c.life != nil {
		s.Life = c.life.result(slices.ContainsFunc(c.setup.Queues, func(q setup.Queue) bool { return q.Refills }))
	}
	if c.setup.Jitter {
		s.RTTEstimate = new(rttStats(&c.estimate, ideal, expand))
	}
	if c.setup.OverAll {
		s.RTTOverAll = &outcome.OverAll{Mean: rttMillis(float64(c.overAll) / float64(s.RTT.Count))}
	}
	for _, a := range c.attributes {
		s.ByAttributeDecile = append(s.ByAttributeDecile, a.deciles())
	}
	s.Limits.SetUnmatched(s.ByHour)
	if len(c.queues) == 1 {
		s.Matchmaking = c.matchmaking(0, t)
	}
	return s
}

// limits returns the limits of the setup with the share of players in each class of waits and RTTs;
// outcome.Limits.SetUnmatched adds those of unmatched searches.
func (c *Collector) limits(counted *searchTally) *outcome.Limits {
	if c.setup.Limits == nil {
		return nil
	}
	l := *c.setup.Limits
	classes := func(h *histogram.Histogram, good, fair float64) outcome.Classes {
		all, _ := h.Total()
		return outcome.ClassesOf(h.AtMost(uint64(math.Round(good))), h.AtMost(uint64(math.Round(fair))), all)
	}
	if l.Wait != nil {
		w := *l.Wait
		w.Classes = classes(&counted[result.MeasureWaitFirst], float64(w.Good)*float64(sim.Second), float64(w.Fair)*float64(sim.Second))
		l.Wait = &w
	}
	if l.RTT != nil {
		r := *l.RTT
		r.Classes = classes(&counted[result.MeasureRTT], float64(r.Good)*sim.RTTUnit, float64(r.Fair)*sim.RTTUnit)
		l.RTT = &r
	}
	return &l
}

// run completes the identity of the run.
func (c *Collector) run(t *sim.Totals, run outcome.Run) outcome.Run {
	run.TimeZone, run.UTCOffset = c.setup.TimeZone, outcome.RoundSeconds(c.setup.UTCOffset.Seconds())
	run.Duration, run.Reached = outcome.RoundSeconds(c.setup.Duration.Seconds()), outcome.RoundSeconds(t.Reached.Seconds())
	run.Production = c.setup.Production
	return run
}

func (c *Collector) players(t *sim.Totals, all *queueTally) outcome.Players {
	p := outcome.Players{
		Matched:          all.matched(),
		Losses:           all.losses(slices.ContainsFunc(c.setup.Queues, func(q setup.Queue) bool { return q.Asks }), c.setup.Patience, c.setup.Maintenance, c.setup.Production),
		TurnedAway:       countIf(c.setup.Maintenance, t.TurnedAway),
		SearchingAtStart: outcome.Count(t.SearchingAtStart),
		SearchingAtEnd:   outcome.Count(t.SearchingAtEnd),
	}
	for i := range c.series.minutes {
		p.Joins += outcome.Count(c.series.minutes[i].Joins)
		p.Returns += outcome.Count(c.series.minutes[i].Returns)
	}
	p.Entries = p.Joins + p.Returns
	outcome.SetEnds(&p)
	return p
}

func ccu(t *sim.Totals) outcome.CCU {
	mean := func(playerTime int64) outcome.Average {
		return outcome.RoundAverage(outcome.Ratio(float64(playerTime), float64(t.Reached)))
	}
	return outcome.CCU{
		Peak:          outcome.Count(t.CCU.Value),
		PeakAt:        outcome.RoundSeconds(t.CCU.At.Seconds()),
		Mean:          mean(t.PlayingTime + t.BetweenTime + t.SearchingTime),
		PlayingMean:   mean(t.PlayingTime),
		BetweenMean:   mean(t.BetweenTime),
		SearchingMean: mean(t.SearchingTime),
		BotsMean:      mean(t.BotsTime),
	}
}

func (c *Collector) stateStats(all outcome.Count) outcome.States {
	of := func(state sim.State) outcome.StateStats {
		s := &c.states[state]
		return outcome.StateStats{
			Matched:  outcome.Count(s.matched),
			Share:    outcome.ShareOf(outcome.Count(s.matched), all),
			WaitMean: s.waitMean(),
			RTTMean:  s.rttMean(),
		}
	}
	return outcome.States{Ideal: of(sim.StateIdeal), Expand: of(sim.StateExpand), WarmBody: of(sim.StateWarmBody)}
}

func (c *Collector) byDatacenter() outcome.Datacenters {
	groups := make(outcome.Datacenters, 0, len(c.datacenters))
	for i, datacenter := range c.setup.Datacenters {
		if datacenter.Unused {
			continue
		}
		groups = append(groups, outcome.Datacenter{
			Name:      datacenter.Name,
			Latitude:  outcome.RoundDegrees(datacenter.Latitude),
			Longitude: outcome.RoundDegrees(datacenter.Longitude),
			Served:    c.datacenters[i].served(),
		})
	}
	return groups
}

// groups returns the groups in which anything was counted.
func groups(tallies []tally, name func(i int) string) outcome.Groups {
	list := outcome.Groups{}
	for i := range tallies {
		if t := &tallies[i]; t.used() {
			list = append(list, t.group(name(i)))
		}
	}
	return list
}

func (c *Collector) byHour() []outcome.Group {
	groups := make([]outcome.Group, len(c.hours))
	for i := range c.hours {
		groups[i] = c.hours[i].group("")
	}
	return groups
}

// mapOf returns the map cells that have matched players. counted has the sums of all cells.
func (c *Collector) mapOf(counted []sums) []result.Cell {
	var cells []result.Cell
	for i := range c.cells {
		if t := &counted[i]; t.matched > 0 {
			cells = append(cells, result.Cell{
				Latitude:  c.cells[i].Row - 90,
				Longitude: c.cells[i].Column - 180,
				Players:   t.matched,
				RTTMean:   t.rttMean(),
				WaitMean:  t.waitMean(),
			})
		}
	}
	return cells
}
