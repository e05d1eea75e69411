package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nuid"
	"golang.org/x/sync/singleflight"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers/hub"
	"mmsim/reports/result"
)

// Options are the flags about workers, and the command's result directory and output.
type Options struct {
	Serve string // HOST:PORT of the built-in server, or "" to use NATS
	NATS  string // URL of an existing NATS server, or "" to use Serve
	Creds string // file with credentials for NATS, or "" for none

	Dir      string             // result directory, which is locked; "" for none
	Err      io.Writer          // receives instructions for starting workers
	Progress *terminal.Progress // shows the workers; may be nil
	idle     bool               // whether no jobs are left

	lease     time.Duration // 0 for defaultLease
	returning time.Duration // 0 for defaultReturning
	patience  time.Duration // 0 for defaultPatience
	quiet     time.Duration // 0 for defaultQuiet
	memory    int64         // memory limit of the built-in server; 0 for a share of the machine's memory
}

// Given reports whether the options ask for workers.
func (o *Options) Given() bool { return o.Serve != "" || o.NATS != "" }

// Check checks the options. It is called before any work is done.
func (o *Options) Check() error {
	switch {
	case o.Serve != "" && o.NATS != "":
		return input.Badf("--serve and --nats: expected only one of them")
	case o.Creds != "" && o.NATS == "":
		return input.Badf("--creds is for an existing NATS server: expected --nats URL with it")
	case o.Serve != "":
		return hub.CheckServe(o.Serve)
	}
	return nil
}

// A Coordinator is an experiment.Executor that simulates replications on workers. A command can use
// it for several experiments, one after another.
type Coordinator struct {
	Options
	printer
	hold      *resultdir.Hold // lock on the result directory; nil without one
	isRestart bool            // workers of a killed coordinator may reconnect
	server    *hub.Server     // nil in tests with a model
	hub       hub.Hub
	inputs    sender
	roster    *roster
	start     string             // identifies this start of the command, see job.Start
	collect   int                // GC percentage before Open
	jobs      singleflight.Group // by job id, because two arms may have the same job
	watching  sync.WaitGroup

	ctx context.Context         // of the coordinator; the cause of its end is why it failed
	end context.CancelCauseFunc // makes all callers that wait for results return the cause

	mutex    sync.Mutex
	waiting  map[string]*waiting // jobs without a result, by id
	fault    error               // of the last exchange with the server about such a job
	restored int                 // number of jobs that the server lost, since the last message about them
}

// waiting is a job whose result is awaited.
type waiting struct {
	kind  string
	look  chan struct{} // tells do to look for the result
	spent bool          // whether the last comparison found that the server does not deliver it again
	stuck time.Time     // since when no connected worker can do it; zero if one can
}

// collectRarely is the GC percentage of a coordinator. A coordinator holds little memory but
// allocates a lot. With the default of 100, it spends a tenth of its time on garbage
// collection.
const collectRarely = 400

// Durations that tests change.
const (
	defaultPatience  = 5 * time.Minute  // after which a server that does not answer is considered gone
	defaultReturning = 10 * time.Second // how long workers of a killed coordinator may take to reconnect
)

// Open creates a session for workers and prints how to start them.
func Open(ctx context.Context, o Options) (_ *Coordinator, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	p := newCoordinator(o)
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	notes := ""
	if p.Dir != "" {
		if p.hold, err = resultdir.NewHold(p.Dir); err != nil {
			return nil, err
		}
		notes = p.hold.File()
	}
	token, isRestart, err := hub.TokenIn(notes)
	if err != nil {
		return nil, err
	}
	if p.isRestart = isRestart; p.Serve != "" {
		p.server, err = hub.Serve(p.Serve, token, p.memory)
	} else {
		p.server, err = terminal.Await(ctx, func() (*hub.Server, error) { return hub.ConnectNATS(p.NATS, p.Creds) })
	}
	if err != nil {
		return nil, err
	}
	// The session's name is as random as the token, which it does not disclose.
	s := hub.Session{Name: hub.Hash([]byte(token))[:22], Build: hub.Build(build.Sources()), Lease: p.lease}
	return p, p.open(p.server.Hub(s), p.server.Start)
}

