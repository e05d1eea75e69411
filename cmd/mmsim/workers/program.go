package workers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"syscall"

	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
)

// pack returns an archive of the folder in which a matchmaker program runs, or an error that says why the
// folder is not sent. It packs a folder once, because a program may write to it.
func (s *sender) pack(folder string) ([]byte, error) {
	pack, _ := s.packs.LoadOrStore(folder, sync.OnceValues(func() ([]byte, error) { return results.PackProgram(folder) }))
	return pack.(func() ([]byte, error))()
}

// sendProgram uploads the archive of the folder in which a matchmaker program runs.
func (s *sender) sendProgram(folder string, archive []byte) (file, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	f := file{Name: filepath.Base(folder), Shown: filepath.Base(folder), Bytes: int64(len(archive)), Program: true}
	return s.upload("program "+folder, f, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive)), nil })
}

// fetchProgram fetches the files of a folder in which a matchmaker program runs.
func (d *workerSession) fetchProgram(ctx context.Context, dir string, f *file) error {
	switch {
	case !d.worker.AllowExec:
		return errors.New("a job sends a program, expected --allow-exec")
	case f.Bytes > 2*results.ProgramBytesMax: // an archive can be a little larger than its files
		return fmt.Errorf("a program of %d bytes, expected at most %d (limit ProgramBytesMax)", f.Bytes, results.ProgramBytesMax)
	}
	var archive bytes.Buffer
	if err := hub.Fetch(ctx, d.hub, &archive, f.SHA256, f.Bytes); err != nil {
		return err
	}
	// A process that starts meanwhile would hold the files open for a moment, and a program that is open
	// for writing cannot be started.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return results.UnpackProgram(archive.Bytes(), dir)
}
