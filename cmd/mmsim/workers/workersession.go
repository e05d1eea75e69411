package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/filenames"
	settings "mmsim/cmd/mmsim/config/outside"
	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/outside"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
)

// A workerSession is a worker's state in one session. It has the inputs that the worker has fetched
// and loaded, and the jobs that it does.
type workerSession struct {
	hub.Session
	hub     hub.Hub
	worker  *worker
	kinds   []string // kinds of jobs that the worker does
	scratch string   // folder for inputs and files; created when needed
	cache   *experiment.Cache
	ctx     context.Context // of the session
	end     context.CancelCauseFunc

	mutex   sync.Mutex
	news    news
	held    map[string]hub.Delivery           // jobs that the worker does
	since   time.Time                         // until then, the worker takes no job, because it failed to do one
	failed  int                               // jobs in a row; each doubles the pause, so that a worker that cannot do them does not use up their deliveries
	missed  int                               // number of successive searches that did not find the session
	numbers int                               // number of folders created below scratch
	fetched map[string]func() (string, error) // paths of inputs, by their JSON description
}

func newWorkerSession(ctx context.Context, w *worker, s hub.Session, h hub.Hub, scratch string) *workerSession {
	d := &workerSession{Session: s, hub: h, worker: w, scratch: scratch, cache: experiment.NewCache(w.Jobs),
		news: news{Worker: w.name, Unable: map[string]why{}}, held: map[string]hub.Delivery{}, fetched: map[string]func() (string, error){}}
	switch {
	case s.Build != w.build:
		other := why{fmt.Sprintf("it was built from sources %s, the command from %s: results could differ", w.build, s.Build), "start a worker of the same version and sources"}
		d.news.Unable[hub.Pure], d.news.Unable[hub.Exec] = other, other
	case w.AllowExec:
		d.kinds = hub.Kinds
	default:
		d.kinds = []string{hub.Pure}
		d.news.Unable[hub.Exec] = why{"a job starts a program or asks a service (matcher.external)", "start the worker with --allow-exec"}
	}
	d.ctx, d.end = context.WithCancelCause(ctx)
	context.AfterFunc(d.ctx, func() { _ = disk.RemoveAll(scratch) }) // what cannot be removed now is removed when the worker ends
	return d
}

// finishing returns a context for storing the result of a job. If the worker is interrupted,
// the context is cancelled a little later, so that a finished job need not be done again. If
// the session has ended, the context is cancelled at once.
func (d *workerSession) finishing() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(d.ctx))
	stop := context.AfterFunc(d.ctx, func() {
		if !errors.Is(context.Cause(d.ctx), errEnded) {
			hub.Pause(ctx, leaving)
		}
		cancel()
	})
	return ctx, func() { stop(); cancel() }
}

// A localError is the reason why this machine cannot do a job. Another machine may be able to.
type localError struct {
	error
	cure string // what the user can do about it; "" if the server failed
}

// repair is the cure of a failure of the worker's machine.
const repair = "repair this, or start a worker on another machine"

func (e *localError) Unwrap() error { return e.error }

// isLocal reports whether err is only about this machine. That includes all file system errors,
// because the coordinator has already read the same inputs. It does not include a broken pipe
// to a matchmaker.
func isLocal(err error) bool {
	var file *fs.PathError
	var link *os.LinkError
	return !errors.As(err, new(*outside.Error)) && (errors.As(err, &file) || errors.As(err, &link))
}

// do does a job and returns its result and the result's payload. If do returns an error, the
// error is only about this machine. If ctx was cancelled before do returned, the result is
// meaningless.
func (d *workerSession) do(ctx context.Context, j *job) (r *result, payload []byte, err error) {
	paths, err := d.inputs(ctx, j)
	if err != nil {
		local := &localError{error: err}
		if isLocal(err) {
			local.cure = repair
		}
		return nil, nil, local
	}
	err = experiment.Guard(func() error {
		in, err := d.load(j, paths)
		if err != nil {
			return err
		}
		payload, err = d.simulate(ctx, j, in)
		return err
	})
	theirs := (*outside.Error)(nil)
	isTheirs := errors.As(err, &theirs)
	switch local := (*localError)(nil); {
	case err == nil:
		return &result{}, payload, nil
	case errors.As(err, &local):
		return nil, nil, local
	case isTheirs && theirs.Unmet && j.Impure: // another machine may have the program or reach the service
		return nil, nil, &localError{err, j.whereToStart()}
	case isLocal(err):
		return nil, nil, &localError{err, repair}
	}
	r = &result{Error: err.Error(), Bad: input.IsBad(err), Outside: isTheirs}
	for i, f := range j.Inputs { // show the coordinator's file names, which the user knows
		for _, name := range []string{paths[i], input.Shown(paths[i])} {
			r.Error = strings.ReplaceAll(r.Error, name, f.Shown)
		}
	}
	return r, payload, nil
}

// whereToStart says how a worker can have the matchmaker of a job.
func (j *job) whereToStart() string {
	programs := strings.Join(j.Programs, ", ")
	switch {
	case programs == "":
		return "install the program on this machine, or make the service reachable from it"
	case j.Unsent == "":
		return "install on this machine what " + programs + " needs"
	}
	return fmt.Sprintf("start the worker in the folder that holds %s, which was not sent: %s", programs, j.Unsent)
}

