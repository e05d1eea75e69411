package faults_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/latencymap"
)

// putWorkerInputs writes a configuration that names every kind of input, each with something
// that causes a warning, and small configurations of the built-in day.
func putWorkerInputs(t *testing.T) {
	t.Helper()
	day := &strings.Builder{}
	fmt.Fprintln(day, "time,latitude,longitude,mmr")
	for i := range 600 {
		fmt.Fprintf(day, "%d,%d.5,%d.25,%d\n", i*12, 45+i%8, i%12, 1000+i*37%900)
	}
	fmt.Fprintln(day, "soon,50,8,1500")
	var cells latencymap.Grid
	var bin bytes.Buffer
	if err := latencymap.WriteBin(&bin, &cells); err != nil {
		t.Fatal(err)
	}
	commandtest.Put(t, ".", map[string]string{
		"in/day.csv":                    day.String(),
		"in/dcs.csv":                    "id,name,latitude,longitude\n1,here,50,8\n2,there,52,13\n",
		"in/maps/latency_here.bin":      bin.String(),
		"in/maps/latency_elsewhere.bin": "not read",
		"in/maps/notes.txt":             "not sent",
		"in/queue.json":                 `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "DifferenceRules": [{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 300, "MergeFunction": "Average", "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1}], "Strange": 1}`,
		"in/countries.csv":              "country,weight\nDE,5\nFR,1\n",
		"inputs.yaml": `{dataset: {file: in/day.csv, max_bad_rows: 1}, datacenters: {file: in/dcs.csv}, latency: {maps: in/maps}, placement: pool,
  rules: {file: in/queue.json, set: {MaxMatchSize: 4}}, clock: {warmup: 10m, duration: 1h}, output: {records: csv}}`,
		"queues.yaml": `{dataset: {file: in/day.csv, max_bad_rows: 1}, placement: pool, clock: {warmup: 10m, duration: 1h}, output: {plots: false},
  queues: [{name: a, share: 0.4, rules: in/queue.json}, {name: b, share: 0.6, placement: datacenters, match: {size: 3}}]}`,
		"in/log.csv": "time,latitude,longitude,player_id\n" + strings.Repeat("00:10:00,50.1,8.7,a\n00:20:00,50.1,8.7,b\n00:30:00,48.8,2.3,c\n", 20),
		"season.yaml": `{dataset: {file: in/day.csv, max_bad_rows: 1}, match: {size: 2}, clock: {warmup: 10m, duration: 3d}, output: {records: csv},
  season: {skill: mmr, rating: {attribute: elo}, visit: 0.5, quit: 10%, quit_by: {loss_streak: 0.5}}}`,
		"log.yaml":   "{dataset: {file: in/log.csv}, clock: {warmup: 10m, duration: 1h}, output: {plots: false}}",
		"base.yaml":  "{dataset: {builtin: {preset: eu, joins: 4000, countries: in/countries.csv}}, clock: {warmup: 1h, duration: 1h}}",
		"sweep.yaml": "{config: inputs.yaml, runs: 2, settings: {match.size: [2, 3], rules.DifferenceRules.Skill.Difference: [200, 400]}, metrics: [wait_s.p95, rtt_ms.mean]}",
		"tune.yaml":  "{config: base.yaml, settings: {states.ideal.rtt: {from: 20ms, to: 80ms}}, minimise: rtt_ms.mean, budget: {runs: 12}}",
		"gate.yaml":  "{wait_s.p95: {max: 1s}}",

		"in/events.yaml": `events:
  - {at: "00:05", for: 1m, joins: 300, from: {continents: [EU]}}
  - {at: "00:07", for: 10m, outage: [frankfurt], running: kill}
  - {at: "00:08", for: 10m, latency: 80ms, from: {countries: [DE, FR]}, to: [paris]}
  - {at: "00:30", for: 10m, maintenance: true, back: 60%, within: 5m}`,
		"in/prices.csv": "datacenter,machine_hour,traffic_gb\n*,0.5,0.02\nfrankfurt,0.4,0.02\n",
		"site.yaml":     "{config: priced.yaml, count: 2, candidates: 2, constraints: {rtt_ms.share_le_100: {min: 10%}}}",
		"priced.yaml":   "{dataset: {builtin: {preset: eu, joins: 4000}}, clock: {warmup: 10m, duration: 30m}, fleet: {prices: in/prices.csv, max: {frankfurt: 1, default: 2}, min: 1}}",
		"distance.yaml": "{wait_first_s: {max_distance: 1%}}",

		"matcher.yaml":  "{dataset: {builtin: {preset: eu, joins: 3000}}, clock: {warmup: 10m, duration: 20m}, output: {records: csv, plots: false, html: false}}",
		"matchers.yaml": "{config: matcher.yaml, runs: 2, settings: {match.size: [2, 3]}, metrics: [wait_s.p95, external.proposals]}",
	})
}

