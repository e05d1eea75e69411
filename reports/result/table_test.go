package result

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/outcome"
)

// repeated is a reader that repeats a text endlessly.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	if len(r.text) < 1<<12 { // copy a page at a time
		r.text = strings.Repeat(r.text, 1<<12)
	}
	n := 0
	for n < len(p) {
		c := copy(p[n:], r.text[r.at:])
		r.at = (r.at + c) % len(r.text)
		n += c
	}
	return n, nil
}

// Load rejects an endless table with an error that names the limit.
func TestTableIsBounded(t *testing.T) {
	for name, test := range map[string]struct{ head, tail, want string }{
		"blank lines": {head(mapTable.columns) + "\n", "\n", "map.csv:1000002:1: more than 1000000 rows (limit MaxTableRows), expected a table of a run"},
		"no line":     {"", "x", "map.csv:1:1: the row is longer than 4096 bytes (limit MaxRowBytes), expected a table"},
		"zeros":       {head(mapTable.columns) + "\n", "\x00", "map.csv:2:1: the row is longer than 4096 bytes (limit MaxRowBytes), expected a table"},
		"open quote":  {head(mapTable.columns) + "\n\"", strings.Repeat("x", 4000) + "\n", "map.csv:2:1: a quote is not closed in its row, expected a table"},
	} {
		_, err := mapTable.read(io.MultiReader(strings.NewReader(test.head), &repeated{text: test.tail}))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got error %v, want %s", name, err, test.want)
		}
	}
	rows := head(mapTable.columns) + "\n" + strings.Repeat("1,2,3,4.00,5.000\n", 3)
	if got, err := mapTable.read(iotest.OneByteReader(strings.NewReader(rows))); err != nil || len(got) != 3 {
		t.Errorf("read byte by byte: got %d rows (error %v), want 3", len(got), err)
	}
}

// Load rejects more frames than a run can have.
func TestFramesAreBounded(t *testing.T) {
	s := &outcome.Summary{ByDatacenter: outcome.Datacenters{{Name: "a"}}, Run: outcome.Run{Reached: 86400}}
	var rows []loadRow
	for i := range FramesMax + 1 {
		rows = append(rows, loadRow{60 * (i + 1), "a", 1})
	}
	if _, err := framesOf(rows[:FramesMax], s); err != nil {
		t.Error(err)
	}
	if _, err := framesOf(rows, s); err == nil || err.Error() != "load.csv:152:1: more than 150 instants, expected at most that" {
		t.Errorf("got error %v, want that there are more than 150 instants", err)
	}
}

// Text in the tables of a result is guarded against spreadsheets, and reading removes the guard.
func TestTablesAreGuarded(t *testing.T) {
	rows := []loadRow{{60, "=HYPERLINK(\"http://a.example\")", 1}, {60, "-1", 0}}
	var file bytes.Buffer
	if err := loadTable.write(&file, rows); err != nil {
		t.Fatal(err)
	}
	want := "t_s,datacenter,players\n60,\"'=HYPERLINK(\"\"http://a.example\"\")\",1\n60,'-1,0\n"
	if file.String() != want {
		t.Errorf("got %q, want %q", file.String(), want)
	}
	back, err := loadTable.read(&file)
	if err != nil || len(back) != 2 || back[0] != rows[0] || back[1] != rows[1] {
		t.Errorf("rows read back: got %v (error %v), want those written", back, err)
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add(head(seriesTable.columns) + "\n0,1,2,3,4,5,6,7,8,9,10,0.095,48.80,91.69\n60,0,0,0,0,0,0,0,0,0,0,0.000,0.00,0.00\n")
	f.Add(head(binsTable.columns) + "\nwait_s,0,0,5\nwait_s,0,0.1,7\n")
	f.Add("measure,from,to,players\n\"wait_s,0,1,2\n")
	f.Fuzz(func(t *testing.T, text string) {
		check := func(file string, err error) {
			if err != nil && !strings.HasPrefix(err.Error(), file+":") {
				t.Fatalf("got error %v, want the file as prefix", err)
			}
		}
		_, err := seriesTable.read(strings.NewReader(text))
		check(seriesTable.file, err)
		_, err = binsTable.read(strings.NewReader(text))
		check(binsFile, err)
		_, err = mapTable.read(strings.NewReader(text))
		check(MapFile, err)
	})
}

func FuzzReadLapse(f *testing.F) {
	const head, load = "t_s,latitude,longitude,players,rtt_mean_ms\n", "t_s,datacenter,players\n"
	f.Add(load+"60,a,3\n60,b,0\n120,a,1\n120,b,1\n", head+"60,-90,-180,3,10\n120,0,0,2,300\n")
	f.Add(load, head)
	f.Add(load+"0,a,0\n", head+"60,0,0,1,1\n60,0,0,1,1\n")
	summary := outcome.Summary{Run: outcome.Run{Duration: 3600, Reached: 3600}, ByDatacenter: outcome.Datacenters{{Name: "a"}, {Name: "b"}}}
	f.Fuzz(func(t *testing.T, loads, cells string) {
		err := readLapse(fstest.MapFS{loadFile: {Data: []byte(loads)}, lapseFile: gzipped(cells)}, &Result{Summary: summary})
		if err != nil {
			if !strings.HasPrefix(err.Error(), loadFile+":") && !strings.HasPrefix(err.Error(), lapseFile+":") {
				t.Fatalf("got error %v, want one of the files as prefix", err)
			}
		}
	})
}

func BenchmarkWriteLapse(b *testing.B) {
	var r Result
	for at := 600; at < 86_400; at += 600 {
		f := Frame{T: at}
		for cell := range 2000 {
			f.Cells = append(f.Cells, FrameCell{Latitude: int16(cell/50 - 20), Longitude: int16(cell % 50), Players: int32(1 + (cell+at)%90), RTTMean: int32(cell % 300)})
		}
		r.Timelapse = append(r.Timelapse, f)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := writeLapse(io.Discard, &r); err != nil {
			b.Fatal(err)
		}
	}
}

func gzipped(text string) *fstest.MapFile {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return &fstest.MapFile{Data: b.Bytes()}
}
