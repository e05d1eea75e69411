package workers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/workers/hub"
)

// A workerSession is a worker's state in one session. It has the inputs that the worker has fetched
// and loaded, and the jobs that it does.
type workerSession struct {
	hub.Session
	hub     hub.Hub
	worker  *worker
	kinds   []string // kinds of jobs that the worker does
	missed  int      // number of successive searches that did not find the session
	scratch string   // folder for inputs and files; created when needed
	folders atomic.Int32
	fetched sync.Map // paths of inputs, by their description: func() (string, error)
	cache   *experiment.Cache
	ctx     context.Context // of the session
	end     context.CancelCauseFunc

	mutex  sync.Mutex
	news   news
	held   map[string]hub.Delivery // jobs that the worker does
	paused time.Time               // until then, the worker takes no job, because it failed to do one
	failed int                     // jobs in a row; each doubles the pause, so that a worker that cannot do them does not use up their deliveries
}

func newWorkerSession(ctx context.Context, w *worker, s hub.Session, h hub.Hub, scratch string) *workerSession {
	d := &workerSession{Session: s, hub: h, worker: w, scratch: scratch, cache: experiment.NewCache(w.Jobs),
		news: news{Worker: w.name, Unable: map[string]why{}}, held: map[string]hub.Delivery{}}
	switch {
	case s.Build != w.build:
		other := why{fmt.Sprintf("it was built from sources %s, the command from %s: results could differ", w.build, s.Build), "start a worker of the same version and sources"}
		d.news.Unable[hub.Pure], d.news.Unable[hub.Exec] = other, other
	case w.AllowExec:
		d.kinds = hub.Kinds
	default:
		d.kinds = []string{hub.Pure}
		d.news.Unable[hub.Exec] = whyNoExec
	}
	d.ctx, d.end = context.WithCancelCause(ctx)
	context.AfterFunc(d.ctx, func() { _ = disk.RemoveAll(scratch) }) // what cannot be removed now is removed when the worker ends
	return d
}

// folder creates a new folder below d.scratch.
func (d *workerSession) folder() (string, error) {
	name := filepath.Join(d.scratch, strconv.Itoa(int(d.folders.Add(1))))
	return name, disk.MkdirAll(name, 0o700)
}

// isReady reports whether the worker may take a job of the session.
func (d *workerSession) isReady() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.ctx.Err() == nil && !time.Now().Before(d.paused)
}

// pause makes the worker take no job for a while.
func (d *workerSession) pause(duration time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.paused = time.Now().Add(duration)
}

// tell changes the news of the worker and sends them to the coordinator.
func (d *workerSession) tell(change func(*news)) {
	d.mutex.Lock()
	change(&d.news)
	d.news.Number++
	d.news.Running = slices.Sorted(maps.Keys(d.held))
	message, err := json.Marshal(d.news)
	d.news.Stored = ""
	d.mutex.Unlock()
	if err == nil {
		_ = d.hub.Tell(message) // news may be lost
	}
}

// beat renews the leases of the worker's jobs and sends its news, until the session ends.
func (d *workerSession) beat() {
	for d.ctx.Err() == nil {
		d.tell(func(*news) {
			for _, m := range d.held {
				_ = m.InProgress() // fails without a connection; the lease may then expire
			}
		})
		hub.Pause(d.ctx, max(d.Lease/beatsPerLease, time.Millisecond))
	}
}

// handle does a job. A result is stored before the job is acknowledged, so that none is lost.
func (d *workerSession) handle(m hub.Delivery) {
	id := hub.Hash(m.Data())
	d.tell(func(*news) { d.held[id] = m }) // the coordinator counts the workers that end during a job
	began := time.Now()
	err := d.do(id, m.Data())
	if err != nil && d.ctx.Err() != nil { // the session has ended, or this worker is leaving
		d.tell(func(*news) { delete(d.held, id) })
		_ = m.NakWithDelay(0)
		return
	}
	d.tell(func(n *news) {
		delete(d.held, id)
		if err == nil {
			n.Done, n.Seconds, n.Stored = n.Done+1, n.Seconds+time.Since(began).Seconds(), id
			d.failed = 0
			delete(n.Unable, id)
			return
		}
		d.paused, d.failed = time.Now().Add(d.worker.retry<<min(d.failed, 6)), d.failed+1
		if reason, isWhy := errors.AsType[why](err); isWhy && len(n.Unable) < unableMax {
			n.Unable[id] = reason
		} else {
			n.Note = "a job is given back: " + err.Error()
		}
	})
	if err != nil {
		d.worker.once("a job is given back: %v", err)
		_ = m.NakWithDelay(d.worker.retry)
		return
	}
	_ = m.Ack() // without it, the next worker finds the result
}

// do does a job and stores its result. An error means that another worker, or this one later, has to
// do it.
func (d *workerSession) do(id string, text []byte) error {
	var j job
	if err := json.Unmarshal(text, &j); err != nil {
		return why{"a message is not a job: " + err.Error(), "remove the message from the server"}
	}
	switch {
	case len(j.Inputs) > inputsMax:
		return why{fmt.Sprintf("a job with %d inputs, expected at most %d (limit inputsMax)", len(j.Inputs), inputsMax), "use fewer inputs"}
	case j.Impure && !d.worker.AllowExec:
		return whyNoExec
	}
	ctx, cancel := context.WithTimeout(d.ctx, jobLongest)
	defer cancel()
	if d.worker.begin != nil {
		d.worker.begin(ctx, &j)
	}
	r, payload, err := d.result(ctx, &j)
	switch {
	case d.ctx.Err() != nil:
		return context.Cause(d.ctx)
	case ctx.Err() != nil:
		r, payload = &record{GivenUp: fmt.Sprintf("worker %s did it for %v (limit jobLongest)", d.worker.name, jobLongest)}, nil
	case err != nil:
		return err
	}
	r.Worker = d.worker.name
	if err := d.store(id, &j, r, payload); err != nil {
		return fmt.Errorf("its result cannot be stored: %w", err)
	}
	return nil
}

// store stores the result of a job. A large payload goes to the object store. If another worker has
// already stored a result of a pure job, store compares the two and tells the coordinator about a
// difference.
func (d *workerSession) store(id string, j *job, own *record, payload []byte) error {
	if payload != nil {
		own.SHA256, own.Payload = hub.Hash(payload), payload
	}
	if len(payload) > resultInline {
		own.Bytes, own.Payload = int64(len(payload)), nil
		if err := d.hub.Upload(d.ctx, own.SHA256, bytes.NewReader(payload)); err != nil {
			return err
		}
	}
	stored, err := json.Marshal(own)
	if err != nil {
		return err
	}
	var text []byte // of the first result
	err = hub.Insist(d.ctx, d.Lease, func(ctx context.Context) error {
		err := d.hub.Create(ctx, id, stored)
		if errors.Is(err, hub.ErrExists) {
			text, err = d.hub.Record(ctx, id)
		}
		return err
	})
	if err != nil || text == nil {
		return err
	}
	var first record
	if err := json.Unmarshal(text, &first); err != nil {
		return err
	}
	if !j.Impure && first.contradicts(own) {
		d.tell(func(n *news) {
			n.Dispute = fmt.Sprintf("workers %s and %s computed different results of job %.12s: their results cannot be trusted, expected machines that compute the same", first.Worker, own.Worker, j.Hash)
		})
	}
	return nil
}
