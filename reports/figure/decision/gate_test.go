package decision

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
)

// A row has distances in shares of the limit, above 0 beyond it, for every kind of limit.
func TestDistances(t *testing.T) {
	none := judge.Optional(math.NaN())
	for _, test := range []struct {
		limit            judge.LimitResult
		value, low, high float64
	}{
		{judge.LimitResult{Kind: judge.LimitMax, Bound: 4, Value: 5, Low: 3, High: 7}, 0.25, -0.25, 0.75},
		{judge.LimitResult{Kind: judge.LimitMin, Bound: 4, Value: 5, Low: 3, High: 7}, -0.25, -0.75, 0.25},
		{judge.LimitResult{Kind: judge.LimitMaxIncrease, Bound: 2, Value: 12, Baseline: 9, Difference: 3, Low: 1, High: 5}, 0.5, -0.5, 1.5},
		{judge.LimitResult{Kind: judge.LimitMaxIncrease, Bound: 0.5, Relative: true, Value: 7, Baseline: 4, Difference: 3, Low: 1, High: 5}, 0.5, -0.5, 1.5},
		{judge.LimitResult{Kind: judge.LimitMaxDecrease, Bound: 2, Value: 6, Baseline: 9, Difference: -3, Low: -5, High: -1}, 0.5, -0.5, 1.5},
		{judge.LimitResult{Kind: judge.LimitMax, Bound: 0, Value: 2, Low: 0, High: 4}, 0.5, 0, 1},
		{judge.LimitResult{Kind: judge.LimitMax, Bound: 0, Value: 0, Low: none, High: none}, 0, math.NaN(), math.NaN()},
	} {
		r := distanceOf(&test.limit)
		for i, pair := range [][2]float64{{r.value, test.value}, {r.low, test.low}, {r.high, test.high}} {
			if pair[0] != pair[1] && !(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Errorf("%+v: got %v for number %d of value, low and high, want %v", test.limit, pair[0], i, pair[1])
			}
		}
	}
}

// The title names the metric that is farthest beyond its limit, or closest to it. A gate of one
// limit, or without anything measured, has no picture of one number.
func TestGate(t *testing.T) {
	s := resulttest.Sample("s", 1, 4, func(run int, s *outcome.Summary) { s.Wait.Mean = outcome.Seconds(4 + run) })
	limit := func(name string, kind judge.LimitKind, bound float64) judge.Limit {
		return judge.Limit{Name: name, Pattern: name, Kind: kind, Bound: judge.Optional(bound)}
	}
	wait := limit("wait_s.mean", judge.LimitMax, 1)
	if plots := Gate(judge.CheckGate(s, nil, []judge.Limit{wait})); len(plots) != 0 {
		t.Errorf("one limit: got %d pictures, want none", len(plots))
	}
	limits := []judge.Limit{limit("rtt_ms.mean", judge.LimitMax, 40), wait, limit("failed_wait_s.mean", judge.LimitMax, 3), limit("rtt_ms.share_le_50", judge.LimitMin, 0.8)}
	plots := Gate(judge.CheckGate(s, nil, limits))
	if len(plots) != 1 || plots[0].Title != "The gate is broken: 1 limit held, 3 broken; "+phrase.Metric("wait_s.mean")+" is 5.500 s, at most 1 s" {
		t.Fatalf("got %+v, want a picture whose title names wait_s.mean, 5.5 s of 1 s", plots)
	}
	limits[0].Bound, limits[1].Bound = 50, 100
	unmeasured := limits[2]
	limits[2] = limit("rtt_ms.p90", judge.LimitMax, 200)
	held := Gate(judge.CheckGate(s, nil, limits))
	if !strings.HasSuffix(held[0].Title, "; closest to its limit: "+phrase.Metric("rtt_ms.mean")+", 48.80 ms (at most 50 ms)") {
		t.Errorf("got title %q, want rtt_ms.mean, 48.8 ms of 50 ms", held[0].Title)
	}
	limits[2] = unmeasured
	for hour := range 10 {
		limits = append(limits, judge.Limit{Name: fmt.Sprintf("by_hour.%d.wait_mean_s", hour), Pattern: "by_hour.*.wait_mean_s", Kind: judge.LimitMax, Bound: 0.01, Among: 10})
	}
	rows := limitRows(judge.CheckGate(s, nil, limits))
	if len(rows) != 4+limitRowsMax {
		t.Errorf("four limits, and ten broken ones of a star: got %d rows, want %d", len(rows), 4+limitRowsMax)
	}
	plots = append(plots, Gate(judge.CheckGate(s, nil, limits))...)
	for _, p := range append(plots, held...) {
		for _, fault := range resulttest.TextFaults(&p) {
			t.Error(fault)
		}
	}
}
