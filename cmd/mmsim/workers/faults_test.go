package workers

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
)

// Workers are killed at random times, and others start. The results and their order are the
// same as in one process.
//
//	MMSIM_KILLS=20 go test ./cmd/mmsim/workers -run TestKilledWorkers -v
func TestKilledWorkers(t *testing.T) {
	t.Parallel()
	kills, err := strconv.Atoi(os.Getenv("MMSIM_KILLS"))
	if err != nil {
		kills = 3
	}
	p, url := open(t, Options{})
	ctx, finished := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		list := []*process{start(t, url), start(t, url)}
		n := 0
		for ; n < kills && ctx.Err() == nil; n++ {
			until(t, "a worker is at work", func() bool { return strings.Contains(list[0].log.String(), "at a time") })
			hub.Pause(ctx, rand.N(600*time.Millisecond)) // usually in the middle of a job
			list[0].kill()
			list = append(list[1:], start(t, url))
		}
		<-ctx.Done()
		for _, w := range list {
			w.kill()
		}
		done <- n
	}()
	same(t, p, 8*kills, small(t, "dataset.builtin.joins=10000"), small(t, "match.size=3"))
	finished()
	t.Logf("%d kills", <-done)
}

// A job on which three workers die is given up. The other jobs are done.
func TestJobThatKillsWorkers(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{lease: 300 * time.Millisecond})
	type found struct {
		kept []string
		err  error
	}
	end := make(chan found)
	go func() {
		kept, err := simulate(t, t.Context(), p, 4, small(t))
		end <- found{kept, err}
	}()
	var names []string
	for range deathsMax {
		w := start(t, url, dieOn+"=1")
		_ = w.Wait() // the worker kills itself
		name, _, _ := strings.Cut(w.log.String(), " ")
		names = append(names, name)
	}
	id := jobOf(t, p, small(t), 1)
	until(t, "the job is given up", func() bool { return recordOf(t, p, id) != nil })
	start(t, url, dieOn+"=1") // does not get the job, but any others that are left
	got := <-end
	slices.Sort(names)
	want := "the workers " + strings.Join(names, ", ") + " died on it"
	if got.err == nil || !strings.Contains(got.err.Error(), want) || input.IsBad(got.err) {
		t.Errorf("got error %v, want an internal one that contains %s", got.err, want)
	}
	if len(got.kept) != 3 {
		t.Errorf("got %d of the other jobs kept, want 3", len(got.kept))
	}
}

// An error that would be the same on every worker ends the command. It contains the file names
// that the user knows.
func TestJobError(t *testing.T) {
	t.Parallel()
	queue := filepath.Join(t.TempDir(), "queue.json")
	write(t, queue, `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "DifferenceRules": [{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 300, "MergeFunction": "Average", "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1}]}`)
	c := small(t, "rules="+queue, "placement=pool", "players.attributes={mmr: {choice: {a: 1}}}")
	_, want := simulate(t, t.Context(), nil, 1, c)
	if !input.IsBad(want) {
		t.Fatalf("the job ended with %v, want bad input", want)
	}
	p, url := open(t, Options{})
	w := start(t, url)
	_, err := simulate(t, t.Context(), p, 3, c)
	if !input.IsBad(err) || err.Error() != want.Error() {
		t.Errorf("got error %v, want %v", err, want)
	}
	if err := p.close(context.Background(), false); err != nil {
		t.Error(err)
	}
	w.left(t)
}

// A worker that is stopped for longer than its lease finishes a job that another worker has
// done in the meantime.
func TestSlowWorker(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{lease: 300 * time.Millisecond})
	slow := start(t, url)
	end := make(chan struct{})
	go func() {
		defer close(end)
		same(t, p, 2, small(t, "dataset.builtin.joins=20000"))
	}()
	until(t, "a worker has taken a job", func() bool { return strings.Contains(strings.Join(p.roster.progress(), ""), "1 running") })
	_ = slow.Process.Signal(syscall.SIGSTOP)
	other := start(t, url)
	<-end
	_ = slow.Process.Signal(syscall.SIGCONT)
	same(t, p, 3, small(t, "match.size=3"))
	if err := context.Cause(p.ctx); err != nil {
		t.Error(err)
	}
	if err := p.close(context.Background(), true); err != nil {
		t.Error(err)
	}
	slow.left(t)
	other.left(t)
}

// A job that takes longer than its lease remains with its worker. On a busy machine, the
// heartbeats of a short lease may be late, so the test then tries a longer one.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	for lease := 300 * time.Millisecond; ; lease *= 4 {
		n := begun(t, lease)
		if n == 1 {
			return
		}
		t.Logf("lease %v: begun %d times, want once", lease, n)
		if lease > 15*time.Second {
			t.FailNow()
		}
	}
}