func newCoordinator(o Options) *Coordinator {
	o.lease, o.returning, o.patience = cmp.Or(o.lease, defaultLease), cmp.Or(o.returning, defaultReturning), cmp.Or(o.patience, defaultPatience)
	o.quiet = cmp.Or(o.quiet, defaultQuiet)
	p := &Coordinator{Options: o, printer: printer{to: o.Err}, start: nuid.Next(), collect: debug.SetGCPercent(collectRarely), roster: newRoster(o.lease), waiting: map[string]*waiting{}, inputs: sender{sent: map[string]sent{}}}
	p.ctx, p.end = context.WithCancelCause(context.Background())
	return p
}

// open creates the session on a hub. start is the command that starts a worker.
func (p *Coordinator) open(h hub.Hub, start string) error {
	p.hub = h
	if err := p.insist("create a session on the server", h.Ensure); err != nil {
		return err
	}
	if p.isRestart { // the jobs that are still needed are published again
		if err := p.insist("remove old jobs from the server", func(ctx context.Context) error { return h.Withdraw(ctx, "", "") }); err != nil {
			return err
		}
	}
	if p.idle { // workers' news are not shown: they are about jobs of the killed command
		p.say("nothing is left to do: telling the workers of the killed command to leave")
		return nil
	}
	if err := h.Hear(p.hear); err != nil {
		return err
	}
	p.watching.Go(p.watch)
	p.Progress.Show(p.roster.progress)
	p.say("start workers with: %s", start)
	return nil
}

// insist exchanges something with the server. It tries again until the coordinator's patience ends.
func (p *Coordinator) insist(what string, exchange func(context.Context) error) error {
	err := hub.Insist(p.ctx, p.patience, func(ctx context.Context) error {
		err := exchange(ctx)
		if err != nil && !input.IsBad(err) && ctx.Err() == nil {
			p.once("cannot %s (%v): trying again for %v", what, err, p.patience)
		}
		return err
	})
	switch {
	case err == nil:
		return nil
	case p.ctx.Err() != nil:
		return context.Cause(p.ctx)
	}
	return fmt.Errorf("cannot %s: %w", what, err)
}

// hear takes the news of a worker.
func (p *Coordinator) hear(message []byte) {
	var n news
	if len(message) > newsBytesMax || json.Unmarshal(message, &n) != nil {
		return
	}
	p.roster.hear(&n)
	if n.Note != "" {
		p.once("worker %s: %s", n.Worker, n.Note)
	}
	for _, what := range slices.Sorted(maps.Keys(n.Unable)) {
		if p.isWaiting(what) {
			p.once("worker %s: %v", n.Worker, n.Unable[what])
		}
	}
	if n.Dispute != "" {
		p.end(errors.New(n.Dispute))
	}
	if n.Stored != "" {
		p.lookFor(n.Stored)
	}
	p.Progress.Advance(0, 0) // redraws the progress line, so that a new worker appears at once
}

// isWaiting reports whether a job with the given id or kind is waiting.
func (p *Coordinator) isWaiting(what string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for id, w := range p.waiting {
		if what == id || what == w.kind {
			return true
		}
	}
	return false
}

// With opens a coordinator, calls work with it and closes it. If the options do not ask for workers,
// work gets nil.
func (o Options) With(ctx context.Context, work func(*Coordinator) error) error {
	if !o.Given() {
		return work(nil)
	}
	p, err := Open(ctx, o)
	if err != nil {
		return err
	}
	err = work(p)
	if closing := p.close(ctx, err == nil && ctx.Err() == nil); closing != nil {
		// The results are complete, so this error does not make the command fail.
		p.say("the session remains on the server: %v", closing)
	}
	return err
}

// Dismiss cleans up after a killed coordinator if no jobs are left. It tells the workers to leave
// and removes the session from a NATS server. It only prints errors, because the results are
// complete.
func (o Options) Dismiss(ctx context.Context) {
	if !o.Given() || !resultdir.IsLeft(o.Dir) || ctx.Err() != nil {
		return
	}
	o.idle = true
	p, err := Open(ctx, o)
	if err == nil {
		err = p.close(ctx, true)
	}
	if err != nil {
		_ = terminal.PrintTo(o.Err, "nothing is left to do, but the workers cannot be notified: %v\n", err)
	}
}

// Executor returns the coordinator, or a nil Executor if p is nil.
func (p *Coordinator) Executor() experiment.Executor {
	if p == nil {
		return nil
	}
	return p
}

// Parallel returns the maximum number of jobs that are on the server at a time.
func (*Coordinator) Parallel() int { return 1000 }

