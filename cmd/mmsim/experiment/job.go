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

// Done is what became of a job.
type Done struct {
	Job
	Summary *outcome.Summary // nil: the job was not begun, because the experiment ended
	Err     error
}

// An Executor hands jobs from the experiment to those who do them. The package comment
// says how one over several machines would work.
type Executor interface {
	// Submit adds a job; it does not wait until somebody leases it.
	Submit(Job) error
	// Lease returns a job to do, as soon as there is one; false: there will be none.
	Lease() (Job, bool)
	// Return hands in what became of a leased job.
	Return(Done)
	// Next returns what became of a job, in the order in which they come in.
	Next() Done
	// Cancel ends all: who leases gets no job any more.
	Cancel()
}

// queue is the executor of one process. It holds a limited number of jobs.
type queue struct {
	jobs    chan Job
	results chan Done
	cancel  func()
}

func newQueue(most int) *queue {
	q := &queue{jobs: make(chan Job, most), results: make(chan Done, most)}
	q.cancel = sync.OnceFunc(func() { close(q.jobs) })
	return q
}

func (q *queue) Submit(j Job) error { q.jobs <- j; return nil }

func (q *queue) Lease() (Job, bool) { j, ok := <-q.jobs; return j, ok }

func (q *queue) Return(d Done) { q.results <- d }

func (q *queue) Next() Done { return <-q.results }

func (q *queue) Cancel() { q.cancel() }

// work does jobs of an executor until there are none. A fault ends the other jobs of this
// process at once.
func work(ctx context.Context, cancel func(), from Executor, do func(context.Context, Job) (*outcome.Summary, error)) {
	for {
		j, ok := from.Lease()
		if !ok {
			return
		}
		d := Done{Job: j}
		if d.Summary, d.Err = guarded(ctx, j, do); d.Err != nil {
			cancel()
		}
		from.Return(d)
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
