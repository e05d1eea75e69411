package latencymap

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
)

func TestCellOf(t *testing.T) {
	for _, c := range []struct {
		lat, lon float64
		row, col int
	}{
		{89.5, -179.5, 0, 0},
		{90, -180, 0, 0},
		{-90, -180, 179, 0},
		{-89.01, 179.99, 179, 359},
		{0, 180, 89, 0}, // both are the antimeridian
		{0, 0, 89, 180},
		{-0.01, -0.01, 90, 179},
		{0.99, 0.99, 89, 180},
		{37.77, -122.42, 52, 57}, // San Francisco
		{51.48, 0.05, 38, 180},   // just east of Greenwich
		{-33.45, -70.67, 123, 109},
	} {
		if got, want := CellOf(c.lat, c.lon), c.row*Cols+c.col; got != want {
			t.Errorf("CellOf(%v, %v): got row %d col %d, want row %d col %d", c.lat, c.lon, got/Cols, got%Cols, c.row, c.col)
		}
	}
	for cell := range Cells {
		if centre := CellCentre(cell); CellOf(centre.Lat, centre.Lon) != cell {
			t.Fatalf("the centre %v of cell %d is in cell %d", centre, cell, CellOf(centre.Lat, centre.Lon))
		}
	}
}

// binOf returns a .bin file with the given cells.
func binOf(t testing.TB, cells map[int]float32) []byte {
	t.Helper()
	var grid Grid
	for cell, ms := range cells {
		grid.ms[cell] = ms // unchecked, because some tests need invalid values
	}
	var b bytes.Buffer
	if err := WriteBin(&b, &grid); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadBin(t *testing.T) {
	inf := float32(math.Inf(1))
	raw := binOf(t, map[int]float32{
		0: 12.5, 1: float32(math.NaN()), 2: inf, 3: -inf, 4: -1, 5: 0, 6: SampleMaxMS, Cells - 1: 413.25,
	})
	grid, err := ReadBin(bytes.NewReader(raw), "map")
	if err != nil {
		t.Fatal(err)
	}
	if grid.Invalid() != 4 {
		t.Errorf("got %d invalid cells, want 4", grid.Invalid())
	}
	for cell, want := range map[int]float32{0: 12.5, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: SampleMaxMS, 7: 0, Cells - 1: 413.25} {
		if ms, ok := grid.At(cell); ms != want || ok != (want > 0) {
			t.Errorf("At(%d): got %v, %v, want %v", cell, ms, ok, want)
		}
	}
}

// A sample that is too large for an RTT means that the file uses another unit.
func TestReadBinRefusesHighSamples(t *testing.T) {
	for ms, want := range map[float32]string{
		4000.5:          "x.bin: row 52, column 57 (counted from 0): 4000.5 ms, expected at most 4000 ms",
		150_000:         "x.bin: row 52, column 57 (counted from 0): 150000 ms, expected at most 4000 ms",
		math.MaxFloat32: "x.bin: row 52, column 57 (counted from 0): 3.4028235e+38 ms, expected at most 4000 ms",
	} {
		_, err := ReadBin(bytes.NewReader(binOf(t, map[int]float32{0: 20, 52*Cols + 57: ms})), "x.bin")
		if err == nil || err.Error() != want {
			t.Errorf("%v ms: got error %v, want %s", ms, err, want)
		}
	}
}

func TestReadBinSize(t *testing.T) {
	for _, c := range []struct {
		size int
		want string
	}{
		{0, "maps/x.bin: 0 bytes, expected exactly 259200"},
		{1, "maps/x.bin: 1 bytes, expected exactly 259200"},
		{binBytes - 1, "maps/x.bin: 259199 bytes, expected exactly 259200"},
		{binBytes + 1, "maps/x.bin: more than 259200 bytes"},
		{3 * binBytes, "maps/x.bin: more than 259200 bytes"},
	} {
		_, err := ReadBin(bytes.NewReader(make([]byte, c.size)), "maps/x.bin")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%d bytes: got error %v, want prefix %q", c.size, err, c.want)
		}
	}
	_, err := ReadBin(io.MultiReader(bytes.NewReader(make([]byte, 10)), brokenReader{}), "x.bin")
	if err == nil || err.Error() != "x.bin: broken disk" {
		t.Errorf("reader that fails: got error %v, want x.bin: broken disk", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }

var errBroken = errorText("broken disk")

type errorText string

func (e errorText) Error() string { return string(e) }

func pngOf(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadPNG(t *testing.T) {
	picture := image.NewGray(image.Rect(0, 0, Cols, Rows))
	picture.SetGray(0, 0, color.Gray{Y: 1})
	picture.SetGray(359, 179, color.Gray{Y: 255})
	picture.SetGray(57, 52, color.Gray{Y: 42})
	grid, err := ReadPNG(bytes.NewReader(pngOf(t, picture)), "map.png")
	if err != nil {
		t.Fatal(err)
	}
	for cell := range Cells {
		want := map[int]float32{0: 1, Cells - 1: 255, 52*Cols + 57: 42}[cell]
		if ms, ok := grid.At(cell); ms != want || ok != (want > 0) {
			t.Fatalf("At(%d): got %v, %v, want %v", cell, ms, ok, want)
		}
	}
}

// pngOfGrey returns a black map with depth bits per pixel and additional chunks before its pixels.
// The encoder of the standard library cannot write such files.
func pngOfGrey(t testing.TB, depth byte, chunks ...[]byte) []byte {
	t.Helper()
	var pixels bytes.Buffer
	zip := zlib.NewWriter(&pixels)
	if _, err := zip.Write(make([]byte, Rows*(1+Cols*int(depth)/8))); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, Cols), Rows)
	raw := append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", append(header, depth, 0, 0, 0, 0))...)
	for _, chunk := range chunks {
		raw = append(raw, chunk...)
	}
	return append(append(raw, pngChunk("IDAT", pixels.Bytes())...), pngChunk("IEND", nil)...)
}

func pngChunk(kind string, body []byte) []byte {
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), kind...)
	chunk = append(chunk, body...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// A valid map from pngOfGrey can be read, so the errors below are about the kind of picture.
func TestReadWrittenPNG(t *testing.T) {
	if _, err := ReadPNG(bytes.NewReader(pngOfGrey(t, 8)), "m.png"); err != nil {
		t.Error(err)
	}
}

func TestReadPNGErrors(t *testing.T) {
	whole := image.Rect(0, 0, Cols, Rows)
	tiny := pngOf(t, image.NewGray(image.Rect(0, 0, 8, 8)))
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"empty":      {nil, "m.png: not a PNG picture: "},
		"text":       {[]byte("12:00:00,1,2"), "m.png: not a PNG picture: "},
		"small":      {tiny, "m.png: 8x8 pixels, expected 360x180"},
		"turned":     {pngOf(t, image.NewGray(image.Rect(0, 0, Rows, Cols))), "m.png: 180x360 pixels, expected 360x180"},
		"16 bit":     {pngOf(t, image.NewGray16(whole)), "m.png: 16-bit greyscale, expected 8-bit greyscale"},
		"colour":     {pngOf(t, image.NewNRGBA(whole)), "m.png: 8-bit colour with transparency, expected 8-bit greyscale"},
		"palette":    {pngOf(t, image.NewPaletted(whole, color.Palette{color.Black, color.White})), "m.png: 1-bit palette, expected 8-bit greyscale"},
		"1 bit":      {pngOfGrey(t, 1), "m.png: 1-bit greyscale, expected 8-bit greyscale"},
		"2 bit":      {pngOfGrey(t, 2), "m.png: 2-bit greyscale, expected 8-bit greyscale"},
		"4 bit":      {pngOfGrey(t, 4), "m.png: 4-bit greyscale, expected 8-bit greyscale"},
		"shade":      {pngOfGrey(t, 8, pngChunk("tRNS", []byte{0, 7})), "m.png: 8-bit greyscale with a transparent shade, expected none"},
		"truncated":  {pngOf(t, image.NewGray(whole))[:60], "m.png: damaged PNG picture: "},
		"many bytes": {make([]byte, MaxPNGBytes+1), "m.png: larger than 1 MiB (limit MaxPNGBytes), expected a picture of 360x180"},
	} {
		_, err := ReadPNG(bytes.NewReader(c.raw), "m.png")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want prefix %q", name, err, c.want)
		}
	}
	if _, err := ReadPNG(brokenReader{}, "m.png"); err == nil || err.Error() != "m.png: broken disk" {
		t.Errorf("reader that fails: got error %v, want m.png: broken disk", err)
	}
}