// With any number of workers, each command that supports them writes and prints the same bytes
// as without workers, and leaves nothing behind.
func TestWorkersGiveEqualResults(t *testing.T) {
	for _, c := range []struct {
		name    string
		args    []string
		out     bool // whether it has --out
		code    int
		workers []int
		allowed []string // flags of workers
	}{
		{"sweep", []string{"sweep", "sweep.yaml"}, true, command.ExitGood, []int{1, 4}, nil},
		{"tune", []string{"tune", "tune.yaml"}, true, command.ExitGood, []int{1}, nil},
		{"run", []string{"run", "--config", "inputs.yaml", "--runs", "3"}, true, command.ExitGood, []int{2}, nil},
		{"queues", []string{"run", "--config", "queues.yaml", "--runs", "2"}, true, command.ExitGood, []int{1}, nil},
		{"resampled", []string{"run", "--config", "inputs.yaml", "--set", "dataset.resample=true", "--runs", "3"}, true, command.ExitGood, []int{2}, nil},
		{"season", []string{"run", "--config", "season.yaml", "--runs", "3"}, true, command.ExitGood, []int{2}, nil},
		{"events", []string{"run", "--config", "base.yaml", "--events", "in/events.yaml", "--runs", "3"}, true, command.ExitGood, []int{2}, nil},
		{"evening", []string{"compare", "base.yaml", "--set-b", "events=in/events.yaml", "--runs", "2"}, true, command.ExitGood, []int{2}, nil},
		{"searches", []string{"run", "--config", "log.yaml", "--runs", "3"}, true, command.ExitGood, []int{2}, nil},
		{"datacenters", []string{"run", "--config", "base.yaml", "--runs", "2", "--datacenters", "in/dcs.csv+aws:eu-west-1,us-east-1", "--set", "datacenters.use=[here, us-east-1]"}, true, command.ExitGood, []int{1}, nil},
		{"site", []string{"site", "site.yaml"}, true, command.ExitGood, []int{1, 3}, nil},
		{"compare", []string{"compare", "base.yaml", "--set-b", "match.size=3", "--runs", "3"}, true, command.ExitGood, []int{2}, nil},
		{"sides", []string{"compare", "queues.yaml", "--set-b", "clock.tick=2s", "--runs", "2"}, true, command.ExitGood, []int{2}, nil},
		{"distance", []string{"check", "base.yaml", "--gate", "distance.yaml", "--baseline", "in/baseline", "--runs", "2"}, true, command.ExitFailed, []int{2}, nil},
		{"check", []string{"check", "base.yaml", "--gate", "gate.yaml", "--runs", "2"}, false, command.ExitFailed, []int{1}, nil},
		{"module", []string{"sweep", "matchers.yaml", "--matcher", "wasm:in/guest.wasm"}, true, command.ExitGood, []int{1, 4}, nil},
		{"program", []string{"sweep", "matchers.yaml", "--matcher", "exec:matcher-first"}, true, command.ExitGood, []int{1, 4}, []string{"--allow-exec"}},
		{"recording", []string{"run", "--config", "matcher.yaml", "--runs", "4", "--matcher", "replay:in/recording.jsonl"}, true, command.ExitGood, []int{1, 4}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			module := ""
			if c.name == "module" {
				if testing.Short() {
					t.Skip("with -race, compiling a module takes longer than all other cases together")
				}
				module = commandtest.Read(t, commandtest.Module(t)) // this must run in the folder of the package
			}
			t.Chdir(t.TempDir())
			putWorkerInputs(t)
			switch c.name {
			case "module":
				commandtest.Put(t, ".", map[string]string{"in/guest.wasm": module})
			case "distance":
				mustRun(t, []string{"run", "--config", "base.yaml", "--set", "match.size=8"})
				if err := os.Rename("out", "in/baseline"); err != nil {
					t.Fatal(err)
				}
			case "recording":
				mustRun(t, []string{"matcher", "record", "in/recording.jsonl", "--config", "matcher.yaml", "--runs", "4", "--matcher", "exec:matcher-first"})
				if err := os.RemoveAll("out"); err != nil {
					t.Fatal(err)
				}
			}
			before := namesIn(t, ".")
			with := func(more ...string) []string {
				if c.out {
					more = append(more, "--out", "out")
				}
				return append(slices.Clone(c.args), more...)
			}
			var stdout, errs bytes.Buffer
			if code := command.Run(with(), nil, &stdout, &errs); code != c.code {
				t.Fatalf("exit code %d: %s", code, errs.String())
			}
			want := filesBelow(t, "out")
			if testing.Short() {
				c.workers = c.workers[len(c.workers)-1:]
			}
			for _, n := range c.workers {
				if err := os.RemoveAll("out"); err != nil {
					t.Fatal(err)
				}
				s := serve(t, with("--serve", "127.0.0.1:0")...)
				for range n {
					s.work(t, c.allowed...)
				}
				out, code := s.wait(t)
				if code != c.code || out != stdout.String() {
					t.Errorf("%d workers: got exit code %d and output\n%s\nwant %d and\n%s\n%s", n, code, out, c.code, stdout.String(), s.errs.String())
				}
				if err := sameFiles(filesBelow(t, "out"), want); err != nil {
					t.Errorf("%d workers: %v", n, err)
				}
			}
			if names := slices.DeleteFunc(namesIn(t, "."), func(name string) bool { return name == "out" }); !slices.Equal(names, before) {
				t.Errorf("got files %v, want %v", names, before)
			}
		})
	}
}

