package tables

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// records reads all records as strings. A malformed record is nil.
func records(src io.Reader) (all [][]string, err error) {
	r := NewCSV(src)
	for {
		ok, f := r.Next()
		if !ok {
			return all, r.Err
		}
		if f != nil {
			all = append(all, nil)
			continue
		}
		var cells []string
		for _, cell := range r.Cells {
			cells = append(cells, string(cell))
		}
		all = append(all, cells)
	}
}

func TestRecords(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    [][]string
	}{
		"empty":                          {"", nil},
		"one":                            {"a,b\n", [][]string{{"a", "b"}}},
		"no last line break":             {"a,b\nc", [][]string{{"a", "b"}, {"c"}}},
		"CR LF":                          {"a,b\r\nc,d\r\n", [][]string{{"a", "b"}, {"c", "d"}}},
		"blank lines":                    {"\na\n\r\n\nb\n\n", [][]string{{"a"}, {"b"}}},
		"byte order mark":                {"\ufefftime,b\n\ufeffc", [][]string{{"time", "b"}, {"\ufeffc"}}},
		"byte order mark before a quote": {"\ufeff\"time\",b\n", [][]string{{"time", "b"}}},
		"empty cells":                    {",,\n", [][]string{{"", "", ""}}},
		"quotes":                         {`"a","b ""c"" d",e` + "\n", [][]string{{"a", `b "c" d`, "e"}}},
		"comma in quotes":                {`"a,b",c`, [][]string{{"a,b", "c"}}},
		"line break inside":              {"\"a\nb\",c\nd", [][]string{{"a\nb", "c"}, {"d"}}},
		"empty quotes":                   {`"",""`, [][]string{{"", ""}}},
		"quoted, then empty":             {`"a",`, [][]string{{"a", ""}}},
		"quote in the middle":            {"a\"b\"\nc", [][]string{nil, {"c"}}},
		"text after a quote":             {"\"a\"b,c\nd", [][]string{nil, {"d"}}},
		"never closed":                   {"\"a,b\nc\n", [][]string{nil}},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, src := range map[string]io.Reader{
				"whole":        strings.NewReader(test.content),
				"byte by byte": iotest.OneByteReader(strings.NewReader(test.content)),
			} {
				got, err := records(src)
				if err != io.EOF {
					t.Errorf("%s: got error %v, want io.EOF", kind, err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("%s: records (-want +got): %s", kind, diff)
				}
			}
		})
	}
}

func TestLongRecords(t *testing.T) {
	fits := strings.Repeat("x", MaxRecordBytes-1)
	if got, err := records(strings.NewReader("a\n" + fits + "\nb")); err != io.EOF || len(got) != 3 || got[1][0] != fits {
		t.Errorf("a line of the maximum length: got %d records and error %v, want 3 and io.EOF", len(got), err)
	}
	if got, err := records(strings.NewReader("a\nx" + fits + "\nb")); !errors.Is(err, errTooLong) || len(got) != 1 {
		t.Errorf("a line above the maximum length: got %d records and error %v, want 1 and errTooLong", len(got), err)
	}
	if got, _ := records(strings.NewReader("\"\n" + strings.Repeat("line\n", MaxRecordBytes))); len(got) == 0 || got[0] != nil {
		t.Error("an unclosed quote was accepted, want a malformed record")
	}
}

// The reader must agree with the standard library, which is as strict and much slower.
func FuzzRecords(f *testing.F) {
	for _, seed := range []string{"a,b\n", "\"a\"\"b\",c\r\nd", "\"a\nb\"\n", "a\"b", "\n\n,,\n", "\"a\"b\n", "\ufeffa"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		if len(content) >= MaxRecordBytes || strings.Contains(content, "\r") {
			return // the library replaces CR LF inside quotes with LF
		}
		got, _ := records(strings.NewReader(content))
		twin := csv.NewReader(bytes.NewReader([]byte(strings.TrimPrefix(content, byteOrderMark))))
		twin.FieldsPerRecord = -1
		for i, record := range got {
			want, err := twin.Read()
			if (err != nil) != (record == nil) {
				t.Fatalf("record %d: got %q, want %q (error %v)", i, record, want, err)
			}
			if err != nil {
				return // readers may continue differently after an error
			}
			if diff := cmp.Diff(want, record); diff != "" {
				t.Fatalf("record %d (-want +got): %s", i, diff)
			}
		}
		if _, err := twin.Read(); err != io.EOF {
			t.Fatalf("got %d records, but encoding/csv reads more (error %v)", len(got), err)
		}
	})
}
