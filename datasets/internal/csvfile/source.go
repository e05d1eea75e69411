package csvfile

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

// Source reads the plain content of a file that may be compressed, and counts and hashes
// the bytes of the file itself.
type Source struct {
	file   *bufio.Reader // the bytes of the file
	raw    *rawReader    // below file
	plain  io.Reader     // decompressed
	format string        // "plain", "gzip" or "zstd"
}

// foreign are common compressed formats that are not supported.
var foreign = []struct{ magic, name string }{
	{"PK\x03\x04", "a zip archive"},
	{"BZh", "compressed with bzip2"},
	{"\xfd7zXZ\x00", "compressed with xz"},
	{"\xff\xfe", "UTF-16 text"},
	{"\xfe\xff", "UTF-16 text"},
	{"PAR1", "a Parquet file"},
}

// Damage is a fault in a file's content that makes the rest unreadable, as opposed to a
// failure to read the file.
type Damage string

func (d Damage) Error() string { return string(d) }

// Placed turns an error of reading a file into one that names it.
func Placed(name string, line int, err error) error {
	var content Damage
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

// Decompress returns the plain content of a file, which may be compressed with gzip or zstd;
// the first bytes decide. Read errors describe faults of the file. It is for text: zip
// archives, UTF-16 and the like are refused. The caller closes it, and then r.
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
		// One goroutine: reading the rows is as fast as decoding. The window is the largest
		// that the zstd program accepts by default.
		s.plain, err = zstd.NewReader(s.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	default:
		s.plain, err = s.file, nil
	}
	if err != nil {
		return nil, s.explain(err)
	}
	return s, nil
}

// Read reads the plain content. An error in the compressed data names its offset in the
// file.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.plain.Read(p)
	if err != nil && err != io.EOF {
		err = s.explain(err)
	}
	return n, err
}

// explain turns an error of the decoder into a helpful one.
func (s *Source) explain(err error) error {
	at := s.raw.count - int64(s.file.Buffered())
	switch content := Damage(""); {
	case errors.As(err, &content):
		return content
	case s.raw.err != nil && s.raw.err != io.EOF:
		return s.raw.err // the file could not be read: no fault of its content
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return Damage(fmt.Sprintf("the %s data ends too early, at byte %d of the file: expected a complete file, this one is truncated", s.format, at))
	}
	return Damage(fmt.Sprintf("the %s data is damaged near byte %d of the file (%v): expected a file that can be decompressed", s.format, at, err))
}

// Rest reads the remaining bytes of a file that was read without an error, so that the hash
// covers all of it, and returns the hash. After an error it reads nothing: the rest cannot
// change the message, and may be endless.
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
	hash     hash.Hash // nil if the hash is not needed
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
