package fleet

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"mmsim/sim"
)

// TestPeak checks the peak of two datacenters: a machine that ends does not meet one that begins then.
func TestPeak(t *testing.T) {
	usage := []Usage{{Lives: []Life{{0, 10}, {5, 20}, {20, 30}}}, {Lives: []Life{{10, 25}, {19, 21}}}}
	if got := Peak(usage); got != 3 || Peak(nil) != 0 {
		t.Errorf("got %d machines at once, want 3: at 19, and none without a machine", got)
	}
}

// TestThrough follows one machine through two windows and a part of a third: it starts for a minute,
// hosts a match of 20 minutes, and stays empty for 5 minutes.
func TestThrough(t *testing.T) {
	const minute = float64(sim.Minute)
	config := Config{PerMachine: 2, Start: sim.Minute, Idle: 5 * sim.Minute, Billing: sim.Second, Sites: []Site{{Max: NoLimit}}}
	f := New(&config, -sim.Instant(sim.Hour))
	f.Start(Match{At: 0, Length: 20 * sim.Minute, Players: 1})
	u := f.Finish(sim.Instant(40 * sim.Minute))[0]
	want := []WindowUse{{Starting: minute, Busy: 14 * minute}, {Busy: 6 * minute, Empty: 5 * minute}, {}}
	if !slices.Equal(u.Through, want) || u.MachineTime != 26*minute {
		t.Errorf("got %+v, and %g machine minutes, want %+v and 26", u.Through, u.MachineTime/minute, want)
	}
}

// TestByHand checks fleets that were computed by hand.
func TestByHand(t *testing.T) {
	text, err := os.ReadFile("testdata/fleet.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name     string
		Settings struct {
			PerMachine  int     `json:"per_machine"`
			Start       float64 `json:"start_s"`
			Idle        float64 `json:"idle_s"`
			Buffer, Min int
			Max         *int
			Window      float64  `json:"window_s"`
			Billing     *float64 `json:"billing_s"`
			MachineHour float64  `json:"machine_hour"`
		}
		Matches []struct {
			At     float64 `json:"at_s"`
			Length float64 `json:"length_s"`
		}
		Expect struct {
			Peak        int       `json:"machines_peak"`
			Hours       float64   `json:"machine_hours"`
			Waits       []float64 `json:"waits_s"`
			WaitMean    float64   `json:"wait_mean_s"`
			ShareWaited float64   `json:"share_waited"`
			Cost        float64
			Unserved    int
		}
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	ms := func(s float64) sim.Duration { return sim.Duration(math.Round(s * 1000)) }
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			site := Site{Min: c.Settings.Min, Max: NoLimit}
			if c.Settings.Max != nil {
				site.Max = *c.Settings.Max
			}
			config := Config{PerMachine: c.Settings.PerMachine, Start: ms(c.Settings.Start), Idle: ms(c.Settings.Idle), Billing: sim.Second, Buffer: Buffer{Slots: c.Settings.Buffer}, Sites: []Site{site}}
			if c.Settings.Billing != nil {
				config.Billing = ms(*c.Settings.Billing)
			}
			if err := config.Validate(); err != nil {
				t.Fatal(err)
			}
			f := New(&config, 0)
			for i, m := range c.Matches {
				f.Start(Match{ID: uint64(i), At: sim.Instant(ms(m.At)), Length: ms(m.Length), Players: 1})
			}
			u := f.Finish(sim.Instant(ms(c.Settings.Window)))[0]
			hours := u.Billed.Seconds() / 3600
			waited, total := map[float64]int{}, 0.0
			for _, w := range c.Expect.Waits {
				if w > 0 {
					waited[w]++
				}
				total += w
			}
			for _, w := range u.Waits {
				waited[w.Seconds()]--
			}
			for w, n := range waited {
				if n != 0 {
					t.Errorf("%d waits of %g s too few: got %v ms", n, w, u.Waits)
				}
			}
			near := func(name string, got, want float64) {
				if math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
					t.Errorf("%s: got %g, want %g", name, got, want)
				}
			}
			near("machine hours", hours, c.Expect.Hours)
			near("cost", hours*c.Settings.MachineHour, c.Expect.Cost)
			near("share waited", float64(u.Waited)/float64(u.Matches), c.Expect.ShareWaited)
			if u.Peak != c.Expect.Peak || u.Unserved != c.Expect.Unserved || u.Matches != len(c.Matches) {
				t.Errorf("got peak %d, %d unserved of %d matches, want peak %d, %d unserved", u.Peak, u.Unserved, u.Matches, c.Expect.Peak, c.Expect.Unserved)
			}
		})
	}
}
