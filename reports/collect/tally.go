package collect

import (
	"math"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// tally counts one group of players. The histograms also serve as the counts of matched players:
// rtt has every matched player, and wait has those whose search began inside the measured window.
type tally struct {
	wait, rtt        histogram.Histogram
	matches, entries int
	unmatched
}

// served returns the statistics of the matched players.
func (t *tally) served() outcome.Served {
	exact := func(key uint64) uint64 { return key }
	return served(int(t.rtt.Count()), t.matches, waitSeconds(t.wait.Mean()), rttMillis(t.rtt.Mean()), &t.wait, &t.rtt, exact)
}

// served returns the statistics of matched players. value returns the number that a key of the histograms
// of their waits and RTTs stands for.
func served(players, matches int, waitMean outcome.Seconds, rttMean outcome.Millis, wait, rtt *histogram.Histogram, value func(key uint64) uint64) outcome.Served {
	return outcome.Served{
		Players:  outcome.Count(players),
		Matches:  outcome.Count(matches),
		WaitMean: waitMean,
		WaitP95:  p95(wait, value, waitSeconds),
		RTTMean:  rttMean,
		RTTP95:   p95(rtt, value, rttMillis),
	}
}

func (t *tally) group(name string) outcome.Group {
	return t.unmatched.group(name, t.served(), t.entries)
}

// used reports whether anything was counted.
func (t *tally) used() bool {
	return t.entries+t.matches > 0 || t.unmatched != unmatched{} || !t.rtt.Empty()
}

// unmatched counts players whose search ended without a match, by the state in which it ended.
type unmatched [sim.StateCount]int

func (u *unmatched) merge(other *unmatched) {
	for state, n := range other {
		u[state] += n
	}
}

// group returns the statistics of a group of players.
func (u *unmatched) group(name string, served outcome.Served, entries int) outcome.Group {
	group := outcome.Group{
		Name:    name,
		Served:  served,
		Entries: outcome.Count(entries),
		Losses:  u.losses(u[sim.StateDeclined] > 0, u[sim.StateCancelled] > 0, u[sim.StateClosed] > 0, u[sim.StateLost] > 0),
	}
	outcome.SetEnds(&group)
	return group
}

// sum returns the number of all these players but those with a lost end; see [outcome.Unmatched].
func (u *unmatched) sum() (players int) {
	for _, n := range u {
		players += n
	}
	return players - u[sim.StateLost]
}

// losses returns the counts for a summary. Declined is nil if players need not accept matches,
// Cancelled if no player cancels a search, Closed without a maintenance, and Lost unless a log may lose
// ends.
func (u *unmatched) losses(asks, cancels, closes, loses bool) outcome.Losses {
	return outcome.Losses{
		Failed: outcome.Count(u[sim.StateFailed]), Expired: outcome.Count(u[sim.StateExpired]), Bots: outcome.Count(u[sim.StateBots]), Rejected: outcome.Count(u[sim.StateRejected]),
		Declined: countIf(asks, u[sim.StateDeclined]), Cancelled: countIf(cancels, u[sim.StateCancelled]), Closed: countIf(closes, u[sim.StateClosed]), Lost: countIf(loses, u[sim.StateLost]),
	}
}

// countIf returns a count, or nil if it cannot occur.
func countIf(occurs bool, n int) *outcome.Count {
	if !occurs {
		return nil
	}
	return new(outcome.Count(n))
}

// sums adds up the waits and RTTs of a group's matched players, for their means.
type sums struct {
	matched, waited   int    // waited counts only players whose search began inside the window
	waitSum, rttTotal uint64 // in ms and in 1/16 ms
}

func (s *sums) addRTT(rtt uint64) {
	s.matched++
	s.rttTotal += rtt
}

func (s *sums) addWait(wait uint64) {
	s.waited++
	s.waitSum += wait
}

func (s *sums) merge(other *sums) {
	s.matched += other.matched
	s.waited += other.waited
	s.waitSum += other.waitSum
	s.rttTotal += other.rttTotal
}

// waitMean returns the mean wait, or NaN if there is none.
func (s *sums) waitMean() outcome.Seconds { return waitSeconds(float64(s.waitSum) / float64(s.waited)) }

// rttMean returns the mean RTT, or NaN if there is none.
func (s *sums) rttMean() outcome.Millis { return rttMillis(float64(s.rttTotal) / float64(s.matched)) }

// searchStates is the number of states in which a player can be matched. They are the first
// states.
const searchStates = sim.StateWaiting + 1

// hourOf returns the UTC hour of the day, 0 to 23. t may be negative.
func hourOf(t sim.Instant) int {
	const before = sim.Instant(sim.Day) << 20 // whole days, more than any warm-up period
	return int(uint64(t+before) / uint64(sim.Hour) % 24)
}

// waitStats returns the statistics of waits, which h counts in ms.
func waitStats(h *histogram.Histogram) outcome.WaitStats {
	count, mean, sd := h.Moments()
	p := h.Percentiles(50, 90, 95, 99)
	return outcome.WaitStats{
		Count:     outcome.Count(count),
		Mean:      waitSeconds(mean),
		SD:        waitSeconds(sd),
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
	count, mean, sd := h.Moments()
	p := h.Percentiles(50, 90, 95, 99)
	return outcome.RTTStats{
		Count:         outcome.Count(count),
		Mean:          rttMillis(mean),
		SD:            rttMillis(sd),
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

// waitSeconds converts ms to seconds.
func waitSeconds(ms float64) outcome.Seconds { return outcome.RoundSeconds(ms / float64(sim.Second)) }

// rttMillis converts 1/16 ms to ms.
func rttMillis(units float64) outcome.Millis { return outcome.RoundMillis(units / sim.RTTUnit) }
