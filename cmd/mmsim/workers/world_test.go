package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
	"mmsim/reports/result"
)

// A world is a coordinator and workers on the model of the server, on a virtual clock.
type world struct {
	*model
	coordinator *Coordinator
	output      *log
	workers     sync.WaitGroup
	stop        context.CancelFunc
	ctx         context.Context
	alive       []*bool // processes of the workers, see modelHub.isDead
	begin       func(context.Context, *job)
}

// newWorld opens a coordinator on a model.
func newWorld(t *testing.T, m *model, o Options) *world {
	t.Helper()
	w := &world{model: m, output: new(log)}
	w.ctx, w.stop = context.WithCancel(context.Background())
	o.Err = w.output
	w.coordinator = newCoordinator(o)
	h := modelHub{m, hub.Session{Name: "s", Build: hub.Build(build.Sources()), Lease: w.coordinator.lease}, new(bool)}
	if err := w.coordinator.open(h, "…"); err != nil {
		t.Fatal(err)
	}
	return w
}

// work starts a worker.
func (w *world) work(o Work) {
	o.Jobs, o.Err, o.begin = 1, new(log), w.begin
	dead := new(bool)
	w.mutex.Lock()
	w.alive = append(w.alive, dead)
	w.mutex.Unlock()
	w.workers.Go(func() {
		_ = newWorker(o, modelHub{w.model, hub.Session{}, dead}, false).run(w.ctx) // it is interrupted at the end
	})
}

// kill makes the oldest living worker fall silent for ever.
func (w *world) kill() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	*w.alive[0] = true
	w.alive = w.alive[1:]
}

// close ends the world. The server answers again, so that everything ends.
func (w *world) close() {
	w.mutex.Lock()
	w.isDown, w.unlucky = false, 0
	w.mutex.Unlock()
	w.stop()
	w.workers.Wait()
	_ = w.coordinator.close(context.Background(), false)
}

// simulate does the jobs as an experiment does. Experiment.Run itself cannot run on a virtual clock,
// because its goroutines wait for a mutex.
func (w *world) simulate(t *testing.T) (kept []string, err error) {
	t.Helper()
	in, err := experiment.Load(tiny(t), experiment.NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*worldLeases*w.coordinator.lease) // so that a world that does not end fails
	defer cancel()
	var group sync.WaitGroup
	texts, errs := make([]string, worldJobs), make([]error, worldJobs)
	for run := range worldJobs {
		work, err := w.coordinator.Prepare(in, uint64(run), false)
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			r, err := work(ctx)
			if errs[run] = err; err == nil && r != nil && r.Summary.Complete {
				texts[run] = fmt.Sprintf("arm 0 run %d: %s", run, textOf(t, &r.Summary))
			}
		})
	}
	group.Wait()
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" }), errors.Join(errs...)
}

// tiny returns a replication that takes about a millisecond.
func tiny(t *testing.T) *config.Config {
	return small(t, "dataset.builtin.joins=300", "clock.duration=10m", "clock.warmup=5m")
}

// warm starts what the process starts once, outside of any virtual clock.
func warm(t *testing.T) (want []string) {
	t.Helper()
	want, err := simulate(t, t.Context(), nil, worldJobs, tiny(t))
	if err != nil {
		t.Fatal(err)
	}
	in, err := experiment.Load(tiny(t), experiment.NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	hash, err := in.JobHash(0)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := results.Pack(&result.Result{}, false)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = results.Unpack(packed, hash, false)
	return want
}

const (
	worldJobs   = 8
	worldLeases = 60 // a world without further faults ends within this number of leases
)

// The world loses streams and buckets, messages and answers, workers are killed, and the server is
// away for a while. Every run ends with the right results. The seed chooses the faults.
//
//	MMSIM_WORLDS=1000 go test ./cmd/mmsim/workers -run TestWorlds
//	MMSIM_WORLD=17 go test ./cmd/mmsim/workers -run TestWorlds -v
func TestWorlds(t *testing.T) {
	want := warm(t)
	first, n := uint64(0), 12
	if seed, err := strconv.ParseUint(os.Getenv("MMSIM_WORLD"), 10, 64); err == nil {
		first, n = seed, 1
	} else if worlds, err := strconv.Atoi(os.Getenv("MMSIM_WORLDS")); err == nil {
		n = worlds
	} else if testing.Short() {
		n = 4
	}
	for seed := first; seed < first+uint64(n); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { faultyWorld(t, seed, want) })
		})
	}
}

