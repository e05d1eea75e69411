package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nuid"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/input"
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

	retry time.Duration               // 0 for defaultRetry
	build string                      // "" for this program's
	begin func(context.Context, *job) // called before each job; set only by tests
}

// Durations in a worker.
const (
	reconnectFor = 10 * time.Minute       // time without an answer after which the coordinator is considered gone
	defaultRetry = 2 * time.Second        // pause after a job failed on this worker, so that other workers can take the job
	lookEvery    = 5 * time.Second        // interval between searches for sessions
	lookSoon     = time.Second            // interval between searches while there is no session, and pause of a session that fails
	pollEvery    = 100 * time.Millisecond // interval between questions for jobs while there are none
	missedMax    = 3                      // number of successive searches that do not find a session before it is left
)

// worker is a running worker. Only the goroutine of work uses its sessions.
type worker struct {
	Work
	printer
	name     string
	server   hub.Directory
	single   bool // whether it works for one coordinator and ends with it
	scratch  string
	sessions map[string]*workerSession
	joined   int // number of sessions that it has joined
	turn     int // so that each session gets its turn
	leave    context.CancelCauseFunc
	found    chan map[hub.Session]hub.Hub
	ends     chan string   // names of sessions that have ended
	again    chan struct{} // makes search look at once
	slots    chan struct{} // has an element for each job that the worker does
	running  sync.WaitGroup
}

// errEnded is the cause of a cancelled context if the coordinator has ended its session.
var errEnded = errors.New("the coordinator has ended")

// Run does jobs until ctx is cancelled or, with a built-in server, the coordinator ends.
func (o Work) Run(ctx context.Context) error {
	s, err := terminal.Await(ctx, func() (*hub.Server, error) { return hub.Join(o.URL, o.Token, o.Creds) })
	if err != nil {
		return err
	}
	defer s.Close()
	return newWorker(o, s, s.Single).run(ctx)
}

func newWorker(o Work, server hub.Directory, single bool) *worker {
	o.Jobs, o.retry = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0)), cmp.Or(o.retry, defaultRetry)
	o.build = cmp.Or(o.build, hub.Build(build.Sources()))
	host, _ := os.Hostname()
	return &worker{Work: o, printer: printer{to: o.Err}, name: host + "-" + nuid.Next()[16:], server: server, single: single,
		sessions: map[string]*workerSession{}, found: make(chan map[hub.Session]hub.Hub), ends: make(chan string, 100), again: make(chan struct{}, 1), slots: make(chan struct{}, o.Jobs)}
}

// run does the jobs of the sessions on a server.
func (w *worker) run(ctx context.Context) (err error) {
	ctx, w.leave = context.WithCancelCause(ctx)
	defer w.leave(nil)
	if err := w.server.OnEnd(w.ended); err != nil {
		return err
	}
	var remove func()
	if w.scratch, remove, err = resultdir.Scratch("mmsim-worker"); err != nil {
		return fmt.Errorf("cannot keep inputs: %w", err)
	}
	defer remove()
	w.say("%s does %s at a time", w.name, input.Counted(w.Jobs, "job"))
	w.running.Go(func() { w.search(ctx) })
	w.work(ctx)
	w.running.Wait()
	for _, d := range w.sessions {
		d.tell(func(n *news) { n.Left = true })
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errEnded):
		w.say("%v", cause)
		return nil
	case errors.Is(cause, context.Canceled):
		return terminal.Interruptedf("interrupted: the worker gave its jobs back")
	default:
		return cause
	}
}

// ended notes that a coordinator has ended its session.
func (w *worker) ended(name string) {
	if w.single {
		w.leave(errEnded)
	}
	select {
	case w.ends <- name:
	default: // searching for sessions will show it
	}
}

// search looks for sessions at regular intervals and opens them. It is not part of work, because a
// broken session may keep it waiting.
func (w *worker) search(ctx context.Context) {
	opened := map[hub.Session]hub.Hub{}
	for answered := time.Now(); ctx.Err() == nil; {
		found, err := w.server.Sessions(ctx)
		switch {
		case err == nil:
			answered = time.Now()
			maps.DeleteFunc(opened, func(s hub.Session, _ hub.Hub) bool { return found[s.Name] != s })
			for _, s := range found {
				if opened[s] != nil {
					continue
				}
				if h, err := w.server.Open(ctx, s); err == nil { // otherwise, the session is being created or removed
					opened[s] = h
				}
			}
			select {
			case w.found <- maps.Clone(opened):
			case <-ctx.Done():
			}
		case errors.Is(err, hub.ErrRejected):
			w.leave(fmt.Errorf("after a lost connection: %w", err))
		case w.single && time.Since(answered) >= reconnectFor:
			w.leave(fmt.Errorf("the coordinator is gone, and did not come back within %v", reconnectFor))
		}
		wait := lookEvery
		if len(opened) == 0 {
			wait = lookSoon
		}
		select {
		case <-w.again:
			hub.Pause(ctx, lookSoon)
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// work takes jobs of the sessions until ctx is cancelled.
func (w *worker) work(ctx context.Context) {
	wait := pollEvery
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case name := <-w.ends:
			w.drop(name)
		case found := <-w.found:
			w.follow(ctx, found)
		case w.slots <- struct{}{}:
			if w.take(wait) {
				wait = 0
			} else {
				wait = pollEvery
				<-w.slots
			}
		}
	}
}

// take takes a job, which is then done in the background, and reports whether there is one. If there
// is none, it waits.
func (w *worker) take(wait time.Duration) bool {
	type queue struct {
		*workerSession
		kind string
	}
	var queues []queue
	for _, name := range slices.Sorted(maps.Keys(w.sessions)) {
		if d := w.sessions[name]; d.isReady() {
			for _, kind := range d.kinds {
				queues = append(queues, queue{d, kind})
			}
		}
	}
	if len(queues) == 0 {
		time.Sleep(wait)
	}
	for range queues {
		w.turn++
		q := queues[w.turn%len(queues)]
		m, err := q.hub.Take(q.ctx, q.kind, wait/time.Duration(len(queues)))
		switch {
		case err != nil: // the session or the server is gone, perhaps only for a moment
			q.pause(lookSoon)
			select {
			case w.again <- struct{}{}:
			default:
			}
		case m != nil:
			w.running.Go(func() {
				q.handle(m)
				<-w.slots
			})
			return true
		}
	}
	return false
}

// follow joins the sessions found on the server, and leaves those that are gone.
func (w *worker) follow(ctx context.Context, found map[hub.Session]hub.Hub) {
	for name, d := range w.sessions {
		if d.missed++; found[d.Session] != nil {
			d.missed = 0
		}
		if d.missed == missedMax && !w.single {
			w.drop(name)
		}
	}
	for s, h := range found {
		if d := w.sessions[s.Name]; d != nil && d.Session == s {
			continue
		}
		w.drop(s.Name) // a coordinator of another build continues the session
		w.joined++
		d := newWorkerSession(ctx, w, s, h, filepath.Join(w.scratch, strconv.Itoa(w.joined)))
		w.sessions[s.Name] = d
		w.running.Go(d.beat)
		if other := d.news.Unable[hub.Pure]; other.Reason != "" && w.single {
			w.leave(input.Bad(other))
		} else if other.Reason != "" {
			w.once("%v", other)
		}
	}
}

// drop cancels the jobs of a session that has ended.
func (w *worker) drop(name string) {
	if d := w.sessions[name]; d != nil {
		d.end(errEnded)
		delete(w.sessions, name)
	}
}