// A coordinator is killed at random times and started again. Its workers reconnect, and the
// final directory equals that of one process.
//
//	MMSIM_KILLS=20 go test ./cmd/mmsim/faults -run TestKilledCoordinator -v
func TestKilledCoordinator(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("MMSIM_KILLS"))
	if err != nil {
		kills = 2
	}
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{
		"base.yaml":  "{dataset: {builtin: {preset: eu, joins: 8000}}, clock: {warmup: 1h, duration: 1h}}",
		"sweep.yaml": fmt.Sprintf("{config: base.yaml, runs: %d, settings: {match.size: [2, 3, 4, 5, 6]}, metrics: [rtt_ms.mean]}", 4+4*kills),
	})
	mustRun(t, []string{"sweep", "sweep.yaml"})
	want := filesBelow(t, "out")
	if err := os.Rename("out", "want"); err != nil {
		t.Fatal(err)
	}
	before := namesIn(t, ".")
	args := []string{"sweep", "sweep.yaml", "--out", "out", "--quiet", "--serve", freeAddress(t)}
	s := serve(t, args...)
	first := s
	for range 2 { // a worker that has connected once reconnects
		w := first.work(t)
		for !strings.Contains(w.Stderr.(*output).String(), "at a time") {
			time.Sleep(time.Millisecond)
		}
	}
	for n := range kills {
		time.Sleep(rand.N(500 * time.Millisecond)) // usually in the middle of a job
		_ = s.process.Process.Kill()
		<-s.ended
		_ = s.process.Wait() // it was killed
		if s.process.ProcessState.Success() {
			t.Logf("finished after %d kills", n)
			break
		}
		s = serveIn(t, first.temp, args...)
		if s.url == "" {
			t.Logf("all jobs were done at kill %d", n+1)
			s.url = first.url
			break
		}
		if s.url != first.url {
			t.Fatalf("got URL %s after a restart, want %s", s.url, first.url)
		}
	}
	s.workers = first.workers
	if _, code := s.wait(t); code != command.ExitGood {
		t.Errorf("exit code %d: %s", code, s.errs.String())
	}
	if err := sameFiles(filesBelow(t, "out"), want); err != nil {
		t.Error(err)
	}
	if names := slices.DeleteFunc(namesIn(t, "."), func(name string) bool { return name == "out" }); !slices.Equal(names, before) {
		t.Errorf("got files %v, want %v", names, before)
	}
}

// The jobs that a killed coordinator left are done without workers. The same command with
// workers then has nothing to do, and tells the workers of the killed coordinator to leave.
func TestFinishedWithoutWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{"sweep.yaml": "{config: base.yaml, runs: 4, settings: {match.size: [2, 3]}, metrics: [rtt_ms.mean]}"})
	args := []string{"sweep", "sweep.yaml", "--out", "out", "--quiet", "--serve", freeAddress(t)}
	var first *served
	untilStopped(t, 8000, "{dataset: {builtin: {preset: eu, joins: %d}}, clock: {warmup: 1h, duration: 1h}}", func() bool {
		first = serve(t, args...)
		first.work(t)
		for len(jobFiles(t, "out")) == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = first.process.Process.Kill()
		<-first.ended
		_ = first.process.Wait() // it was killed
		return len(jobFiles(t, "out")) < 8
	}, "out")
	mustRun(t, []string{"sweep", "sweep.yaml"})
	again := serveIn(t, first.temp, args...)
	again.url, again.workers = first.url, first.workers
	if out, code := again.wait(t); code != command.ExitGood || out != "" || again.errs.String() != "nothing is left to do: telling the workers of the killed command to leave\n" {
		t.Errorf("got exit code %d, want success and only the line about the killed command: %s%s", code, out, again.errs.String())
	}
	if names := namesIn(t, "."); !slices.Equal(names, []string{"base.yaml", "out", "sweep.yaml"}) {
		t.Errorf("got files %v, want base.yaml, out and sweep.yaml", names)
	}
}

