package collect

import (
	"testing"

	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// A Watch shows every step and the last minute of the window, whatever the window's length.
func TestWatchShowsTheLastMinute(t *testing.T) {
	for _, test := range []struct{ duration, step, frames, last int }{ // all in minutes
		{100, 6, 17, 99}, // frames at 6, 12, ... 96, and at 99
		{60, 6, 10, 59},
		{61, 6, 10, 60}, // the last minute is also the end of a step
		{5, 6, 1, 4},
		{2, 1, 1, 1},
		{1, 1, 0, 0}, // nothing is shown before the first minute is over
	} {
		minutes := func(n int) sim.Instant { return sim.Instant(n) * sim.Instant(sim.Minute) }
		run := setup.Run{
			Datacenters: []setup.Datacenter{{Name: "paris"}}, Continents: []string{"EU"}, Countries: []string{"FR"},
			Places: []setup.Place{{Latitude: 4852, Longitude: 235}}, Duration: sim.Duration(minutes(test.duration)), Queues: []setup.Queue{{MatchSize: 2}},
		}
		var frames []result.Frame
		var censuses []sim.Instant
		w := NewWatch(run, sim.Duration(minutes(test.step)), func(f result.Frame, c *sim.Census) {
			frames, censuses = append(frames, f), append(censuses, c.At)
		})
		for minute := range test.duration {
			w.Sampled(&sim.Census{At: minutes(minute)})
			if minute == test.last-1 { // add matches that end just after, long after and exactly at the last minute
				for _, ends := range []sim.Instant{minutes(test.last) + 1, minutes(test.last + 600), minutes(test.last)} {
					w.Matched(&sim.Match{At: minutes(minute) + 1, Ends: ends, Players: make([]sim.Matched, 2)})
				}
			}
			if minute == test.last {
				w.Matched(&sim.Match{At: minutes(minute) + 1, Ends: minutes(minute + 9), Players: make([]sim.Matched, 7)})
			}
		}
		if len(frames) != test.frames {
			t.Errorf("%d minutes in steps of %d: got %d frames, want %d", test.duration, test.step, len(frames), test.frames)
			continue
		}
		for i, f := range frames {
			at := min((i+1)*test.step, test.last)
			load := 0
			if at == test.last {
				load = 4 // two matches of two players
			}
			if f.T != 60*at || censuses[i] != minutes(at) || f.Load[0] != load {
				t.Errorf("%d minutes in steps of %d: frame %d: got %d s with %d players and the census of %d ms, want minute %d and %d players",
					test.duration, test.step, i, f.T, f.Load[0], censuses[i], at, load)
			}
		}
	}
}
