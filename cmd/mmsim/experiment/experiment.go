package experiment

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"sync"

	"mmsim/cmd/mmsim/config"
	"mmsim/matcher/external/exchange"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// An Experiment simulates configurations, each in the same replications. They share every
// draw about a player, so they can be compared run by run.
type Experiment struct {
	Arms []Arm
	Runs []uint64                       // numbers of the replications of each arm
	Skip func(arm int, run uint64) bool // reports whether to leave a job out; nil: none
}

// An Arm is one configuration of an experiment.
type Arm struct {
	Config *config.Config
	Inputs *Inputs // those of Config; nil: loaded for each job, to save memory with many arms
}

// ReplicationsMax is the maximum number of replications of a configuration.
const ReplicationsMax = 10_000

// FirstRuns returns the numbers of replications 0 to n-1.
func FirstRuns(n int) []uint64 {
	runs := make([]uint64, n)
	for i := range runs {
		runs[i] = uint64(i)
	}
	return runs
}

// An InterruptedError describes the partial results of an interrupted command.
type InterruptedError struct{ message string }

func (e *InterruptedError) Error() string { return e.message }

// Is reports that the error matches context.Canceled.
func (*InterruptedError) Is(target error) bool { return target == context.Canceled }

// Interruptedf returns the error of an interrupted command.
func Interruptedf(format string, args ...any) error {
	return &InterruptedError{fmt.Sprintf(format, args...)}
}

// Options control how an experiment runs. The zero value of each field is explained.
type Options struct {
	Executor Executor // nil: as many jobs at a time as cores, in this process
	Store    Store    // results already in it are not simulated again; nil: nothing is kept
	Cache    *Cache   // nil: a cache large enough for the number of cores

	// Measure simulates a replication, for a command that writes files or observes the run
	// meanwhile; nil: Replication.Measure. With Measure set, nothing is read from the store,
	// and all jobs run in this process.
	Measure func(context.Context, *Replication, Progress) (*result.Result, error)

	// Keep receives the outcome of every job, in the order of the runs and, within a run, of
	// the arms; nil: outcomes are dropped. Jobs that had not begun before an interruption are
	// left out.
	Keep func(Outcome) error

	Progress Progress // nil: progress is not reported

	// Messages receives what matchmakers outside write to their standard error; nil: it is
	// dropped. Several goroutines may write to it at once.
	Messages io.Writer

	// Wrap wraps every matchmaker outside, for example to record its exchange; nil: none is
	// wrapped.
	Wrap func(exchange.Matcher) exchange.Matcher
}

// done reports to Progress that a job completed.
func (o *Options) done(s *outcome.Summary, err error) (*outcome.Summary, error) {
	if o.Progress != nil && err == nil && s != nil && s.Complete {
		o.Progress.JobDone()
	}
	return s, err
}

// An Outcome is the result of a job.
type Outcome struct {
	Job
	Summary *outcome.Summary // nil: the job did not begin; not complete: it was interrupted, or a matchmaker outside failed
	Err     error            // Keep receives an error only together with a summary
}

// jobs yields the jobs of an experiment in their order: all arms of a run are simulated at
// about the same time, so that they share its day, and so that the partial results of an
// interruption can be compared.
func (e *Experiment) jobs() iter.Seq[Job] {
	only := len(e.Arms)*len(e.Runs) == 1
	return func(yield func(Job) bool) {
		number := 0
		for _, run := range e.Runs {
			for arm := range e.Arms {
				if e.Skip != nil && e.Skip(arm, run) {
					continue
				}
				if !yield(Job{Arm: arm, Run: run, number: number, only: only}) {
					return
				}
				number++
			}
		}
	}
}

// ahead is how many jobs, for each that the executor does at a time, may be under way or
// finished while an earlier job is not.
const ahead = 4

// Run does the jobs of the experiment. A fault of one job ends all others and is returned.
// When ctx is cancelled, the jobs under way stop at the next tick, and their outcomes are not
// complete. Jobs that had finished are kept in both cases. A job that is lost does not end
// the others; see Lost.
func (e *Experiment) Run(ctx context.Context, o Options) error {
	if o.Cache == nil {
		o.Cache = NewCache(1)
	}
	ctx, cancel := context.WithCancel(ctx)
	r := newRunner(e, o)
	most := ahead * r.Executor.Parallel()
	jobs, outcomes := make(chan Job, most), make(chan Outcome, most)
	var group sync.WaitGroup
	defer group.Wait()
	for range r.Executor.Parallel() {
		group.Go(func() {
			for {
				j, more := r.take(jobs)
				if !more {
					return
				}
				outcomes <- r.outcome(ctx, j)
			}
		})
	}
	// On every return, the workers stop, get no more jobs, and have returned.
	defer close(jobs)
	defer cancel()
	next, stop := iter.Pull(e.jobs())
	defer stop()
	var fault, lost error
	fail := func(err error) {
		if fault == nil {
			fault = err
		}
		cancel()
	}
	waiting := map[int]Outcome{} // finished jobs that wait for an earlier job, by number
	submitted, kept := 0, 0
	for {
		for more := true; more && submitted-kept < most && fault == nil; {
			var j Job
			if j, more = next(); more && (ctx.Err() == nil || j.only) { // after a cancellation, the remaining jobs are left out
				submitted++
				jobs <- j
			}
		}
		if kept == submitted {
			return cmp.Or(fault, lost)
		}
		done := <-outcomes
		waiting[done.number] = done
		switch {
		case isLost(done.Err):
			lost = cmp.Or(lost, done.Err)
		case done.Err != nil:
			fail(done.Err)
		}
		for ; ; kept++ {
			done, isThere := waiting[kept]
			if !isThere {
				break
			}
			delete(waiting, kept)
			// After a fault, keep complete outcomes and those that a failed matchmaker
			// outside ended.
			if done.Summary == nil || o.Keep == nil || fault != nil && done.Err == nil && !done.Summary.Complete {
				continue
			}
			if err := o.Keep(done); err != nil {
				fail(err)
			}
		}
	}
}
