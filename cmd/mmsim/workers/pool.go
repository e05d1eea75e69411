package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
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

// Options say where workers find the jobs of a command.
type Options struct {
	Serve string // HOST:PORT of a server inside this process; "": NATS
	NATS  string // URL of a server that is there; "": Serve
	Creds string // file of credentials for it; "": none

	Dir      string             // result directory, which only one process hands out jobs for; "": none
	Err      io.Writer          // is told how to start a worker
	Progress *terminal.Progress // shows the workers; nil: nobody asks
	idle     bool               // nothing is left to do

	lease     time.Duration // 0: leaseUsual
	returning time.Duration // 0: returningUsual
	memory    int64         // bound of the server inside; 0: that of the machine
}

// Given tells whether workers are asked for.
func (o *Options) Given() bool { return o.Serve != "" || o.NATS != "" }

// Check finds what is wrong with the options before any work is done.
func (o *Options) Check() error {
	switch {
	case o.Serve != "" && o.NATS != "":
		return input.Badf("--serve and --nats: expected one of them")
	case o.Creds != "" && o.NATS == "":
		return input.Badf("--creds is for a server that is there: expected --nats URL with it")
	case o.Serve != "":
		_, _, err := checkServe(o.Serve)
		return err
	}
	return nil
}

// A Pool has the replications of experiments simulated by workers. It is an
// experiment.Executor, for the experiments of a command one after another.
type Pool struct {
	Options
	build  Build
	hold   *resultdir.Hold // nil: no directory
	inside *inside         // nil: a server of somebody else

	isRestart bool // workers of a coordinator that was killed may come back

	nc      *nats.Conn
	js      jetstream.JetStream
	session *session
	inputs  *sender
	arrived *arrivals
	start   string             // of this command, see job.Start
	told    once               // notes of workers
	collect int                // GC percentage of before
	jobs    singleflight.Group // by id: two arms may be the same
}

// collectRarely is the GC percentage of a coordinator: it holds little and allocates much, and
// with the usual 100 a tenth of its time goes into collecting.
const collectRarely = 400

// timeout bounds an exchange with the server.
const timeout = 20 * time.Second

// Open makes a session for workers and tells how to start them.
func Open(o Options) (_ *Pool, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o.lease, o.returning = cmp.Or(o.lease, leaseUsual), cmp.Or(o.returning, returningUsual)
	opened := &Pool{Options: o, start: nuid.Next(), collect: debug.SetGCPercent(collectRarely)}
	defer func() {
		if err != nil {
			opened.stop()
		}
	}()
	return opened, opened.open()
}

// open makes the session.
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
	workers := newCrew()
	heard := func(r *record) {
		workers.hear(r)
		p.Progress.Advance(0, 0) // the line has news, and begins with the first worker
	}
	if p.arrived, err = watch(p.session, heard); err != nil {
		return err
	}
	if _, err := p.nc.Subscribe(notePrefix+p.session.name, func(m *nats.Msg) { p.tell(m.Data) }); err != nil {
		return err
	}
	p.Progress.Show(workers.tell)
	if p.idle {
		return terminal.PrintTo(p.Err, "all is done: the workers of the command that was killed are told to leave\n")
	}
	return terminal.PrintTo(p.Err, "start workers with: mmsim worker %s\n", start)
}

// tell tells the note of a worker, once.
func (p *Pool) tell(message []byte) {
	var n note
	if len(message) <= noteBytesMax && json.Unmarshal(message, &n) == nil && p.told.first(string(message)) {
		_ = terminal.PrintTo(p.Err, "worker %s: %s\n", n.Worker, n.Text)
	}
}

// With calls work with a pool, or with nil where no workers are asked for, and closes it.
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
		// The results are there.
		_ = terminal.PrintTo(o.Err, "the session stays on the server: %v\n", closing)
	}
	return err
}

// Dismiss ends what a coordinator left that was killed when nothing was left to do: workers of
// the server inside hear that they may leave, and a NATS server keeps nothing. What goes wrong
// is only told: the results are there.
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
		_ = terminal.PrintTo(o.Err, "all is done, but workers cannot be told: %v\n", err)
	}
}

// clear removes from a NATS server what a killed coordinator of the directory left.
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

// Executor is the pool, or none where it is nil.
func (p *Pool) Executor() experiment.Executor {
	if p == nil {
		return nil
	}
	return p
}

// serve starts the server inside, and returns the address for workers.
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
		return "", fmt.Errorf("the server inside: %w", err)
	}
	return address{host: p.inside.shown, token: s.Token, fingerprint: fingerprintOf(s.Certificate)}.String(), nil
}

