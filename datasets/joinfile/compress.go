package joinfile

import (
	"io"

	"mmsim/datasets/internal/tables"
)

// Decompress returns the text of a file, which may be compressed with gzip or zstd, in the same way
// as Read. Read errors describe what is wrong with the file. The caller must close the result and
// then r.
func Decompress(r io.Reader) (io.ReadCloser, error) { return tables.Decompress(r) }
