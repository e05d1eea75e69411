package workers

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/outside"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/outcome"
)

// folder is where the files of a replication are written.
type folder struct {
	dir      string
	resolved string // content of its config.yaml
}

// Files returns an executor that simulates replications on workers and writes the same files
// as w.Measure writes in this process.
func (p *Pool) Files(w *results.Writer) experiment.Executor { return filePool{p, w} }

type filePool struct {
	*Pool
	writer *results.Writer
}

func (p filePool) Prepare(in *experiment.Inputs, run uint64) (experiment.Work, error) {
	part := p.writer.Part(run)
	resolved, err := results.Resolved(in.ConfigOf(run), part)
	if err != nil {
		return nil, err
	}
	return p.prepare(in, run, &folder{filepath.Join(p.writer.Folder, part), string(resolved)})
}

// accept fetches the result of a job and removes it from the server, which keeps only the
// worker's name and the hash.
func (p *Pool) accept(id string, j *described, r *result, into *folder) (*outcome.Summary, error) {
	if r.GivenUp != "" {
		return nil, givenUpError(j.hash, r.GivenUp)
	}
	fault := r.fault(j.impure)
	if fault != nil && r.SHA256 == "" {
		return nil, fault
	}
	ctx, cancel := context.WithTimeout(context.Background(), transfer)
	defer cancel()
	payload, err := fetchPayload(ctx, p.hub, r)
	if err != nil {
		return nil, fmt.Errorf("the result of worker %s: %w", r.Worker, err)
	}
	var summary *outcome.Summary
	if into == nil {
		summary, err = unpackSummary(payload, j.hash)
	} else {
		summary, err = unpackFiles(payload, into.dir, j.hash)
	}
	if err == nil && summary.Complete != (fault == nil) {
		err = errors.New("is incomplete without an error, or complete despite an error")
	}
	if errors.As(err, new(*fs.PathError)) { // an error of this machine's disk
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("the result of worker %s: %w", r.Worker, err)
	}
	record, err := json.Marshal(result{Worker: r.Worker, SHA256: r.SHA256, Taken: true})
	if err == nil {
		err = p.insist(ctx, "take a result from the server", func(ctx context.Context) error {
			if err := p.hub.Replace(ctx, id, record); err != nil || r.Bytes == 0 {
				return err
			}
			return p.hub.Delete(ctx, r.SHA256)
		})
	}
	if err != nil {
		return nil, err
	}
	return summary, fault
}

// fault returns the error that a job ended with, or nil. If another machine may not have the
// error, fault adds the worker's name. This is the case for a bug in mmsim, and for an error of
// an external program or service.
func (r *result) fault(impure bool) error {
	switch {
	case r.Error == "":
		return nil
	case r.Outside && impure:
		return input.Bad(outside.Relayed("worker "+r.Worker, r.Error))
	case r.Outside:
		return input.Bad(outside.Relayed("", r.Error))
	case r.Bad:
		return input.Bad(errors.New(r.Error))
	}
	return fmt.Errorf("worker %s: %s", r.Worker, r.Error)
}

// fetchPayload returns the payload of a result, which is in the result itself or in the object
// store.
func fetchPayload(ctx context.Context, h hub, r *result) ([]byte, error) {
	if r.Bytes > archiveBytesMax {
		return nil, fmt.Errorf("%d bytes, expected at most %d (limit archiveBytesMax)", r.Bytes, archiveBytesMax)
	}
	if r.Bytes > 0 {
		var b bytes.Buffer
		err := fetchObject(ctx, h, &b, r.SHA256, r.Bytes)
		return b.Bytes(), err
	}
	if idOf(r.Payload) != r.SHA256 {
		return nil, errors.New("does not match its hash")
	}
	return r.Payload, nil
}

// fetchObject copies an object to a writer. It checks that the object has the given size and the
// given hash. The hash is also the object's name.
func fetchObject(ctx context.Context, h hub, to io.Writer, sum string, size int64) error {
	if !experiment.IsJobHash(sum) {
		return fmt.Errorf("an object named %q, expected 64 hexadecimal digits", sum)
	}
	object, err := h.Object(ctx, sum)
	if err != nil {
		return err
	}
	defer object.Close()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, hash), io.LimitReader(object, size+1))
	if err != nil {
		return err
	}
	if n != size || hex.EncodeToString(hash.Sum(nil)) != sum {
		return fmt.Errorf("the content of object %.12s does not match its name", sum)
	}
	return nil
}

