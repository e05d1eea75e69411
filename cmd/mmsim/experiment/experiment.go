package experiment

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"sync"

	"golang.org/x/sync/singleflight"

	"mmsim/cmd/mmsim/config"
	"mmsim/matcher/external/exchange"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
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
	Executor Executor // nil: as many jobs at a time as there are cores
	Store    Store    // nil: nothing is kept. What it has already is not simulated
	Cache    *Cache   // nil: one that is as large as the cores need

	// Measure simulates a replication, for a command that writes files or looks on while it
	// does; nil: Replication.Measure alone. With it nothing is taken from the store.
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
	if o.Progress != nil && err == nil && s.Complete {
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

// ahead is how many jobs of each core may be under way or wait for an earlier one.
const ahead = 4

// Run does the jobs of the experiment. A fault of one ends all others and is returned;
// when ctx is cancelled the jobs under way stop at the next tick, and their outcomes are
// not complete. What was finished by then is kept in both cases.
func (e *Experiment) Run(ctx context.Context, o Options) error {
	workers := runtime.GOMAXPROCS(0)
	if o.Cache == nil {
		o.Cache = NewCache(1)
	}
	ctx, cancel := context.WithCancel(ctx)
	most := ahead * workers
	var group sync.WaitGroup
	defer group.Wait()
	if o.Executor == nil {
		queue := newQueue(most)
		o.Executor = queue
		r := &runner{Experiment: e, Options: o}
		for range workers {
			group.Go(func() { work(ctx, cancel, queue, r.do) })
		}
	}
	defer o.Executor.Cancel()
	defer cancel()
	next, stop := iter.Pull(e.jobs())
	defer stop()
	var fault error
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
			if j, more = next(); more && (ctx.Err() == nil || j.only) {
				submitted++
				if err := o.Executor.Submit(j); err != nil {
					return err
				}
			}
		}
		if kept == submitted {
			return fault
		}
		done := o.Executor.Next()
		waiting[done.number] = done
		if done.Err != nil {
			fail(done.Err)
		}
		for ; ; kept++ {
			done, isThere := waiting[kept]
			if !isThere {
				break
			}
			delete(waiting, kept)
			// A job that a matchmaker outside ended has a summary as far as it went.
			if done.Summary == nil || o.Keep == nil || fault != nil && done.Err == nil && !done.Summary.Complete {
				continue
			}
			if err := o.Keep(done); err != nil {
				fail(err)
			}
		}
	}
}

// runner does the jobs of an experiment in this process.
type runner struct {
	*Experiment
	Options
	underWay singleflight.Group // jobs, by hash
}

// do does a job, or reads what it found where it is done.
func (r *runner) do(ctx context.Context, j Job) (*outcome.Summary, error) {
	if ctx.Err() != nil && !j.only {
		return nil, nil
	}
	arm := &r.Arms[j.Arm]
	in := arm.Inputs
	if in == nil {
		var err error
		if in, err = Load(arm.Config, r.Cache); err != nil {
			return nil, err
		}
	}
	if r.Store == nil {
		return r.done(r.simulate(ctx, in, j))
	}
	hash, err := in.JobHash(j.Run)
	if err != nil {
		return nil, err
	}
	// Two arms may be the same: what is asked for twice at once is done once.
	summary, err, _ := r.underWay.Do(hash, func() (any, error) {
		if r.Measure == nil && !in.Unrepeatable {
			if done, err := r.Store.Get(hash); err != nil || done != nil {
				if r.Progress != nil {
					r.Progress.Advance(0, sim.Instant(in.Config.Simulated(1)))
				}
				return done, err
			}
		}
		found, err := r.simulate(ctx, in, j)
		if err == nil && found.Complete {
			err = r.Store.Put(hash, found)
		}
		return found, err
	})
	found, _ := summary.(*outcome.Summary)
	if err != nil {
		return found, err
	}
	return r.done(found, nil)
}

// simulate makes and measures a replication, and keeps its summary.
func (r *runner) simulate(ctx context.Context, in *Inputs, j Job) (*outcome.Summary, error) {
	replication, err := in.Replication(j.Run)
	if err != nil {
		return nil, err
	}
	replication.messages, replication.wrap = r.Messages, r.Wrap
	var result *result.Result
	if r.Measure != nil {
		result, err = r.Measure(ctx, replication, r.Progress)
	} else {
		result, err = replication.Measure(ctx, r.Progress)
	}
	if err != nil {
		return nil, err
	}
	summary := result.Summary // alone: a result holds much more
	return &summary, replication.fault
}

// Encode writes the job so that any machine with the same build and inputs can do it:
// as the resolved configuration of the replication.
func (e *Experiment) Encode(j Job) ([]byte, error) {
	c := *e.Arms[j.Arm].Config
	c.Run = uint32(j.Run)
	return c.Resolved("")
}