// freeAddress returns an address on which a command can listen several times.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// An interrupted command keeps the results that have arrived, and its workers end. The same
// command without workers continues.
func TestInterruptedCoordinator(t *testing.T) {
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{"sweep.yaml": "{config: base.yaml, runs: 8, settings: {match.size: [2, 3, 4, 5, 6]}, metrics: [rtt_ms.mean]}"})
	untilStopped(t, 20_000, "{dataset: {builtin: {preset: eu, joins: %d}}, clock: {warmup: 1h, duration: 1h}}", func() bool {
		s := serve(t, "sweep", "sweep.yaml", "--out", "out", "--serve", "127.0.0.1:0")
		s.work(t)
		for len(jobFiles(t, "out")) == 0 {
			time.Sleep(time.Millisecond)
		}
		_ = s.process.Process.Signal(os.Interrupt)
		_, code := s.wait(t)
		if code == command.ExitGood {
			return false
		}
		if code != command.ExitInterrupted || !strings.Contains(s.errs.String(), "the same command continues") {
			t.Errorf("got exit code %d, want an interruption that says how to continue: %s", code, s.errs.String())
		}
		return true
	}, "out")
	kept := filesBelow(t, "out")
	mustRun(t, []string{"sweep", "sweep.yaml"})
	after := filesBelow(t, "out")
	for name, text := range kept {
		if strings.HasPrefix(name, "jobs/") && after[name] != text {
			t.Errorf("kept job %s was changed", name)
		}
	}
}

// served is a command with a built-in server, and its workers, as processes.
type served struct {
	temp    string
	token   string
	url     string
	process *exec.Cmd
	out     bytes.Buffer
	errs    bytes.Buffer  // without the line with the URL
	ended   chan struct{} // closed when errs is complete
	workers []*exec.Cmd
}

// serve starts a command that waits for workers.
func serve(t *testing.T, args ...string) *served {
	t.Helper()
	s := serveIn(t, t.TempDir(), args...)
	if s.url == "" {
		t.Fatalf("%v: got no URL for workers in stderr: %s", args, s.errs.String())
	}
	return s
}

// serveIn starts a command that has the given folder for temporary files. If the command has
// nothing to do, it prints no URL.
func serveIn(t *testing.T, temp string, args ...string) *served {
	t.Helper()
	s := &served{temp: temp, process: exec.Command("mmsim", args...), ended: make(chan struct{})}
	s.process.Stdout = &s.out
	s.process.Env = append(os.Environ(), "TMPDIR="+s.temp)
	from, err := s.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.process.Process.Kill() }) // it has ended unless the test failed
	started := make(chan string, 1)
	go func() {
		defer close(s.ended)
		for r := bufio.NewScanner(from); r.Scan(); {
			if _, start, found := strings.Cut(r.Text(), "start workers with: MMSIM_WORKER_TOKEN="); found {
				token, url, _ := strings.Cut(start, " mmsim worker ")
				s.token = token
				started <- url
			} else {
				fmt.Fprintln(&s.errs, r.Text())
			}
		}
	}()
	select {
	case s.url = <-started:
	case <-s.ended:
	}
	return s
}

// work starts a worker.
func (s *served) work(t *testing.T, more ...string) *exec.Cmd {
	t.Helper()
	w := exec.Command("mmsim", slices.Concat([]string{"worker", s.url}, more)...)
	w.Env = append(os.Environ(), "TMPDIR="+s.temp, "MMSIM_WORKER_TOKEN="+s.token)
	w.Stderr = new(output)
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Process.Kill() })
	s.workers = append(s.workers, w)
	return w
}

// output collects the output of a process while it runs.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (w *output) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.text.Write(p)
}

func (w *output) String() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.text.String()
}

// wait waits until the command and its workers have ended. Workers must end by themselves
// without an error. It returns the command's output and its exit code.
func (s *served) wait(t *testing.T) (string, int) {
	t.Helper()
	<-s.ended
	_ = s.process.Wait() // the exit code is checked below
	for i, w := range s.workers {
		if err := w.Wait(); err != nil {
			t.Errorf("worker %d: %v: %s", i, err, w.Stderr)
		}
	}
	if left := namesIn(t, s.temp); len(left) > 0 {
		t.Errorf("got temporary files %v, want none", left)
	}
	u, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := net.Dial("tcp", u.Host); err == nil {
		_ = c.Close()
		t.Errorf("the server still listens at %s, want it stopped", u.Host)
	}
	return s.out.String(), s.process.ProcessState.ExitCode()
}
