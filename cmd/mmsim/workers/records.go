package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/experiment"
)

// known is a record as this process last read or wrote it. revision is 0 if there is no
// record.
type known struct {
	record
	revision uint64
}

// record reads the record of a job.
func (s *session) record(ctx context.Context, id string) (known, error) {
	entry, err := s.records.Get(ctx, recordPrefix+id)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return known{}, nil
	case err != nil:
		return known{}, err
	}
	k := known{revision: entry.Revision()}
	if err := json.Unmarshal(entry.Value(), &k.record); err != nil {
		return known{}, fmt.Errorf("the record of a job: %w", err)
	}
	return k, nil
}

// change calls edit with k's record, and writes the record if edit returns true. If another
// process has changed the record in the meantime, change reads it again and repeats.
func (s *session) change(ctx context.Context, id string, k *known, edit func(*record) bool) error {
	for {
		if !edit(&k.record) {
			return nil
		}
		text, err := json.Marshal(&k.record)
		if err != nil {
			return fmt.Errorf("writing the record of a job: %w", err)
		}
		revision := uint64(0)
		if k.revision == 0 {
			revision, err = s.records.Create(ctx, recordPrefix+id, text)
		} else {
			revision, err = s.records.Update(ctx, recordPrefix+id, text, k.revision)
		}
		if err == nil {
			k.revision = revision
			return nil
		}
		if !isRace(err) || ctx.Err() != nil {
			return err
		}
		if *k, err = s.record(ctx, id); err != nil {
			return err
		}
	}
}

// isRace reports whether err means that another process has written the record in the
// meantime.
func isRace(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrKeyExists) ||
		errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

// arrivals watches the session's bucket and delivers results to the callers that wait for
// them.
type arrivals struct {
	watcher  jetstream.KeyWatcher
	onRecord func(*record) // called for every record
	ended    chan struct{} // closed when the watching goroutine returns

	mutex   sync.Mutex
	waiting map[string]chan known
	broken  chan struct{} // closed by fail
	failure error
}

// watch starts watching the bucket of a session.
func watch(s *session, onRecord func(*record)) (*arrivals, error) {
	watcher, err := s.records.WatchAll(context.Background(), jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	a := &arrivals{watcher: watcher, onRecord: onRecord, ended: make(chan struct{}), waiting: map[string]chan known{}, broken: make(chan struct{})}
	go func() {
		defer close(a.ended)
		for entry := range watcher.Updates() {
			if entry != nil { // nil marks the end of the entries that already existed
				a.take(entry)
			}
		}
	}()
	return a, nil
}

// take handles one entry of the session's bucket, which is a record or a dispute.
func (a *arrivals) take(entry jetstream.KeyValueEntry) {
	if strings.HasPrefix(entry.Key(), disputePrefix) {
		var d dispute
		err := json.Unmarshal(entry.Value(), &d)
		if err == nil {
			err = fmt.Errorf("workers %s and %s computed different results of job %.12s: their results cannot be trusted, expected machines that compute the same",
				d.Workers[0], d.Workers[1], d.Job)
		}
		a.fail(err)
		return
	}
	id, isRecord := strings.CutPrefix(entry.Key(), recordPrefix)
	if !isRecord {
		return
	}
	k := known{revision: entry.Revision()}
	if err := json.Unmarshal(entry.Value(), &k.record); err != nil {
		a.fail(fmt.Errorf("the record of a job: %w", err))
		return
	}
	a.onRecord(&k.record)
	if k.Result != nil && !k.Result.Taken {
		a.deliver(id, k)
	}
}

// deliver sends a result to the caller that waits for it. Results after the first are dropped.
func (a *arrivals) deliver(id string, k known) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if wait, isExpected := a.waiting[id]; isExpected {
		select {
		case wait <- k:
		default:
		}
	}
}

// expect returns a channel that receives the result of a job.
func (a *arrivals) expect(id string) <-chan known {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	wait := make(chan known, 1)
	a.waiting[id] = wait
	return wait
}

func (a *arrivals) forget(id string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	delete(a.waiting, id)
}

// fail makes all callers that wait for results return err.
func (a *arrivals) fail(err error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.failure == nil {
		a.failure = err
		close(a.broken)
	}
}

func (a *arrivals) fault() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.failure
}

// stop stops watching.
func (a *arrivals) stop() {
	_ = a.watcher.Stop() // the connection may be closed already
	<-a.ended
}

// workersDiedError returns the error for a job on which workers died.
func workersDiedError(hash string, died []string) error {
	return experiment.GivenUp(fmt.Errorf("job %.12s is given up: the workers %s died on it; the same command tries it again", hash, strings.Join(died, ", ")))
}
