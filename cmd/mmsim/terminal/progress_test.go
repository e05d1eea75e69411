package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"mmsim/sim"
)

// The progress line never wraps, because a wrapped line could not be overwritten.
func TestProgressTextFits(t *testing.T) {
	const total = 26 * 60 * sim.Minute
	for columns := range 200 {
		for _, done := range []sim.Duration{0, sim.Second, total / 3, total} {
			for _, elapsed := range []time.Duration{0, time.Second, 100 * time.Hour} {
				p := &Progress{done: int64(done), total: int64(total), jobs: 7, allJobs: 100_000, job: "job", amounts: simulated}
				if line := p.text(elapsed, columns); utf8.RuneCountInString(line) > columns {
					t.Fatalf("%d columns: got a longer line: %q", columns, line)
				}
			}
		}
	}
}

func TestProgressText(t *testing.T) {
	const total = int64(20 * 60 * sim.Minute)
	one := func(done int64) *Progress { return &Progress{done: done, total: total, allJobs: 1, amounts: simulated} }
	jobs := func(done int64, jobs, all int) *Progress {
		return &Progress{done: done, total: total, jobs: jobs, allJobs: all, job: "job", amounts: simulated}
	}
	withWorkers := jobs(total/4, 3, 16)
	withWorkers.Show(func() []string { return []string{"2 workers", "a 4/min", "b 3/min"} })
	for _, test := range []struct {
		progress *Progress
		elapsed  time.Duration
		columns  int
		want     string
	}{
		{one(total / 4), 2 * time.Second, 50, "6s left, 5h of 20h simulated, 2s elapsed"},
		{one(total / 4), 2 * time.Second, 57, "6s left, 5h of 20h simulated, 2s elapsed, 9000× real time"},
		{one(total / 4), 2 * time.Second, 56, "6s left, 5h of 20h simulated, 2s elapsed"},
		{one(total / 4), 2 * time.Second, 39, "6s left, 5h of 20h simulated"},
		{one(total / 4), 90*time.Minute + 1700*time.Millisecond, 50, "4h30m6s left, 5h of 20h simulated, 1h30m1s elapsed"},
		{one(total / 4), 2 * time.Second, 20, "6s left"},
		{one(total / 100), 100 * time.Millisecond, 20, "12m of 20h simulated"},
		{one(total), time.Second, 3, ""},
		{jobs(total/4, 3, 16), 2 * time.Second, 51, "6s left, 3/16 jobs, 5h of 20h simulated, 2s elapsed"},
		{jobs(total/4, 3, 16), 2 * time.Second, 18, "6s left, 3/16 jobs"},
		{jobs(total/4, 1, 0), 2 * time.Second, 38, "6s left, 1 job, 5h of 20h simulated"}, // for a tuning
		{withWorkers, 2 * time.Second, 60, "6s left, 3/16 jobs, 2 workers, 2s elapsed, a 4/min, b 3/min"},
		{withWorkers, 2 * time.Second, 51, "6s left, 3/16 jobs, 2 workers, 2s elapsed, a 4/min"},
		{jobs(2*total, 9, 8), 2 * time.Second, 40, "0s left, 9/8 jobs, 40h simulated"}, // more jobs than expected
		{&Progress{done: 1, total: 4, jobs: 1, allJobs: 4, job: "case"}, time.Second, 40, "3s left, 1/4 cases, 1s elapsed"},
		{&Progress{done: 1_500_000, total: 6_000_000, amounts: read}, time.Second, 40, "3s left, 1.5 of 6.0 MB read, 1s elapsed"},
		{&Progress{done: 1_500_000, amounts: read}, time.Second, 40, "1.5 MB read, 1s elapsed"}, // for a pipe, whose size is unknown
	} {
		if got := test.progress.text(test.elapsed, test.columns); got != test.want {
			t.Errorf("%+v, %d columns: got %q, want %q", test.progress, test.columns, got, test.want)
		}
	}
}

// clock is a clock that the test sets, with the terminal's content.
type clock struct {
	at     time.Time
	screen bytes.Buffer
}

func (c *clock) progress(total int64, amounts func(int64, int64, time.Duration) []string) *Progress {
	p := &Progress{total: total, amounts: amounts, now: func() time.Time { return c.at }}
	return p.on(&c.screen, func() int { return 100 })
}

// line advances the clock, calls step and checks what step wrote to the terminal.
func (c *clock) line(t *testing.T, after time.Duration, step func(), want string) {
	t.Helper()
	c.at = c.at.Add(after)
	c.screen.Reset()
	step()
	if got := c.screen.String(); want == "" && got != "" || !strings.Contains(got, want) {
		t.Errorf("got terminal output %q, want %q", got, want)
	}
}