// join connects to a server that is there, and returns how workers name it.
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

// connectNATS connects to a server of somebody else.
func connectNATS(url, creds string, options ...nats.Option) (*nats.Conn, jetstream.JetStream, error) {
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

// Parallel is how many jobs are on the server at a time: more than workers have cores.
func (*Pool) Parallel() int { return 1000 }

// Prepare makes a job of a replication, and puts what it reads on the server.
func (p *Pool) Prepare(in *experiment.Inputs, run uint64) (experiment.Work, error) {
	return p.prepare(in, run, nil)
}

// described is what the coordinator keeps of a job: there are many, and their texts are on the
// server.
type described struct {
	hash   string
	impure bool
}

// prepare makes a job whose files, if they are asked for, end in a folder.
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
	if len(text) > entryBytesMax-1024 { // headers count too
		return nil, input.Badf("a job is described in %d bytes, expected at most %d (limit entryBytesMax)", len(text), entryBytesMax-1024)
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

// do has a job done. There is no result when ctx is cancelled before.
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
		// What came at the same instant is kept.
		k, err := p.session.record(context.WithoutCancel(ctx), id)
		if err != nil || k.Result != nil && k.Result.Taken {
			return known{}, nil
		}
		return k, nil
	}
}

// submit publishes a job, unless the server has its result already: then it arrives as any
// other.
func (p *Pool) submit(ctx context.Context, id string, text []byte) error {
	k, err := p.session.record(ctx, id)
	switch {
	case err != nil:
		return err
	case k.Result != nil && !k.Result.Taken:
		p.arrived.deliver(id, k)
		return nil
	case k.revision != 0: // of an earlier start of this command, which has lost it since
		if err := p.session.records.Purge(ctx, recordPrefix+id, jetstream.LastRevision(k.revision)); err != nil {
			return err
		}
	}
	// The server drops a message that it has had, but a job that is asked for again is another
	// one.
	_, err = p.js.Publish(ctx, p.session.subject(), text, jetstream.WithMsgID(fmt.Sprintf("%s.%d", id, k.revision)))
	return err
}

// Close ends the session: workers leave or, on a server of somebody else, look for another
// one. With done all jobs have results, and their last acknowledgements are waited for; else
// what is under way is worth nothing.
func (p *Pool) Close(done bool) error { return p.close(context.Background(), done) }

// close is Close that waits for nobody once it is interrupted.
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

// end says that the session ends.
func (p *Pool) end(ctx context.Context) error {
	if err := p.nc.Publish(endPrefix+p.session.name, nil); err != nil {
		return err
	}
	return p.nc.FlushWithContext(ctx)
}

// dismiss waits until the workers of the server inside have left, and those of a coordinator
// that was killed have come back and left, too: without a connection they try again and again,
// and would wait in vain. One that has just connected has missed that the session ends, so that
// it is said again and again.
func (p *Pool) dismiss(interrupted context.Context, done bool) {
	now := time.Now()
	seen, deadline := now, now.Add(leaving) // seen: when there was a worker
	for ; ; now = time.Now() {
		isThere := p.inside.workers() > 0
		if isThere {
			seen = now
		}
		if done && interrupted.Err() == nil && p.awaitsWorkers(now, seen) {
			deadline = now.Add(leaving)
		} else if !isThere || now.After(deadline) {
			return
		}
		_ = p.nc.Publish(endPrefix+p.session.name, nil) // it was said once already
		time.Sleep(20 * time.Millisecond)
	}
}

// awaitsWorkers tells whether workers of a coordinator that was killed may still come back,
// when the last one was seen at an instant.
func (p *Pool) awaitsWorkers(now, seen time.Time) bool {
	if !p.isRestart || now.Sub(p.inside.opened) > p.returning {
		return false
	}
	return !p.inside.hadWorkers() || now.Sub(seen) < returningApart
}

// drain waits until workers have acknowledged all jobs: one that finds nobody to acknowledge
// to believes that its work is lost.
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

// stop ends what Open began.
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

// Times of the end of a session.
const (
	leaving        = 3 * time.Second  // that workers may take to leave
	returningUsual = 10 * time.Second // that those of a killed coordinator may take to come back
	returningApart = 2 * time.Second  // between one that comes back and the next: connect tries every second
)

// once keeps one of many equal messages, and no more than notesMax.
type once struct {
	mutex sync.Mutex
	said  map[string]bool
}

// first tells whether a message is the first of its kind.
func (o *once) first(message string) bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.said[message] || len(o.said) >= notesMax {
		return false
	}
	if o.said == nil {
		o.said = map[string]bool{}
	}
	o.said[message] = true
	return true
}
