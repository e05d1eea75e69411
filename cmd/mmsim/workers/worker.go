package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/interrupt"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
)

// Work configures a worker, which is the command `mmsim worker`.
type Work struct {
	URL       string // URL of a coordinator or a NATS server
	Creds     string // file with credentials for NATS, or "" for none
	Jobs      int    // number of jobs at a time, or 0 for one per core
	AllowExec bool   // whether to do jobs that start programs or call services
	Folder    string // working directory of programs
	Err       io.Writer

	reconnectFor time.Duration               // 0 for defaultReconnectFor
	retry        time.Duration               // 0 for defaultRetry
	deathsMax    int                         // 0 for the constant deathsMax
	begin        func(context.Context, *job) // called before each job; set only by tests
}

// Durations in a worker.
const (
	defaultReconnectFor = 10 * time.Minute // time without a connection after which the coordinator is considered gone
	defaultRetry        = 2 * time.Second  // pause after a job failed on this worker, so that other workers can take the job
	lookEvery           = 5 * time.Second  // interval between searches for sessions
	waitForJob          = time.Second      // interval between searches while there is no session, and time to wait for a job
)

// worker is a running worker.
type worker struct {
	Work
	build   Build
	name    string
	nc      *nats.Conn
	js      jetstream.JetStream
	leave   context.CancelCauseFunc
	single  bool // whether it works for one coordinator and ends with it
	printed once
	again   chan struct{} // makes look search for sessions at once

	mutex    sync.Mutex
	sessions map[string]*session       // by name of the stream
	states   map[string]*workerSession // by name of the session
}

// errEnded is the cause of a cancelled context if the coordinator has ended its session.
var errEnded = errors.New("the coordinator has ended")

// Run does jobs until ctx is cancelled. With a built-in server, it also returns when the
// coordinator ends.
func (o Work) Run(ctx context.Context) error {
	w := &worker{Work: o, sessions: map[string]*session{}, states: map[string]*workerSession{}, again: make(chan struct{}, 1)}
	var err error
	if w.build, err = thisBuild(); err != nil {
		return err
	}
	w.Jobs = cmp.Or(w.Jobs, runtime.GOMAXPROCS(0))
	w.reconnectFor = cmp.Or(w.reconnectFor, defaultReconnectFor)
	w.retry = cmp.Or(w.retry, defaultRetry)
	w.deathsMax = cmp.Or(w.deathsMax, deathsMax)
	host, _ := os.Hostname()
	w.name = host + "-" + nuid.Next()[16:]
	interrupted := ctx
	ctx, w.leave = context.WithCancelCause(ctx)
	defer w.leave(nil)
	if _, err := interrupt.Await(interrupted, func() (any, error) { return nil, w.connect() }); err != nil {
		return err
	}
	defer w.nc.Close()
	scratch, remove, err := resultdir.Scratch("mmsim-worker")
	if err != nil {
		return fmt.Errorf("cannot keep inputs: %w", err)
	}
	defer remove()
	w.logf("%s does %s at a time", w.name, input.Counted(w.Jobs, "job"))
	var group sync.WaitGroup
	group.Go(func() { w.findSessions(ctx, scratch) })
	for range w.Jobs {
		group.Go(func() { w.work(ctx) })
	}
	group.Wait()
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errEnded):
		w.logf("%v", cause)
		return nil
	case errors.Is(cause, context.Canceled):
		return interrupt.Errorf("interrupted: the worker gave its jobs back")
	default:
		return cause
	}
}

func (w *worker) logf(format string, values ...any) {
	// If this fails, there is nowhere to report it.
	_ = terminal.PrintTo(w.Err, format+"\n", values...)
}

// connect connects to the server and subscribes to the announcements that sessions end.
func (w *worker) connect() error {
	a, ours, err := parseAddress(w.URL)
	if err != nil {
		return err
	}
	w.single = ours
	options := []nats.Option{nats.DisconnectErrHandler(func(*nats.Conn, error) { w.disconnected() }), nats.ClosedHandler(func(nc *nats.Conn) {
		w.leave(fmt.Errorf("the server rejects this worker after a lost connection: %w", nc.LastError()))
	})}
	if ours {
		options = append(options, nats.Token(a.token), nats.Secure(a.tls()), nats.TLSHandshakeFirst(), nats.Timeout(10*time.Second))
		if w.nc, w.js, err = connect("tls://"+a.host, options...); err != nil {
			return connectError(err)
		}
	} else if w.nc, w.js, err = connectNATS(w.URL, w.Creds, options...); err != nil {
		return connectError(err)
	}
	_, err = w.nc.Subscribe(endPrefix+"*", func(m *nats.Msg) { w.ended(strings.TrimPrefix(m.Subject, endPrefix)) })
	return err
}