// checkGrid verifies what every reader guarantees.
func checkGrid(t *testing.T, grid *Grid, err error) {
	t.Helper()
	if (grid == nil) == (err == nil) {
		t.Fatalf("got a grid: %v, with error %v, want exactly one of them", grid != nil, err)
	}
	if err != nil {
		if !strings.HasPrefix(err.Error(), "fuzz: ") {
			t.Fatalf("got error %q, want prefix fuzz:", err)
		}
		return
	}
	for cell := range Cells {
		ms, ok := grid.At(cell)
		if math.IsNaN(float64(ms)) || ms < 0 || ms > SampleMaxMS || ok != (ms > 0) {
			t.Fatalf("At(%d): got %v, %v, want 0 to SampleMaxMS, and true above 0", cell, ms, ok)
		}
	}
}

// FuzzReadBin reads a few bytes, alone or in the middle of a map of the right size.
func FuzzReadBin(f *testing.F) {
	f.Add([]byte{}, 0, true)
	f.Add([]byte{0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0xff}, 4096, true)
	f.Add([]byte{1, 2, 3, 4}, 0, false)
	f.Add([]byte{0, 0, 0x7a, 0x46}, 52, true)
	f.Fuzz(func(t *testing.T, data []byte, offset int, whole bool) {
		raw := data
		if whole {
			raw = make([]byte, binBytes)
			copy(raw[min(max(offset, 0), binBytes):], data)
		}
		grid, err := ReadBin(bytes.NewReader(raw), "fuzz")
		checkGrid(t, grid, err)
		if whole && err != nil && !strings.Contains(err.Error(), "expected at most 4000 ms") {
			t.Fatalf("a map of the right size: got error %v, want none except for too high values", err)
		}
	})
}

func FuzzReadPNG(f *testing.F) {
	whole := image.Rect(0, 0, Cols, Rows)
	f.Add(pngOf(f, image.NewGray(whole)))
	f.Add(pngOf(f, image.NewGray16(whole)))
	f.Add(pngOfGrey(f, 4))
	f.Add(pngOf(f, image.NewGray(image.Rect(0, 0, 2, 2))))
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		grid, err := ReadPNG(bytes.NewReader(data), "fuzz")
		checkGrid(t, grid, err)
	})
}

func BenchmarkReadBin(b *testing.B) {
	raw := binOf(b, map[int]float32{100: 20})
	b.SetBytes(binBytes)
	for b.Loop() {
		if _, err := ReadBin(bytes.NewReader(raw), "map"); err != nil {
			b.Fatal(err)
		}
	}
}
