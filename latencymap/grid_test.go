package latencymap

import (
	"bytes"
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
		{0, 180, 89, 0}, // the antimeridian is one meridian
		{0, 0, 89, 180},
		{-0.01, -0.01, 90, 179},
		{0.99, 0.99, 89, 180},
		{37.77, -122.42, 52, 57}, // San Francisco
		{51.48, 0.05, 38, 180},   // Greenwich, east
		{-33.45, -70.67, 123, 109},
	} {
		if got, want := CellOf(c.lat, c.lon), c.row*Cols+c.col; got != want {
			t.Errorf("CellOf(%v, %v) = row %d col %d, want row %d col %d", c.lat, c.lon, got/Cols, got%Cols, c.row, c.col)
		}
	}
	for cell := range Cells {
		if centre := CellCentre(cell); CellOf(centre.Lat, centre.Lon) != cell {
			t.Fatalf("centre %v of cell %d lies in cell %d", centre, cell, CellOf(centre.Lat, centre.Lon))
		}
	}
}

// binOf returns a .bin file with the given cells.
func binOf(t testing.TB, cells map[int]float32) []byte {
	t.Helper()
	var grid Grid
	for cell, ms := range cells {
		grid.ms[cell] = ms // as is: tests want broken values too
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
		0: 12.5, 1: float32(math.NaN()), 2: inf, 3: -inf, 4: -1, 5: 0, 6: math.MaxFloat32, Cells - 1: 413.25,
	})
	grid, err := ReadBin(bytes.NewReader(raw), "map")
	if err != nil {
		t.Fatal(err)
	}
	if grid.Invalid() != 4 {
		t.Errorf("%d invalid cells, want 4", grid.Invalid())
	}
	for cell, want := range map[int]float32{0: 12.5, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: math.MaxFloat32, 7: 0, Cells - 1: 413.25} {
		if ms, ok := grid.At(cell); ms != want || ok != (want > 0) {
			t.Errorf("At(%d) = %v, %v, want %v", cell, ms, ok, want)
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
			t.Errorf("%d bytes: error %v, want %q", c.size, err, c.want)
		}
	}
	_, err := ReadBin(io.MultiReader(bytes.NewReader(make([]byte, 10)), brokenReader{}), "x.bin")
	if err == nil || err.Error() != "x.bin: broken disk" {
		t.Errorf("broken disk: error %v", err)
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
			t.Fatalf("At(%d) = %v, %v, want %v", cell, ms, ok, want)
		}
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
		"16 bit":     {pngOf(t, image.NewGray16(whole)), "m.png: *image.Gray16, expected 8-bit greyscale"},
		"colour":     {pngOf(t, image.NewNRGBA(whole)), "m.png: *image.NRGBA, expected 8-bit greyscale"},
		"palette":    {pngOf(t, image.NewPaletted(whole, color.Palette{color.Black, color.White})), "m.png: *image.Paletted, expected 8-bit greyscale"},
		"truncated":  {pngOf(t, image.NewGray(whole))[:60], "m.png: damaged PNG picture: "},
		"many bytes": {make([]byte, pngBytesMax+1), "m.png: more than 1048576 bytes"},
	} {
		_, err := ReadPNG(bytes.NewReader(c.raw), "m.png")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, err := ReadPNG(brokenReader{}, "m.png"); err == nil || err.Error() != "m.png: broken disk" {
		t.Errorf("broken disk: error %v", err)
	}
}

// checkGrid verifies what every reader promises.
func checkGrid(t *testing.T, grid *Grid, err error) {
	t.Helper()
	if (grid == nil) == (err == nil) {
		t.Fatalf("grid %v with error %v", grid != nil, err)
	}
	if err != nil {
		if !strings.HasPrefix(err.Error(), "fuzz: ") {
			t.Fatalf("error %q does not name the file", err)
		}
		return
	}
	for cell := range Cells {
		ms, ok := grid.At(cell)
		if math.IsNaN(float64(ms)) || math.IsInf(float64(ms), 0) || ms < 0 || ok != (ms > 0) {
			t.Fatalf("At(%d) = %v, %v", cell, ms, ok)
		}
	}
}

// FuzzReadBin lays a few bytes over a map of the right size, or reads them as
// they are.
func FuzzReadBin(f *testing.F) {
	f.Add([]byte{}, 0, true)
	f.Add([]byte{0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0xff}, 4096, true)
	f.Add([]byte{1, 2, 3, 4}, 0, false)
	f.Fuzz(func(t *testing.T, data []byte, offset int, whole bool) {
		raw := data
		if whole {
			raw = make([]byte, binBytes)
			copy(raw[min(max(offset, 0), binBytes):], data)
		}
		grid, err := ReadBin(bytes.NewReader(raw), "fuzz")
		checkGrid(t, grid, err)
		if whole && err != nil {
			t.Fatalf("a map of the right size: %v", err)
		}
	})
}

func FuzzReadPNG(f *testing.F) {
	whole := image.Rect(0, 0, Cols, Rows)
	f.Add(pngOf(f, image.NewGray(whole)))
	f.Add(pngOf(f, image.NewGray16(whole)))
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
