package tables

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Source reads the content of a file that may be compressed. It also counts and hashes the bytes of
// the file itself.
type Source struct {
	file   *bufio.Reader // bytes of the file
	raw    *rawReader    // source of file
	plain  io.Reader     // decompressed content
	format string        // "plain", "gzip" or "zstd"
}

// foreign lists common formats that Open does not support.
var foreign = []struct{ magic, name string }{
	{"PK\x03\x04", "a zip archive"},
	{"BZh", "compressed with bzip2"},
	{"\xfd7zXZ\x00", "compressed with xz"},
	{"\xff\xfe", "UTF-16 text"},
	{"\xfe\xff", "UTF-16 text"},
	{"PAR1", "a Parquet file"},
}

// Damage is an error in the content of a file that makes the rest unreadable. It differs from an
// error in accessing the file.
type Damage string

func (d Damage) Error() string { return string(d) }

// Placed adds the name of a file, and the line if possible, to an error. An *Error has its line.
func Placed(name string, line int, err error) error {
	var content Damage
	var placed *Error
	if errors.As(err, &placed) {
		return &Error{name, placed.Line, placed.Column, placed.Message}
	}
	if errors.As(err, &content) {
		return &Error{name, line, 1, err.Error()}
	}
	return fmt.Errorf("%s: %w", name, err)
}

// byteOrderMark may precede UTF-8 text and is ignored.
const byteOrderMark = "\xef\xbb\xbf"

// Open detects the compression of a file from its first bytes.
func Open(r io.Reader, progress func(bytes int64)) (*Source, error) {
	return openRaw(&rawReader{src: r, hash: sha256.New(), progress: progress})
}

// Decompress returns the content of a text file, which may be compressed with gzip or zstd. It
// detects the compression from the first bytes and refuses zip archives, UTF-16 and other formats.
// Read errors describe what is wrong with the file. The caller must close the result and then r.
func Decompress(r io.Reader) (io.ReadCloser, error) { return openRaw(&rawReader{src: r}) }

func openRaw(raw *rawReader) (*Source, error) {
	s := &Source{file: bufio.NewReaderSize(raw, 1<<16), raw: raw, format: "plain"}
	head, err := s.file.Peek(6)
	if err != nil && err != io.EOF {
		return nil, err
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return nil, Damage("the file is " + f.name + ": expected CSV in UTF-8, plain or compressed with gzip or zstd")
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte(gzipMagic)):
		s.format = "gzip"
		s.plain, err = newGzipReader(s.file)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		s.format = "zstd"
		// Decode in a single goroutine. More would not help, because reading rows takes as long as
		// decoding. Accept windows of up to 128 MiB, as the zstd program does by default.
		s.plain, err = zstd.NewReader(s.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	default:
		s.plain, err = s.file, nil
	}
	if err != nil {
		return nil, s.explain(err)
	}
	return s, nil
}

// Read reads the decompressed content. If the compressed data is invalid, the error names its
// offset in the file.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.plain.Read(p)
	if err != nil && err != io.EOF {
		err = s.explain(err)
	}
	return n, err
}

// explain turns an error of the decoder into a more helpful one.
func (s *Source) explain(err error) error {
	at := s.raw.count - int64(s.file.Buffered())
	switch content := Damage(""); {
	case errors.As(err, &content):
		return content
	case s.raw.err != nil && s.raw.err != io.EOF:
		return s.raw.err // the file could not be read, which says nothing about its content
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return Damage(fmt.Sprintf("the %s data ends too early, at byte %d of the file: expected a complete file, this one is truncated", s.format, at))
	}
	return Damage(fmt.Sprintf("the %s data is damaged near byte %d of the file (%v): expected a file that can be decompressed", s.format, at, err))
}

// Rest reads the remaining bytes of the file, so that the hash covers all of them, and returns the
// hash. Do not call it after an error: the remaining bytes may be endless and cannot change the
// message.
func (s *Source) Rest() ([sha256.Size]byte, error) {
	_, err := io.Copy(io.Discard, s.file)
	return [sha256.Size]byte(s.raw.hash.Sum(nil)), err
}

// Close frees the decoder.
func (s *Source) Close() error {
	if decoder, ok := s.plain.(*zstd.Decoder); ok {
		decoder.Close()
	}
	return nil
}

// rawReader hashes and counts the bytes of a file.
type rawReader struct {
	src      io.Reader
	hash     hash.Hash // nil if no hash is needed
	count    int64
	progress func(bytes int64)
	err      error
}

func (r *rawReader) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	if r.hash != nil {
		r.hash.Write(p[:n])
	}
	r.count += int64(n)
	if err != nil {
		r.err = err
	}
	if r.progress != nil && n > 0 {
		r.progress(r.count)
	}
	return n, err
}
