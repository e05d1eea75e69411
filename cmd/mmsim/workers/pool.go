package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"golang.org/x/sync/singleflight"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/outcome"
)

// Options are the command-line flags about workers, and the command's result directory and
// output.
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
		_, _, err := checkServe(o.Serve)
		return err
	}
	return nil
}

// A Pool is an experiment.Executor that simulates replications on workers. A command can use
// it for several experiments, one after another.
type Pool struct {
	Options
	build  Build
	hold   *resultdir.Hold // lock on the result directory; nil without one
	inside *inside         // built-in server; nil with NATS

	isRestart bool // workers of a killed coordinator may reconnect

	nc      *nats.Conn
	js      jetstream.JetStream
	session *session
	inputs  *sender
	arrived *arrivals
	start   string             // identifies this start of the command, see job.Start
	notes   once               // workers' notes that have been printed
	collect int                // GC percentage before Open
	jobs    singleflight.Group // by job id, because two arms may have the same job
}

// collectRarely is the GC percentage of a coordinator. A coordinator holds little memory but
// allocates a lot. With the default of 100, it spends a tenth of its time on garbage
// collection.
const collectRarely = 400

// timeout limits each exchange with the server.
const timeout = 20 * time.Second

// Open creates a session for workers and prints how to start them.
func Open(o Options) (_ *Pool, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o.lease, o.returning = cmp.Or(o.lease, defaultLease), cmp.Or(o.returning, defaultReturning)
	opened := &Pool{Options: o, start: nuid.Next(), collect: debug.SetGCPercent(collectRarely)}
	defer func() {
		if err != nil {
			opened.stop()
		}
	}()
	return opened, opened.open()
}

