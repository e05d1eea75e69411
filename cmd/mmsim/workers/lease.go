package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"mmsim/cmd/mmsim/workers/hub"
)

// isReady reports whether the worker may take a job of the session.
func (d *workerSession) isReady() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.ctx.Err() == nil && !time.Now().Before(d.since)
}

// tell changes the news of the worker and sends them to the coordinator. News may be lost, so an
// error does not matter.
func (d *workerSession) tell(change func(*news)) {
	d.mutex.Lock()
	change(&d.news)
	d.news.Number++
	d.news.Running = slices.Sorted(maps.Keys(d.held))
	message, err := json.Marshal(d.news)
	d.news.Stored = ""
	d.mutex.Unlock()
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), leaving)
		defer cancel()
		_ = d.hub.Tell(ctx, message)
	}
}

// beat renews the leases of the worker's jobs and sends its news, until the session ends.
func (d *workerSession) beat() {
	for d.ctx.Err() == nil {
		d.tell(func(*news) {})
		hub.Pause(d.ctx, max(d.Lease/beatsPerLease, time.Millisecond))
		d.mutex.Lock()
		held := slices.Collect(maps.Values(d.held))
		d.mutex.Unlock()
		for _, m := range held {
			_ = m.Renew() // fails without a connection; the lease may then expire
		}
	}
}

// handle does a job. A result is stored before the job is acknowledged, so that none is lost.
func (d *workerSession) handle(m hub.Delivery) {
	id := hub.Hash(m.Data())
	d.mutex.Lock()
	d.held[id] = m
	d.mutex.Unlock()
	d.tell(func(*news) {}) // the coordinator counts the workers that end during a job
	began := time.Now()
	err := d.doAndStore(id, m)
	d.mutex.Lock()
	delete(d.held, id)
	d.mutex.Unlock()
	switch local := (*localError)(nil); {
	case err == nil:
		d.tell(func(n *news) {
			n.Done, n.Stored = n.Done+1, id
			d.failed = 0
			n.Seconds += time.Since(began).Seconds()
			delete(n.Unable, id)
		})
		_ = m.Ack() // without it, the next worker finds the result
	case d.ctx.Err() != nil: // the session has ended, or this worker is leaving
		_ = m.GiveBack(0)
	case m.Number() >= hub.DeliveriesMax && d.store(id, &job{}, &result{GivenUp: fmt.Sprintf("it was delivered %d times; the last time, worker %s could not do it: %v", hub.DeliveriesMax, d.worker.name, err)}, nil) == nil:
		d.tell(func(n *news) { n.Stored = id })
		_ = m.Ack()
	default:
		reason := "a job is given back: " + err.Error()
		d.tell(func(n *news) {
			d.since, d.failed = time.Now().Add(d.worker.retry<<min(d.failed, 6)), d.failed+1
			if n.Note = reason; errors.As(err, &local) && local.cure != "" && len(n.Unable) < unableMax {
				n.Note, n.Unable[id] = "", why{err.Error(), local.cure}
			}
		})
		if d.worker.printed.first(reason) {
			d.worker.logf("%s", reason)
		}
		_ = m.GiveBack(d.worker.retry)
	}
}

// doAndStore does a job and stores its result. An error means that another worker, or this one
// later, has to do it.
func (d *workerSession) doAndStore(id string, m hub.Delivery) error {
	var j job
	if err := json.Unmarshal(m.Data(), &j); err != nil {
		return &localError{fmt.Errorf("a message is not a job: %w", err), "remove the message from the server"}
	}
	switch {
	case len(j.Inputs) > inputsMax:
		return &localError{fmt.Errorf("a job with %d inputs, expected at most %d (limit inputsMax)", len(j.Inputs), inputsMax), "use fewer inputs"}
	case j.Impure && !d.worker.AllowExec:
		return &localError{errors.New(d.news.Unable[hub.Exec].Reason), d.news.Unable[hub.Exec].Cure}
	}
	ctx, cancel := context.WithTimeout(d.ctx, jobLongest)
	defer cancel()
	if d.worker.begin != nil {
		d.worker.begin(ctx, &j)
	}
	r, payload, err := d.do(ctx, &j)
	switch {
	case d.ctx.Err() != nil:
		return context.Cause(d.ctx)
	case ctx.Err() != nil:
		r, payload = &result{GivenUp: fmt.Sprintf("worker %s did it for %v (limit jobLongest)", d.worker.name, jobLongest)}, nil
	case err != nil:
		return err
	}
	r.Worker = d.worker.name
	if err := d.store(id, &j, r, payload); err != nil {
		return fmt.Errorf("its result cannot be stored: %w", err)
	}
	return nil
}

// store stores the result of a job. If another worker has already stored a result of a pure job,
// store compares the two and tells the coordinator about a difference.
func (d *workerSession) store(id string, j *job, own *result, payload []byte) error {
	ctx, cancel := d.finishing()
	defer cancel()
	if payload != nil {
		if err := attach(ctx, d.hub, own, payload); err != nil {
			return err
		}
	}
	record, err := json.Marshal(own)
	if err != nil {
		return err
	}
	err = hub.Insist(ctx, d.Lease, func(ctx context.Context) error { return d.hub.Create(ctx, id, record) })
	if !errors.Is(err, hub.ErrExists) {
		return err
	}
	var text []byte
	err = hub.Insist(ctx, d.Lease, func(ctx context.Context) (err error) { text, err = d.hub.Record(ctx, id); return err })
	if err != nil || text == nil {
		return err
	}
	var first result
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
