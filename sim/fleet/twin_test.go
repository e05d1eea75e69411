package fleet

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"mmsim/sim"
)

// twin is a datacenter in which everything is looked up in plain lists, instant by instant.
type twin struct {
	c        *Config
	limits   Site
	now      sim.Instant
	machines []*twinMachine
	queue    []Match
	served   int
	u        Usage
}

type twinMachine struct {
	ordered, ready, empty sim.Instant
	ends                  []twinEnd
	isReady               bool
}

// twinEnd is the end of a match; served says how many got a slot before it.
type twinEnd struct {
	at     sim.Instant
	served int
}

func (w *twin) busy() (n int) {
	for _, m := range w.machines {
		n += len(m.ends)
	}
	return n
}

func (w *twin) wanted() int {
	busy := w.busy()
	slots := busy + len(w.queue) + w.c.Buffer.Slots
	for k := 0; float64(k) < w.c.Buffer.Share*float64(busy)-1e-9; k++ {
		slots++
	}
	machines := 0
	for machines*w.c.PerMachine < slots {
		machines++
	}
	return min(w.limits.Max, max(w.limits.Min, machines))
}

// settle serves, orders and releases until nothing changes.
func (w *twin) settle() {
	for changed := true; changed; {
		changed = false
		for len(w.queue) > 0 {
			var best *twinMachine
			for _, m := range w.machines { // in the order of their orders
				if m.isReady && len(m.ends) < w.c.PerMachine && (best == nil || len(m.ends) > len(best.ends)) {
					best = m
				}
			}
			if best == nil {
				break
			}
			m := w.queue[0]
			w.queue = w.queue[1:]
			best.ends = append(best.ends, twinEnd{w.now.Add(m.Length), w.served})
			w.served++
			if wait := w.now.Sub(m.At); wait > 0 && m.At >= 0 {
				w.u.Waits = append(w.u.Waits, wait)
			}
			changed = true
		}
		for len(w.machines) < w.wanted() {
			w.machines = append(w.machines, &twinMachine{ordered: w.now, ready: w.now.Add(w.c.Start), isReady: w.c.Start == 0, empty: w.now})
			changed = true
		}
		for len(w.machines) > w.wanted() {
			oldest := -1
			for i, m := range w.machines {
				if m.isReady && len(m.ends) == 0 && m.empty.Add(w.c.Idle) <= w.now && (oldest < 0 || m.empty < w.machines[oldest].empty) {
					oldest = i
				}
			}
			if oldest < 0 {
				break
			}
			w.bill(w.machines[oldest])
			w.machines = slices.Delete(w.machines, oldest, oldest+1)
			changed = true
		}
	}
	if w.now >= 0 {
		w.u.Peak = max(w.u.Peak, len(w.machines))
	}
}

func (w *twin) bill(m *twinMachine) {
	billed := sim.Duration(0)
	for life := w.now.Sub(max(m.ordered, 0)); billed < life; {
		billed += w.c.Billing
	}
	w.u.Billed += billed
}

// endNext ends the match that got its slot first of those that end now, if there is one.
func (w *twin) endNext() bool {
	var host *twinMachine
	var end twinEnd
	for _, m := range w.machines {
		for _, e := range m.ends {
			if e.at == w.now && (host == nil || e.served < end.served) {
				host, end = m, e
			}
		}
	}
	if host == nil {
		return false
	}
	host.ends = slices.DeleteFunc(host.ends, func(e twinEnd) bool { return e == end })
	if len(host.ends) == 0 {
		host.empty = w.now
	}
	return true
}

// run runs the machines for the matches, which are in order.
func (w *twin) run(matches []Match, until sim.Instant) Usage {
	for range w.limits.Min {
		w.machines = append(w.machines, &twinMachine{ordered: w.now, empty: w.now, isReady: true})
	}
	began := false
	for ; ; w.now++ {
		for w.endNext() {
			w.settle()
		}
		for _, m := range slices.Clone(w.machines) {
			if !m.isReady && m.ready == w.now {
				m.isReady, m.empty = true, w.now
				w.settle()
			}
		}
		if began {
			w.settle()
		}
		for len(matches) > 0 && matches[0].At == w.now {
			m := matches[0]
			matches, began = matches[1:], true
			w.queue = append(w.queue, m)
			w.settle()
			if m.At >= 0 {
				w.u.Matches++
				if slices.ContainsFunc(w.queue, func(q Match) bool { return q.ID == m.ID }) {
					w.u.Waited++
				}
			}
		}
		if w.now == until {
			break
		}
		if w.now >= 0 {
			w.u.MachineTime += float64(len(w.machines))
			if w.u.Through == nil {
				w.u.Through = make([]WindowUse, 1) // the runs are shorter than a window
			}
			for _, m := range w.machines {
				switch {
				case !m.isReady:
					w.u.Through[0].Starting++
				case len(m.ends) == 0:
					w.u.Through[0].Empty++
				default:
					w.u.Through[0].Busy++
				}
			}
			w.u.UsedTime += float64(w.busy())
			w.u.Peak = max(w.u.Peak, len(w.machines))
		}
	}
	for _, m := range w.machines {
		w.bill(m)
	}
	for _, m := range w.queue {
		if m.At >= 0 {
			w.u.Unserved++
		}
	}
	slices.Sort(w.u.Waits)
	return w.u
}

// TestAgreesWithTwin compares small fleets with the twin. A millisecond of theirs is long.
func TestAgreesWithTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := func(name string, least, most int) sim.Duration {
			return sim.Duration(rapid.IntRange(least, most).Draw(t, name))
		}
		config := Config{PerMachine: rapid.IntRange(1, 4).Draw(t, "per machine"), Start: ms("start", 0, 8), Idle: ms("idle", 0, 10), Billing: ms("billing", 1, 7)}
		if rapid.Bool().Draw(t, "share") {
			config.Buffer.Share = float64(rapid.IntRange(0, 12).Draw(t, "tenths")) / 10
		} else {
			config.Buffer.Slots = rapid.IntRange(0, 3).Draw(t, "slots")
		}
		site := Site{Min: rapid.IntRange(0, 2).Draw(t, "min"), Max: NoLimit}
		if rapid.Bool().Draw(t, "limited") {
			site.Max = site.Min + rapid.IntRange(0, 2).Draw(t, "max - min")
		}
		config.Sites = []Site{site}
		var matches []Match
		at := sim.Instant(-20)
		for i := range rapid.IntRange(0, 30).Draw(t, "matches") {
			at = at.Add(ms("gap", 0, 4))
			matches = append(matches, Match{ID: uint64(i), At: at, Length: ms("length", 1, 15), Players: 1})
		}
		until := max(at, 0).Add(ms("rest", 1, 20))
		f := New(&config, -20)
		for _, m := range matches {
			f.Start(m)
		}
		got := f.Finish(until)[0]
		w := twin{c: &config, limits: site, now: -20}
		want := w.run(matches, until)
		// A machine that is ordered or released at an edge of the window has no life inside.
		if peak := Peak([]Usage{got}); peak > got.Peak {
			t.Errorf("got a peak of %d machines by their lives, want at most %d", peak, got.Peak)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Usage{}, "PlayerTime", "Lives")); diff != "" {
			t.Fatalf("(-twin +fleet):\n%s", diff)
		}
	})
}
