package accelbyte

import (
	"fmt"
	"math"

	"mmsim/matcher"
)

// Defaults of region_expansion_range_ms and region_expansion_rate_ms, which also replace a value of 0.
const (
	rangeDefaultMS = 50
	rateDefaultMS  = 5000
)

// region reads up to which latency a ticket accepts regions: up to a range that starts at
// region_latency_initial_range_ms and grows by region_expansion_range_ms after every
// region_expansion_rate_ms of the ticket's wait. In the service, the range is relative: it is added
// to the latency of the ticket's nearest region. In the documentation, it is relative only without
// an initial range: an absolute range would then start at 0 ms and contain no region.
func (c *compiler) region(o *object) {
	read := func(key string) float64 {
		n, _ := o.whole(key, 0)
		return float64(n)
	}
	initial, most := read("region_latency_initial_range_ms"), read("region_latency_max_ms")
	step, rate := read("region_expansion_range_ms"), read("region_expansion_rate_ms")
	if v, ok := o.get("region_latency_max_ms"); initial > most {
		expected := fmt.Sprintf("at least region_latency_initial_range_ms, which is %g", initial)
		if ok {
			o.misfit(v, "region_latency_max_ms", expected)
		} else {
			o.Missing("region_latency_max_ms", expected)
		}
	}
	if step == 0 {
		step = rangeDefaultMS
	}
	if rate == 0 {
		rate = rateDefaultMS
	}
	if most == 0 {
		most = math.Inf(1)
	}
	v, ok := o.get("region_latency_rule_weight")
	c.pivot.Region = matcher.PivotRegion{
		Name:          "region latency",
		ReachMS:       matcher.Linear(initial, step, math.Inf(1), int64(rate)),
		Relative:      initial == 0 || c.followsService(),
		MaxMS:         most,
		Weight:        o.number(v, ok, "region_latency_rule_weight", 1, weightMax),
		OneWayAfterMS: c.oneWay(o),
	}
}

// oneWay reads the wait of a pivot from which the ranges of candidates no longer count. The
// documentation allows "0 or negative" for never.
func (c *compiler) oneWay(o *object) int64 {
	const key = "disable_bidirectional_latency_after_ms"
	least := -numberMax
	if c.followsService() {
		least = 0
	}
	if n, ok := o.whole(key, least); ok && n > 0 {
		return int64(n)
	}
	return matcher.Never
}
