package flexmatch

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

type latency struct {
	matcher.Latency
	source
}

func (r *latency) language() matcher.SeatRule { return &r.Latency }

func (c *compiler) readLatency(o *jsontree.Object, common matcher.SeatCommon) rule {
	r := &latency{Latency: matcher.Latency{SeatCommon: common}, source: source{o.Value}}
	r.Party = c.party(o, matcher.PartyAvg, matcher.PartyMin, matcher.PartyMax)
	r.Max, r.MaxDistance = c.numbers(o, "maxLatency", distances), c.numbers(o, "maxDistance", distances)
	if r.Max == nil && r.MaxDistance == nil {
		o.Missing("maxLatency", distances.String())
	}
	if r.MaxDistance != nil {
		r.FromAvg = oneOf(o, "distanceReference", "", "min", "avg") == "avg"
	} else if v, given := o.Get("distanceReference"); given {
		o.Warnf(v, "distanceReference", "ignored, because it has no effect without maxDistance")
	}
	return r
}

func (r *latency) property(name string) *property {
	switch {
	case name == "maxLatency":
		return replacing(&r.Max, distances)
	case name == "maxDistance" && r.MaxDistance != nil:
		return replacing(&r.MaxDistance, distances)
	}
	return nil
}
