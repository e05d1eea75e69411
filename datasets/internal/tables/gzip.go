package tables

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gzipMagic is at the start of every member of a gzip file.
const gzipMagic = "\x1f\x8b"

// gzipReader reads all members of a gzip file. Unlike the standard library, it does not report
// bytes after the last member as a truncated member.
type gzipReader struct {
	file   *bufio.Reader
	member *gzip.Reader
}

func newGzipReader(file *bufio.Reader) (*gzipReader, error) {
	member, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	member.Multistream(false)
	return &gzipReader{file, member}, nil
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.member.Read(p)
	if err == io.EOF {
		err = g.next()
	}
	return n, err
}

// next moves to the next member. It returns io.EOF if there is none.
func (g *gzipReader) next() error {
	head, err := g.file.Peek(len(gzipMagic))
	switch {
	case len(head) == 0:
		return err // io.EOF, or a read error
	case !bytes.Equal(head, []byte(gzipMagic)):
		return Damage(fmt.Sprintf("the gzip data has ended, but the file goes on with %s: expected its end or more gzip data", Quoted(head)))
	}
	if err := g.member.Reset(g.file); err != nil {
		return err
	}
	g.member.Multistream(false)
	return nil
}
