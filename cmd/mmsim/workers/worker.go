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
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nuid"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/interrupt"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers/hub"
)

// Work configures a worker, which is the command `mmsim worker`.
type Work struct {
	URL       string // URL of a coordinator or a NATS server
	Token     string // token of a coordinator; "" for a NATS server
	Creds     string // file with credentials for NATS, or "" for none
	Jobs      int    // number of jobs at a time, or 0 for one per core
	AllowExec bool   // whether to do jobs that start programs or call services
	Folder    string // working directory of programs
	Err       io.Writer

	reconnectFor time.Duration               // 0 for defaultReconnectFor
	retry        time.Duration               // 0 for defaultRetry
	build        string                      // "" for this program's
	begin        func(context.Context, *job) // called before each job; set only by tests
}

// Durations in a worker.
const (
	defaultReconnectFor = 10 * time.Minute       // time without a connection after which the coordinator is considered gone
	defaultRetry        = 2 * time.Second        // pause after a job failed on this worker, so that other workers can take the job
	lookEvery           = 5 * time.Second        // interval between searches for sessions
	waitForJob          = time.Second            // interval between searches while there is no session, and time to wait for a job
	pollEvery           = 100 * time.Millisecond // interval between questions for jobs if there are several queues
	leaving             = 3 * time.Second        // how long a worker that leaves may take to store a result
	missedMax           = 3                      // number of successive searches that do not find a session before it is left
)

// worker is a running worker.
type worker struct {
	Work
	name    string
	server  hub.Directory
	leave   context.CancelCauseFunc
	single  bool // whether it works for one coordinator and ends with it
	printed once
	again   chan struct{} // makes follow search for sessions at once

	beats sync.WaitGroup

	mutex    sync.Mutex
	sessions map[string]*workerSession
}

// errEnded is the cause of a cancelled context if the coordinator has ended its session.
var errEnded = errors.New("the coordinator has ended")

// Run does jobs until ctx is cancelled or, with a built-in server, the coordinator ends.
func (o Work) Run(ctx context.Context) error {
	w := newWorker(o)
	interrupted := ctx
	ctx, w.leave = context.WithCancelCause(ctx)
	defer w.leave(nil)
	var j hub.Server
	_, err := interrupt.Await(interrupted, func() (_ any, err error) {
		j, w.single, err = hub.Join(w.URL, w.Token, w.Creds, hub.Events{
			Disconnected: func() { w.disconnected(&j) },
			Closed: func(err error) {
				w.leave(fmt.Errorf("the server rejects this worker after a lost connection: %w", err))
			},
		})
		return nil, err
	})
	if err != nil {
		return err
	}
	defer j.Conn.Close()
	return w.run(ctx, j)
}

func newWorker(o Work) *worker {
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	o.reconnectFor, o.retry = cmp.Or(o.reconnectFor, defaultReconnectFor), cmp.Or(o.retry, defaultRetry)
	o.build = cmp.Or(o.build, hub.Build(experiment.Sources()))
	host, _ := os.Hostname()
	return &worker{Work: o, name: host + "-" + nuid.Next()[16:], again: make(chan struct{}, 1), sessions: map[string]*workerSession{}}
}

// run does the jobs of the sessions on a server.
func (w *worker) run(ctx context.Context, s hub.Directory) error {
	w.server = s
	if err := s.OnEnd(w.ended); err != nil {
		return err
	}
	scratch, remove, err := resultdir.Scratch("mmsim-worker")
	if err != nil {
		return fmt.Errorf("cannot keep inputs: %w", err)
	}
	defer remove()
	w.logf("%s does %s at a time", w.name, input.Counted(w.Jobs, "job"))
	var group sync.WaitGroup
	group.Go(func() { w.follow(ctx, scratch) })
	for range w.Jobs {
		group.Go(func() { w.work(ctx) })
	}
	group.Wait()
	w.beats.Wait()
	for _, d := range w.all() {
		d.tell(func(n *news) { n.Left = true })
	}
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
	_ = terminal.PrintTo(w.Err, format+"\n", values...)
}

// disconnected ends a worker of a single coordinator if the connection is not restored within
// w.reconnectFor.
func (w *worker) disconnected(j *hub.Server) {
	if !w.single {
		return
	}
	time.AfterFunc(w.reconnectFor, func() {
		if j.Conn.IsReconnecting() {
			w.leave(fmt.Errorf("the coordinator is gone, and did not come back within %v", w.reconnectFor))
		}
	})
}

// ended cancels the jobs of a session that has ended.
func (w *worker) ended(name string) {
	w.drop(name)
	if w.single {
		w.leave(errEnded)
	}
}

func (w *worker) drop(name string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if d := w.sessions[name]; d != nil {
		d.end(errEnded)
		delete(w.sessions, name)
	}
}

// all returns the sessions in the order of their names.
func (w *worker) all() []*workerSession {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	list := make([]*workerSession, 0, len(w.sessions))
	for _, d := range w.sessions {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *workerSession) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// follow searches for sessions at regular intervals.
func (w *worker) follow(ctx context.Context, scratch string) {
	for number := 0; ctx.Err() == nil; number++ {
		limited, cancel := context.WithTimeout(ctx, hub.Answer)
		found, err := w.server.Sessions(limited)
		if err == nil { // it fails without a connection
			w.take(ctx, found, filepath.Join(scratch, strconv.Itoa(number)))
		}
		cancel()
		wait := lookEvery
		if len(found) == 0 {
			wait = waitForJob
		}
		select {
		case <-w.again:
			hub.Pause(ctx, waitForJob)
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// take joins the sessions found on the server, and leaves those that are gone.
func (w *worker) take(ctx context.Context, found map[string]hub.Session, scratch string) {
	for _, d := range w.all() {
		d.missed++
		if _, isFound := found[d.Name]; isFound {
			d.missed = 0
		}
		if d.missed == missedMax && !w.single {
			w.drop(d.Name)
		}
	}
	for name, s := range found {
		w.mutex.Lock()
		_, isKnown := w.sessions[name]
		w.mutex.Unlock()
		if isKnown {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, hub.Answer)
		h, err := w.server.Open(limited, s)
		cancel()
		if err != nil {
			continue // the session is being created or removed
		}
		d := newWorkerSession(ctx, w, s, h, scratch+"-"+name)
		w.mutex.Lock()
		w.sessions[name] = d
		w.mutex.Unlock()
		w.beats.Go(d.beat)
		if s.Build != w.build {
			reason := d.news.Unable[hub.Pure].String()
			if w.single {
				d.tell(func(*news) {})
				w.leave(input.Bad(errors.New(reason)))
			} else if w.printed.first(reason) {
				w.logf("%s", reason)
			}
		}
	}
}

// work does one job after another.
func (w *worker) work(ctx context.Context) {
	for ctx.Err() == nil {
		list := w.all()
		list = slices.DeleteFunc(list, func(d *workerSession) bool { return !d.isReady() })
		wait := time.Duration(0)
		if len(list) == 1 && len(list[0].kinds) == 1 {
			wait = waitForJob
		}
		busy := wait > 0
		for _, d := range list {
			for _, kind := range d.kinds {
				m, err := d.hub.Take(d.ctx, kind, wait)
				if m != nil {
					busy = true
					d.handle(m)
				}
				if err != nil { // the session or the server is gone, perhaps only for a moment
					busy = false
					select {
					case w.again <- struct{}{}:
					default:
					}
				}
			}
		}
		if !busy {
			hub.Pause(ctx, pollEvery)
		}
	}
}
