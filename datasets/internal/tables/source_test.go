package tables

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestDecompress(t *testing.T) {
	text := strings.Repeat("datacenter,latitude\n", 10_000)
	var zipped, zstandard bytes.Buffer
	gz := gzip.NewWriter(&zipped)
	zst, err := zstd.NewWriter(&zstandard)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{gz, zst} {
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct{ file, want, Fault string }{
		"plain": {text, text, ""}, "gzip": {zipped.String(), text, ""}, "zstd": {zstandard.String(), text, ""}, "empty": {"", "", ""},
		"cut": {zipped.String()[:zipped.Len()/2], "", "the gzip data ends too early"},
		"zip": {"PK\x03\x04", "", "the file is a zip archive"},
	} {
		got, err := decompressAll(test.file)
		if test.Fault == "" && (err != nil || got != test.want) {
			t.Errorf("%s: got %d bytes and error %v, want the text without an error", name, len(got), err)
		}
		if test.Fault != "" && (err == nil || !strings.HasPrefix(err.Error(), test.Fault)) {
			t.Errorf("%s: got error %v, want prefix %s", name, err, test.Fault)
		}
	}
}

func decompressAll(file string) (string, error) {
	plain, err := Decompress(strings.NewReader(file))
	if err != nil {
		return "", err
	}
	defer plain.Close()
	text, err := io.ReadAll(plain)
	return string(text), err
}
