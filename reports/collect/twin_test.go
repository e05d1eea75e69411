package collect

import (
	"math"
	"math/rand/v2"
	"slices"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// facts are the events of a run, from which the twin computes the numbers.
type facts struct{ *resulttest.Facts }

// randomFacts returns the events of a small random run.
func randomFacts(seed uint64) facts {
	return facts{resulttest.RandomFacts(rand.New(rand.NewPCG(seed, 7)))}
}

// articleFacts returns the events of a run without a ruleset.
func articleFacts() facts {
	for seed := uint64(3); ; seed++ {
		if f := randomFacts(seed); f.Setup.Queues[0].Rules == nil && !f.Setup.Patience {
			return f
		}
	}
}

func resultOf(f facts) *result.Result {
	c := NewCollector(f.Setup)
	f.Report(c)
	return c.Finish(f.Totals, Header{Run: outcome.Run{Seed: 1 << 60, Run: 3, Version: "v1", Warmup: 3600}, Complete: true,
		Warnings: []string{`a "warning"`}, Latency: outcome.Latency{ShareMap: 0.25, Cleaned: outcome.Cleaned{NaN: 3}}})
}

// ofQueue returns the events of one queue.
func (f facts) ofQueue(queue int) facts {
	of := *f.Facts
	of.Entered, of.Matches, of.Ended = nil, nil, nil
	for _, s := range f.Entered {
		if s.Queue == queue {
			of.Entered = append(of.Entered, s)
		}
	}
	for _, m := range f.Matches {
		if m.Queue == queue {
			of.Matches = append(of.Matches, m)
		}
	}
	for _, e := range f.Ended {
		if e.Queue == queue {
			of.Ended = append(of.Ended, e)
		}
	}
	return facts{&of}
}

// twin is a reference implementation: it computes the same numbers as a Collector, but simply
// keeps, filters and sorts a list of all matched players.
type twin []twinPlayer

type twinPlayer struct {
	sim.Matched
	at         sim.Instant
	datacenter int
	oldest     bool // the match counts in the groups of this player
}

func (f facts) twin() twin {
	var t twin
	for _, m := range f.Matches {
		oldest := 0
		for i, p := range m.Players {
			if p.Began < m.Players[oldest].Began {
				oldest = i
			}
		}
		for i, p := range m.Players {
			t = append(t, twinPlayer{p, m.At, m.Datacenter, i == oldest && !m.Backfill})
		}
	}
	return t
}

func (t twin) where(keep func(*twinPlayer) bool) (kept twin) {
	for i := range t {
		if keep(&t[i]) {
			kept = append(kept, t[i])
		}
	}
	return kept
}

// first returns the players who were matched in their first search, and repeat the others.
func (t twin) first() twin  { return t.where(func(p *twinPlayer) bool { return !p.Return }) }
func (t twin) repeat() twin { return t.where(func(p *twinPlayer) bool { return p.Return }) }

// waits returns the sorted waits in ms of searches that began inside the window.
func (t twin) waits() []int {
	return t.sorted(func(p *twinPlayer) (int, bool) { return int(p.at - p.Began), p.Began >= 0 })
}

// rtts returns the sorted RTTs in 1/16 ms.
func (t twin) rtts() []int {
	return t.sorted(func(p *twinPlayer) (int, bool) { return int(p.RTT), true })
}

func (t twin) sorted(value func(*twinPlayer) (int, bool)) (values []int) {
	for i := range t {
		if v, ok := value(&t[i]); ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

func (t twin) matches() (n int) {
	return len(t.where(func(p *twinPlayer) bool { return p.oldest }))
}

func (t twin) served() outcome.Served {
	return outcome.Served{
		Players:  outcome.Count(len(t)),
		Matches:  outcome.Count(t.matches()),
		WaitMean: twinSeconds(mean(t.waits())),
		WaitP95:  twinSeconds(rank(t.waits(), 0.95)),
		RTTMean:  twinMillis(mean(t.rtts())),
		RTTP95:   twinMillis(rank(t.rtts(), 0.95)),
	}
}

func twinWait(waits []int) outcome.WaitStats {
	return outcome.WaitStats{
		Count: outcome.Count(len(waits)), Mean: twinSeconds(mean(waits)), SD: twinSeconds(deviation(waits)),
		P50: twinSeconds(rank(waits, 0.5)), P90: twinSeconds(rank(waits, 0.9)),
		P95: twinSeconds(rank(waits, 0.95)), P99: twinSeconds(rank(waits, 0.99)),
		Max: twinSeconds(rank(waits, 1)), ShareZero: twinShare(below(waits, 0), len(waits)),
	}
}

func twinRTT(rtts []int, s *setup.Run) outcome.RTTStats {
	return outcome.RTTStats{
		Count: outcome.Count(len(rtts)), Mean: twinMillis(mean(rtts)), SD: twinMillis(deviation(rtts)),
		P50: twinMillis(rank(rtts, 0.5)), P90: twinMillis(rank(rtts, 0.9)),
		P95: twinMillis(rank(rtts, 0.95)), P99: twinMillis(rank(rtts, 0.99)),
		Max:       twinMillis(rank(rtts, 1)),
		ShareLE50: twinShare(below(rtts, 50*16), len(rtts)), ShareLE100: twinShare(below(rtts, 100*16), len(rtts)),
		ShareLEIdeal: twinShare(below(rtts, int(s.Ideal)), len(rtts)), ShareLEExpand: twinShare(below(rtts, int(s.Expand)), len(rtts)),
	}
}

// twinLimits returns the limits of a setup with the share of players in each class.
func (f facts) twinLimits(t twin) *outcome.Limits {
	if f.Setup.Limits == nil {
		return nil
	}
	first := t.first().waits()
	var byHour []int // for every ended search, the unmatched share of its hour in units of 0.001 %
	for hour := range 24 {
		ends := f.twinEnds(t, func(began sim.Instant, _ int, _ sim.Player) bool { return hourOfTwin(began) == hour })
		byHour = append(byHour, slices.Repeat([]int{int(math.Round(float64(ends.UnmatchedShare) * 1e5))}, int(ends.Ended))...)
	}
	slices.Sort(byHour)
	classes := func(values []int, good, fair int) outcome.Classes {
		within, withinFair := twinShare(below(values, good), len(values)), twinShare(below(values, fair), len(values))
		return outcome.Classes{ShareGood: within, ShareFair: outcome.RoundShare(float64(withinFair - within)), SharePoor: outcome.RoundShare(1 - float64(withinFair))}
	}
	unmatched := classes(byHour, 22_000, 40_000)
	return &outcome.Limits{
		Wait:      &outcome.WaitLimits{Good: 2.5, Fair: 60, Classes: classes(first, 2500, 60_000)},
		RTT:       &outcome.RTTLimits{Good: 31.31, Fair: 62.5, Classes: classes(t.rtts(), 501, 1000)}, // 31.31 ms is 501/16 ms, rounded
		Unmatched: &outcome.UnmatchedLimits{Good: 0.22, Fair: 0.4, Classes: unmatched},
	}
}

func twinSeconds(ms float64) outcome.Seconds { return outcome.Seconds(math.Round(ms/1000*1000) / 1000) }
func twinMillis(units float64) outcome.Millis {
	return outcome.Millis(math.Round(units/16*100) / 100)
}

func twinShare(part, all int) outcome.Share {
	return outcome.Share(math.Round(float64(part)/float64(all)*1e5) / 1e5)
}

// mean returns NaN, which is 0/0, without values. So do deviation, twinShare and rank.
func mean(values []int) float64 {
	sum := 0
	for _, v := range values {
		sum += v
	}
	return float64(sum) / float64(len(values))
}

func deviation(values []int) float64 {
	sum, centre := 0.0, mean(values)
	for _, v := range values {
		sum += (float64(v) - centre) * (float64(v) - centre)
	}
	return math.Sqrt(sum / float64(len(values)))
}

// rank returns the nearest-rank percentile p of sorted values.
func rank(sorted []int, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return float64(sorted[max(0, int(math.Ceil(p*float64(len(sorted))-1e-9))-1)])
}

// below counts the values that are at most limit.
func below(values []int, limit int) (n int) {
	for _, v := range values {
		if v <= limit {
			n++
		}
	}
	return n
}
