package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// waitStats returns the statistics of waits, which h counts in ms.
func waitStats(h *histogram.Histogram) outcome.WaitStats {
	count, _ := h.Total()
	p := h.Percentiles(50, 90, 95, 99)
	return outcome.WaitStats{
		Count:     outcome.Count(count),
		Mean:      waitSeconds(h.Mean()),
		SD:        waitSeconds(h.SD()),
		P50:       waitSeconds(float64(p[0])),
		P90:       waitSeconds(float64(p[1])),
		P95:       waitSeconds(float64(p[2])),
		P99:       waitSeconds(float64(p[3])),
		Max:       waitSeconds(float64(h.Max())),
		ShareZero: outcome.ShareOf(h.AtMost(0), count),
	}
}

// rttStats returns the statistics of RTTs, which h counts in 1/16 ms.
func rttStats(h *histogram.Histogram, ideal, expand sim.RTT) outcome.RTTStats {
	count, _ := h.Total()
	p := h.Percentiles(50, 90, 95, 99)
	return outcome.RTTStats{
		Count:         outcome.Count(count),
		Mean:          rttMillis(h.Mean()),
		SD:            rttMillis(h.SD()),
		P50:           rttMillis(float64(p[0])),
		P90:           rttMillis(float64(p[1])),
		P95:           rttMillis(float64(p[2])),
		P99:           rttMillis(float64(p[3])),
		Max:           rttMillis(float64(h.Max())),
		ShareLE50:     outcome.ShareOf(h.AtMost(50*sim.RTTUnit), count),
		ShareLE100:    outcome.ShareOf(h.AtMost(100*sim.RTTUnit), count),
		ShareLEIdeal:  outcome.ShareOf(h.AtMost(uint64(ideal)), count),
		ShareLEExpand: outcome.ShareOf(h.AtMost(uint64(expand)), count),
	}
}

// deltaStats returns the statistics of RTT differences, which h counts in 1/16 ms.
func deltaStats(h *histogram.Histogram) outcome.DeltaStats {
	p := h.Percentiles(50, 90, 95, 99)
	return outcome.DeltaStats{
		Mean: rttMillis(h.Mean()),
		P50:  rttMillis(float64(p[0])),
		P90:  rttMillis(float64(p[1])),
		P95:  rttMillis(float64(p[2])),
		P99:  rttMillis(float64(p[3])),
	}
}

// p95 returns the 95th percentile, or NaN if nothing was counted. value returns the number that a key of
// the histogram stands for.
func p95[T ~float64](h *histogram.Histogram, value func(key uint64) uint64, in func(float64) T) T {
	if h.Count() == 0 {
		return T(math.NaN())
	}
	return in(float64(value(h.Percentiles(95)[0])))
}

// exact is the value of a histogram that counts each number by itself.
func exact(key uint64) uint64 { return key }

// waitSeconds converts ms to seconds.
func waitSeconds(ms float64) outcome.Seconds { return outcome.RoundSeconds(ms / float64(sim.Second)) }

// rttMillis converts 1/16 ms to ms.
func rttMillis(units float64) outcome.Millis { return outcome.RoundMillis(units / sim.RTTUnit) }
