package results

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"

	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/input"
	"mmsim/reports/outcome"
)

// ArchiveBytesMax limits the size of an archive and of the files in it.
const ArchiveBytesMax = 1 << 30

// packer and unpacker are shared by all summaries, because creating one takes as long as using
// it.
var (
	packer   = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) })
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(outcome.MaxSummaryBytes))
	})
)

// PackSummary compresses a summary.
func PackSummary(s *outcome.Summary) ([]byte, error) {
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

// UnpackSummary decodes a summary. It returns an error unless the summary belongs to the job
// with the given hash.
func UnpackSummary(payload []byte, hash string) (*outcome.Summary, error) {
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

// Pack encodes the files below a folder as an archive. Equal files give equal bytes.
func Pack(dir string) ([]byte, error) {
	return pack(dir, 0, func(string, fs.DirEntry) (bool, error) { return true, nil })
}

// pack is Pack of the files and folders that keep says are part of the archive. modes are the bits of
// their modes that the archive has.
func pack(dir string, modes fs.FileMode, keep func(name string, entry fs.DirEntry) (bool, error)) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	below := os.DirFS(dir)
	err := fs.WalkDir(below, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		switch isKept, err := keep(name, entry); {
		case err != nil:
			return err
		case !isKept && entry.IsDir():
			return fs.SkipDir
		case !isKept || entry.IsDir():
			return nil
		}
		return packFile(z, below, name, modes)
	})
	if err == nil {
		err = z.Close()
	}
	return b.Bytes(), err
}

// packFile adds a file to an archive.
func packFile(z *zip.Writer, below fs.FS, name string, modes fs.FileMode) error {
	from, err := below.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	h := &zip.FileHeader{Name: name, Method: zip.Deflate}
	if mode := info.Mode() & modes; mode != 0 {
		h.SetMode(0o666 | mode)
	}
	to, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return err
}

// Unpack writes the files in the archive of a result to a folder. It returns the summary, which is one
// of these files.
func Unpack(payload []byte, dir, hash string) (*outcome.Summary, error) {
	if err := unpack(payload, dir, input.Limit{Name: "ArchiveBytesMax", Bytes: ArchiveBytesMax}, 0); err != nil {
		return nil, err
	}
	text, err := input.ReadRegular(filepath.Join(dir, outcome.SummaryFile), summaryLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("contains no %s", outcome.SummaryFile)
	}
	if err != nil {
		return nil, err
	}
	return parseSummary(text, hash)
}

// unpack writes the files in an archive to a folder. No file name in the archive can lead outside
// of the folder. limit is for all files together. modes are the bits of their modes that are kept.
func unpack(payload []byte, dir string, limit input.Limit, modes fs.FileMode) error {
	z, err := zip.NewReader(bytes.NewReader(payload), int64(len(payload)))
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	left := uint64(limit.Bytes)
	for _, f := range z.File {
		if !fs.ValidPath(f.Name) || !filepath.IsLocal(filepath.FromSlash(f.Name)) || !f.Mode().IsRegular() {
			return fmt.Errorf("contains the file %q, expected only files inside the folder", f.Name)
		}
		if f.UncompressedSize64 > left {
			return fmt.Errorf("its files have more than %d bytes (limit %s)", limit.Bytes, limit.Name)
		}
		left -= f.UncompressedSize64
		if err := unpackFile(f, root, f.Mode()&modes); err != nil {
			return err
		}
	}
	return nil
}

// summaryLimit limits the size of the summary among the files of a replication.
var summaryLimit = input.Limit{Name: "MaxSummaryBytes", Bytes: outcome.MaxSummaryBytes, Expected: "the summary of a replication"}

// unpackFile writes one file of an archive below root. The zip library checks that the content
// has the declared size. mode adds to the mode of the file.
func unpackFile(f *zip.File, root *os.Root, mode fs.FileMode) error {
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
	to, err := root.OpenFile(filepath.FromSlash(f.Name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666|mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if closing := to.Close(); err == nil {
		err = closing
	}
	return err
}
