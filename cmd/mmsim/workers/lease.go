package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// handle does the job in a message. It returns false if this worker must not do the job, or if
// this machine or its connection fails. In these cases, handle reports the reason and makes the
// job available to other workers.
func (w *worker) handle(s *session, m jetstream.Msg) (able bool) {
	w.mutex.Lock()
	d := w.states[s.name]
	w.mutex.Unlock()
	if d == nil || d.ctx.Err() != nil {
		_ = m.Nak() // the session has ended, or this worker is leaving
		return true
	}
	sum := sha256.Sum256(m.Data())
	l := &lease{worker: w, owner: d, message: m, id: hex.EncodeToString(sum[:])}
	if refused := l.read(); refused != "" {
		w.decline(s, refused)
		_ = m.Nak()
		return false
	}
	err := l.do()
	if d.ctx.Err() != nil || err == nil {
		return true
	}
	w.decline(s, "a job is given back: "+err.Error())
	return false
}

// decline reports why this worker does not do a job. It prints the reason once and sends it to
// the coordinator.
func (w *worker) decline(s *session, why string) {
	if w.printed.first(why) {
		w.logf("%s", why)
	}
	w.note(s, why)
}

// note sends a note to a session's coordinator, which shows repeated notes only once.
func (w *worker) note(s *session, text string) {
	message, err := json.Marshal(note{w.name, text})
	if err == nil {
		_ = w.nc.Publish(notePrefix+s.name, message) // an error is ignored: without a server, nobody would receive the note
	}
}

// A lease is a job that a worker has taken.
type lease struct {
	*worker
	owner   *workerSession
	message jetstream.Msg
	id      string
	job     job
	known   known
}

// read parses the job. If this worker must not do the job, read returns the reason. Otherwise
// it returns "".
func (l *lease) read() (refused string) {
	if err := json.Unmarshal(l.message.Data(), &l.job); err != nil {
		return fmt.Sprintf("a message is not a job: %v", err)
	}
	switch {
	case l.job.Build != l.build:
		return fmt.Sprintf("a job is for mmsim %s, this worker is mmsim %s: results could differ, expected the same build", l.job.Build, l.build)
	case len(l.job.Inputs) > inputsMax:
		return fmt.Sprintf("a job with %d inputs, expected at most %d (limit inputsMax)", len(l.job.Inputs), inputsMax)
	case l.job.Impure && !l.AllowExec:
		return "a job starts a program or asks a service (matcher.external), expected this worker to be started with --allow-exec"
	}
	return ""
}

// do does the job. It stores the result before it acknowledges the message, so that no result
// is lost: the server delivers a message again until it is acknowledged.
func (l *lease) do() error {
	stop := l.beat()
	defer stop()
	s := l.owner.session
	var died []string
	done := false
	err := s.change(l.owner.ctx, l.id, &l.known, func(r *record) bool {
		if done = r.Result != nil; done {
			return false
		}
		if died = r.diedOn(l.name); len(died) >= l.deathsMax {
			return false
		}
		if slices.Contains(r.Took, l.name) {
			return false
		}
		r.Took = append(r.Took, l.name)
		return true
	})
	switch {
	case err != nil:
		l.giveBack()
		return err
	case done:
		return l.message.Ack()
	case len(died) >= l.deathsMax:
		return l.finish(&result{Worker: l.name, Died: died}, nil)
	}
	if l.begin != nil {
		l.begin(l.owner.ctx, &l.job)
	}
	r, payload, err := l.owner.do(l.owner.ctx, &l.job)
	switch {
	case l.owner.ctx.Err() != nil:
		l.giveBack()
		return nil
	case err != nil:
		l.giveBack()
		return err
	}
	r.Worker = l.name
	return l.finish(r, payload)
}

// finish stores a result and acknowledges the job. If another worker has already stored a
// result of a pure job, finish compares the two and reports a difference to the coordinator.
func (l *lease) finish(own *result, payload []byte) error {
	ctx, cancel := l.owner.finishing()
	defer cancel()
	s := l.owner.session
	if payload != nil {
		if err := s.attach(ctx, own, payload); err != nil {
			l.giveBack()
			return fmt.Errorf("its result cannot be stored: %w", err)
		}
	}
	var first *result
	err := s.change(ctx, l.id, &l.known, func(r *record) bool {
		if first = r.Result; first != nil {
			return false
		}
		*r = record{Result: own}
		return true
	})
	if err == nil && first != nil && !l.job.Impure && len(first.Died)+len(own.Died) == 0 && !first.equals(own) {
		var text []byte
		if text, err = json.Marshal(dispute{Job: l.job.Hash, Workers: [2]string{first.Worker, own.Worker}}); err == nil {
			_, err = s.records.Put(ctx, disputePrefix+l.id, text)
		}
	}
	if err != nil {
		l.giveBack()
		return fmt.Errorf("its result cannot be stored: %w", err)
	}
	return l.message.Ack()
}

// giveBack makes the job available to other workers.
func (l *lease) giveBack() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.owner.ctx), leaving)
	defer cancel()
	// This fails without a connection. The lease then expires, and the worker counts as one
	// that died.
	_ = l.owner.session.change(ctx, l.id, &l.known, func(r *record) bool {
		before := len(r.Took)
		r.Took = r.diedOn(l.name)
		return len(r.Took) < before
	})
	_ = l.message.Nak()
}

// beat renews the lease at regular intervals until stop is called.
func (l *lease) beat() (stop func()) {
	every := l.owner.session.queue.CachedInfo().Config.AckWait / beatsPerLease
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		ticker := time.NewTicker(max(every, time.Millisecond))
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				_ = l.message.InProgress() // fails without a connection; the lease may then expire
			}
		}
	}()
	return cancel
}
