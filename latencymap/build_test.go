package latencymap

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func mustBuilder(t testing.TB, o BuildOptions) *Builder {
	t.Helper()
	if o.Datacenters == nil {
		o.Datacenters = []Datacenter{london, newYork, sydney}
	}
	b, err := NewBuilder(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// samplesOf returns samples of known maps in the format of a user's file. They are anywhere in
// their cell and in random order. Three quarters differ by at most 0.5 ms from the true RTT. One
// eighth is up to 500 ms too high, and one eighth up to 10 % too low.
func samplesOf(r *rand.Rand, known map[string]map[int]float64, perCell int) string {
	var lines []string
	for _, d := range []Datacenter{london, newYork, sydney} {
		for cell := range Cells {
			ms, ok := known[d.Name][cell]
			if !ok {
				continue
			}
			for i := range perCell {
				sample := ms + r.Float64() - 0.5
				switch i % 8 {
				case 0:
					sample = ms + 500*r.Float64()
				case 1:
					sample = ms - 0.1*r.Float64()*ms
				}
				lines = append(lines, fmt.Sprintf("%.3f,%s,%.5f,%.5f,x\n", sample, d.Name,
					float64(89-cell/Cols)+r.Float64(), float64(cell%Cols-180)+r.Float64()))
			}
		}
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return "rtt_ms,datacenter,latitude,longitude,asn\n" + strings.Join(lines, "")
}

// TestBuildReproducesMaps draws samples from known maps and expects the same maps from them.
func TestBuildReproducesMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	known := map[string]map[int]float64{"london": {}, "sydney": {}}
	for name := range known {
		for range 300 {
			cell := r.IntN(Cells)
			for cell == nullIsland {
				cell = r.IntN(Cells)
			}
			known[name][cell] = 250 + 100*r.Float64()
		}
	}
	b := mustBuilder(t, BuildOptions{Clean: true, MinCount: 60})
	if err := b.Read(strings.NewReader(samplesOf(r, known, 64)), "samples.csv"); err != nil {
		t.Fatal(err)
	}
	maps := b.Maps()
	if len(maps) != 2 || maps[0].Datacenter != "london" || maps[1].Datacenter != "sydney" {
		t.Fatalf("got %d maps, want those of london and sydney", len(maps))
	}
	for _, m := range maps {
		if m.Cells != len(known[m.Datacenter]) || m.Samples != uint64(64*m.Cells) || m.Dropped != (Cleaned{}) {
			t.Errorf("%s: got %d cells with %d samples, dropped %+v; want all known cells with 64 samples each and none dropped", m.Datacenter, m.Cells, m.Samples, m.Dropped)
		}
		for cell := range Cells {
			ms, ok := m.Grid.At(cell)
			want, wanted := known[m.Datacenter][cell]
			if ok != wanted || math.Abs(float64(ms)-want) > 0.5 {
				t.Fatalf("%s cell %d: got %v ms (%v), want %v (%v)", m.Datacenter, cell, ms, ok, want, wanted)
			}
			if count := m.Counts[cell]; ok && count != 64 || !ok && count != 0 {
				t.Fatalf("%s cell %d: got count %d, want 64 in known cells and 0 in others", m.Datacenter, cell, count)
			}
		}
	}
	wantWarnings := []string{"samples.csv: columns not used: asn", "newyork has no samples: no map made"}
	if diff := cmp.Diff(wantWarnings, b.Warnings()); diff != "" {
		t.Error(diff)
	}
}

// TestBuildRealMaps makes one sample from each cell of the real maps that has a value. Building
// must drop exactly the impossible samples. The built maps must be equal to the cleaned real ones
// to 1/16 ms, and cleaning them must not drop anything.
func TestBuildRealMaps(t *testing.T) {
	set, datacenters := realMaps(t, Options{Clean: true})
	b := mustBuilder(t, BuildOptions{Datacenters: datacenters, Clean: true})
	for dc := range datacenters {
		for cell := range Cells {
			place := CellCentre(cell)
			if ms, ok := set.Raw(dc, place.Lat, place.Lon); ok {
				b.add(dc, cell, ms, 1)
			}
		}
	}
	files := fstest.MapFS{}
	dropped := Cleaned{}
	for _, m := range b.Maps() {
		var file bytes.Buffer
		if err := WriteBin(&file, m.Grid); err != nil {
			t.Fatal(err)
		}
		files["latency_"+m.Datacenter+".bin"] = &fstest.MapFile{Data: file.Bytes()}
		dropped.NullIsland += m.Dropped.NullIsland
		dropped.FasterThanLight += m.Dropped.FasterThanLight
	}
	if want := (Cleaned{NullIsland: 27, FasterThanLight: 25}); dropped != want {
		t.Errorf("got dropped %+v, want %+v", dropped, want)
	}
	again, err := Open(files, "built", datacenters, Options{Clean: true})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for dc := range datacenters {
		if c := again.Cleaned(dc); c != (Cleaned{}) {
			t.Errorf("%s: cleaning a built map dropped %+v, want none", datacenters[dc].Name, c)
		}
		for cell := range Cells {
			want, wanted := sampleOf(set, dc, cell)
			got, ok := sampleOf(again, dc, cell)
			if ok != wanted || Quantise(got) != Quantise(want) {
				t.Fatalf("%s cell %d: got %v (%v), want %v (%v)", datacenters[dc].Name, cell, got, ok, want, wanted)
			}
			if ok {
				compared++
			}
		}
	}
	if compared != 21512 {
		t.Errorf("got %d cells, want 21512", compared)
	}
}

// sampleOf returns a set's sample for a cell after cleaning.
func sampleOf(set *Set, dc, cell int) (float64, bool) {
	place := CellCentre(cell)
	if _, ok := set.Raw(dc, place.Lat, place.Lon); !ok {
		return 0, false // far faster than asking the model
	}
	ms, source := set.Lookup(dc, place.Lat, place.Lon)
	if source != SourceMap {
		return 0, false
	}
	return ms, true
}

// TestSamples reads files with all valid forms of rows.
func TestSamples(t *testing.T) {
	const header = "datacenter,latitude,longitude,rtt_ms,time,weight\n"
	from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name, text string
		samples    uint64
		dropped    Cleaned // for London
		outside    int
	}{
		{"plain", header + "london,48.8,2.3,12.5,2026-03-01,1\n", 1, Cleaned{}, 0},
		{"no line break, CR LF, blanks, quotes, BOM", "\ufeff" + header + "\r\n \"london\",48.8 , 2.3,\"12.5\",2026-03-01 00:00:00,7",
			0, Cleaned{}, 0}, // a quote after a blank makes the row malformed
		{"quotes", header + "\"london\",48.8, 2.3 ,\"12.5\",2026-03-01 00:00:00,7\r\n\r\n", 7, Cleaned{}, 0},
		{"null island", header + "london,0.5,0.5,120,2026-03-01,3\n", 0, Cleaned{NullIsland: 3}, 0},
		{"faster than light", header + "london,40.7,-74,60,2026-03-01,2\nlondon,40.7,-74,70,2026-03-01,1\n", 1, Cleaned{FasterThanLight: 2}, 0},
		{"measured nothing", header + "london,48,2,,2026-03-01,1\nlondon,48,2,0,2026-03-01,1\nlondon,48,2,-1,2026-03-01,1\n" +
			"london,48,2,NaN,2026-03-01,1\nlondon,48,2,inf,2026-03-01,1\nlondon,48,2,-Inf,2026-03-01,1\n", 0, Cleaned{NaN: 6}, 0},
		{"window", header + "london,48,2,20,2026-02-28T23:59:59.999Z,1\nlondon,48,2,20,2026-03-01T01:00:00+01:00,1\n" +
			"london,48,2,20,1772323200,1\nlondon,48,2,20,1772409599999,1\nlondon,48,2,20,2026-03-02,1\n", 3, Cleaned{}, 2},
	} {
		b := mustBuilder(t, BuildOptions{Clean: true, From: from, To: from.AddDate(0, 0, 1), MaxBadRows: 1})
		if err := b.Read(strings.NewReader(test.text), "s.csv"); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var samples uint64
		for _, m := range b.Maps() {
			samples += m.Samples
		}
		if samples != test.samples || b.dropped[0] != test.dropped || b.Stats().OutsideWindow != test.outside {
			t.Errorf("%s: got %d samples, dropped %+v and %d outside the window", test.name, samples, b.dropped[0], b.Stats().OutsideWindow)
		}
	}
}

// Time-outs and cells with too few measurements are counted but are not in a map.
func TestTimedOut(t *testing.T) {
	const header = "datacenter,latitude,longitude,rtt_ms,weight\n"
	b := mustBuilder(t, BuildOptions{Clean: true, MinCount: 3})
	if err := b.Read(strings.NewReader(header+"london,48,2,20,3\nlondon,48,2,5000,2\nlondon,48,2,9999,1\nlondon,48,2,4000,1\n"+
		"london,50,2,20,2\nnewyork,40,-73,5000,4\n"), "s.csv"); err != nil {
		t.Fatal(err)
	}
	maps := b.Maps()
	if len(maps) != 1 || maps[0].Samples != 4 || maps[0].TimedOut != 3 || maps[0].TooFew != 1 || maps[0].BelowMinCount != 2 {
		t.Fatalf("got map %+v, want 4 samples, 3 timed out, 1 cell with too few samples and 2 samples below MinCount", maps[0])
	}
	if s := b.Stats(); s.TimedOut != 7 || s.BelowMinCount != 2 || s.Dropped != (Cleaned{}) {
		t.Errorf("got stats %+v, want 7 timed out, 2 below MinCount and none dropped", s)
	}
	want := []string{
		"newyork: 4 of 4 measurements are above 4000 ms and count as timed out: is rtt_ms in milliseconds?",
		"newyork has no usable samples: no map made (4 timed out)", "sydney has no samples: no map made",
	}
	if diff := cmp.Diff(want, b.Warnings()); diff != "" {
		t.Error(diff)
	}
}

// TestSampleFaults expects the position, the value and the expected format in every error.
func TestSampleFaults(t *testing.T) {
	const header = "datacenter,latitude,longitude,rtt_ms,time,weight\n"
	for _, test := range []struct{ text, want string }{
		{"", "s.csv:1:1: the file is empty, expected a header with datacenter, latitude, longitude, rtt_ms"},
		{"london,51,0,12\n", "s.csv:1:1: column datacenter is missing, expected a header with datacenter, latitude, longitude, rtt_ms"},
		{"dc,latitude,longitude,rtt_ms\n", `s.csv:1:1: column datacenter is missing, expected that name instead of "dc"`},
		{"datacenter,Lat,longitude,rtt_ms\n", `s.csv:1:1: column latitude is missing, expected that name instead of "Lat"`},
		{"datacenter,latitude,longitude,rtt_ms,time,timestamp\n", `s.csv:1:43: "timestamp": column time appears twice, as columns 5 and 6, expected it once`},
		{header + "paris,48,2,12,2026-03-01,1\n", `s.csv:2:1: datacenter "paris", expected a datacenter of the list: london, newyork, sydney`},
		{header + "\n\nlondon,90.5,2,12,2026-03-01,1\n", `s.csv:4:8: latitude "90.5", expected degrees from -90 to 90`},
		{header + "london,NaN,2,12,2026-03-01,1\n", `s.csv:2:8: latitude "NaN", expected degrees from -90 to 90`},
		{header + "london,48,-181,12,2026-03-01,1\n", `s.csv:2:11: longitude "-181", expected degrees from -180 to 180`},
		{header + "london,48,2,12ms,2026-03-01,1\n", `s.csv:2:13: rtt_ms "12ms", expected milliseconds`},
		{header + "london,48,2,12,12:00:00,1\n", `s.csv:2:16: time "12:00:00", expected 2026-03-14`},
		{header + "london,48,2,12,2026-02-30,1\n", `s.csv:2:16: time "2026-02-30", expected 2026-03-14`},
		{header + "london,48,2,12,2026-03-01,0\n", `s.csv:2:27: weight "0", expected a whole number of measurements from 1 to 1000000`},
		{header + "london,48,2,12,2026-03-01,99999999999999999999\n", `s.csv:2:27: weight "99999999999999999999"`},
		{header + "london,48,2,12,2026-03-01\n", "s.csv:2:26: 5 columns, expected 6 as in the header"},
		{header + "london,48,2,12,2026-03-01,1,\n", "s.csv:2:29: 7 columns, expected 6 as in the header"},
		{header + "\"london\",\"97\",2,12,2026-03-01,1\n", `s.csv:2:10: latitude "97"`},
		{header + "\"london,48,2,12,2026-03-01,1\nlondon,48,2,12,2026-03-01,1\n", "s.csv:2:"},
		{header + "\xff\xfe,48,2,12,2026-03-01,1\n", "s.csv:2:1: datacenter \"\ufffd\""},
		{header + strings.Repeat("x", RowBytesMax+1), "s.csv:2: the row is longer than 65536 bytes (RowBytesMax), expected CSV"},
	} {
		err := mustBuilder(t, BuildOptions{}).Read(strings.NewReader(test.text), "s.csv")
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%.60q: got error %v\nwant prefix %s", test.text, err, test.want)
		}
	}
	b := mustBuilder(t, BuildOptions{To: time.Unix(1, 0)})
	if err := b.Read(strings.NewReader("datacenter,latitude,longitude,rtt_ms\n"), "s.csv"); err == nil || !strings.Contains(err.Error(), "column time or timestamp is missing") {
		t.Errorf("a window without a time column: got error %v, want that the column is needed", err)
	}
	bad := io.MultiReader(strings.NewReader(header+"london,48,2,12,2026-03-01,1\n"), errReader{})
	if err := mustBuilder(t, BuildOptions{}).Read(bad, "s.csv"); err == nil || !strings.HasPrefix(err.Error(), "s.csv:2: broken") {
		t.Errorf("a reader that fails: got error %v, want its error with the line", err)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }

// TestBadRowsTolerated checks that malformed rows are skipped, up to a limit over all files.
func TestBadRowsTolerated(t *testing.T) {
	const text = "datacenter,latitude,longitude,rtt_ms\nlondon,x,2,12\nlondon,48,2,12\n"
	b := mustBuilder(t, BuildOptions{MaxBadRows: 2})
	for i, name := range []string{"a.csv", "b.csv"} {
		if err := b.Read(strings.NewReader(text), name); err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
	}
	want := `c.csv:2:8: latitude "x", expected degrees from -90 to 90 (malformed row 3, at most 2 are allowed; the first is a.csv:2:8: latitude "x", expected degrees from -90 to 90)`
	if err := b.Read(strings.NewReader(text), "c.csv"); err == nil || err.Error() != want {
		t.Errorf("got error %v\nwant %s", err, want)
	}
	if stats := b.Stats(); stats.Rows != 5 || stats.BadRows != 3 {
		t.Errorf("got stats %+v, want 5 rows and 3 malformed ones", stats)
	}
}

// TestFill fills around three cells: at the antimeridian, inland, and next to null island. It must
// fill as far as requested and must change neither measured cells nor null island. Values must
// include the difference between the neighbours and the model.
func TestFill(t *testing.T) {
	edge, inland := CellOf(52.5, 179.5), CellOf(48.5, 2.5)
	atlantic := CellOf(1.5, 1.5) // next to null island
	set := mustOpen(t, nil, []Datacenter{london}, Options{})
	model := func(cell int) float64 {
		centre := CellCentre(cell)
		ms, _ := set.Lookup(0, centre.Lat, centre.Lon)
		return ms
	}
	for _, fill := range []int{0, 1, 4} {
		b := mustBuilder(t, BuildOptions{Datacenters: []Datacenter{london}, Clean: true, Fill: fill})
		for _, cell := range []int{edge, inland, atlantic} {
			b.add(0, cell, model(cell)+20, 1)
		}
		m := b.Maps()[0]
		side := 2*fill + 1
		want := 3 * (side*side - 1)
		if fill > 0 {
			want-- // null island is not filled
		}
		if m.Filled != want || m.Cells != 3 {
			t.Errorf("fill %d: got %d filled cells and %d cells, want %d and 3", fill, m.Filled, m.Cells, want)
		}
		for cell := range Cells {
			ms, ok := m.Grid.At(cell)
			if ok && math.Abs(float64(ms)-model(cell)-20) > 0.1 {
				t.Errorf("fill %d: cell %d: got %v ms, want %v", fill, cell, ms, model(cell)+20)
			}
			if count := m.Counts[cell]; count > 0 != (cell == edge || cell == inland || cell == atlantic) {
				t.Errorf("fill %d: cell %d: got count %d, want counts only in cells with samples", fill, cell, count)
			}
		}
		if fill > 0 {
			if _, ok := m.Grid.At(CellOf(52.5, -179.5)); !ok {
				t.Errorf("fill %d: got no value beyond the antimeridian, want one", fill)
			}
		}
	}
}

// TestFillOnRealMaps removes every second cell and compares the filled values with the real ones.
// The median error must be at most 3.3 ms and the p90 at most 10.5 ms. Neither may exceed that of
// the model alone, although the model was fitted to all cells.
func TestFillOnRealMaps(t *testing.T) {
	set, datacenters := realMaps(t, Options{Clean: true})
	b := mustBuilder(t, BuildOptions{Datacenters: datacenters, Clean: true, Fill: FillMax})
	n := 0
	for dc := range datacenters {
		for cell := range Cells {
			if ms, ok := sampleOf(set, dc, cell); ok {
				if n++; n%2 == 0 {
					b.add(dc, cell, ms, 1)
				}
			}
		}
	}
	var filled, model []float64
	for _, m := range b.Maps() {
		dc := b.numbers[m.Datacenter]
		for cell := range Cells {
			ms, known := sampleOf(set, dc, cell)
			got, ok := m.Grid.At(cell)
			if known && ok && m.Counts[cell] == 0 {
				filled = append(filled, math.Abs(float64(got)-ms))
				model = append(model, math.Abs(Milliseconds(b.estimates()[cell*len(datacenters)+dc])-ms))
			}
		}
	}
	median, p90 := quantile(filled, 0.5), quantile(filled, 0.9)
	alone, alone90 := quantile(model, 0.5), quantile(model, 0.9)
	t.Logf("%d cells filled: median error %.2f ms, p90 %.2f; model alone %.2f and %.2f", len(filled), median, p90, alone, alone90)
	if len(filled) < 10000 || median > min(3.3, alone) || p90 > min(10.5, alone90) {
		t.Errorf("%d cells filled: median error %.2f ms, p90 %.2f, want at most 3.3 and 10.5, and at most those of the model alone, %.2f and %.2f", len(filled), median, p90, alone, alone90)
	}
}

func TestNewBuilderFaults(t *testing.T) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, o := range []BuildOptions{
		{}, {Datacenters: make([]Datacenter, MaxDatacenters+1)}, {Datacenters: []Datacenter{london, london}},
		{Datacenters: []Datacenter{london}, Fill: FillMax + 1}, {Datacenters: []Datacenter{london}, From: day, To: day},
	} {
		if _, err := NewBuilder(o); err == nil {
			t.Errorf("NewBuilder(%+v): want an error", o)
		}
	}
}

