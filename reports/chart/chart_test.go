package chart

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestEncodePNG(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, size := range []image.Point{{1, 1}, {3, 5}, {640, 2}, {200, 100}} {
		m := image.NewRGBA(image.Rectangle{Max: size})
		for i := range m.Pix {
			m.Pix[i] = byte(rng.Uint32())
			if i%4 == 3 {
				m.Pix[i] = 0xFF
			}
		}
		var file bytes.Buffer
		if err := encodePNG(&file, m); err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(&file)
		if err != nil {
			t.Fatalf("%v: %v", size, err)
		}
		if got.Bounds() != m.Bounds() {
			t.Fatalf("%v: got bounds %v of the decoded PNG, want those of the picture", size, got.Bounds())
		}
		for y := range size.Y {
			for x := range size.X {
				if got.At(x, y) != m.At(x, y) {
					t.Fatalf("%v: pixel %d,%d: got %v, want %v", size, x, y, got.At(x, y), m.At(x, y))
				}
			}
		}
	}
}

// A NaN point must be rejected: the rasteriser would never return.
func TestPictureRefusesNaN(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("drawing a picture with NaN: want a panic")
		}
	}()
	bad := Plot{Name: "bad", Height: 10, Draw: func(s *Canvas, _ float64) {
		var path vg.Path
		path.Move(vg.Point{X: vg.Length(math.NaN())})
		s.on.Stroke(path)
	}}
	_ = bad.WritePNG(io.Discard)
}

// Every text of an SVG states its width, so that it is equally wide in any font.
func TestTextsKeepTheirWidth(t *testing.T) {
	p := Plot{Name: "texts", Title: "<text & more", Note: "note", Height: 100, Draw: func(s *Canvas, _ float64) {
		s.Text(SmallFace, Ink, 10, 90, ToRight, "iiii")
	}}
	var file bytes.Buffer
	if err := p.WriteSVG(&file); err != nil {
		t.Fatal(err)
	}
	widths := regexp.MustCompile(`<text lengthAdjust="spacingAndGlyphs" textLength="([0-9.]+)"`).FindAllStringSubmatch(file.String(), -1)
	if len(widths) != 3 {
		t.Fatalf("got %d texts with a width, want 3:\n%s", len(widths), &file)
	}
	if got, want := widths[2][1], fmt.Sprintf("%.4g", SmallFace.Width("iiii")); got != want {
		t.Errorf("last text: got width %s, want %s", got, want)
	}
}

// Negative numbers have a minus sign; hyphens in names stay.
func TestMinusSign(t *testing.T) {
	p := Plot{Height: 100, Draw: func(s *Canvas, top float64) {
		for _, text := range []string{"-1.61 to -.5", "eu-1 (-3)", "2026-01-05", "a-5"} {
			s.Text(TextFace, Ink, 0, top, ToRight, text)
		}
	}}
	svg, _ := p.Inline()
	for _, want := range []string{">−1.61 to −.5<", ">eu-1 (−3)<", ">2026-01-05<", ">a-5<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture has no text %s", want)
		}
	}
}
