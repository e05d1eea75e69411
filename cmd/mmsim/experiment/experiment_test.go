package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// overridesOf parses settings as --set does.
func overridesOf(tb testing.TB, settings ...string) []config.Override {
	tb.Helper()
	var overrides []config.Override
	for _, setting := range settings {
		o, err := config.ParseOverride("set", setting)
		if err != nil {
			tb.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	return overrides
}

// configOf returns the default configuration with KEY=VALUE settings.
func configOf(tb testing.TB, settings ...string) *config.Config {
	tb.Helper()
	c, err := config.Load("", overridesOf(tb, settings...))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// smallConfig returns a built-in day that takes milliseconds to simulate, with KEY=VALUE
// settings.
func smallConfig(tb testing.TB, settings ...string) *config.Config {
	tb.Helper()
	return configOf(tb, append([]string{"dataset.builtin.preset=eu", "dataset.builtin.joins=4000", "clock.duration=10m", "clock.warmup=1m"}, settings...)...)
}

// Load does not change the configuration, because several goroutines may load the same one.
// This holds even if the data determines the duration and warm-up.
func TestLoadDoesNotChangeConfig(t *testing.T) {
	t.Chdir(t.TempDir())
	day := "time,latitude,longitude,session_length\n"
	for i := range 20 { // two days of sessions of four hours
		day += fmt.Sprintf("2026-03-%dT0%d:00:00Z,50,8,14400\n", 14+i/10, i%10)
	}
	if err := os.WriteFile("days.csv", []byte(day), 0o666); err != nil {
		t.Fatal(err)
	}
	c := configOf(t, "dataset.file=days.csv", "placement=servers", "servers.session={constant: 20m}")
	before := c.Clock
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			in, err := Load(c, NewCache(1))
			switch {
			case err != nil:
				t.Error(err)
			// 99 % of four hours are 237.6 minutes.
			case in.Config.Clock.Duration != 48*time.Hour || in.Config.Clock.Warmup != 238*time.Minute:
				t.Errorf("got loaded clock %+v, want two days and a warm-up of 238 minutes", in.Config.Clock)
			}
		})
	}
	group.Wait()
	if c.Clock != before || before.Duration != 24*time.Hour || before.Warmup != 2*time.Hour {
		t.Errorf("got clock %+v of the configuration, want one day and a warm-up of two hours as before", c.Clock)
	}
}