func TestParseInstant(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-14": "2026-03-14T00:00:00Z", "2026-03-14T15:04:05Z": "2026-03-14T15:04:05Z",
		"2026-03-14 15:04:05.25": "2026-03-14T15:04:05.25Z", "2026-03-14T00:30:00+01:30": "2026-03-13T23:00:00Z",
		"0": "1970-01-01T00:00:00Z", "1772323200.5": "2026-03-01T00:00:00.5Z", "1772323200500": "2026-03-01T00:00:00.5Z",
		"2024-02-29": "2024-02-29T00:00:00Z",
		"":           "", "12:00:00": "", "2026-3-14": "", "2026-02-29": "", "2026-13-01": "", "2026-03-14T24:00:00": "",
		"2026-03-14T15:04": "", "2026-03-14T15:04:05+1:30": "", "-1": "", "NaN": "", "1e300": "", "2026-03-14T15:04:05.": "",
	} {
		got, err := ParseInstant(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q: got %v, want an error", text, got)
			}
		} else if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: got %v (error %v), want %s", text, got, err, want)
		}
	}
}

// FuzzSamples reads arbitrary bytes. It must not panic, it must not count more rows than there are
// lines, and every error must begin with the name of the file. The maps must not depend on how the
// bytes are divided into reads.
func FuzzSamples(f *testing.F) {
	const header = "datacenter,latitude,longitude,rtt_ms,time,weight\n"
	f.Add(header + "london,48,2,12,2026-03-01T10:00:00.5Z,3\n\"sydney\",0.5,0.5,1e2,1772323200,1\n")
	f.Add(header + "london,48,2,,0,1\nlondon,\"4\n8\",2,12,1,1\n,,,,,\n")
	empty := mustBuilder(f, BuildOptions{Clean: true, MaxBadRows: 1000})
	f.Fuzz(func(t *testing.T, text string) {
		read := func(r io.Reader) (*Builder, error) {
			b := *empty
			b.tally, b.dropped = newTally(1000, 16), make([]Cleaned, len(b.dropped))
			return &b, b.Read(r, "s.csv")
		}
		b, err := read(strings.NewReader(text))
		slow, slowErr := read(oneByteReader{strings.NewReader(text)})
		if err != nil {
			if slowErr == nil || err.Error() != slowErr.Error() || !strings.HasPrefix(err.Error(), "s.csv:") {
				t.Fatalf("got error %v\nwant that of the simple reader: %v", err, slowErr)
			}
			return
		}
		rows := b.Stats().Rows
		kept := b.Stats().BadRows + b.Stats().OutsideWindow
		if lines := strings.Count(text, "\n") + 1; rows > lines || kept > rows {
			t.Fatalf("got %d rows from %d lines, %d of them kept; want at most one row per line", rows, lines, kept)
		}
		a, again := b.Maps(), slow.Maps()
		if len(a) != len(again) {
			t.Fatalf("the same bytes give %d and %d maps, want equal numbers", len(a), len(again))
		}
		for i, m := range a {
			if m.Grid.ms != again[i].Grid.ms {
				t.Fatal("the same bytes give different maps, want equal ones")
			}
			for _, ms := range m.Grid.ms {
				if !(ms >= 0 && ms <= SampleMaxMS) {
					t.Fatalf("got a map with %v ms, want 0 to SampleMaxMS", ms)
				}
			}
		}
	})
}

type oneByteReader struct{ r io.Reader }

func (o oneByteReader) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

func BenchmarkBuild(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	known := map[string]map[int]float64{"london": {}}
	for range 1000 {
		known["london"][r.IntN(Cells)] = 250
	}
	text := samplesOf(r, known, 100)
	rows := strings.Count(text, "\n") - 1
	for b.Loop() {
		builder := mustBuilder(b, BuildOptions{Clean: true})
		if err := builder.Read(strings.NewReader(text), "s.csv"); err != nil {
			b.Fatal(err)
		}
		builder.Maps()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
}
