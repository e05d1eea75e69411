package joinfile

import (
	"io"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"mmsim/datasets/internal/csvfile"
)

// Decompress returns the plain text of a file that may be compressed with gzip or
// zstd, as Read sees it; the errors of reading it say what is wrong with the file.
// The caller closes it, and then r.
func Decompress(r io.Reader) (io.ReadCloser, error) { return csvfile.Decompress(r) }

// Compressor compresses what is written to w as the name of the file asks.
func Compressor(w io.Writer, file string) (io.WriteCloser, error) {
	switch filepath.Ext(file) {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		// One goroutine: the bytes must not depend on the number of cores.
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plainFile{w}, nil
}

// plainFile is no compression.
type plainFile struct{ io.Writer }

func (plainFile) Close() error { return nil }
