package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
)

// repair is the cure of a failure of the worker's machine.
const repair = "repair this, or start a worker on another machine"

var whyNoExec = why{"a job starts a program or asks a service (matcher.external)", "start the worker with --allow-exec"}

// local is the error of something that failed only on this machine: it is a why for a file system
// error, because the coordinator has already read the same inputs. It returns nil for other errors,
// and for a broken pipe to a matchmaker.
func local(err error) error {
	if !errors.As(err, new(*binding.MatchmakerError)) && (errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError))) {
		return why{err.Error(), repair}
	}
	return nil
}

// result does a job and returns its result and the result's payload. If it returns an error, the
// error is only about this machine. If ctx was cancelled before it returned, the result is
// meaningless.
func (d *workerSession) result(ctx context.Context, j *job) (r *record, payload []byte, err error) {
	paths, err := d.inputs(ctx, j)
	if err != nil {
		return nil, nil, cmp.Or(local(err), err)
	}
	err = experiment.Guard(func() error {
		in, err := d.load(j, paths)
		if err != nil {
			return err
		}
		payload, err = d.simulate(ctx, j, in)
		return err
	})
	if err == nil {
		return &record{}, payload, nil
	}
	failure, isMatchmaker := errors.AsType[*binding.MatchmakerError](err)
	if isMatchmaker && failure.Unmet && j.Impure { // another machine may have the program or reach the service
		return nil, nil, why{err.Error(), j.whereToStart()}
	}
	if here := local(err); here != nil {
		return nil, nil, here
	}
	if errors.As(err, new(why)) {
		return nil, nil, err
	}
	r = &record{Error: err.Error(), Bad: input.IsBad(err), MatchmakerFailed: isMatchmaker}
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
	if c.AsksProgram() && !j.Impure { // Impure decides whether --allow-exec is needed, so it must be right
		return nil, errors.New("a job starts a program or calls a service without declaring it")
	}
	in, err := experiment.Load(c, d.cache)
	if err != nil {
		return nil, err
	}
	in.Around = j.Around
	hash, err := in.JobHash(j.Run)
	switch {
	case err != nil || hash == j.Hash:
	case j.Impure: // the hash includes the names and versions that matchmakers report
		err = why{fmt.Sprintf("the matchmaker differs from the coordinator's: here it is %q", strings.Join(in.Met, ", ")), "install the same name and version, or " + j.whereToStart()}
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
	err := config.RunProgramsIn(c, func(e *matchmaker.External) (string, error) {
		if e.Folder == "" {
			return local, nil
		}
		return rename(e.Folder)
	})
	return cmp.Or(err, config.RenameFiles(c, rename))
}

// simulate simulates the replication of a job and returns the payload. If an external matchmaker
// fails, it returns the error and the payload of the part that was simulated before.
func (d *workerSession) simulate(ctx context.Context, j *job, in *experiment.Inputs) ([]byte, error) {
	replication, err := in.Replication(j.Run)
	if err != nil {
		return nil, err
	}
	replication.Messages, replication.Version = d.worker.Err, j.Version
	if j.Resolved == "" {
		found, err := replication.Measure(ctx, nil)
		if err != nil || ctx.Err() != nil {
			return nil, err
		}
		payload, err := results.Pack(found, j.Brief)
		return payload, cmp.Or(err, replication.Fault)
	}
	folder, err := d.folder()
	if err != nil {
		return nil, err
	}
	defer disk.RemoveAll(folder)
	writer := results.Writer{Folder: folder, Resolved: []byte(j.Resolved)}
	if _, err := writer.Measure(ctx, replication, nil); err != nil || ctx.Err() != nil {
		return nil, err
	}
	payload, err := results.PackFolder(folder)
	return payload, cmp.Or(err, replication.Fault)
}

// inputs fetches a job's missing inputs and returns the paths of all its inputs.
func (d *workerSession) inputs(ctx context.Context, j *job) ([]string, error) {
	paths := make([]string, len(j.Inputs))
	for i, f := range j.Inputs {
		get, _ := d.fetched.LoadOrStore(f, sync.OnceValues(func() (string, error) { return d.fetch(ctx, &f) }))
		var err error
		if paths[i], err = get.(func() (string, error))(); err != nil {
			d.fetched.Delete(f) // the next job tries again
			return nil, err
		}
	}
	return paths, nil
}

// fetch fetches an input to a new folder, and returns its path. No file name in the job can lead
// outside of the folder.
func (d *workerSession) fetch(ctx context.Context, f *file) (string, error) {
	dir, err := d.folder()
	if err != nil {
		return "", err
	}
	if f.Folder {
		archive, err := fetchArchive(ctx, d.hub, f.SHA256, f.Bytes)
		if err != nil {
			return "", err
		}
		// A process that starts meanwhile would hold the files open for a moment, and a program that is
		// open for writing cannot be started.
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		return dir, results.UnpackFolder(archive, dir, d.worker.AllowExec)
	}
	switch {
	case f.Name == "." || !filepath.IsLocal(f.Name) || strings.ContainsAny(f.Name, `/\`):
		return "", fmt.Errorf("an input named %q, expected a name without folders", f.Name)
	case f.Bytes > inputBytesMax:
		return "", fmt.Errorf("an input of %d bytes, expected at most %d (limit inputBytesMax)", f.Bytes, int64(inputBytesMax))
	}
	name := filepath.Join(dir, f.Name)
	to, err := disk.Create(name, 0o600)
	if err != nil {
		return "", err
	}
	return name, cmp.Or(hub.Fetch(ctx, d.hub, to, f.SHA256, f.Bytes), to.Close())
}
