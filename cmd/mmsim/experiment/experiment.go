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

// An Experiment simulates some configurations, each in the same replications: they share
// every draw about a player, so that they can be compared run by run.
type Experiment struct {
	Arms []Arm
	Runs []uint64                       // of the replications of each arm
	Skip func(arm int, run uint64) bool // jobs that are left out; nil: none
}

// An Arm is one configuration of an experiment.
type Arm struct {
	Config *config.Config
	Inputs *Inputs // of Config; nil: loaded for each job, so that many arms take no memory
}

// ReplicationsMax bounds how many replications a configuration is simulated in.
const ReplicationsMax = 10_000

// FirstRuns are replications 0 to n-1.
func FirstRuns(n int) []uint64 {
	runs := make([]uint64, n)
	for i := range runs {
		runs[i] = uint64(i)
	}
	return runs
}

// An InterruptedError says what there is of what was interrupted.
type InterruptedError struct{ message string }

func (e *InterruptedError) Error() string { return e.message }

// Is tells that it stands for the cancellation of a context.
func (*InterruptedError) Is(target error) bool { return target == context.Canceled }

// Interruptedf makes the error of a command that was interrupted.
func Interruptedf(format string, args ...any) error {
	return &InterruptedError{fmt.Sprintf(format, args...)}
}

// Options say how an experiment runs. The zero value of each field is explained.
type Options struct {
	Executor Executor // nil: as many jobs at a time as there are cores, in this process
	Store    Store    // nil: nothing is kept. What it has already is not simulated
	Cache    *Cache   // nil: one that is as large as the cores need

	// Measure simulates a replication, for a command that writes files or looks on while it
	// does; nil: Replication.Measure alone. With it nothing is taken from the store, and there
	// is no other executor than this process.
	Measure func(context.Context, *Replication, Progress) (*result.Result, error)

	// Keep is given what every job found, in the order of the runs and within a run of the
	// arms; nil: nobody asks. Jobs that were not begun before an interruption are left out.
	Keep func(Outcome) error

	Progress Progress // nil: nobody asks

	// Messages takes what matchmakers outside write on their standard error; nil: nobody
	// asks. It may be written to by several at once.
	Messages io.Writer

	// Wrap stands between mmsim and every matchmaker outside; nil: nothing does.
	Wrap func(exchange.Matcher) exchange.Matcher
}

// done tells the progress of a job that was done to its end.
func (o *Options) done(s *outcome.Summary, err error) (*outcome.Summary, error) {
	if o.Progress != nil && err == nil && s != nil && s.Complete {
		o.Progress.JobDone()
	}
	return s, err
}

// An Outcome is what became of a job.
type Outcome struct {
	Job
	Summary *outcome.Summary // nil: the job was not begun; not complete: it was interrupted, or a matchmaker outside failed
	Err     error            // given to Keep only with a summary
}

// jobs yields the jobs of an experiment in their order: all arms of a run are simulated
// about together, so that they share its day, and so that what there is when they are
// interrupted can be compared.
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

// ahead is how many jobs may be under way or wait for an earlier one, for each that the
// executor does at a time.
const ahead = 4

// Run does the jobs of the experiment. A fault of one ends all others and is returned;
// when ctx is cancelled the jobs under way stop at the next tick, and their outcomes are
// not complete. What was finished by then is kept in both cases. A job that is lost ends no
// other: see Lost.
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
	// In the end, whatever its reason: those who work stop, get no more jobs, and are gone.
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
	waiting := map[int]Outcome{} // for an earlier job, by number
	submitted, kept := 0, 0
	for {
		for more := true; more && submitted-kept < most && fault == nil; {
			var j Job
			if j, more = next(); more && (ctx.Err() == nil || j.only) { // after a cancellation the others are left out
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
			// After a fault complete outcomes are kept, and what a matchmaker outside ended.
			if done.Summary == nil || o.Keep == nil || fault != nil && done.Err == nil && !done.Summary.Complete {
				continue
			}
			if err := o.Keep(done); err != nil {
				fail(err)
			}
		}
	}
}