// begun counts how often two workers begin a job that takes longer than its lease.
func begun(t *testing.T, lease time.Duration) int {
	t.Helper()
	p, url := open(t, Options{lease: lease})
	var n atomic.Int32
	for range 2 {
		w := worker1(url)
		w.begin = func(context.Context, *job) {
			n.Add(1)
			time.Sleep(3 * p.lease)
		}
		within(t, w)
	}
	same(t, p, 1, small(t))
	return int(n.Load())
}

// within runs a worker in this process until the test ends. The worker must not end with an
// error, except for the interruption at the end of the test.
func within(t *testing.T, w *Work) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	end := make(chan error, 1)
	go func() { end <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-end; err != nil && !strings.HasPrefix(err.Error(), "interrupted") {
			t.Errorf("got worker error %v, want none or an interruption", err)
		}
	})
}

// An interrupted worker gives its job back at once, long before the lease expires.
func TestInterruptedWorker(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{lease: time.Hour})
	first := worker1(url)
	ctx, interrupt := context.WithCancel(t.Context())
	first.begin = func(context.Context, *job) { interrupt() }
	end := make(chan error)
	go func() {
		err := first.Run(ctx)
		within(t, worker1(url))
		end <- err
	}()
	same(t, p, 1, small(t))
	if err := <-end; err == nil || !strings.HasPrefix(err.Error(), "interrupted") {
		t.Errorf("got worker error %v, want an interruption", err)
	}
}

// An interrupted command keeps the results that have arrived, and its workers end.
func TestInterruptedPool(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{})
	ctx, interrupt := context.WithCancel(t.Context())
	w := worker1(url)
	started := 0
	w.begin = func(ctx context.Context, j *job) {
		if started++; started == 3 {
			interrupt()
			<-ctx.Done()
		}
	}
	end := make(chan error)
	go func() { end <- w.Run(context.Background()) }()
	c := small(t)
	found, err := simulate(t, ctx, p, 4, c)
	want, _ := simulate(t, t.Context(), nil, 4, c)
	if err != nil || len(found) != 2 || !slices.Contains(want, found[0]) || !slices.Contains(want, found[1]) {
		t.Errorf("got %d outcomes kept (error %v), want those of the two finished jobs", len(found), err)
	}
	if err := p.close(context.Background(), false); err != nil {
		t.Error(err)
	}
	if err := <-end; err != nil {
		t.Errorf("got worker error %v, want none", err)
	}
}

// A directory has one coordinator at a time.
func TestTwoPoolsInOneDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	p, _ := open(t, Options{Dir: dir})
	_, err := Open(t.Context(), Options{Serve: "127.0.0.1:0", Dir: dir, Err: io.Discard})
	if !resultdir.IsMendable(err) {
		t.Errorf("got error %v, want one that the user can mend", err)
	}
	if err := p.close(context.Background(), true); err != nil {
		t.Error(err)
	}
	open(t, Options{Dir: dir})
}