// Outcomes are ordered by run and arm, and do not depend on other jobs.
func TestOutcomesAreInOrder(t *testing.T) {
	e := Experiment{
		Arms: []Arm{{Config: smallConfig(t)}, {Config: smallConfig(t, "match.size=3")}, {Config: smallConfig(t, "clock.duration=1m")}},
		Runs: []uint64{4, 0, 1, 2, 3, 5, 6, 7},
		Skip: func(arm int, run uint64) bool { return arm == 1 && run == 2 },
	}
	var got []string
	hashes := map[string]string{}
	err := e.Run(t.Context(), Options{Keep: func(o Outcome) error {
		got = append(got, fmt.Sprint(o.Arm, " ", o.Run))
		hashes[fmt.Sprint(o.Arm, " ", o.Run)] = o.Result.Summary.Run.ConfigSHA256
		if o.Result.Summary.Run.Run != int(o.Run) || !o.Result.Summary.Complete {
			t.Errorf("run %d: got the summary of run %d or an incomplete one", o.Run, o.Result.Summary.Run.Run)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, run := range e.Runs {
		for arm := range e.Arms {
			if !e.Skip(arm, run) {
				want = append(want, fmt.Sprint(arm, " ", run))
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got runs %v, want %v", got, want)
	}
	for arm, a := range e.Arms {
		in, err := Load(a.Config, NewCache(1))
		if err != nil {
			t.Fatal(err)
		}
		if alone, err := in.JobHash(3); err != nil || alone != hashes[fmt.Sprint(arm, " 3")] {
			t.Errorf("arm %d: got job hash %s (error %v), want %s", arm, alone, err, hashes[fmt.Sprint(arm, " 3")])
		}
	}
}

// memory is a Store that counts its calls.
type memory struct {
	mutex      sync.Mutex
	done       map[string]*outcome.Summary
	gets, puts int
}

func (m *memory) Get(hash string) (*outcome.Summary, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.gets++
	return m.done[hash], nil
}

func (m *memory) Put(hash string, s *outcome.Summary) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.done == nil {
		m.done = map[string]*outcome.Summary{}
	}
	m.puts++
	m.done[hash] = s
	return nil
}

// Equal arms are simulated once. A job in the store is not simulated again.
func TestStoreKeepsJobs(t *testing.T) {
	e := Experiment{Arms: []Arm{{Config: smallConfig(t)}, {Config: smallConfig(t)}, {Config: smallConfig(t, "match.size=3")}}, Runs: []uint64{0, 1}}
	store := &memory{}
	for range 2 {
		kept := 0
		if err := e.Run(t.Context(), Options{Store: store, Keep: func(Outcome) error { kept++; return nil }}); err != nil {
			t.Fatal(err)
		}
		if store.puts != 4 || kept != 6 {
			t.Errorf("got %d jobs simulated and %d kept, want 4 and 6", store.puts, kept)
		}
	}
}

// strides counts the strides that have been simulated, and calls act at one of them.
type strides struct {
	mutex sync.Mutex
	n, at int
	act   func()
	jobs  atomic.Int64
}

func (s *strides) JobDone() { s.jobs.Add(1) }

func (s *strides) Advance(sim.Instant, sim.Instant) {
	s.mutex.Lock()
	s.n++
	due := s.n == s.at
	s.mutex.Unlock()
	if due {
		s.act()
	}
}

// A fault or an interruption ends the experiment, but finished jobs are kept.
func TestFinishedJobsAreKept(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // with many cores, no job would have finished
	fault := errors.New("a fault")
	for _, end := range []string{"interruption", "panic", "keep"} {
		t.Run(end, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			e := Experiment{Arms: []Arm{{Config: smallConfig(t)}}}
			for run := range uint64(40) {
				e.Runs = append(e.Runs, run)
			}
			// A job has 660 strides of a second. On two cores, ten jobs have finished by then.
			progress := &strides{at: 15 * 660, act: func() {
				switch end {
				case "interruption":
					cancel()
				case "panic":
					panic(fault.Error())
				}
			}}
			store := &memory{}
			complete := 0
			err := e.Run(ctx, Options{Store: store, Progress: progress, Keep: func(o Outcome) error {
				if o.Result.Summary.Complete {
					complete++
				}
				if end == "keep" && complete == 10 {
					return fault
				}
				return nil
			}})
			switch {
			case end == "interruption" && err != nil, end == "panic" && (err == nil || !strings.Contains(err.Error(), "a fault")), end == "keep" && err != fault:
				t.Errorf("got error %v, want that of the end of the case", err)
			}
			if complete < 10 || complete != store.puts || complete > 39 {
				t.Errorf("got %d outcomes kept and %d in the store, want equal numbers, from 10 to 39", complete, store.puts)
			}
			if done := progress.jobs.Load(); done != int64(store.puts) {
				t.Errorf("got progress of %d jobs done, want %d, the number in the store", done, store.puts)
			}
		})
	}
}

// An experiment that was already interrupted does no jobs.
func TestNoJobAfterInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := Experiment{Arms: []Arm{{Config: smallConfig(t)}}, Runs: []uint64{0}}
	var got []Outcome
	if err := e.Run(ctx, Options{Keep: func(o Outcome) error { got = append(got, o); return nil }}); err != nil {
		t.Fatal(err)
	}
	if len(got) > 0 {
		t.Errorf("got outcomes %v, want none", got)
	}
}
