package workers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/input"
)

// handle does the job of a message, or gives it back. What goes wrong on this machine, or on
// the way to the server, is told and tried again: the job comes back.
func (w *worker) handle(ctx context.Context, s *session, m jetstream.Msg) {
	w.mutex.Lock()
	d := w.desks[s.name]
	w.mutex.Unlock()
	if d == nil || d.ctx.Err() != nil {
		_ = m.Nak() // the session has ended, or this worker leaves
		return
	}
	sum := sha256.Sum256(m.Data())
	l := &lease{worker: w, desk: d, message: m, id: hex.EncodeToString(sum[:])}
	if refused := l.read(); refused != "" {
		if w.said.first(refused) {
			w.say("%s", refused)
		}
		_ = m.NakWithDelay(w.retry)
		return
	}
	err := l.do()
	switch {
	case d.ctx.Err() != nil || err == nil:
	default:
		w.say("job %.12s comes back: %v", l.job.Hash, err)
	}
}

// A lease is a job in the hands of a worker.
type lease struct {
	*worker
	desk    *desk
	message jetstream.Msg
	id      string
	job     job
	known   known
}

// read reads the job, and says why this worker does not do it.
func (l *lease) read() (refused string) {
	if err := json.Unmarshal(l.message.Data(), &l.job); err != nil {
		return fmt.Sprintf("a message that is no job: %v", err)
	}
	switch {
	case l.job.Build != l.mine:
		return fmt.Sprintf("a job is for mmsim %s, this worker is mmsim %s: results could differ, expected the same build", l.job.Build, l.mine)
	case len(l.job.Inputs) > inputsMax:
		return fmt.Sprintf("a job with %d inputs, expected at most %d (limit inputsMax)", len(l.job.Inputs), inputsMax)
	case l.job.Impure && !l.AllowExec:
		return "a job starts a program or asks a service: expected --allow-exec to do such jobs"
	}
	return ""
}

// do does the job and stores what it found, before it acknowledges the message: the server
// hands a message out until it is acknowledged, and the result is there exactly once.
func (l *lease) do() error {
	stop := l.beat()
	defer stop()
	s := l.desk.session
	var died []string
	done := false
	err := s.change(l.desk.ctx, l.id, &l.known, func(r *record) bool {
		if done = r.Result != nil; done {
			return false
		}
		if died = r.diedOn(l.name); len(died) >= l.diedMost {
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
		l.giveBack(l.retry)
		return err
	case done:
		return l.message.Ack()
	case len(died) >= l.diedMost:
		return l.finish(&result{Worker: l.name, Died: died}, nil)
	}
	if l.begin != nil {
		l.begin(l.desk.ctx, &l.job)
	}
	payload, err := l.desk.do(l.desk.ctx, &l.job)
	switch {
	case l.desk.ctx.Err() != nil:
		l.giveBack(0)
		return nil
	case err != nil && isLocal(err):
		l.giveBack(l.retry)
		return err
	case err != nil:
		return l.finish(&result{Worker: l.name, Error: err.Error(), Bad: input.IsBad(err)}, nil)
	}
	return l.finish(&result{Worker: l.name}, payload)
}

// finish stores a result and acknowledges the job. Where another worker has stored one, both
// must be equal.
func (l *lease) finish(mine *result, payload []byte) error {
	ctx, cancel := l.desk.finishing()
	defer cancel()
	s := l.desk.session
	if payload != nil {
		if err := s.attach(ctx, mine, payload); err != nil {
			l.giveBack(l.retry)
			return fmt.Errorf("its result cannot be stored: %w", err)
		}
	}
	var first *result
	err := s.change(ctx, l.id, &l.known, func(r *record) bool {
		if first = r.Result; first != nil {
			return false
		}
		*r = record{Result: mine}
		return true
	})
	if err == nil && first != nil && !l.job.Impure && len(first.Died)+len(mine.Died) == 0 && !first.equals(mine) {
		var text []byte
		if text, err = json.Marshal(dispute{Job: l.job.Hash, Workers: [2]string{first.Worker, mine.Worker}}); err == nil {
			_, err = s.records.Put(ctx, disputePrefix+l.id, text)
		}
	}
	if err != nil {
		l.giveBack(l.retry)
		return fmt.Errorf("its result cannot be stored: %w", err)
	}
	return l.message.Ack()
}

// giveBack hands the job to the next worker, after a delay.
func (l *lease) giveBack(delay time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.desk.ctx), leaving)
	defer cancel()
	// Without the server the lease runs out, and this worker counts as one that died.
	_ = l.desk.session.change(ctx, l.id, &l.known, func(r *record) bool {
		before := len(r.Took)
		r.Took = r.diedOn(l.name)
		return len(r.Took) < before
	})
	if delay > 0 {
		_ = l.message.NakWithDelay(delay)
	} else {
		_ = l.message.Nak()
	}
}

// beat shows again and again that the worker is alive.
func (l *lease) beat() (stop func()) {
	every := l.desk.session.queue.CachedInfo().Config.AckWait / beatsALease
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		ticker := time.NewTicker(max(every, time.Millisecond))
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				_ = l.message.InProgress() // while the connection is away the lease may run out
			}
		}
	}()
	return cancel
}

// renamed is an error that names a file as the coordinator knows it.
func renamed(err error, path, shown string) error {
	text := err.Error()
	for _, name := range []string{path, input.Shown(path)} {
		text = strings.ReplaceAll(text, name, shown)
	}
	if text == err.Error() {
		return err
	}
	if input.IsBad(err) {
		return input.Badf("%s", text)
	}
	return fmt.Errorf("%s", text)
}
