package reports

import (
	"math"
	"reflect"
	"slices"
)

// withGaps returns a copy of a summary in which statistics of nobody, 0 in a file,
// are NaN, so that a mean over several runs can tell "nobody" from "at once".
func (s *Summary) withGaps() *Summary {
	c := *s
	for _, w := range []*WaitStats{&c.Wait, &c.WaitFirst, &c.WaitRepeat, &c.FailedWait, &c.BotsWait} {
		gapUnless(w.Count > 0, w)
	}
	gapUnless(c.RTT.Count > 0, &c.RTT, &c.DeltaRTT)
	if c.RTTEstimate != nil {
		estimate := *c.RTTEstimate
		gapUnless(estimate.Count > 0, &estimate)
		c.RTTEstimate = &estimate
	}
	gapUnless(c.Matches.Count > 0, &c.Matches.Fill)
	// A share of 0 may be one of nobody; any other one is somebody's.
	gapUnless(c.WaitRepeat.Count > 0 || c.Matches.RepeatShare > 0, &c.Matches.RepeatShare)
	for _, state := range []*StateStats{&c.States.Ideal, &c.States.Expand, &c.States.WarmBody} {
		gapUnless(c.Players.Matched > 0, &state.Share)
		gapUnless(state.Matched > 0, &state.WaitMean, &state.RTTMean)
	}
	if c.Servers != nil {
		c.Servers = c.Servers.withGaps()
	}
	c.Attributes, c.Overlaps = c.Attributes.gaps(), c.Overlaps.gaps()
	c.Rules, c.QueueStatistics = c.Rules.withGaps(), c.QueueStatistics.withGaps()
	c.ByDatacenter = edited(c.ByDatacenter, func(d *Datacenter) { d.Served.gaps() })
	c.ByContinent, c.ByHour, c.ByPartySize = groupGaps(c.ByContinent), groupGaps(c.ByHour), groupGaps(c.ByPartySize)
	c.Queues = c.Queues.gaps()
	c.ByAttributeDecile = edited(c.ByAttributeDecile, func(a *AttributeDeciles) {
		a.Deciles = edited(a.Deciles, func(d *Decile) { gapUnless(d.Players > 0, &d.Served, &d.SpreadMean) })
	})
	return &c
}

func (s *Servers) withGaps() *Servers {
	c := *s
	gapUnless(c.Peak > 0, &c.OccupancyMean)
	gapUnless(c.Placed > 0, &c.PreferredMatch)
	gapUnless(c.Placed > c.Opening, &c.ScoreMean)
	gapUnless(c.Contest > 0, &c.MarginMean, &c.ByScore, &c.ByAge, &c.BySequence)
	c.Metrics = edited(c.Metrics, func(m *PlacementStat) { gapUnless(m.Count > 0, m) })
	c.Signals = edited(c.Signals, func(g *PlacementSignal) {
		gapUnless(c.Placed > c.Opening, &g.Contribution)
		gapUnless(c.Contest > 0, &g.Advantage, &g.Decided)
	})
	return &c
}

func (list Attributes) gaps() Attributes {
	return edited(list, func(a *Attribute) { gapUnless(a.Matches > 0, a) })
}

func (list Overlaps) gaps() Overlaps {
	return edited(list, func(o *Overlap) { gapUnless(o.Matches > 0, o) })
}

func (r *Rules) withGaps() *Rules {
	if r == nil {
		return nil
	}
	c := *r
	gapUnless(c.Matches > 0, &c.ShareRelaxed, &c.FillAtStart)
	c.Relaxation = edited(c.Relaxation, func(rule *Relaxation) { gapUnless(c.Matches > 0, &rule.ShareRelaxed) })
	c.ByHour = edited(c.ByHour, func(h *RulesHour) { gapUnless(h.Matches > 0, h) })
	e := &c.Expiry
	gapUnless(e.Explained > 0, &e.TooLarge, &e.TooFew, &e.Group)
	gapUnless(e.Pairs.Count > 0, &e.Pairs.TooLarge, &e.Pairs.MayMeet)
	return &c
}

func (q *QueueStatistics) withGaps() *QueueStatistics {
	if q == nil {
		return nil
	}
	c := *q
	gapUnless(c.TimeToMatch.Tickets > 0, &c.TimeToMatch)
	gapUnless(c.WholeRun.Tickets > 0, &c.WholeRun)
	return &c
}

func groupGaps(groups []Group) []Group { return edited(groups, func(g *Group) { g.Served.gaps() }) }

func (s *Served) gaps() { gapUnless(s.Players > 0, s) }

// edited returns a copy of a list in which every item was changed.
func edited[S ~[]E, E any](list S, change func(item *E)) S {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// gapUnless makes every number behind the pointers NaN, counts excepted, unless
// there is somebody they describe.
func gapUnless(somebody bool, statistics ...any) {
	if somebody {
		return
	}
	for _, s := range statistics {
		gap(reflect.ValueOf(s).Elem())
	}
}

func gap(statistic reflect.Value) {
	switch {
	case statistic.Kind() == reflect.Struct:
		for _, field := range statistic.Fields() {
			gap(field)
		}
	case statistic.Kind() == reflect.Float64 && statistic.Type() != reflect.TypeFor[Count]():
		statistic.SetFloat(math.NaN())
	}
}
