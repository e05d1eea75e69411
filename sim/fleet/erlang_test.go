package fleet

import (
	"fmt"
	"gonum.org/v1/gonum/stat"
	"math"
	"testing"

	"mmsim/sim"
)

// referee runs matches of one datacenter with c slots, which are all that there are, ten times. Matches
// start by a Poisson process; the first tenth of them is the warm-up. offered is the mean number of busy
// slots, and length draws the length of a match, in means of 300 s, from a number of (0, 1).
//
// It returns the share of matches that wait and their mean wait over all matches in s, each with its
// standard error over the ten runs.
func referee(c int, offered float64, length func(u float64) float64) (chance, wait estimate) {
	const runs, mean = 10, 300 * float64(sim.Second)
	gap := mean / offered
	n := 1_000_000 / runs
	if testing.Short() {
		n /= 10
	}
	config := Config{PerMachine: 1, Start: 0, Idle: 0, Billing: sim.Second, Sites: []Site{{Min: c, Max: c}}}
	for run := range runs {
		at := -float64(n) / 10 * gap
		f := New(&config, sim.Instant(at))
		stream := sim.NewStream(1, uint64(run), sim.Purpose(c))
		for i := range uint64(n) {
			at -= float64(gap * math.Log(open(stream, i, 0)))
			f.Start(Match{ID: i, At: sim.Instant(at), Length: sim.Duration(mean*length(open(stream, i, 1)) + 0.5), Players: 1})
		}
		u := f.Finish(sim.Instant(at).Add(sim.Day))[0]
		sum := 0.0
		for _, w := range u.Waits {
			sum += w.Seconds()
		}
		chance = append(chance, float64(u.Waited)/float64(u.Matches))
		wait = append(wait, sum/float64(u.Matches))
	}
	return chance, wait
}

// estimate has the values of several runs.
type estimate []float64

// near reports whether the mean of the runs is within 3 % of want, or within four standard errors where
// a run is too short for 3 %: busy hours of many slots last long, and come one after another.
func (e estimate) near(want float64) bool {
	mean, sd := stat.MeanStdDev(e, nil)
	return math.Abs(mean-want) <= max(0.03*want, 4*sd/math.Sqrt(float64(len(e))))
}

// open returns a number of the open interval (0, 1).
func open(s sim.Stream, entity, k uint64) float64 { return s.Uniform(entity, k) }

// TestErlang compares waits with Erlang's formula C (exponential lengths of 300 s on average).
func TestErlang(t *testing.T) {
	for _, row := range []struct {
		c            int
		offered      float64
		chance, wait float64 // to wait at all; mean in s
	}{
		{2, 1, 1. / 3, 100}, {5, 3, 81. / 343, 35.4227}, {10, 8, .409180, 61.3770}, {12, 8, .139842, 10.4881}, {14, 8, .039280, 1.9640},
		{20, 16, .256078, 19.2058}, {50, 40, .086953, 2.6086}, {100, 90, .216940, 6.5082}, {120, 100, .033196, .4979},
	} {
		t.Run(fmt.Sprintf("%d slots, load %g", row.c, row.offered), func(t *testing.T) {
			chance, wait := referee(row.c, row.offered, func(u float64) float64 { return -math.Log(u) })
			if !chance.near(row.chance) || !wait.near(row.wait) {
				t.Errorf("got a chance of %.5f and %.3f s, want %.5f and %.3f s", chance, wait, row.chance, row.wait)
			}
		})
	}
}

// TestConstantLengths compares waits with the exact mean of M/D/c queues. With one slot it follows from
// Pollaczek and Khinchine: load times length by 2 (1 - load).
func TestConstantLengths(t *testing.T) {
	for _, row := range []struct {
		c             int
		offered, wait float64
	}{{1, .5, 150}, {2, 1, 53.022}, {5, 3, 19.820}, {10, 8, 32.948}, {12, 8, 6.1928}, {20, 16, 10.762}} {
		_, wait := referee(row.c, row.offered, func(float64) float64 { return 1 })
		if !wait.near(row.wait) {
			t.Errorf("%d slots, load %g: got %.3f s, want %.3f s", row.c, row.offered, wait, row.wait)
		}
	}
}

// TestUnlimited compares a fleet that never lets a match wait with the M/G/infinity queue, in which the
// number of busy slots is Poisson distributed.
func TestUnlimited(t *testing.T) {
	const load, length, hours = 100, 300 * sim.Second, 2000
	run := func(b Buffer, least int) (Usage, sim.Duration) {
		config := Config{PerMachine: 1, Billing: sim.Second, Buffer: b, Sites: []Site{{Min: least, Max: NoLimit}}}
		f := New(&config, -sim.Instant(sim.Hour))
		stream, at, played := sim.NewStream(7, 0, 0), -float64(sim.Hour), sim.Duration(0)
		for i := uint64(0); ; i++ {
			at -= float64(float64(length) / load * math.Log(open(stream, i, 0)))
			if at >= float64(hours*sim.Hour) {
				return f.Finish(sim.Instant(hours * sim.Hour))[0], played
			}
			begin, end := sim.Instant(at), sim.Instant(at).Add(length)
			f.Start(Match{ID: i, At: begin, Length: length, Players: 3})
			played += max(0, min(end, sim.Instant(hours*sim.Hour)).Sub(max(begin, 0)))
		}
	}
	u, played := run(Buffer{Slots: 7}, 7)
	if want := float64(played + 7*hours*sim.Hour); u.MachineTime != want || u.UsedTime != float64(played) || u.PlayerTime != 3*float64(played) || u.Waited > 0 {
		t.Errorf("buffer of 7 slots: got machines for %g ms, used slots %g ms, players %g ms, %d waits, want %g, %d, %d, 0", u.MachineTime, u.UsedTime, u.PlayerTime, u.Waited, want, played, 3*played)
	}
	if u, _ = run(Buffer{Share: .2}, 0); math.Abs(u.MachineTime/float64(hours*sim.Hour)-120.40) > .3 || u.Waited > 0 {
		t.Errorf("buffer of 20 %%: got %.2f machines on average and %d waits, want 120.40 and none", u.MachineTime/float64(hours*sim.Hour), u.Waited)
	}
}
