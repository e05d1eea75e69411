package reports

import "mmsim/sim"

// waitStats describes waits counted in ms.
func waitStats(h *histogram) WaitStats {
	count, _ := h.total()
	p := h.percentiles(50, 90, 95, 99)
	return WaitStats{
		Count:     Count(count),
		Mean:      waitSeconds(h.mean()),
		SD:        waitSeconds(h.sd()),
		P50:       waitSeconds(float64(p[0])),
		P90:       waitSeconds(float64(p[1])),
		P95:       waitSeconds(float64(p[2])),
		P99:       waitSeconds(float64(p[3])),
		Max:       waitSeconds(float64(h.max())),
		ShareZero: ShareOf(h.atMost(0), count),
	}
}

// rttStats describes RTTs counted in 1/16 ms.
func rttStats(h *histogram, ideal, expand sim.RTT) RTTStats {
	count, _ := h.total()
	p := h.percentiles(50, 90, 95, 99)
	return RTTStats{
		Count:         Count(count),
		Mean:          rttMillis(h.mean()),
		SD:            rttMillis(h.sd()),
		P50:           rttMillis(float64(p[0])),
		P90:           rttMillis(float64(p[1])),
		P95:           rttMillis(float64(p[2])),
		P99:           rttMillis(float64(p[3])),
		Max:           rttMillis(float64(h.max())),
		ShareLE50:     ShareOf(h.atMost(50*sim.RTTUnit), count),
		ShareLE100:    ShareOf(h.atMost(100*sim.RTTUnit), count),
		ShareLEIdeal:  ShareOf(h.atMost(uint64(ideal)), count),
		ShareLEExpand: ShareOf(h.atMost(uint64(expand)), count),
	}
}

// deltaStats describes differences of RTTs counted in 1/16 ms.
func deltaStats(h *histogram) DeltaStats {
	p := h.percentiles(50, 90, 95, 99)
	return DeltaStats{
		Mean: rttMillis(h.mean()),
		P50:  rttMillis(float64(p[0])),
		P90:  rttMillis(float64(p[1])),
		P95:  rttMillis(float64(p[2])),
		P99:  rttMillis(float64(p[3])),
	}
}

// waitSeconds turns a number of ms into seconds.
func waitSeconds(ms float64) Seconds { return seconds(ms / float64(sim.Second)) }

// rttMillis turns a number of 1/16 ms into ms.
func rttMillis(units float64) Millis { return millis(units / sim.RTTUnit) }

// ShareOf is the share that count has of all, 0 of nothing.
func ShareOf[N int | uint64 | Count](count, all N) Share {
	return share(ratio(float64(count), float64(all)))
}
