package workers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/workers/hub"
	"mmsim/reports/outcome"
)

// The test binary is also a worker, so that workers are real processes. Environment variables
// control it:
const (
	asWorker = "MMSIM_TEST_WORKER" // URL for the worker
	asBuild  = "MMSIM_TEST_BUILD"  // build of the worker, instead of its own
	dieOn    = "MMSIM_TEST_DIE_ON" // number of the run that kills the worker
	fileSize = "MMSIM_TEST_FILE_SIZE"

	allowExec = "MMSIM_TEST_ALLOW_EXEC"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asMatchmaker {
		serveMatchmaker(os.Args[2:])
		return
	}
	if about := os.Getenv(asNode); about != "" {
		serveNode(about)
		return
	}
	if os.Getenv(asWorker) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	w := &Work{URL: os.Getenv(asWorker), Token: os.Getenv(hub.TokenVariable), build: os.Getenv(asBuild), Jobs: 1, Err: os.Stderr, retry: 50 * time.Millisecond}
	w.AllowExec = os.Getenv(allowExec) != ""
	var err error
	if w.Folder, err = os.Getwd(); err != nil {
		panic(err)
	}
	if run := os.Getenv(dieOn); run != "" {
		w.begin = func(_ context.Context, j *job) {
			if fmt.Sprint(j.Run) == run {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {} // wait for the signal
			}
		}
	}
	if os.Getenv(fileSize) != "" { // limits file sizes, as on a full disk
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4000, Max: 4000}); err != nil {
			panic(err)
		}
	}
	err = w.Run(ctx)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// worker1 returns a worker that does one job at a time. start is the command that the coordinator
// prints, or a URL.
func worker1(start string) *Work {
	token, url, isCommand := strings.Cut(strings.TrimPrefix(start, hub.TokenVariable+"="), " mmsim worker ")
	if !isCommand {
		token, url = "", strings.TrimPrefix(start, "mmsim worker ")
	}
	return &Work{URL: url, Token: token, Jobs: 1, Err: new(log), retry: 50 * time.Millisecond}
}

// log collects the output of a process or goroutine.
type log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// until waits until holds returns true.
func until(t *testing.T, condition string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("timeout while waiting for: %s", condition)
			return
		}
	}
}

// open opens a coordinator with a built-in server. It closes the coordinator at the end of the test.
func open(t *testing.T, o Options) (p *Coordinator, start string) {
	t.Helper()
	output := new(log)
	if o.Serve == "" && o.NATS == "" {
		o.Serve = "127.0.0.1:0"
	}
	o.Err = output
	if o.lease == 0 {
		o.lease = time.Second
	}
	p, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !p.server.Conn.IsClosed() {
			if err := p.close(context.Background(), !t.Failed()); err != nil {
				t.Error(err)
			}
		}
	})
	start, ok := strings.CutPrefix(strings.TrimSpace(output.String()), "start workers with: ")
	if !ok {
		t.Fatalf("got output %q, want the command that starts workers", output)
	}
	return p, start
}

// writeProgram writes a program that can be started at once. A process that another test starts
// meanwhile would hold the file open for a moment, and a program that is open for writing cannot be
// started. The lock keeps other tests from starting processes.
func writeProgram(t *testing.T, name string, content []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(name, content, 0o700); err != nil {
		t.Fatal(err)
	}
}

// process is a worker process.
type process struct {
	*exec.Cmd
	log
}

// start starts a worker process with environment variables.
func start(t *testing.T, command string, env ...string) *process {
	t.Helper()
	return startIn(t, "", command, env...)
}

// startIn starts a worker process in a folder.
func startIn(t *testing.T, folder, command string, env ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Dir = folder
	w := worker1(command)
	p.Env = append(append(os.Environ(), asWorker+"="+w.URL, hub.TokenVariable+"="+w.Token), env...)
	p.Stderr = &p.log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
	})
	return p
}

// kill kills a worker and waits for its end.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait() // it was killed
}

// left waits until a worker has ended by itself without an error.
func (p *process) left(t *testing.T) {
	t.Helper()
	if err := p.Wait(); err != nil {
		t.Errorf("got worker error %v: %s", err, p.log.String())
	}
}

// small returns a short replication of the built-in day, with KEY=VALUE settings.
func small(t *testing.T, settings ...string) *config.Config {
	t.Helper()
	var overrides []config.Override
	for _, setting := range append([]string{"dataset.builtin.preset=eu", "dataset.builtin.joins=2000", "clock.duration=30m", "clock.warmup=10m"}, settings...) {
		o, err := config.ParseOverride("set", setting)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	c, err := config.Load("", overrides)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// simulate runs an experiment with n replications of each configuration. It returns the
// outcomes as texts, in the order in which they were kept.
func simulate(t *testing.T, ctx context.Context, e experiment.Executor, n int, configs ...*config.Config) ([]string, error) {
	t.Helper()
	x := experiment.Experiment{Runs: experiment.FirstRuns(n)}
	for _, c := range configs {
		x.Arms = append(x.Arms, experiment.Arm{Config: c})
	}
	var found []string
	err := x.Run(ctx, experiment.Options{Executor: e, Keep: func(o experiment.Outcome) error {
		found = append(found, fmt.Sprintf("arm %d run %d: %s", o.Arm, o.Run, textOf(t, &o.Result.Summary)))
		return nil
	}})
	return found, err
}

func textOf(t *testing.T, s *outcome.Summary) string {
	t.Helper()
	var b strings.Builder
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// same checks that a coordinator gives the same results as this process.
func same(t *testing.T, p *Coordinator, n int, configs ...*config.Config) {
	t.Helper()
	want, err := simulate(t, t.Context(), nil, n, configs...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := simulate(t, t.Context(), p, n, configs...)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got outcomes of the workers\n%.2000q\nwant\n%.2000q", got, want)
	}
}

// recordOf reads the record of a job. It returns nil if there is none.
func recordOf(t *testing.T, p *Coordinator, id string) *record {
	t.Helper()
	r, err := p.record(id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
