package workers

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go/jetstream"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/outside"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/reports/outcome"
)

// A folder is where the files of a replication end.
type folder struct {
	dir      string
	resolved string // text of its config.yaml
}

// Files has replications simulated by workers and their files written by w, as w.Measure does
// in this process.
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

// accept takes over what became of a job. The server keeps who did it, and no more.
func (p *Pool) accept(id string, j *described, k *known, into *folder) (*outcome.Summary, error) {
	r, hash := k.Result, j.hash
	if len(r.Died) > 0 {
		return nil, lostError(hash, r.Died)
	}
	fault := r.fault(j.impure)
	if fault != nil && r.SHA256 == "" {
		return nil, fault
	}
	ctx, cancel := context.WithTimeout(context.Background(), transfer)
	defer cancel()
	payload, err := p.session.payload(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("the result of worker %s: %w", r.Worker, err)
	}
	var summary *outcome.Summary
	if into == nil {
		summary, err = unpackSummary(payload, hash)
	} else {
		summary, err = unpackFiles(payload, into.dir, hash)
	}
	if err == nil && summary.Complete != (fault == nil) {
		err = errors.New("has no end, or an end after a fault")
	}
	if errors.As(err, new(*fs.PathError)) { // of a disk of this machine
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("the result of worker %s: %w", r.Worker, err)
	}
	err = p.session.change(ctx, id, k, func(rec *record) bool {
		*rec = record{Result: &result{Worker: r.Worker, SHA256: r.SHA256, Taken: true}}
		return true
	})
	if err == nil && r.Bytes > 0 {
		err = p.session.objects.Delete(ctx, r.SHA256)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot take a result from the server: %w", err)
	}
	return summary, fault
}

// fault is the error that a job ended with. What a program or a service is to blame for may be
// different on another machine, so that the error names the worker.
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

// payload is what a result holds, or what it names in the object store.
func (s *session) payload(ctx context.Context, r *result) ([]byte, error) {
	payload := r.Payload
	if r.Bytes > 0 {
		if r.Bytes > archiveBytesMax {
			return nil, fmt.Errorf("%d bytes, expected at most %d (limit archiveBytesMax)", r.Bytes, archiveBytesMax)
		}
		var b bytes.Buffer
		if err := s.fetch(ctx, &b, r.SHA256, r.Bytes); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	}
	if sum := sha256.Sum256(payload); hex.EncodeToString(sum[:]) != r.SHA256 {
		return nil, errors.New("is not what its hash says")
	}
	return payload, nil
}

// fetch copies an object, whose content must have so many bytes and the hash that it is named
// after.
func (s *session) fetch(ctx context.Context, to io.Writer, sum string, size int64) error {
	if !experiment.IsJobHash(sum) {
		return fmt.Errorf("an object named %q, expected 64 hexadecimal digits", sum)
	}
	object, err := s.objects.Get(ctx, sum)
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
		return fmt.Errorf("the object %.12s is not what its name says", sum)
	}
	return nil
}

// attach puts a payload into a result: into the object store where it is large.
func (s *session) attach(ctx context.Context, r *result, payload []byte) error {
	sum := sha256.Sum256(payload)
	r.SHA256 = hex.EncodeToString(sum[:])
	if len(payload) <= resultInline {
		r.Payload = payload
		return nil
	}
	r.Bytes = int64(len(payload))
	ctx, cancel := context.WithTimeout(ctx, transfer)
	defer cancel()
	_, err := s.objects.Put(ctx, jetstream.ObjectMeta{Name: r.SHA256}, bytes.NewReader(payload))
	return err
}

// packer and unpacker are for all summaries: to make one takes as long as to use it.
var (
	packer   = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) })
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(outcome.MaxSummaryBytes))
	})
)

// packSummary writes a summary as a payload.
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

// unpackSummary reads a summary, which must be about a configuration.
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

// packFiles writes the files below a folder as a payload: equal files are equal bytes.
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

// unpackFiles writes the files of a payload into a folder, and returns their summary. Nothing
// is written outside of the folder, whatever the names are.
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
			return nil, fmt.Errorf("holds a file %q, expected files in the folder", f.Name)
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
		return nil, fmt.Errorf("holds no %s", outcome.SummaryFile)
	}
	return summary, nil
}

// summaryLimit bounds the summary among the files of a replication.
var summaryLimit = input.Limit{Name: "MaxSummaryBytes", Bytes: outcome.MaxSummaryBytes, Expected: "the summary of a replication"}

// unpackFile writes a file of a payload below a folder. The library checks that the content has
// the size that was said.
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
