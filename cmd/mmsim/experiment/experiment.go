package experiment

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"sync"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/matcher/external/exchange"
	"mmsim/reports/result"
)

// An Experiment simulates several configurations in the same replications. Configurations
// share every random draw about a player, so their results can be compared run by run.
type Experiment struct {
	Arms []Arm
	Runs []uint64                       // numbers of the runs of each arm
	Skip func(arm int, run uint64) bool // reports whether to skip a job; may be nil
}

// An Arm is one configuration of an experiment.
type Arm struct {
	Config *config.Config
	Inputs *Inputs // loaded for Config; if nil, each job loads them itself, which saves memory with many arms
}

// ReplicationsMax is the maximum number of replications of a configuration.
const ReplicationsMax = 10_000

// FirstRuns returns the numbers of the first n runs, which start at 0.
func FirstRuns(n int) []uint64 {
	runs := make([]uint64, n)
	for i := range runs {
		runs[i] = uint64(i)
	}
	return runs
}

// Options control how an experiment runs. The zero value is valid.
type Options struct {
	Executor Executor // nil simulates in this process, with one job per core at a time
	Store    Store    // provides and keeps the summaries of jobs; nil keeps none
	Cache    *Cache   // nil for a new cache

	// Brief is set if results have distributions and a map, too; see result.LoadBrief. No results are
	// then read from the store.
	Brief bool

	// Measure simulates a replication. Commands that write files or observe the run set it; nil means
	// Replication.Measure. If it is set, Executor must be nil, and no results are read from the store.
	Measure func(context.Context, *Replication, Progress) (*result.Result, error)

	// Keep receives the outcomes that have a result, ordered by run and then by arm. After an
	// error, it does not receive the incomplete outcomes of other jobs. Keep may be nil.
	Keep func(Outcome) error

	Progress Progress // may be nil

	// Messages receives what external matchmakers write to their standard error. Several
	// goroutines may write to it at once. It may be nil.
	Messages io.Writer

	// Wrap wraps every external matchmaker, for example to record its exchange. It may be nil.
	Wrap func(exchange.Matcher) exchange.Matcher

	// Times measures the external matchmakers of the replications in this process. It may be nil.
	Times *binding.MatchmakerTimes
}

// An Outcome is the result of a job.
type Outcome struct {
	Job
	Result *result.Result // nil if the job did not start or failed; not Complete if it was interrupted or an external matchmaker failed; only its summary is set, unless Options.Brief is
	Err    error          // Keep receives an error only together with a result
}

// jobs yields the jobs of an experiment in order. It yields the jobs of all arms for one run
// before the next run. The arms can therefore share the run's day, and the partial results of
// an interrupted experiment can be compared.
func (e *Experiment) jobs() iter.Seq[Job] {
	return func(yield func(Job) bool) {
		number := 0
		for _, run := range e.Runs {
			for arm := range e.Arms {
				if e.Skip != nil && e.Skip(arm, run) {
					continue
				}
				if !yield(Job{Arm: arm, Run: run, number: number}) {
					return
				}
				number++
			}
		}
	}
}

// ahead limits how many jobs may start before the oldest unfinished job is done. The limit is
// ahead times the number of jobs that the executor does at a time.
const ahead = 4

// Run does the jobs of the experiment. If a job fails, Run stops the others and returns the
// error. When ctx is cancelled, running jobs soon stop and have incomplete outcomes. Jobs that
// had finished are kept in both cases. A job with a GivenUp error does not stop the others.
func (e *Experiment) Run(ctx context.Context, o Options) error {
	if o.Cache == nil {
		o.Cache = NewCache(1)
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &runner{Experiment: e, Options: o, elsewhere: o.Executor != nil, loading: make(chan struct{}, runtime.GOMAXPROCS(0))}
	if !r.elsewhere {
		r.Executor = here{&r.Options}
	}
	most := ahead * r.Executor.Parallel()
	jobs, outcomes := make(chan Job, most), make(chan Outcome, most)
	var group sync.WaitGroup
	defer group.Wait()
	for range r.Executor.Parallel() {
		group.Go(func() {
			for j, more := r.take(jobs); more; j, more = r.take(jobs) {
				outcomes <- r.outcome(ctx, j)
			}
		})
	}
	// Stop the goroutines before group.Wait, which runs later because it was deferred earlier.
	defer close(jobs)
	defer cancel()
	next, stop := iter.Pull(e.jobs())
	defer stop()
	var fault, givenUp error
	fail := func(err error) {
		if fault == nil {
			fault = err
		}
		cancel()
	}
	waiting := map[int]Outcome{} // finished jobs by number, waiting for an earlier job
	submitted, kept := 0, 0
	for {
		for more := true; more && submitted-kept < most && fault == nil; {
			var j Job
			if j, more = next(); more && ctx.Err() == nil { // after a cancellation, skip the remaining jobs
				submitted++
				jobs <- j
			}
		}
		if kept == submitted {
			return cmp.Or(fault, givenUp)
		}
		done := <-outcomes
		waiting[done.number] = done
		if _, is := errors.AsType[*givenUpError](done.Err); is {
			givenUp = cmp.Or(givenUp, done.Err)
		} else if done.Err != nil {
			fail(done.Err)
		}
		for ; ; kept++ {
			done, ok := waiting[kept]
			if !ok {
				break
			}
			delete(waiting, kept)
			// After an error, drop incomplete outcomes unless a matchmaker failed.
			if done.Result == nil || o.Keep == nil || fault != nil && done.Err == nil && !done.Result.Summary.Complete {
				continue
			}
			if err := o.Keep(done); err != nil {
				fail(err)
			}
		}
	}
}
