package accelbyte

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Defaults of region_expansion_range_ms and region_expansion_rate_ms. A value of 0 also means the
// default.
const (
	rangeDefaultMS = 50
	rateDefaultMS  = 5000
)

// region reads the range of latencies that a ticket accepts. The range starts at
// region_latency_initial_range_ms. While the ticket waits, it grows by region_expansion_range_ms
// every region_expansion_rate_ms. In the service, the range is relative: it is added to the latency
// of the ticket's nearest region. In the documentation, it is relative only if there is no initial
// range, because an absolute range would then start at 0 ms and contain no region.
func (c *compiler) region(o *jsontree.Object) {
	read := func(key string) float64 { return o.NumberOr(key, 0, wholeFrom(0)) }
	initial, most := read("region_latency_initial_range_ms"), read("region_latency_max_ms")
	step, rate := read("region_expansion_range_ms"), read("region_expansion_rate_ms")
	if v, ok := o.Get("region_latency_max_ms"); initial > most {
		expected := fmt.Sprintf("at least region_latency_initial_range_ms, which is %g", initial)
		if ok {
			o.Misfit(v, "region_latency_max_ms", expected)
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
	c.pivot.Region = matcher.PivotRegion{
		Name:          "region latency",
		ReachMS:       matcher.Linear(initial, step, math.Inf(1), int64(rate)),
		Relative:      initial == 0 || c.followsService(),
		MaxMS:         most,
		Weight:        o.NumberOr("region_latency_rule_weight", 1, upTo(weightMax)),
		OneWayAfterMS: c.oneWay(o),
	}
}

// oneWay reads the wait after which a pivot ignores the ranges of candidates. It returns
// matcher.Never for 0 and, if rules follow the documentation, for negative values.
func (c *compiler) oneWay(o *jsontree.Object) int64 {
	const key = "disable_bidirectional_latency_after_ms"
	least := -float64(numberMax)
	if c.followsService() {
		least = 0
	}
	if n := o.NumberOr(key, 0, wholeFrom(least)); n > 0 {
		return int64(n)
	}
	return matcher.Never
}