// killed ends a coordinator as if its process had been killed: workers are not told, and the notes
// file remains.
func killed(t *testing.T, p *Coordinator) {
	t.Helper()
	notes, err := os.ReadFile(p.hold.File())
	if err != nil {
		t.Fatal(err)
	}
	p.stop()
	if err := os.WriteFile(p.hold.File(), notes, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Workers of a killed coordinator reconnect to the next coordinator of its directory. They are
// told to leave, even if that coordinator has nothing to do or ends before they have
// reconnected.
func TestRestartWithoutJobs(t *testing.T) {
	t.Parallel()
	for _, idle := range []bool{true, false} {
		o := Options{Dir: filepath.Join(t.TempDir(), "out"), returning: 5 * time.Minute}
		p, command := open(t, o)
		w := start(t, command)
		until(t, "a worker has connected", func() bool { return strings.Contains(w.log.String(), "at a time") })
		killed(t, p)
		u, err := url.Parse(worker1(command).URL)
		if err != nil {
			t.Fatal(err)
		}
		output := new(log)
		o.Serve, o.Err = u.Host, output
		if idle {
			o.Dismiss(t.Context())
		} else if err := o.With(t.Context(), func(*Coordinator) error { return nil }); err != nil {
			t.Error(err)
		}
		w.left(t)
		want := "start workers with: " + command
		if idle {
			want = "nothing is left to do: telling the workers of the killed command to leave"
		}
		if output.String() != want+"\n" {
			t.Errorf("got output %q, want %q", output.String(), want)
		}
		if resultdir.IsLeft(o.Dir) {
			t.Error("got a directory of a killed command, want it removed")
		}
		output = new(log)
		o.Err = output
		if o.Dismiss(t.Context()); output.String() != "" {
			t.Errorf("got output %q for a command that was not killed, want none", output.String())
		}
	}
}

// A worker of another build leaves with a message. On a server with several sessions, it would
// wait for a session of its build.
func TestAnotherBuild(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{})
	w := start(t, url, asBuild+"=other")
	if err := w.Wait(); err == nil || !strings.Contains(w.log.String(), "it was built from sources other, the command from "+hub.Build(build.Sources())) {
		t.Errorf("got worker error %v, want a refusal of another build: %s", err, w.log.String())
	}
	within(t, worker1(url))
	same(t, p, 1, small(t))
}

// A result has the version of the coordinator: a worker of the same sources may have another.
func TestVersionOfResults(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{})
	j := describe(t, p, small(t), 0)
	if j.Version != build.Version() {
		t.Errorf("got a job of version %q, want %q", j.Version, build.Version())
	}
	j.Version = "v9.9.9"
	d := newWorkerSession(t.Context(), newWorker(*worker1(url), nil, true), hubOf(p).Session, p.hub, filepath.Join(t.TempDir(), "scratch"))
	defer d.end(nil)
	_, payload, err := d.result(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := results.Unpack(payload, j.Hash, false); err != nil || r.Summary.Run.Version != "v9.9.9" {
		t.Errorf("got error %v and summary %+v, want version v9.9.9", err, r)
	}
}

// A worker with a full disk gives back jobs that need the disk, and another worker does them.
func TestWorkerDiskFull(t *testing.T) {
	t.Parallel()
	day := filepath.Join(t.TempDir(), "day.csv")
	write(t, day, "time,latitude,longitude\n"+strings.Repeat("1,50,8\n600,51,9\n", 1000))
	p, url := open(t, Options{})
	full := start(t, url, fileSize+"=1")
	go func() {
		until(t, "the job comes back", func() bool { return strings.Contains(full.log.String(), "is given back") })
		within(t, worker1(url))
	}()
	same(t, p, 2, small(t, "dataset.file="+day))
	if !strings.Contains(full.log.String(), "file too large") {
		t.Errorf("got worker output %s, want that the file is too large", full.log.String())
	}
}

// While the server is full, results cannot be stored and jobs are given back.
func TestFullServer(t *testing.T) {
	t.Parallel()
	p, url := open(t, Options{memory: 16 << 20})
	junk, err := hubOf(p).JS.CreateStream(t.Context(), jetstream.StreamConfig{Name: "junk", Subjects: []string{"junk"}, Storage: jetstream.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	w := worker1(url)
	fill := sync.OnceFunc(func() {
		for _, size := range []int{512 << 10, 8 << 10, 100} {
			for full := false; !full; {
				_, err := hubOf(p).JS.Publish(t.Context(), "junk", make([]byte, size))
				full = err != nil
			}
		}
	})
	w.begin = func(context.Context, *job) { fill() }
	within(t, w)
	emptied := make(chan struct{})
	go func() {
		defer close(emptied)
		until(t, "the job comes back", func() bool { return strings.Contains(w.Err.(*log).String(), "given back: its result cannot be stored") })
		if err := junk.Purge(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	same(t, p, 1, small(t))
	<-emptied
}

// If two workers compute different results, the error names both. This does not apply to jobs
// whose results do not depend on the hash alone.
func TestDispute(t *testing.T) {
	t.Parallel()
	for _, impure := range []bool{false, true} {
		t.Run(fmt.Sprint(impure), func(t *testing.T) {
			p, url := open(t, Options{})
			j := describe(t, p, small(t), 0)
			j.Impure = impure
			id, text, err := j.encode()
			if err != nil {
				t.Fatal(err)
			}
			w := worker1(url)
			w.AllowExec = true
			w.begin = func(ctx context.Context, _ *job) {
				if err := p.hub.Create(ctx, id, []byte(`{"worker": "liar", "sha256": "other"}`)); err != nil {
					t.Error(err)
				}
			}
			within(t, w)
			if _, err := p.hub.Publish(t.Context(), j.kind(), id, text); err != nil {
				t.Fatal(err)
			}
			p.drain(t.Context())
			if impure {
				if r := recordOf(t, p, id); r == nil || r.Worker != "liar" || p.ctx.Err() != nil {
					t.Errorf("got record %+v, want the first result, that of worker liar", r)
				}
				return
			}
			<-p.ctx.Done()
			name, _, _ := strings.Cut(w.Err.(*log).String(), " ")
			if err := context.Cause(p.ctx); !strings.Contains(err.Error(), "workers liar and "+name+" computed different results") {
				t.Errorf("got error %v, want that two workers computed different results", err)
			}
		})
	}
}

// hubOf returns the session of a coordinator on its NATS server.
func hubOf(p *Coordinator) *hub.Jet { return p.hub.(*hub.Jet) }

// describe returns the job of a replication.
func describe(t *testing.T, p *Coordinator, c *config.Config, run uint64) *job {
	t.Helper()
	in, err := experiment.Load(c, experiment.NewCache(1))
	if err != nil {
		t.Fatal(err)
	}
	j, err := p.describe(in, run)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// jobOf returns the id of the job of a replication.
func jobOf(t *testing.T, p *Coordinator, c *config.Config, run uint64) string {
	t.Helper()
	id, _, err := describe(t, p, c, run).encode()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
