package live

import (
	"encoding/json"
	"fmt"
	"slices"

	"mmsim/reports/present/page"
	"mmsim/sim"
)

// watcher observes a run for the live page. It counts waits, and passes events to page.Live,
// which shows them on the map.
type watcher struct {
	*page.Live
	waits *waits
}

// Ended counts players who stop searching without a match.
func (w *watcher) Ended(e *sim.Ended) {
	if e.Into == sim.StateFailed || e.Into == sim.StateExpired || e.Into == sim.StateCancelled {
		w.waits.Lost += len(e.Players)
		w.waits.LostSoFar += len(e.Players)
	}
	w.Live.Ended(e)
}

// Matched adds the waits of searches that began in the measured window. It calls Live first,
// because Live may then show the previous step, to which this match does not belong.
func (w *watcher) Matched(m *sim.Match) {
	w.Live.Matched(m)
	for i := range m.Players {
		p := &m.Players[i]
		if p.Began < 0 {
			continue
		}
		wait := m.At.Sub(p.Began)
		if p.Return {
			w.waits.repeat = append(w.waits.repeat, wait)
		} else {
			w.waits.first = append(w.waits.first, wait)
			w.waits.firstSoFar[wait]++
		}
	}
}

// Sampled updates the time before it calls Live, because a step may end now, and Live then shows
// the waits up to this time.
func (w *watcher) Sampled(c *sim.Census) {
	w.waits.now = c.At
	w.Live.Sampled(c)
}

// waits has statistics about players' waits, both for the current step and since the start of
// the run.
type waits struct {
	Seconds   float64  `json:"seconds"` // length of the step
	First     waitText `json:"first"`   // players who found a match in their first search
	Repeat    waitText `json:"repeat"`  // players who found a match in a later search
	SoFar     waitText `json:"so_far"`  // first searches since the start
	Lost      int      `json:"lost"`    // players who left without a match
	LostSoFar int      `json:"lost_so_far"`

	before, now   sim.Instant    // start and end of the step
	first, repeat []sim.Duration // waits in the current step
	firstSoFar    map[sim.Duration]int
}

// waitText has statistics of waits in seconds. The percentile is nearest-rank.
type waitText struct {
	Players int     `json:"players"`
	Mean    float64 `json:"mean"`
	P90     float64 `json:"p90"`
}

func newWaits() *waits { return &waits{firstSoFar: map[sim.Duration]int{}} }

// event returns the step as an event of the stream, and starts the next step.
func (w *waits) event() []byte {
	w.Seconds, w.before = w.now.Sub(w.before).Seconds(), w.now
	w.First, w.Repeat, w.SoFar = describe(counted(w.first)), describe(counted(w.repeat)), describe(w.firstSoFar)
	text, err := json.Marshal(w)
	if err != nil {
		panic("live: waits have no JSON: " + err.Error())
	}
	w.first, w.repeat, w.Lost = w.first[:0], w.repeat[:0], 0
	return fmt.Appendf(nil, "event: waits\ndata: %s\n\n", text)
}

func counted(list []sim.Duration) map[sim.Duration]int {
	counts := map[sim.Duration]int{}
	for _, wait := range list {
		counts[wait]++
	}
	return counts
}

func describe(counts map[sim.Duration]int) (d waitText) {
	var sum sim.Duration
	var sorted []sim.Duration
	for wait, n := range counts {
		d.Players += n
		sum += wait * sim.Duration(n)
		sorted = append(sorted, wait)
	}
	if d.Players == 0 {
		return d
	}
	d.Mean = sum.Seconds() / float64(d.Players)
	slices.Sort(sorted)
	rank, below := (9*d.Players+9)/10, 0
	for _, wait := range sorted {
		if below += counts[wait]; below >= rank {
			d.P90 = wait.Seconds()
			break
		}
	}
	return d
}
