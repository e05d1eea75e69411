package joinfile

import (
	"io"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"mmsim/datasets/internal/tables"
)

// Decompress returns the text of a file, which may be compressed with gzip or zstd, in the same way
// as Read. Read errors describe what is wrong with the file. The caller must close the result and
// then r.
func Decompress(r io.Reader) (io.ReadCloser, error) { return tables.Decompress(r) }

// Compressor returns a writer that compresses to w. The extension of the file name selects the
// format.
func Compressor(w io.Writer, file string) (io.WriteCloser, error) {
	switch filepath.Ext(file) {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		// Use a single goroutine, so that the output does not depend on the number of cores.
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plainFile{w}, nil
}

// plainFile writes without compression.
type plainFile struct{ io.Writer }

func (plainFile) Close() error { return nil }
