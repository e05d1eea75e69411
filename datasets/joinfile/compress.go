package joinfile

import (
	"io"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"mmsim/datasets/internal/csvfile"
)

// Decompress returns the plain text of a file that may be compressed with gzip or zstd, as
// Read reads it; read errors describe faults of the file. The caller closes it, and then r.
func Decompress(r io.Reader) (io.ReadCloser, error) { return csvfile.Decompress(r) }

// Compressor compresses what is written to w in the format of the file name's extension.
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

// plainFile writes without compression.
type plainFile struct{ io.Writer }

func (plainFile) Close() error { return nil }
