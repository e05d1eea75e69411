package theory_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/reports/outcome"
)

// fleetRun simulates matches of two players that begin when their players join, in one datacenter, and
// returns the summary. Each of starts is in ms. settings follow KEY=VALUE.
func fleetRun(t *testing.T, starts []int, price float64, settings ...string) *outcome.Summary {
	t.Helper()
	t.Chdir(t.TempDir())
	var day strings.Builder
	day.WriteString("time,latitude,longitude\n")
	for _, at := range starts {
		for range 2 {
			fmt.Fprintf(&day, "%d.%03d,0,0\n", at/1000, at%1000)
		}
	}
	commandtest.Put(t, ".", map[string]string{"day.csv": day.String(), "prices.csv": fmt.Sprintf("here,%g\n", price), "here.csv": "here,0,0\n"})
	return summaryIn(t, runIn(t, ".", append([]string{"dataset.file=day.csv", "dataset.spread=false", "datacenters.file=here.csv", "fleet.prices=prices.csv", "fleet.traffic=0",
		"match.size=2", "players.play_again=0", "clock.warmup=0s", "output.plots=false", "output.html=false"}, settings...)))
}

// TestFleetByHand compares fleets that were computed by hand with runs of the command.
func TestFleetByHand(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "sim", "fleet", "testdata", "fleet.json"))
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
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var starts []int
			length := c.Matches[0].Length
			for _, m := range c.Matches {
				if m.Length != length {
					t.Fatal("got matches of several lengths, which the command cannot play")
				}
				starts = append(starts, int(1000*m.At))
			}
			most, billing := "none", "1s"
			if c.Settings.Max != nil {
				most = fmt.Sprint(*c.Settings.Max)
			}
			if c.Settings.Billing != nil && *c.Settings.Billing == 3600 {
				billing = "1h"
			}
			s := fleetRun(t, starts, c.Settings.MachineHour, fmt.Sprintf("match.length=%gs", length), fmt.Sprintf("clock.duration=%gs", c.Settings.Window),
				fmt.Sprintf("fleet.per_machine=%d", c.Settings.PerMachine), fmt.Sprintf("fleet.start=%gs", c.Settings.Start), fmt.Sprintf("fleet.idle=%gs", c.Settings.Idle),
				fmt.Sprintf("fleet.buffer=%d", c.Settings.Buffer), fmt.Sprintf("fleet.min=%d", c.Settings.Min), "fleet.max="+most, "fleet.billing="+billing)
			f, longest := s.Fleet, 0.0
			for _, w := range c.Expect.Waits {
				longest = max(longest, w)
			}
			near := func(name string, got, want, within float64) {
				if math.Abs(got-want) > within {
					t.Errorf("%s: got %g, want %g", name, got, want)
				}
			}
			near("machine hours", float64(f.MachineHours), c.Expect.Hours, 0.0005)
			near("cost per day", float64(f.CostPerDay), c.Expect.Cost*86400/c.Settings.Window, 0.001)
			near("mean wait", float64(f.Wait.Mean), c.Expect.WaitMean, 0.0005)
			near("longest wait", float64(f.Wait.Max), longest, 0)
			near("p99 of the wait", float64(f.Wait.P99), longest, 0) // of fewer than 100 matches, the longest
			near("share waited", float64(f.ShareWaited), c.Expect.ShareWaited, 0.00001)
			near("peak", float64(f.MachinesPeak), float64(c.Expect.Peak), 0)
			near("peak of the datacenter", float64(*s.ByDatacenter[0].MachinesPeak), float64(c.Expect.Peak), 0)
			near("unserved", float64(f.Unserved), float64(c.Expect.Unserved), 0)
		})
	}
}

