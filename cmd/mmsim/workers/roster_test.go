package workers

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mmsim/cmd/mmsim/workers/hub"
)

// The roster shows who is there. The worker that has done most comes first. A worker that has been
// silent for two thirds of a lease has ended on the jobs that it was doing, unless it has said that
// it leaves.
func TestRoster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoster(30 * time.Second)
		shows := func(want ...string) {
			t.Helper()
			if got := r.progress(); !slices.Equal(got, want) {
				t.Errorf("got progress %q, want %q", got, want)
			}
		}
		ended := func(job string, want ...string) {
			t.Helper()
			if got := r.endedOn(job); !slices.Equal(got, want) {
				t.Errorf("got workers %q ended on job %s, want %q", got, job, want)
			}
		}
		shows("0 workers")
		r.hear(&news{Worker: "a", Number: 1, Running: []string{"x"}})
		shows("1 worker", "a 0 done + 1 running")
		r.hear(&news{Worker: "a", Number: 3, Done: 4, Seconds: 6, Running: []string{"x", "y"}})
		r.hear(&news{Worker: "a", Number: 2, Done: 3, Seconds: 5}) // was overtaken
		r.hear(&news{Worker: "b", Number: 1, Done: 5, Seconds: 600})
		r.hear(&news{Worker: "c", Number: 1, Done: 4, Seconds: 0.1, Running: []string{"x"}})
		shows("3 workers", "b 5 done (120 s/job)", "a 4 done + 2 running (1.5 s/job)", "c 4 done + 1 running (0.025 s/job)")
		r.hear(&news{Worker: "c", Number: 2, Left: true})
		shows("2 workers", "b 5 done (120 s/job)", "a 4 done + 2 running (1.5 s/job)")
		time.Sleep(20 * time.Second)
		r.hear(&news{Worker: "b", Number: 2, Done: 6, Seconds: 601, Running: []string{"z"}})
		ended("x") // a is not silent for long enough
		time.Sleep(time.Millisecond)
		shows("1 worker", "b 6 done + 1 running (100 s/job)")
		ended("x", "a")
		ended("z")
		r.hear(&news{Worker: "a", Number: 4, Done: 5, Seconds: 7.5, Running: []string{"y"}}) // was only late
		shows("2 workers", "b 6 done + 1 running (100 s/job)", "a 5 done + 1 running (1.5 s/job)")
		ended("x")
	})
}

// The progress of a command shows the jobs that each worker has done and is doing, and how long one
// takes it. A killed worker disappears.
func TestProgressShowsWorkers(t *testing.T) {
	warm(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, newModel(1), Options{})
		defer w.close()
		w.begin = func(ctx context.Context, _ *job) { hub.Pause(ctx, 10*time.Second) }
		w.work(Work{})
		w.work(Work{})
		began := time.Now()
		shows := func(after time.Duration, n int, each string) {
			time.Sleep(time.Until(began.Add(after)))
			got := w.coordinator.roster.progress()
			pattern := fmt.Sprintf("^%d workers?%s$", n, strings.Repeat(`, \S+ `+each, n))
			if text := strings.Join(got, ", "); !regexp.MustCompile(pattern).MatchString(text) {
				t.Errorf("after %v: got progress %q, want %q", after, text, pattern)
			}
		}
		over := make(chan struct{})
		go func() {
			defer close(over)
			shows(5*time.Second, 2, `0 done \+ 1 running`) // a worker needs up to a second to find the session
			shows(15*time.Second, 2, `1 done \+ 1 running \(10 s/job\)`)
			shows(35*time.Second, 2, `3 done \+ 1 running \(10 s/job\)`)
			shows(45*time.Second, 2, `4 done \(10 s/job\)`)
			w.kill()
			shows(75*time.Second, 1, `4 done \(10 s/job\)`)
		}()
		if _, err := w.simulate(t); err != nil {
			t.Error(err)
		}
		<-over
	})
}

// A job that takes too long is given up. The others are done.
func TestLongestJob(t *testing.T) {
	want := warm(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, newModel(1), Options{lease: 10 * time.Minute})
		defer w.close()
		w.begin = func(ctx context.Context, j *job) {
			if j.Run == 2 {
				<-ctx.Done()
			}
		}
		w.work(Work{})
		began := time.Now()
		got, err := w.simulate(t)
		if err == nil || !strings.Contains(err.Error(), "did it for 24h0m0s (limit jobLongest)") {
			t.Errorf("got error %v, want one that names the limit", err)
		}
		if !slices.Equal(got, slices.Delete(slices.Clone(want), 2, 3)) {
			t.Errorf("got %d results, want the %d others", len(got), worldJobs-1)
		}
		if took := time.Since(began); took < 24*time.Hour || took > 24*time.Hour+time.Minute {
			t.Errorf("ended after %v, want soon after 24 h", took)
		}
	})
}
