package binding

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// MatchmakerTimes measures how long external matchmakers take to answer, in real time. It must not influence
// results, which do not depend on real time. Several replications may use the same Times. A nil
// MatchmakerTimes measures nothing.
type MatchmakerTimes struct {
	mutex  sync.Mutex
	queues []string // in the order of their first pass
	passes map[string]*passTimes
	runs   time.Duration // total time of all replications
}

// passTimes has the times of the passes of one queue.
type passTimes struct {
	counts         map[time.Duration]int // number of passes by rounded time
	longest, total time.Duration
}

// Ran adds the time that a replication took.
func (t *MatchmakerTimes) Ran(took time.Duration) {
	if t == nil {
		return
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.runs += took
}

// pass adds the time of a pass.
func (t *MatchmakerTimes) pass(queue string, took time.Duration) {
	if t == nil {
		return
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	p := t.passes[queue]
	if p == nil {
		if t.passes == nil {
			t.passes = map[string]*passTimes{}
		}
		p = &passTimes{counts: map[time.Duration]int{}}
		t.passes[queue], t.queues = p, append(t.queues, queue)
	}
	p.counts[rounded(took)]++
	p.longest, p.total = max(p.longest, took), p.total+took
}

// rounded rounds a time down to three digits, so that there are few different ones.
func rounded(took time.Duration) time.Duration {
	unit := time.Microsecond
	for took/unit >= 1000 {
		unit *= 10
	}
	return took / unit * unit
}

// quantile returns the time that at least the given share of passes did not exceed.
func (p *passTimes) quantile(share float64) time.Duration {
	passes := 0
	for _, n := range p.counts {
		passes += n
	}
	below := 0
	times := slices.Sorted(maps.Keys(p.counts))
	for _, took := range times {
		if below += p.counts[took]; float64(below) >= share*float64(passes) {
			return took
		}
	}
	return 0
}

// ms formats a time with three digits.
func ms(took time.Duration) string {
	x, decimals := float64(took)/float64(time.Millisecond), 2
	switch {
	case x >= 100:
		decimals = 0
	case x >= 10:
		decimals = 1
	}
	return fmt.Sprintf("%.*f ms", decimals, x)
}

// String describes the times, with a line for each queue. It returns "" if there were no passes.
func (t *MatchmakerTimes) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var lines strings.Builder
	for _, queue := range t.queues {
		p, name := t.passes[queue], "matcher"
		if queue != "" {
			name += " (queue " + words.Name(queue) + ")"
		}
		fmt.Fprintf(&lines, "%s: a pass took %s (p50), %s (p99), %s (max); all passes took %s of the run's time\n", name,
			ms(p.quantile(0.5)), ms(p.quantile(0.99)), ms(p.longest), words.Percent(outcome.Share(float64(p.total)/float64(max(t.runs, p.total, 1)))))
	}
	return lines.String()
}