// faultyWorld runs the jobs in a world with faults.
func faultyWorld(t *testing.T, seed uint64, want []string) {
	m := newModel(seed)
	random := rand.New(rand.NewPCG(seed, 1))
	m.late = []time.Duration{0, 100 * time.Millisecond, 6 * time.Second}[random.IntN(3)]
	m.unlucky = []float64{0, 0.01, 0.1}[random.IntN(3)]
	w := newWorld(t, m, Options{patience: time.Hour})
	defer w.close()
	longest := []time.Duration{time.Second, 20 * time.Second, 3 * time.Minute}[random.IntN(3)]
	w.begin = func(ctx context.Context, _ *job) {
		m.mutex.Lock()
		d := time.Duration(m.random.Int64N(int64(longest)))
		m.mutex.Unlock()
		hub.Pause(ctx, d)
	}
	for range 1 + random.IntN(3) {
		w.work(Work{})
	}
	var calm time.Time // when the last fault was over
	over := make(chan struct{})
	go func() {
		defer close(over)
		kills := 0
		for range random.IntN(6) {
			time.Sleep(time.Duration(random.Int64N(int64(40 * time.Second))))
			fault := random.IntN(len(losses) + 2)
			switch {
			case fault < len(losses):
				m.mutex.Lock()
				losses[fault].model(m.sessions["s"])
				m.mutex.Unlock()
			case fault == len(losses):
				m.mutex.Lock()
				m.isDown = true
				m.mutex.Unlock()
				time.Sleep(time.Duration(random.Int64N(int64(2 * time.Minute))))
				m.mutex.Lock()
				m.isDown = false
				m.mutex.Unlock()
			case kills < deathsMax-1: // so few that no job is given up
				kills++
				w.work(Work{})
				w.kill()
			}
		}
		calm = time.Now()
	}()
	got, err := w.simulate(t)
	ended := time.Now()
	<-over
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("seed %d: got error %v and %d results, want the %d of this process: %s", seed, err, len(got), len(want), w.output)
	}
	if most := worldLeases * w.coordinator.lease; ended.Sub(calm) > most {
		t.Errorf("seed %d: ended %v after the last fault, want at most %v: %s", seed, ended.Sub(calm), most, w.output)
	}
}

// A loss is something that a server loses.
type loss struct {
	name  string
	model func(*modelSession)
	real  func(context.Context, *hub.Jet) error
}

// losses are what a server can lose, on the model and on JetStream.
var losses = []loss{
	{"jobs purged", func(s *modelSession) { clear(s.jobs) }, func(ctx context.Context, h *hub.Jet) error { return h.Withdraw(ctx, "", "") }},
	{"stream deleted", func(s *modelSession) { s.jobs = nil }, func(ctx context.Context, h *hub.Jet) error { return h.JS.DeleteStream(ctx, hub.JobsPrefix+h.Name) }},
	{"records deleted", func(s *modelSession) { s.records = nil }, func(ctx context.Context, h *hub.Jet) error { return h.JS.DeleteKeyValue(ctx, hub.RecordsPrefix+h.Name) }},
	{"objects deleted", func(s *modelSession) { s.objects = nil }, func(ctx context.Context, h *hub.Jet) error {
		return h.JS.DeleteObjectStore(ctx, hub.ObjectsPrefix+h.Name)
	}},
	{"queues deleted", func(s *modelSession) { s.hasNoQueues = true }, func(ctx context.Context, h *hub.Jet) error {
		return errors.Join(h.JS.DeleteConsumer(ctx, hub.JobsPrefix+h.Name, hub.Pure), h.JS.DeleteConsumer(ctx, hub.JobsPrefix+h.Name, hub.Exec))
	}},
	{"everything deleted", func(s *modelSession) { s.jobs, s.records, s.objects = nil, nil, nil }, func(ctx context.Context, h *hub.Jet) error { return h.Remove(ctx) }},
}