// TestFleetQueues compares the waits of matches that begin by a Poisson process with the exact means of
// M/D/c queues and, for lengths that differ, with the formula of Pollaczek and Khinchine. Matches last 1 s
// on average, and passes follow each other after 10 ms, so that a day has many of them.
func TestFleetQueues(t *testing.T) {
	const matches = 60_000
	for _, row := range []struct {
		slots            int
		load, wait, long float64 // mean number of busy slots; mean wait in s; standard deviation of the length in s
	}{
		{1, .5, 150. / 300, 0}, {5, 3, 19.820 / 300, 0}, {10, 8, 32.948 / 300, 0}, {1, .5, 156. / 300, .2},
	} {
		t.Run(fmt.Sprintf("%d slots, load %g, sd %g", row.slots, row.load, row.long), func(t *testing.T) {
			draw, at := rand.New(rand.NewPCG(37, uint64(row.slots))), 0.0
			var starts []int
			for range matches {
				if at += 1000 * draw.ExpFloat64() / row.load; at >= 86_000_000 {
					break
				}
				starts = append(starts, int(at))
			}
			s := fleetRun(t, starts, 1, fmt.Sprintf("match.length={mean: 1s, sd: %gs}", row.long), fmt.Sprintf("clock.duration=%ds", int(at/1000)+1), "clock.tick=10ms",
				"fleet.per_machine=1", "fleet.buffer=0", fmt.Sprintf("fleet.min=%d", row.slots), fmt.Sprintf("fleet.max=%d", row.slots))
			if got := float64(s.Fleet.Wait.Mean); math.Abs(got-row.wait) > 0.08*row.wait+0.0005 {
				t.Errorf("got a mean wait of %g s, want %g s", got, row.wait)
			}
			if got := float64(s.Fleet.SlotsUsed); math.Abs(got-row.load/float64(row.slots)) > 0.02 {
				t.Errorf("got %g of the slots used, want %g", got, row.load/float64(row.slots))
			}
		})
	}
}

// TestFleetWithoutWaits: machines that are ready at once and released at once host every match without a
// wait (M/G/∞). They live as long as the matches play, and those of the buffer from the first match to the
// end. All matches begin and end at whole seconds, so that no machine's life is rounded.
func TestFleetWithoutWaits(t *testing.T) {
	const matches, buffer, price = 2000, 3, 0.5
	draw, at, played := rand.New(rand.NewPCG(37, 4)), 0.0, 0
	var starts []int
	for range matches {
		at += 5 * draw.ExpFloat64()
		starts = append(starts, 1000*int(at))
	}
	window := starts[matches-1]/1000 - 100 // some matches begin or end after it
	const length = 200
	for _, start := range starts {
		played += max(0, min(length, window-start/1000))
	}
	s := fleetRun(t, starts, price, fmt.Sprintf("match.length=%ds", length), fmt.Sprintf("clock.duration=%ds", window),
		"fleet.per_machine=1", "fleet.start=0s", "fleet.idle=0s", fmt.Sprintf("fleet.buffer=%d", buffer))
	hours := float64(played+buffer*(window-starts[0]/1000)) / 3600
	if got := float64(s.Fleet.MachineHours); math.Abs(got-hours) > 0.0005 {
		t.Errorf("got %g machine hours, want %g", got, hours)
	}
	if got := float64(s.Fleet.CostPerDay); math.Abs(got-price*hours*86400/float64(window)) > 0.01 {
		t.Errorf("got a cost of %g a day, want %g", got, price*hours*86400/float64(window))
	}
	if s.Fleet.ShareWaited != 0 || s.Fleet.Wait.Max != 0 || s.Fleet.Unserved != 0 {
		t.Errorf("got %g of the matches waiting, up to %g s, and %v unserved, want none", float64(s.Fleet.ShareWaited), float64(s.Fleet.Wait.Max), s.Fleet.Unserved)
	}
}

// TestFleetWithShareOfBuffer: with a load of 100 and a buffer of 20 %, the mean number of machines is that
// of N + ⌈N/5⌉ for a Poisson number N of matches.
func TestFleetWithShareOfBuffer(t *testing.T) {
	const load = 100.0
	want, chance := 0.0, math.Exp(-load)
	for n := 0; n < 400; n++ {
		want += chance * float64(n+(n+4)/5)
		chance *= load / float64(n+1)
	}
	if math.Abs(want-120.40) > 0.005 {
		t.Fatalf("got %g machines by the formula, want 120.40", want)
	}
	draw, at := rand.New(rand.NewPCG(37, 5)), 0.0
	var starts []int
	for range 60_000 {
		at += 1000 * draw.ExpFloat64() / load
		starts = append(starts, int(at))
	}
	s := fleetRun(t, starts, 1, "match.length=1s", fmt.Sprintf("clock.duration=%ds", int(at/1000)), "clock.tick=10ms",
		"fleet.per_machine=1", "fleet.start=0s", "fleet.idle=0s", "fleet.buffer=20%")
	if got := float64(s.Fleet.MachinesMean); math.Abs(got-want) > 0.02*want || s.Fleet.ShareWaited != 0 {
		t.Errorf("got %g machines on average, and %g of the matches waiting, want %g and none", got, float64(s.Fleet.ShareWaited), want)
	}
}