// The progress of concurrent replications is added up.
func TestProgressOfJobs(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	p := c.progress(int64(4*sim.Hour), simulated)
	p.job, p.allJobs = "job", 4
	c.line(t, 0, func() { p.Advance(0, sim.Instant(sim.Minute)) }, "")
	c.line(t, 50*time.Millisecond, func() { p.Advance(0, sim.Instant(sim.Minute)) }, "") // too soon after the last update
	c.line(t, 50*time.Millisecond, func() { p.Advance(sim.Instant(sim.Minute), sim.Instant(59*sim.Minute)) }, "0/4 jobs, 1h of 4h simulated, 36000× real time")
	c.line(t, 900*time.Millisecond, p.JobDone, "3s left, 1/4 jobs, 1h of 4h simulated, 1s elapsed, 3600× real time")
	c.line(t, time.Second, p.Clear, "\x1b[2K")
	c.line(t, time.Second, p.Finish, "\x1b[2K")
	if c.screen.Reset(); p.started != (time.Time{}) {
		t.Error("got a progress that is still running, want it ended")
	}
	p.Finish()
	if c.screen.Len() > 0 {
		t.Errorf("got output %q after the end of the progress, want none", c.screen.String())
	}
}

// A reader passes on all bytes. The line shows how much of the files has been read, or only
// the amount if their size is unknown.
func TestProgressOfReading(t *testing.T) {
	for total, want := range map[int64]string{4_000_000: "3s left, 1.0 of 4.0 MB read", 0: "1.0 MB read"} {
		c := &clock{at: time.Unix(0, 0)}
		p := c.progress(total, read)
		r := p.Reader(strings.NewReader(strings.Repeat("x", 1_000_000)))
		half := make([]byte, 500_000)
		c.line(t, 0, func() { io.ReadFull(r, half) }, "")
		c.line(t, time.Second, func() {
			if rest, err := io.ReadAll(io.MultiReader(io.LimitReader(r, 500_000))); len(rest) != 500_000 || err != nil {
				t.Errorf("got %d bytes read (error %v), want 500000", len(rest), err)
			}
		}, "MB read")
		c.line(t, 0, func() { p.shown = time.Time{}; r.Read(half) }, want)
	}
}

// A search with a time limit shows the remaining time.
func TestProgressOfTime(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	p := c.progress(time.Minute.Milliseconds(), nil)
	p.job, p.timed, p.started = "job", true, c.at
	c.line(t, 15*time.Second, p.JobDone, "45s left, 1 job")
	c.line(t, 5*time.Minute, p.JobDone, "0s left, 2 jobs") // the comparison at the end exceeds the time limit
}

// Without a terminal, a progress is one line a minute.
func TestProgressInALog(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	file, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := NewProgress(NewStreams(nil, io.Discard, file), false, 4*sim.Hour, 4)
	p.now, p.log = func() time.Time { return c.at }, &c.screen
	step := func() { p.Advance(0, sim.Instant(6*sim.Minute)) }
	c.line(t, 0, step, "")
	c.line(t, 59*time.Second, step, "")
	c.line(t, time.Second, step, "progress: 12m20s left, 0/4 jobs, 18m of 4h simulated, 1m elapsed, 18× real time\n")
	c.line(t, 59*time.Second, p.JobDone, "")
	c.line(t, time.Second, p.JobDone, "progress: 24m40s left, 2/4 jobs, 18m of 4h simulated, 2m elapsed, 9× real time\n")
	c.line(t, time.Hour, p.Clear, "")
	c.line(t, time.Hour, p.Finish, "")
}

// Without a terminal, a short command shows nothing. All methods also work on a nil Progress, which
// --quiet gives, so callers need no special case.
func TestProgressWithoutTerminal(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := NewStreams(nil, io.Discard, file)
	for _, quiet := range []bool{false, true} {
		for _, p := range []*Progress{NewProgress(s, quiet, sim.Hour, 8), NewCount(s, quiet, 8, "case"), NewReading(s, quiet, 8), NewTimed(s, quiet, time.Hour)} {
			if (p == nil) != quiet {
				t.Fatalf("quiet %v: got progress %+v", quiet, p)
			}
			p.Advance(0, 1)
			p.JobDone()
			p.Step()
			p.Clear()
			if text, err := io.ReadAll(p.Reader(strings.NewReader("abc"))); string(text) != "abc" || err != nil {
				t.Errorf("got %q (error %v), want abc", text, err)
			}
			p.Finish()
		}
	}
	observed := 0
	s.Observe = func(sim.Instant) { observed++ }
	for _, quiet := range []bool{false, true} {
		p := NewProgress(s, quiet, sim.Hour, 8)
		p.Advance(0, 1)
		p.JobDone()
		p.Clear()
		p.Finish()
	}
	if text, err := os.ReadFile(file.Name()); observed != 2 || len(text) > 0 || err != nil {
		t.Errorf("got %d observations and file content %q (error %v), want 2 and none", observed, text, err)
	}
}

// Replications report their progress concurrently.
func TestProgressIsSafe(t *testing.T) {
	c := &clock{at: time.Unix(0, 0)}
	p := c.progress(1000, simulated)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 100 {
				p.Advance(sim.Instant(i), sim.Instant(i+1))
				fmt.Fprint(io.Discard, p.columns())
			}
			p.JobDone()
			p.Clear()
		})
	}
	all.Wait()
	if p.done != 400 || p.jobs != 4 {
		t.Errorf("got %d ms and %d jobs done, want 400 and 4", p.done, p.jobs)
	}
}