// open creates the session.
func (p *Pool) open() (err error) {
	if p.build, err = thisBuild(); err != nil {
		return err
	}
	if p.Dir != "" {
		if p.hold, err = resultdir.NewHold(p.Dir); err != nil {
			return err
		}
	}
	start, storage := "", jetstream.FileStorage
	if p.Serve != "" {
		start, err = p.serve()
		storage = jetstream.MemoryStorage
	} else {
		start, err = p.join()
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if p.session, err = newSession(ctx, p.js, sessionName(p.Dir), p.build, storage, p.lease); err != nil {
		return fmt.Errorf("cannot keep jobs on the server: %w", err)
	}
	p.inputs = &sender{session: p.session, sent: map[string]file{}}
	workers := newWorkerCounts()
	onRecord := func(r *record) {
		workers.register(r)
		p.Progress.Advance(0, 0) // redraws the progress line, so that a new worker appears at once
	}
	if p.arrived, err = watch(p.session, onRecord); err != nil {
		return err
	}
	p.Progress.Show(workers.rates)
	if p.idle { // workers' notes are not shown: they are about jobs of the killed command
		return terminal.PrintTo(p.Err, "nothing is left to do: telling the workers of the killed command to leave\n")
	}
	if _, err := p.nc.Subscribe(notePrefix+p.session.name, func(m *nats.Msg) { p.showNote(m.Data) }); err != nil {
		return err
	}
	return terminal.PrintTo(p.Err, "start workers with: mmsim worker %s\n", start)
}

// showNote prints a worker's note, unless it has already been printed.
func (p *Pool) showNote(message []byte) {
	var n note
	if len(message) <= noteBytesMax && json.Unmarshal(message, &n) == nil && p.notes.first(string(message)) {
		_ = terminal.PrintTo(p.Err, "worker %s: %s\n", n.Worker, n.Text)
	}
}

// With opens a pool, calls work with it and closes it. If the options do not ask for workers,
// work gets nil.
func (o Options) With(ctx context.Context, work func(*Pool) error) error {
	if !o.Given() {
		return work(nil)
	}
	p, err := Open(o)
	if err != nil {
		return err
	}
	err = work(p)
	if closing := p.close(ctx, err == nil && ctx.Err() == nil); closing != nil {
		// The results are complete, so this error does not make the command fail.
		_ = terminal.PrintTo(o.Err, "the session remains on the server: %v\n", closing)
	}
	return err
}

// Dismiss cleans up after a killed coordinator if no jobs are left. It tells the workers of a
// built-in server to leave, or removes the session from a NATS server. It only prints errors,
// because the results are complete.
func (o Options) Dismiss(ctx context.Context) {
	var err error
	switch {
	case o.NATS != "":
		err = o.clear(ctx)
	case o.Serve != "" && resultdir.IsLeft(o.Dir):
		var p *Pool
		if o.idle = true; ctx.Err() == nil {
			p, err = Open(o)
		}
		if p != nil && err == nil {
			err = p.close(ctx, true)
		}
	}
	if err != nil {
		_ = terminal.PrintTo(o.Err, "nothing is left to do, but the workers cannot be notified: %v\n", err)
	}
}

// clear removes from a NATS server what a killed coordinator of the directory left there.
func (o *Options) clear(ctx context.Context) error {
	hold, err := resultdir.NewHold(o.Dir)
	if err != nil {
		return err
	}
	defer hold.Release()
	nc, js, err := connectNATS(o.NATS, o.Creds)
	if err != nil {
		return err
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return (&session{name: sessionName(o.Dir)}).remove(ctx, js)
}

// Executor returns the pool, or a nil Executor if p is nil.
func (p *Pool) Executor() experiment.Executor {
	if p == nil {
		return nil
	}
	return p
}

// serve starts the built-in server and returns the address for workers.
func (p *Pool) serve() (string, error) {
	notes := ""
	if p.hold != nil {
		notes = p.hold.File()
	}
	s, isOld, err := secretIn(notes)
	if err != nil {
		return "", err
	}
	p.isRestart = isOld
	if p.inside, err = startServer(p.Serve, s, p.memory); err != nil {
		return "", err
	}
	if p.nc, p.js, err = connect("", nats.InProcessServer(p.inside.server), nats.Token(s.Token)); err != nil {
		return "", fmt.Errorf("the built-in server: %w", err)
	}
	return address{host: p.inside.shown, token: s.Token, fingerprint: fingerprintOf(s.Certificate)}.String(), nil
}

// join connects to an existing NATS server and returns the URL for workers.
func (p *Pool) join() (string, error) {
	var err error
	if p.nc, p.js, err = connectNATS(p.NATS, p.Creds); err != nil {
		return "", err
	}
	start := p.nc.ConnectedUrlRedacted()
	if p.Creds != "" {
		start += " --creds FILE"
	}
	return start, nil
}

// connectNATS connects to an existing NATS server.
func connectNATS(url, creds string, options ...nats.Option) (*nats.Conn, jetstream.JetStream, error) {
	if scheme, _, has := strings.Cut(url, "://"); has && !slices.Contains([]string{"nats", "tls", "ws", "wss"}, scheme) {
		return nil, nil, input.Badf("got a URL that begins with %s://, expected nats://HOST:4222 of a NATS server or, for a worker, the mmsim:// URL that the command printed", scheme)
	}
	if creds != "" {
		if err := input.CheckRegular(creds); err != nil {
			return nil, nil, input.Bad(err)
		}
		options = append(options, nats.UserCredentials(creds))
	}
	nc, js, err := connect(url, options...)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot connect to the NATS server: %w", err)
	}
	return nc, js, nil
}

// Parallel returns the maximum number of jobs that are on the server at a time. If all workers
// together have more cores, some of the cores are idle.
func (*Pool) Parallel() int { return 1000 }

// Prepare creates the job of a replication and uploads its inputs.
func (p *Pool) Prepare(in *experiment.Inputs, run uint64) (experiment.Work, error) {
	return p.prepare(in, run, nil)
}

// described is what the coordinator needs to know about a job in order to accept its result.
type described struct {
	hash   string
	impure bool
}

// prepare creates the job of a replication. If into is not nil, the worker returns all files
// of the result, and they are written to that folder.
func (p *Pool) prepare(in *experiment.Inputs, run uint64, into *folder) (experiment.Work, error) {
	j, err := p.describe(in, run)
	if err != nil {
		return nil, err
	}
	if into != nil {
		j.Files = &files{Resolved: into.resolved}
	}
	id, text, err := j.encode()
	if err != nil {
		return nil, err
	}
	if len(text) > entryBytesMax-1024 { // leaves room for headers, which count towards the limit
		return nil, input.Badf("the description of a job has %d bytes, expected at most %d (limit entryBytesMax)", len(text), entryBytesMax-1024)
	}
	d := &described{j.Hash, j.Impure}
	return func(ctx context.Context) (*outcome.Summary, error) {
		summary, err, _ := p.jobs.Do(id, func() (any, error) {
			k, err := p.do(ctx, id, text)
			if k.Result == nil || err != nil {
				return (*outcome.Summary)(nil), err
			}
			return p.accept(id, d, &k, into)
		})
		return summary.(*outcome.Summary), err
	}, nil
}

// do submits a job and waits for its result. If ctx is cancelled first, it returns a result
// only if the server already has one.
func (p *Pool) do(ctx context.Context, id string, text []byte) (k known, err error) {
	arrival := p.arrived.expect(id)
	defer p.arrived.forget(id)
	if err := p.submit(ctx, id, text); err != nil {
		if ctx.Err() != nil {
			return known{}, nil
		}
		return known{}, fmt.Errorf("cannot put a job on the server: %w", err)
	}
	select {
	case k := <-arrival:
		return k, nil
	case <-p.arrived.broken:
		return known{}, p.arrived.fault()
	case <-ctx.Done():
		// Read the record, because the result may have arrived at the same time as the
		// cancellation.
		k, err := p.session.record(context.WithoutCancel(ctx), id)
		if err != nil || k.Result != nil && k.Result.Taken {
			return known{}, nil
		}
		return k, nil
	}
}

// submit publishes a job. If the server already has the job's result, submit delivers that
// instead.
func (p *Pool) submit(ctx context.Context, id string, text []byte) error {
	k, err := p.session.record(ctx, id)
	switch {
	case err != nil:
		return err
	case k.Result != nil && !k.Result.Taken:
		p.arrived.deliver(id, k)
		return nil
	case k.revision != 0: // the record is from an earlier start of this command, and its job no longer exists
		if err := p.session.records.Purge(ctx, recordPrefix+id, jetstream.LastRevision(k.revision)); err != nil {
			return err
		}
	}
	// The server drops a message whose ID it has seen before. A job may be submitted again, so
	// the ID includes the revision of the job's record.
	_, err = p.js.Publish(ctx, p.session.subject(), text, jetstream.WithMsgID(fmt.Sprintf("%s.%d", id, k.revision)))
	return err
}

// Close ends the session. Workers leave or, on a NATS server, look for another session. If
// done is set, all jobs have results, and Close waits for the workers to acknowledge them.
// Otherwise Close abandons the jobs that workers are doing.
func (p *Pool) Close(done bool) error { return p.close(context.Background(), done) }

// close does the same as Close, but stops waiting when interrupted is done.
func (p *Pool) close(interrupted context.Context, done bool) error {
	if done {
		ctx, cancel := context.WithTimeout(interrupted, p.lease)
		p.drain(ctx)
		cancel()
	}
	p.arrived.stop()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	err := p.end(ctx)
	if p.inside == nil {
		err = errors.Join(err, p.session.remove(ctx, p.js))
	} else if err == nil {
		p.dismiss(interrupted, done)
	}
	p.stop()
	return err
}

// end announces the end of the session to workers.
func (p *Pool) end(ctx context.Context) error {
	if err := p.nc.Publish(endPrefix+p.session.name, nil); err != nil {
		return err
	}
	return p.nc.FlushWithContext(ctx)
}

// dismiss waits until the workers of the built-in server have left. After a restart, it also
// waits for the workers of the killed coordinator to reconnect and leave, because they would
// otherwise try to reconnect for minutes. A worker that has just reconnected has missed the
// announcement of the end, so dismiss repeats it.
func (p *Pool) dismiss(interrupted context.Context, done bool) {
	now := time.Now()
	seen, deadline := now, now.Add(leaving) // seen is when a worker was last connected
	for ; ; now = time.Now() {
		hasWorkers := p.inside.workers() > 0
		if hasWorkers {
			seen = now
		}
		if done && interrupted.Err() == nil && p.awaitsWorkers(now, seen) {
			deadline = now.Add(leaving)
		} else if !hasWorkers || now.After(deadline) {
			return
		}
		_ = p.nc.Publish(endPrefix+p.session.name, nil) // an error does not matter, because this is repeated
		time.Sleep(20 * time.Millisecond)
	}
}

// awaitsWorkers reports whether workers of a killed coordinator may still reconnect. seen is
// when a worker was last connected.
func (p *Pool) awaitsWorkers(now, seen time.Time) bool {
	if !p.isRestart || now.Sub(p.inside.opened) > p.returning {
		return false
	}
	return !p.inside.hadWorkers() || now.Sub(seen) < returningGap
}

// drain waits until workers have acknowledged all jobs, or until ctx is done. Without drain, a
// worker might fail to acknowledge its last job and report an error.
func (p *Pool) drain(ctx context.Context) {
	for {
		info, err := p.session.jobs.Info(ctx)
		if err != nil || info.State.Msgs == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// stop stops everything that Open started.
func (p *Pool) stop() {
	debug.SetGCPercent(p.collect)
	if p.arrived != nil {
		p.arrived.stop()
	}
	if p.nc != nil {
		p.nc.Close()
	}
	if p.inside != nil {
		p.inside.stop()
	}
	if p.hold != nil {
		p.hold.Release()
	}
}

// Durations at the end of a session.
const (
	leaving          = 3 * time.Second  // how long workers may take to leave
	defaultReturning = 10 * time.Second // how long workers of a killed coordinator may take to reconnect
	returningGap     = 2 * time.Second  // maximum time between two workers that reconnect, because each tries every second
)

// once recognises repeated messages. It remembers at most notesMax messages.
type once struct {
	mutex   sync.Mutex
	printed map[string]bool
}

// first reports whether message is new. It returns false if once is full.
func (o *once) first(message string) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.printed[message] || len(o.printed) >= notesMax {
		return false
	}
	if o.printed == nil {
		o.printed = map[string]bool{}
	}
	o.printed[message] = true
	return true
}