// JetStream loses what the model loses, and the results are right, too. In each case, a worker does
// a job meanwhile.
func TestLosses(t *testing.T) {
	t.Parallel()
	day := t.TempDir() + "/day.csv"
	write(t, day, "time,latitude,longitude\n"+strings.Repeat("1,50,8\n600,51,9\n", 100))
	for _, loss := range losses {
		t.Run(loss.name, func(t *testing.T) {
			t.Parallel()
			p, command := open(t, Options{})
			w := worker1(command)
			lose := sync.OnceFunc(func() {
				if err := loss.real(context.Background(), hubOf(p)); err != nil {
					t.Error(err)
				}
			})
			w.begin = func(context.Context, *job) { lose() }
			within(t, w)
			same(t, p, 4, small(t, "dataset.file="+day))
		})
	}
}

// If the server never comes back, the command ends with an error, and what is finished is kept.
func TestServerGone(t *testing.T) {
	want := warm(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, newModel(1), Options{})
		defer w.close()
		began := 0
		w.begin = func(ctx context.Context, _ *job) {
			hub.Pause(ctx, 10*time.Second)
			if began++; began == 4 {
				w.mutex.Lock()
				w.isDown = true
				w.mutex.Unlock()
			}
		}
		w.work(Work{})
		gone := time.Now()
		got, err := w.simulate(t)
		if err == nil || input.IsBad(err) || !strings.Contains(err.Error(), "everything finished is kept") {
			t.Errorf("got error %v, want an internal one that says that everything finished is kept", err)
		}
		isOther := func(result string) bool { return !slices.Contains(want, result) } // two jobs run at a time, so any may be the first
		if len(got) != 3 || slices.ContainsFunc(got, isOther) {
			t.Errorf("got %d results, want the 3 finished ones", len(got))
		}
		if !strings.Contains(w.output.String(), "the server does not answer (no answer): trying again for 5m0s\n") {
			t.Errorf("got output %s, want that the server does not answer", w.output)
		}
		if most := 40*time.Second + defaultPatience + 2*hub.Answer + watchEvery; time.Since(gone) > most {
			t.Errorf("ended after %v, want at most %v", time.Since(gone), most)
		}
	})
}

// A job on which workers end is given up, the others are done. A worker that leaves with a word does
// not count.
func TestPoison(t *testing.T) {
	want := warm(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, newModel(1), Options{})
		defer w.close()
		deaths := 0
		w.begin = func(ctx context.Context, j *job) {
			if j.Run == 2 {
				deaths++
				w.work(Work{})
				w.kill()
				<-ctx.Done() // the process does nothing more
			}
		}
		w.work(Work{})
		got, err := w.simulate(t)
		if err == nil || !strings.Contains(err.Error(), "died on it") || len(got) != worldJobs-1 || deaths != deathsMax {
			t.Errorf("got %d results, %d deaths and error %v, want %d, %d and that workers died", len(got), deaths, err, worldJobs-1, deathsMax)
		}
		if !slices.Equal(got, slices.Delete(slices.Clone(want), 2, 3)) {
			t.Error("got other results than without workers")
		}
	})
}

// If no connected worker can do a job, the command ends with a table of reasons and cures.
func TestNobodyCan(t *testing.T) {
	warm(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, newModel(1), Options{})
		defer w.close()
		w.work(Work{})
		w.work(Work{build: "other"})
		began := time.Now()
		_, err := w.coordinator.do(t.Context(), hub.Exec, "x", []byte("{}"))
		for _, part := range []string{"no worker can do job x:\n", "worker", "cure", "start the worker with --allow-exec", "it was built from sources other, "} {
			if !input.IsBad(err) || !strings.Contains(err.Error(), part) {
				t.Errorf("got error %v, want bad input with %q", err, part)
			}
		}
		if took := time.Since(began); took < defaultQuiet || took > 2*defaultQuiet {
			t.Errorf("ended after %v, want soon after %v", took, defaultQuiet)
		}
	})
}