// Prepare creates the job of a replication and uploads its inputs.
func (p *Coordinator) Prepare(in *experiment.Inputs, run uint64, brief bool) (experiment.Work, error) {
	return p.prepare(in, run, brief, nil)
}

// prepare creates the job of a replication. If files is not nil, the worker returns all files of the result,
// and they are written where files would write them.
func (p *Coordinator) prepare(in *experiment.Inputs, run uint64, brief bool, files *results.Writer) (experiment.Work, error) {
	j, err := p.describe(in, run)
	if err != nil {
		return nil, err
	}
	dir := ""
	if j.Brief = brief; files != nil {
		resolved, err := results.Resolved(in.ConfigOf(run), files.Part(run))
		if err != nil {
			return nil, err
		}
		j.Resolved, dir = string(resolved), filepath.Join(files.Folder, files.Part(run))
	}
	id, text, err := j.encode()
	if err != nil {
		return nil, err
	}
	if len(text) > hub.EntryBytesMax-1024 { // leaves room for headers, which count towards the limit
		return nil, input.Badf("the description of a job has %d bytes, expected at most %d (limit EntryBytesMax)", len(text), hub.EntryBytesMax-1024)
	}
	kind, hash, impure := j.kind(), j.Hash, j.Impure // the rest can be freed
	// Workers get the jobs in the order of publication. Jobs are prepared in order, so that the jobs of
	// one run share its day on a worker, too. Publishing only in do, which is concurrent, would mix them.
	_, _, _ = p.submit(kind, id, text) // do repeats it
	return func(ctx context.Context) (*result.Result, error) {
		found, err, _ := p.jobs.Do(id, func() (any, error) {
			r, err := p.do(ctx, kind, id, text)
			if r == nil || err != nil {
				return (*result.Result)(nil), err
			}
			return p.accept(id, hash, impure, r, brief, dir)
		})
		return found.(*result.Result), err
	}, nil
}

// do publishes a job and waits for its result. If ctx is cancelled first, it returns a result
// only if the server already has one.
func (p *Coordinator) do(ctx context.Context, kind, id string, text []byte) (*record, error) {
	w := &waiting{kind: kind, look: make(chan struct{}, 1)}
	p.mutex.Lock()
	p.waiting[id] = w
	p.mutex.Unlock()
	defer func() {
		p.mutex.Lock()
		delete(p.waiting, id)
		p.mutex.Unlock()
	}()
	for isKnown := false; ; {
		r, isNew, err := p.submit(kind, id, text)
		if r != nil {
			return r, nil
		}
		p.mutex.Lock()
		if p.fault = err; isNew && isKnown {
			p.restored++
		}
		isKnown = isKnown || err == nil
		p.mutex.Unlock()
		select {
		case <-w.look: // watch repeats this after an error
		case <-p.ctx.Done():
			return nil, context.Cause(p.ctx)
		case <-ctx.Done():
			if r, err := p.record(id); err == nil && r != nil && !r.Taken { // it may have arrived at the same time
				return r, nil
			}
			return nil, nil
		}
	}
}

// submit returns the result of a job. If there is none, it publishes the job, and reports whether the
// server did not have it.
func (p *Coordinator) submit(kind, id string, text []byte) (r *record, isNew bool, err error) {
	r, err = p.record(id)
	switch {
	case err != nil:
		return nil, false, err
	case r != nil && !r.Taken:
		return r, false, nil
	case r != nil: // it is about the same job at an earlier time
		if err := p.hub.Replace(p.ctx, id, nil); err != nil {
			return nil, false, err
		}
	}
	isNew, err = p.hub.Publish(p.ctx, kind, id, text)
	return nil, isNew, err
}

// lookFor makes do look for the result of a job.
func (p *Coordinator) lookFor(id string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if w := p.waiting[id]; w != nil {
		select {
		case w.look <- struct{}{}:
		default:
		}
	}
}

// record reads the record of a job. It returns nil if there is none. A broken record ends the
// coordinator.
func (p *Coordinator) record(id string) (r *record, err error) {
	text, err := p.hub.Record(p.ctx, id)
	if err == nil && text != nil {
		if err = json.Unmarshal(text, &r); err != nil {
			r, err = nil, fmt.Errorf("the record of job %.12s: %w", id, err)
			p.end(err)
		}
	}
	return r, err
}
