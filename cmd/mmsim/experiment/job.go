package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/singleflight"

	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/result"
	"mmsim/sim"
)

// A Job is the task of simulating one replication of one arm.
type Job struct {
	Arm int
	Run uint64

	number int // position in the order of the experiment
}

// An Executor simulates replications, in this process or on other machines.
type Executor interface {
	// Parallel returns the maximum number of jobs that the executor does at a time.
	Parallel() int

	// Prepare turns a replication into Work. The inputs stay in memory as long as the Work
	// refers to them. brief is Options.Brief.
	Prepare(in *Inputs, run uint64, brief bool) (Work, error)
}

// Work does a job. It must be called only once. When ctx is cancelled, it soon returns an
// incomplete result or nil.
type Work func(ctx context.Context) (*result.Result, error)

// here is the Executor of this process.
type here struct{ *Options }

func (here) Parallel() int { return runtime.GOMAXPROCS(0) }

func (h here) Prepare(in *Inputs, run uint64, brief bool) (Work, error) {
	return func(ctx context.Context) (*result.Result, error) {
		replication, err := terminal.Await(ctx, func() (*Replication, error) { return in.Replication(run) })
		if err != nil {
			return nil, err
		}
		replication.Messages, replication.wrap, replication.times = h.Messages, h.Wrap, h.Times
		measure := h.Measure
		if measure == nil {
			measure = func(ctx context.Context, r *Replication, p Progress) (*result.Result, error) {
				return r.Measure(ctx, p)
			}
		}
		found, err := measure(ctx, replication, h.Progress)
		if err != nil {
			return nil, err
		}
		return found.Kept(brief), replication.Fault // the rest of the result can be freed
	}, nil
}

// runner does the jobs of an experiment with an executor.
type runner struct {
	*Experiment
	Options
	elsewhere bool               // whether jobs run outside this process
	taking    sync.Mutex         // held while a job is taken
	loading   chan struct{}      // a semaphore: the number of jobs with inputs in memory is at most the number of cores
	running   singleflight.Group // running jobs by hash
}

// outcome does a job. It turns a panic into an error. Otherwise, the panic would end the
// process with exit code 2, which means bad input, and would leave temporary files behind.
// outcome releases the slot in r.loading that take acquired.
func (r *runner) outcome(ctx context.Context, j Job) (o Outcome) {
	loaded := sync.OnceFunc(func() { <-r.loading })
	defer loaded()
	o.Job = j
	if ctx.Err() == nil {
		o.Err = Guard(func() (err error) {
			o.Result, err = r.do(ctx, j, loaded)
			return err
		})
	}
	if r.Progress != nil && o.Err == nil && o.Result != nil && o.Result.Summary.Complete {
		r.Progress.JobDone()
	}
	if ctx.Err() != nil && errors.Is(o.Err, context.Canceled) {
		o.Err = nil // the job was cancelled before the simulation began
	}
	return o
}

// Guard calls do and turns a panic into an error.
func Guard(do func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("mmsim: internal fault: %v\n%s", fault, debug.Stack())
		}
	}()
	return do()
}

// take returns the next job once there is a slot to load its inputs. The lock makes jobs start
// in order, so that the jobs of one run share its day, here and on other machines.
func (r *runner) take(jobs <-chan Job) (Job, bool) {
	r.taking.Lock()
	defer r.taking.Unlock()
	j, more := <-jobs
	if more {
		r.loading <- struct{}{}
	}
	return j, more
}

// do does a job, or reads its result from the store. It calls loaded when it no longer needs
// the inputs.
func (r *runner) do(ctx context.Context, j Job, loaded func()) (*result.Result, error) {
	in, err := terminal.Await(ctx, func() (*Inputs, error) { return r.load(j) })
	if err != nil {
		return nil, err
	}
	span := sim.Instant(in.Config.Simulated(1))
	simulate := func() (*result.Result, error) {
		work, err := r.prepare(ctx, in, j.Run)
		in = nil // frees the inputs while the job waits for another machine
		loaded()
		if err != nil {
			return nil, err
		}
		found, err := work(ctx)
		if r.elsewhere && found != nil {
			r.advance(span)
		}
		return found, err
	}
	if r.Store == nil {
		return simulate()
	}
	hash, err := in.JobHash(j.Run)
	if err != nil {
		return nil, err
	}
	// If two arms are equal, their job is done once for both.
	shared, err, _ := r.running.Do(hash, func() (any, error) {
		if r.Measure == nil && !r.Brief && !in.Unrepeatable {
			if done, err := r.Store.Get(hash); err != nil || done != nil {
				r.advance(span)
				return result.Of(done), err
			}
		}
		found, err := simulate()
		if err == nil && found != nil && found.Summary.Complete {
			err = r.Store.Put(hash, &found.Summary)
		}
		return found, err
	})
	found, _ := shared.(*result.Result)
	return found, err
}

// prepare returns the work of a job. After an interruption it returns at once: the executor may
// then still use the inputs.
func (r *runner) prepare(ctx context.Context, in *Inputs, run uint64) (Work, error) {
	return terminal.Await(ctx, func() (Work, error) { return r.Executor.Prepare(in, run, r.Brief) })
}

// load returns the inputs of a job.
func (r *runner) load(j Job) (*Inputs, error) {
	arm := &r.Arms[j.Arm]
	if arm.Inputs != nil {
		return arm.Inputs, nil
	}
	return Load(arm.Config, r.Cache)
}

// advance reports the progress of a whole replication.
func (r *runner) advance(span sim.Instant) {
	if r.Progress != nil {
		r.Progress.Advance(0, span)
	}
}

// givenUpError is the error of a job that an executor gave up.
type givenUpError struct{ error }

func (e *givenUpError) Unwrap() error { return e.error }

// GivenUp marks the error of a job that an executor gave up. The other jobs continue, and Run
// returns the first such error at the end.
func GivenUp(err error) error { return &givenUpError{err} }
