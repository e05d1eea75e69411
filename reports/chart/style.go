package chart

import (
	"fmt"
	"image/color"
	"sort"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Colours of all pictures. Those of data are the palette of Okabe and Ito, which
// stays apart for colour-blind eyes; everything else keeps out of its way.
var (
	Paper = RGB(0xFFFFFF)
	Ink   = RGB(0x1B2733) // titles and names
	Muted = RGB(0x5A6875) // everything that explains
	Rule  = RGB(0x9AA5B1) // axes
	Grid  = RGB(0xE4E8EC)
	Land  = RGB(0xE6E3DB)
	band  = RGB(0xEEF1F4) // evenings, backgrounds of bars

	Blue   = RGB(0x0072B2)
	Sky    = RGB(0x56B4E9)
	Green  = RGB(0x009E73)
	Orange = RGB(0xE69F00)
	Red    = RGB(0xD55E00)
	Purple = RGB(0xCC79A7)
)

// Themed names the colours that the page replaces in its dark form.
var Themed = []struct {
	Name   string
	Colour color.RGBA
}{
	{"paper", Paper}, {"ink", Ink}, {"muted", Muted}, {"rule", Rule},
	{"grid", Grid}, {"land", Land}, {"band", band}, {"blue", Blue}, {"sky", Sky},
	{"best", Ramp[0]}, {"worst", Ramp[len(Ramp)-1]},
}

// Ramp go from good to bad: blues within the first of two limits, yellows within
// the second, reds beyond. Warm colours darken as they worsen, so that
// the order survives every kind of colour blindness and a grey print.
var Ramp = [...]color.RGBA{
	RGB(0x2166AC), RGB(0x74ADD1), RGB(0xF3CF5B), RGB(0xEE9336), RGB(0xD14A2B), RGB(0x7F1B3C),
}

func RGB(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// HexColour is the colour as SVG and CSS write it.
func HexColour(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// Typeface is a weight and a size of the one font family of all pictures.
type Typeface struct {
	bold bool
	size float64 // in units of the canvas
}

var (
	titleFace = Typeface{bold: true, size: 17}
	HeadFace  = Typeface{bold: true, size: 11.5}
	TextFace  = Typeface{size: 11.5}
	SmallFace = Typeface{size: 10.5}
	TinyFace  = Typeface{size: 9}
)

// liberation holds the regular and the bold font, parsed when first needed.
var liberation = sync.OnceValue(func() [2]*opentype.Font {
	var fonts [2]*opentype.Font
	for i, ttf := range [][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			panic("chart: embedded font: " + err.Error())
		}
		fonts[i] = parsed
	}
	return fonts
})

func (t Typeface) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(t.size)}
	if t.bold {
		f.Weight = xfont.WeightBold
		return font.Face{Font: f, Face: liberation()[1]}
	}
	return font.Face{Font: f, Face: liberation()[0]}
}

// Width of a text in units of the canvas.
func (t Typeface) Width(text string) float64 {
	face := t.face()
	return float64(face.Width(text))
}

// fit returns the typeface, made smaller if the text would be wider than limit.
func (t Typeface) fit(text string, limit float64) Typeface {
	if w := t.Width(text); w > limit {
		t.size *= limit / w
	}
	return t
}

// Shorten cuts a text that is wider than limit and marks the cut.
func (t Typeface) Shorten(text string, limit float64) string {
	if t.Width(text) <= limit {
		return text
	}
	runes := []rune(text)
	kept := sort.Search(len(runes), func(n int) bool { return t.Width(string(runes[:n+1])+"…") > limit })
	return strings.TrimRight(string(runes[:kept]), " ") + "…"
}
