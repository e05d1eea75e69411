package experiment

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"mmsim/reports/outcome"
)

// A Job is one replication of one arm of an experiment.
type Job struct {
	Arm int
	Run uint64

	number int  // in the order of the experiment
	only   bool // the experiment has no other
}

// An Executor hands jobs from the experiment to those who do them. The package comment
// says how one over several machines would work.
type Executor interface {
	// Submit adds a job; it does not wait until somebody leases it.
	Submit(Job) error
	// Lease returns a job to do, as soon as there is one; false: there will be none.
	Lease() (Job, bool)
	// Return hands in what became of a leased job.
	Return(Outcome)
	// Next returns what became of a job, in the order in which they come in.
	Next() Outcome
	// Cancel ends all: who leases gets no job any more.
	Cancel()
}

// queue is the executor of one process. It holds a limited number of jobs.
type queue struct {
	jobs    chan Job
	results chan Outcome
	cancel  func()
}

func newQueue(most int) *queue {
	q := &queue{jobs: make(chan Job, most), results: make(chan Outcome, most)}
	q.cancel = sync.OnceFunc(func() { close(q.jobs) })
	return q
}

func (q *queue) Submit(j Job) error { q.jobs <- j; return nil }

func (q *queue) Lease() (Job, bool) { j, ok := <-q.jobs; return j, ok }

func (q *queue) Return(o Outcome) { q.results <- o }

func (q *queue) Next() Outcome { return <-q.results }

func (q *queue) Cancel() { q.cancel() }

// work does jobs of an executor until there are none. A fault ends the other jobs of this
// process at once.
func work(ctx context.Context, cancel func(), from Executor, do func(context.Context, Job) (*outcome.Summary, error)) {
	for {
		j, ok := from.Lease()
		if !ok {
			return
		}
		o := Outcome{Job: j}
		if o.Summary, o.Err = guarded(ctx, j, do); o.Err != nil {
			cancel()
		}
		from.Return(o)
	}
}

// guarded turns a panic of a job into an error. In a goroutine of its own, a panic would
// end the process with exit code 2, which stands for bad input, and leave temporary files
// behind.
func guarded(ctx context.Context, j Job, do func(context.Context, Job) (*outcome.Summary, error)) (s *outcome.Summary, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("mmsim: internal fault: %v\n%s", fault, debug.Stack())
		}
	}()
	return do(ctx, j)
}