// connectError marks errors that the user can correct as bad input.
func connectError(err error) error {
	switch {
	case errors.Is(err, errOtherCertificate):
		return errOtherCertificate
	case errors.Is(err, nats.ErrAuthorization):
		return input.Bad(errors.New("the server rejects this worker: its token or credentials are wrong"))
	}
	return fmt.Errorf("cannot connect to the coordinator: %w", err)
}

// disconnected ends a worker of a single coordinator if the connection is not restored within
// w.patience.
func (w *worker) disconnected() {
	if !w.single {
		return
	}
	time.AfterFunc(w.reconnectFor, func() {
		if w.nc.IsReconnecting() {
			w.leave(fmt.Errorf("the coordinator is gone, and did not come back within %v", w.reconnectFor))
		}
	})
}

// ended cancels the jobs of a session that has ended.
func (w *worker) ended(name string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if d := w.states[name]; d != nil {
		d.end(errEnded)
		delete(w.states, name)
		for stream, s := range w.sessions {
			if s.name == name {
				delete(w.sessions, stream)
			}
		}
	}
	if w.single {
		w.leave(errEnded)
	}
}

// findSessions searches for sessions at regular intervals.
func (w *worker) findSessions(ctx context.Context, scratch string) {
	for number := 0; ctx.Err() == nil; number++ {
		found := map[string]*session{}
		w.mutex.Lock()
		for stream, s := range w.sessions {
			found[stream] = s
		}
		w.mutex.Unlock()
		// Without a connection, openSessions fails until the connection is restored.
		wait := waitForJob
		if err := openSessions(ctx, w.js, found); err == nil {
			w.take(ctx, found, filepath.Join(scratch, strconv.Itoa(number)))
			if len(found) > 0 {
				wait = lookEvery
			}
		}
		select {
		case <-w.again:
			pause(ctx, waitForJob)
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// take replaces the worker's sessions with the sessions found on the server, except those of
// other builds.
func (w *worker) take(ctx context.Context, found map[string]*session, scratch string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.sessions = map[string]*session{}
	for stream, s := range found {
		if s.build != w.build {
			err := input.Badf("the coordinator is mmsim %s, this worker is mmsim %s: results could differ, expected the same build", s.build, w.build)
			if w.single {
				w.note(s, err.Error())
				w.leave(err)
			} else {
				w.decline(s, err.Error())
			}
			continue
		}
		w.sessions[stream] = s
		if w.states[s.name] == nil {
			w.states[s.name] = newWorkerSession(ctx, s, scratch+"-"+s.name, &w.Work)
		}
	}
	for name, d := range w.states {
		if !isAmong(name, w.sessions) && w.nc.IsConnected() && !w.single {
			d.end(errEnded)
			delete(w.states, name)
		}
	}
}

func isAmong(name string, sessions map[string]*session) bool {
	for _, s := range sessions {
		if s.name == name {
			return true
		}
	}
	return false
}

// work does one job after another.
func (w *worker) work(ctx context.Context) {
	unable := map[*session]time.Time{} // when this worker last failed in each session; it waits before its next job there, so that other workers go first
	for ctx.Err() == nil {
		w.mutex.Lock()
		sessions := make([]*session, 0, len(w.sessions))
		for _, s := range w.sessions {
			sessions = append(sessions, s)
		}
		w.mutex.Unlock()
		busy := false
		for _, s := range sessions {
			if since, isUnable := unable[s]; isUnable && time.Since(since) < w.retry {
				continue
			}
			delete(unable, s)
			wait := time.Duration(0)
			if len(sessions) == 1 {
				wait, busy = waitForJob, true
			}
			list, err := fetch(s, wait)
			for _, m := range list {
				busy = true
				if !w.handle(s, m) {
					unable[s] = time.Now()
				}
			}
			if err != nil { // the session or the server is gone, perhaps only for a moment
				select {
				case w.again <- struct{}{}:
				default:
				}
				pause(ctx, waitForJob/10)
			}
		}
		if !busy {
			pause(ctx, waitForJob/10)
		}
	}
}

// fetch takes the next job of a session. If none becomes available within wait, the list is
// empty.
func fetch(s *session, wait time.Duration) (list []jetstream.Msg, err error) {
	var batch jetstream.MessageBatch
	if wait == 0 {
		batch, err = s.queue.FetchNoWait(1)
	} else {
		batch, err = s.queue.Fetch(1, jetstream.FetchMaxWait(wait))
	}
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		list = append(list, m)
	}
	return list, batch.Error()
}

// pause waits for d, or until ctx is cancelled.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
