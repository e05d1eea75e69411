package workers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/workers/hub"
	"mmsim/reports/result"
)

// Files returns an executor that simulates replications on workers and writes the same files
// as w.Measure writes in this process.
func (p *Coordinator) Files(w *results.Writer) experiment.Executor { return fileCoordinator{p, w} }

type fileCoordinator struct {
	*Coordinator
	writer *results.Writer
}

func (p fileCoordinator) Prepare(in *experiment.Inputs, run uint64, brief bool) (experiment.Work, error) {
	return p.prepare(in, run, brief, p.writer)
}

// accept fetches the result of a job and removes it from the server, which keeps only the
// worker's name and the hash. If dir is not "", it gets the files of the result.
func (p *Coordinator) accept(id string, hash string, impure bool, r *record, brief bool, dir string) (*result.Result, error) {
	if r.GivenUp != "" {
		return nil, experiment.GivenUp(fmt.Errorf("job %.12s is given up: %s; the same command tries it again", hash, r.GivenUp))
	}
	fault := r.fault(impure)
	if fault != nil && r.SHA256 == "" {
		return nil, fault
	}
	payload, err := fetchPayload(p.ctx, p.hub, r)
	var found *result.Result
	switch {
	case err != nil:
	case dir == "":
		found, err = results.Unpack(payload, hash, brief)
	default:
		found, err = results.UnpackInto(dir, payload, hash, brief)
	}
	switch {
	case errors.As(err, new(*fs.PathError)): // an error of this machine's disk
		return nil, err
	case err == nil && found.Summary.Complete != (fault == nil):
		err = errors.New("is incomplete without an error, or complete despite an error")
	}
	if err != nil {
		return nil, fmt.Errorf("the result of worker %s: %w", r.Worker, err)
	}
	taken, err := json.Marshal(record{Worker: r.Worker, SHA256: r.SHA256, Taken: true})
	if err != nil {
		return nil, err
	}
	if p.hub.Replace(p.ctx, id, taken) == nil && r.Bytes > 0 { // a failure only leaves the result on the server
		_ = p.hub.Delete(p.ctx, r.SHA256)
	}
	return found, fault
}

// fault returns the error that a job ended with, or nil. If another machine may not have the
// error, fault adds the worker's name. This is the case for a bug in mmsim, and for an error of
// an external program or service.
func (r *record) fault(impure bool) error {
	switch {
	case r.Error == "":
		return nil
	case r.MatchmakerFailed && impure:
		return input.Bad(binding.RelayedError("worker "+r.Worker, r.Error))
	case r.MatchmakerFailed:
		return input.Bad(binding.RelayedError("", r.Error))
	case r.Bad:
		return input.Bad(errors.New(r.Error))
	}
	return fmt.Errorf("worker %s: %s", r.Worker, r.Error)
}

// fetchPayload returns the payload of a result, which is in the result itself or in the object
// store.
func fetchPayload(ctx context.Context, h hub.Hub, r *record) ([]byte, error) {
	if r.Bytes > 0 {
		return fetchArchive(ctx, h, r.SHA256, r.Bytes)
	}
	if hub.Hash(r.Payload) != r.SHA256 {
		return nil, errors.New("does not match its hash")
	}
	return r.Payload, nil
}

// fetchArchive returns the content of an object.
func fetchArchive(ctx context.Context, h hub.Hub, sum string, size int64) ([]byte, error) {
	if size > results.ArchiveBytesMax {
		return nil, fmt.Errorf("%d bytes, expected at most %d (limit ArchiveBytesMax)", size, results.ArchiveBytesMax)
	}
	var b bytes.Buffer
	err := hub.Fetch(ctx, h, &b, sum, size)
	return b.Bytes(), err
}
