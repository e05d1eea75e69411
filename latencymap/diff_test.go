package latencymap

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func gridOf(cells map[int]float32) *Grid {
	grid := new(Grid)
	for cell, ms := range cells {
		grid.ms[cell] = ms
	}
	return grid
}

func TestCompare(t *testing.T) {
	a := gridOf(map[int]float32{1: 10, 2: 20, 3: 300, 4: 40, 100: 5})
	b := gridOf(map[int]float32{1: 10, 2: 26, 3: 270, 4: 44, 7: 6, 8: 6})
	d := Compare(a, b)
	want := Difference{
		Cells: []CellDifference{{1, 10, 10}, {2, 20, 26}, {3, 300, 270}, {4, 40, 44}},
		OnlyA: 1, OnlyB: 2,
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	figures := DifferenceFigures{Bias: -5, Mean: 10, Median: 4, P95: 30, Changed: 1}
	if diff := cmp.Diff(figures, d.Figures(6)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]CellDifference{{3, 300, 270}, {2, 20, 26}}, d.Largest(2)); diff != "" {
		t.Error(diff)
	}
	if n := len(d.Largest(9)); n != 3 {
		t.Errorf("Largest(9): got %d cells, want the 3 that differ", n)
	}
	d.Add(Compare(b, a))
	if f := d.Figures(6); f.Bias != 0 || f.Changed != 2 || d.OnlyA != 3 || len(d.Cells) != 8 {
		t.Errorf("compared with the arguments exchanged and joined: got %+v, want no bias and 2 changed cells", f)
	}
	none := Compare(new(Grid), a)
	if none.Figures(0) != (DifferenceFigures{}) || none.Largest(3) != nil || none.OnlyB != 5 {
		t.Errorf("maps without a common cell: got %+v, want no differences and 5 cells only in B", none)
	}
}

// TestForms writes random maps in both formats and reads them back. A .bin map must come back
// unchanged, and a PNG may be off by at most half a millisecond. A PNG compared with its original
// must have no larger differences, even for values above 255 ms.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	grid := new(Grid)
	for range 2000 {
		grid.ms[r.IntN(Cells)] = 1 + r.Float32()*400
	}
	grid.ms[7], grid.ms[8], grid.ms[9] = 0.01, 254.4, SampleMaxMS
	for _, name := range []string{"latency_x.bin", "latency_x.png"} {
		var file bytes.Buffer
		if err := WriteMap(&file, name, grid); err != nil {
			t.Fatal(err)
		}
		again, err := ReadMap(&file, name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".bin") && again.ms != grid.ms {
			t.Error("the .bin map that was read differs from the one written")
		}
		d := Compare(grid, again)
		if d.OnlyA != 0 || d.OnlyB != 0 || len(d.Cells) < 1900 {
			t.Errorf("%s: got %d common cells, %d and %d in one map only; want at least 1900 and none", name, len(d.Cells), d.OnlyA, d.OnlyB)
		}
		for _, c := range d.Cells {
			if math.Abs(c.Delta()) > 0.5 && c.Cell != 7 { // a PNG stores 0.01 ms as 1 ms
				t.Errorf("%s: got difference %+v, want at most 0.5 ms except in cell 7", name, c)
			}
		}
		if strings.HasSuffix(name, ".png") && (again.ms[7] != 1 || again.ms[8] != 254 || again.ms[9] != 255) {
			t.Errorf("got shades %v, want 1, 254 and 255", again.ms[7:10])
		}
	}
	if err := WriteMap(new(bytes.Buffer), "x.gif", grid); err == nil || !strings.Contains(err.Error(), ".bin or .png") {
		t.Errorf("WriteMap of a .gif: got error %v, want that the name must end in .bin or .png", err)
	}
	if _, err := ReadMap(new(bytes.Buffer), "x.gif"); err == nil {
		t.Error("ReadMap accepted a .gif file, want an error")
	}
}

func TestCounts(t *testing.T) {
	counts := new(Counts)
	counts[3], counts[4], counts[5] = 7, 255, 1_000_000
	var bin, png bytes.Buffer
	if err := counts.WriteBin(&bin); err != nil {
		t.Fatal(err)
	}
	if err := counts.WritePNG(&png); err != nil {
		t.Fatal(err)
	}
	if n := bin.Len(); n != binBytes {
		t.Errorf("got %d bytes, want binBytes", n)
	}
	for cell, want := range map[int]float32{2: 0, 3: 7, 4: 255, 5: 1e6} {
		raw := bin.Bytes()[4*cell:]
		if got := math.Float32frombits(uint32(raw[0]) | uint32(raw[1])<<8 | uint32(raw[2])<<16 | uint32(raw[3])<<24); got != want {
			t.Errorf("cell %d: got %v, want %v", cell, got, want)
		}
	}
	grid, err := ReadPNG(&png, "counts")
	if err != nil || !slices.Equal(grid.ms[2:6], []float32{0, 7, 255, 255}) {
		t.Errorf("got shades %v (error %v), want 0, 7, 255 and 255", grid.ms[2:6], err)
	}
}

func TestReadMaps(t *testing.T) {
	var picture bytes.Buffer
	if err := WritePNG(&picture, gridOf(map[int]float32{5: 50})); err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{
		"latency_paris.bin": {Data: binOf(t, map[int]float32{5: 12})}, "latency_berlin.png": {Data: picture.Bytes()},
		"counts_paris.bin": {Data: binOf(t, nil)}, "latency_rome.jpg": {}, "datacenters.csv": {},
	}
	maps, err := ReadMaps(folder, "maps")
	if err != nil || len(maps) != 2 || maps[0].Datacenter != "berlin" || maps[1].Datacenter != "paris" ||
		maps[0].Grid.ms[5] != 50 || maps[1].Grid.ms[5] != 12 {
		t.Errorf("got %d maps (error %v), want berlin and paris with their values", len(maps), err)
	}
	folder["latency_paris.png"] = folder["latency_berlin.png"]
	if _, err := ReadMaps(folder, "maps"); err == nil || !strings.HasPrefix(err.Error(), "maps/latency_paris.png: ") {
		t.Errorf("two maps of one datacenter: got error %v, want prefix maps/latency_paris.png:", err)
	}
}