// load loads the inputs of a job and checks that they are the same as the coordinator's.
func (d *workerSession) load(j *job, paths []string) (*experiment.Inputs, error) {
	c, err := config.LoadText([]byte(j.Config), "job", d.scratch, func(c *config.Config) error {
		return nameInputs(c, d.scratch, d.worker.Folder, paths)
	})
	if err != nil {
		return nil, err
	}
	if c.AsksOutside() && !j.Impure { // Impure decides whether --allow-exec is needed, so it must be right
		return nil, errors.New("a job starts a program or calls a service without declaring it")
	}
	in, err := experiment.Load(c, d.cache)
	if err != nil {
		return nil, err
	}
	hash, err := in.JobHash(j.Run)
	switch {
	case err != nil || hash == j.Hash:
	case j.Impure: // the hash includes the names and versions that matchmakers report
		err = &localError{fmt.Errorf("the matchmaker differs from the coordinator's: here it is %q", strings.Join(in.Met, ", ")), "install the same name and version, or " + j.whereToStart()}
	default:
		err = fmt.Errorf("job %.12s has the hash %.12s here: an input has changed while it was sent, or the job was changed", j.Hash, hash)
	}
	return in, err
}

// nameInputs replaces the numbers of inputs by their paths. It rejects all other file names,
// because a job must not read files of this machine. Programs without a folder run in local.
func nameInputs(c *config.Config, scratch, local string, paths []string) error {
	rename := func(name string) (string, error) {
		for i, path := range paths {
			if name == filepath.Join(scratch, inputName(i)) {
				return path, nil
			}
		}
		return "", fmt.Errorf("a job names the file %q, expected one of its inputs", name)
	}
	err := filenames.RunProgramsIn(c, func(e *settings.External) (string, error) {
		if e.Folder == "" {
			return local, nil
		}
		return rename(e.Folder)
	})
	return cmp.Or(err, filenames.Rename(c, rename))
}

// simulate simulates the replication of a job and returns the payload. If an external matchmaker
// fails, it returns the error and the payload of the part that was simulated before.
func (d *workerSession) simulate(ctx context.Context, j *job, in *experiment.Inputs) ([]byte, error) {
	replication, err := in.Replication(j.Run)
	if err != nil {
		return nil, err
	}
	replication.Messages, replication.Version = d.worker.Err, j.Version
	if j.Files == nil {
		result, err := replication.Measure(ctx, nil)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		payload, err := results.PackSummary(&result.Summary)
		return payload, cmp.Or(err, replication.Fault())
	}
	folder, err := d.folder()
	if err != nil {
		return nil, err
	}
	defer disk.RemoveAll(folder)
	writer := results.Writer{Folder: folder, Resolved: []byte(j.Files.Resolved)}
	if _, err := writer.Measure(ctx, replication, nil); err != nil || ctx.Err() != nil {
		return nil, err
	}
	payload, err := results.Pack(folder)
	return payload, cmp.Or(err, replication.Fault())
}

// folder creates a new folder below d.scratch.
func (d *workerSession) folder() (string, error) {
	d.mutex.Lock()
	d.numbers++
	name := filepath.Join(d.scratch, strconv.Itoa(d.numbers))
	d.mutex.Unlock()
	return name, disk.MkdirAll(name, 0o700)
}

// inputs fetches a job's missing inputs and returns the paths of all its inputs.
func (d *workerSession) inputs(ctx context.Context, j *job) ([]string, error) {
	paths := make([]string, len(j.Inputs))
	for i, f := range j.Inputs {
		key, err := json.Marshal(f)
		if err != nil {
			return nil, err
		}
		d.mutex.Lock()
		get, isKnown := d.fetched[string(key)]
		if !isKnown {
			get = sync.OnceValues(func() (string, error) { return d.fetch(ctx, &f) })
			d.fetched[string(key)] = get
		}
		d.mutex.Unlock()
		if paths[i], err = get(); err != nil {
			d.mutex.Lock()
			delete(d.fetched, string(key)) // the next job tries again
			d.mutex.Unlock()
			return nil, err
		}
	}
	return paths, nil
}

// fetch fetches a file, or a folder of maps, to a new folder.
func (d *workerSession) fetch(ctx context.Context, f *file) (string, error) {
	dir, err := d.folder()
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	ctx, cancel := context.WithTimeout(ctx, transfer)
	defer cancel()
	if f.Program {
		return dir, d.fetchProgram(ctx, dir, f)
	}
	if f.Folder {
		if len(f.Maps) > inputsMax {
			return "", fmt.Errorf("%d maps, expected at most %d (limit inputsMax)", len(f.Maps), inputsMax)
		}
		for i := range f.Maps {
			if err := d.fetchFile(ctx, root, &f.Maps[i]); err != nil {
				return "", err
			}
		}
		return dir, nil
	}
	return filepath.Join(dir, f.Name), d.fetchFile(ctx, root, f)
}

// fetchFile fetches a file to root. No file name in the job can lead outside of root.
func (d *workerSession) fetchFile(ctx context.Context, root *os.Root, f *file) error {
	if f.Name == "" || strings.ContainsAny(f.Name, `/\`) || !filepath.IsLocal(f.Name) || slices.Contains([]string{".", ".."}, f.Name) {
		return fmt.Errorf("an input named %q, expected a name without folders", f.Name)
	}
	if f.Bytes > inputBytesMax {
		return fmt.Errorf("an input of %d bytes, expected at most %d (limit inputBytesMax)", f.Bytes, int64(inputBytesMax))
	}
	to, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if f.SHA256 != "" {
		err = hub.Fetch(ctx, d.hub, to, f.SHA256, f.Bytes)
	}
	if closing := to.Close(); err == nil {
		err = closing
	}
	return err
}