// attach adds a payload to a result. A large payload goes to the object store.
func attach(ctx context.Context, h hub, r *result, payload []byte) error {
	r.SHA256 = idOf(payload)
	if len(payload) <= resultInline {
		r.Payload = payload
		return nil
	}
	r.Bytes = int64(len(payload))
	ctx, cancel := context.WithTimeout(ctx, transfer)
	defer cancel()
	return h.Upload(ctx, r.SHA256, bytes.NewReader(payload))
}

// packer and unpacker are shared by all summaries, because creating one takes as long as using
// it.
var (
	packer   = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) })
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(outcome.MaxSummaryBytes))
	})
)

// packSummary encodes a summary as a payload.
func packSummary(s *outcome.Summary) ([]byte, error) {
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		return nil, err
	}
	z, err := packer()
	if err != nil {
		return nil, err
	}
	return z.EncodeAll(b.Bytes(), nil), nil
}

// unpackSummary decodes a summary. It returns an error unless the summary belongs to the job
// with the given hash.
func unpackSummary(payload []byte, hash string) (*outcome.Summary, error) {
	z, err := unpacker()
	if err != nil {
		return nil, err
	}
	text, err := z.DecodeAll(payload, nil)
	if err != nil {
		return nil, err
	}
	return parseSummary(text, hash)
}

func parseSummary(text []byte, hash string) (*outcome.Summary, error) {
	summary, err := outcome.ParseSummary(text)
	if err == nil && summary.Run.ConfigSHA256 != hash {
		err = fmt.Errorf("is about configuration %.12s, expected %.12s", summary.Run.ConfigSHA256, hash)
	}
	return summary, err
}

// packFiles encodes the files below a folder as a payload. Equal files give equal bytes.
func packFiles(dir string) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	below := os.DirFS(dir)
	err := fs.WalkDir(below, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		from, err := below.Open(name)
		if err != nil {
			return err
		}
		defer from.Close()
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = io.Copy(to, from)
		return err
	})
	if err == nil {
		err = z.Close()
	}
	return b.Bytes(), err
}

// unpackFiles writes the files in a payload to a folder. It returns the summary, which is one
// of these files. No file name in the payload can lead outside of the folder.
func unpackFiles(payload []byte, dir, hash string) (*outcome.Summary, error) {
	z, err := zip.NewReader(bytes.NewReader(payload), int64(len(payload)))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	left := uint64(archiveBytesMax)
	var summary *outcome.Summary
	for _, f := range z.File {
		if !fs.ValidPath(f.Name) || !filepath.IsLocal(filepath.FromSlash(f.Name)) || !f.Mode().IsRegular() {
			return nil, fmt.Errorf("contains the file %q, expected only files inside the folder", f.Name)
		}
		if f.UncompressedSize64 > left {
			return nil, fmt.Errorf("its files have more than %d bytes (limit archiveBytesMax)", archiveBytesMax)
		}
		left -= f.UncompressedSize64
		if err := unpackFile(f, root); err != nil {
			return nil, err
		}
		if f.Name == outcome.SummaryFile {
			text, err := input.ReadRegular(filepath.Join(dir, outcome.SummaryFile), summaryLimit)
			if err != nil {
				return nil, err
			}
			if summary, err = parseSummary(text, hash); err != nil {
				return nil, err
			}
		}
	}
	if summary == nil {
		return nil, fmt.Errorf("contains no %s", outcome.SummaryFile)
	}
	return summary, nil
}

// summaryLimit limits the size of the summary among the files of a replication.
var summaryLimit = input.Limit{Name: "MaxSummaryBytes", Bytes: outcome.MaxSummaryBytes, Expected: "the summary of a replication"}

// unpackFile writes one file of a payload below root. The zip library checks that the content
// has the declared size.
func unpackFile(f *zip.File, root *os.Root) error {
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	if above := path.Dir(f.Name); above != "." {
		if err := root.MkdirAll(filepath.FromSlash(above), 0o777); err != nil {
			return err
		}
	}
	to, err := root.Create(filepath.FromSlash(f.Name))
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if closing := to.Close(); err == nil {
		err = closing
	}
	return err
}
