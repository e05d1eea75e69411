package judge_test

import (
	"slices"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// The front consists of the points that no other point beats. Here these are the point with the
// lowest wait and, among the points with the lowest RTT, the one with the lowest wait.
func TestFront(t *testing.T) {
	s := resulttest.Grid([]string{"20ms", "30ms"}, []string{"2", "4"}, 3)
	if front := s.Table().Front(0, 1); !slices.Equal(front, []int{0, 2}) {
		t.Errorf("got front %v, want points 0 and 2", front)
	}
	s = &judge.Sweep{Settings: s.Settings, Metrics: []string{"rtt_ms.share_le_50", "wait_s.mean"}, Points: s.Points} // the first is better when it is higher, and is equal everywhere
	if front := s.Table().Front(0, 1); !slices.Equal(front, []int{0}) {
		t.Errorf("got front %v, want point 0", front)
	}
}

// If the interval of a difference includes 0, neither point is better. The waits of the second
// point are lower on average, but not in every run.
func TestFrontGoesByIntervals(t *testing.T) {
	point := func(value string, rtt outcome.Millis, waits ...outcome.Seconds) judge.SweepPoint {
		return judge.SweepPoint{Values: []string{value}, Runs: resulttest.Sample("", 1, len(waits), func(run int, s *outcome.Summary) {
			s.Wait.Count, s.Wait.Mean, s.RTT.Count, s.RTT.Mean = 10, waits[run], 10, rtt
		}).Runs}
	}
	s := &judge.Sweep{Settings: []string{"x"}, Metrics: []string{"wait_s.mean", "ccu.peak", "rtt_ms.mean"}}
	s.Points = []judge.SweepPoint{point("a", 50, 10, 12, 14), point("b", 60, 9, 13, 13)}
	table := s.Table()
	x, y, ok := table.TradeOff()
	if x != 0 || y != 2 || !ok {
		t.Fatalf("TradeOff: got metrics %d and %d, %t, want 0 and 2, the two with a direction", x, y, ok)
	}
	if front := table.Front(x, y); !slices.Equal(front, []int{0}) {
		t.Errorf("got front %v, want point 0, because its RTT is lower and no difference of waits is shown", front)
	}
	s = &judge.Sweep{Settings: s.Settings, Metrics: s.Metrics, Points: []judge.SweepPoint{s.Points[0], point("b", 60, 9, 11, 13)}} // one second less in every run
	if front := s.Table().Front(x, y); !slices.Equal(front, []int{0, 1}) {
		t.Errorf("got front %v, want both points", front)
	}
	s = &judge.Sweep{Settings: s.Settings, Metrics: []string{"ccu.peak", "wait_s.mean"}, Points: s.Points} // only the second has a direction
	if _, _, ok := s.Table().TradeOff(); ok {
		t.Error("TradeOff: got true with only one metric that has a direction, want false")
	}
}

// With several queues, the headline has the RTTs and spreads of each queue, but not over all
// queues.
func TestHeadlineOfQueues(t *testing.T) {
	sample := func(name string, times outcome.Millis) *judge.Sample {
		return resulttest.Sample(name, 1, 2, func(_ int, s *outcome.Summary) {
			*s = resulttest.Queues().Summary
			s.RTT.Mean *= times
			s.Queues[0].RTT.Mean *= times
		})
	}
	var names []string
	for _, d := range judge.Headlines(judge.Compare(sample("a", 1), sample("b", 2), nil)) {
		names = append(names, d.Name)
		if judge.Pooled(d.Name) {
			t.Errorf("the headline contains %s, which is over all queues", d.Name)
		}
	}
	for _, want := range []string{"queues.ranked.rtt_ms.mean", "queues.ranked.wait_first_s.mean", "queues.ranked.attributes.mmr.spread_mean"} {
		if !slices.Contains(names, want) {
			t.Errorf("the headline does not contain %s: %v", want, names)
		}
	}
}
