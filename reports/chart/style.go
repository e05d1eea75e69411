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

// Colours of all pictures. Data are drawn in the palette of Okabe and Ito, which colour-blind
// readers can distinguish. All other colours are muted, so that they do not compete with the data.
var (
	Paper = RGB(0xFFFFFF)
	Ink   = RGB(0x1B2733) // titles and names
	Muted = RGB(0x5A6875) // notes and labels
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

// Themed lists the colours that have a CSS custom property, so that they follow the page's theme.
var Themed = []struct {
	Name   string
	Colour color.RGBA
}{
	{"paper", Paper}, {"ink", Ink}, {"muted", Muted}, {"rule", Rule},
	{"grid", Grid}, {"land", Land}, {"band", band}, {"blue", Blue}, {"sky", Sky},
	{"best", Ramp[0]}, {"worst", Ramp[len(Ramp)-1]},
}

// Ramp is a scale of colours from good to bad: blues within the first of two limits, yellows
// within the second, reds beyond. The warm colours become darker towards bad, so that the order
// is visible to all colour-blind readers and in print without colours.
var Ramp = [...]color.RGBA{
	RGB(0x2166AC), RGB(0x74ADD1), RGB(0xF3CF5B), RGB(0xEE9336), RGB(0xD14A2B), RGB(0x7F1B3C),
}

func RGB(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// HexColour returns a colour in the notation of SVG and CSS, such as #1B2733.
func HexColour(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// Typeface is a weight and a size of the font that all pictures use.
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

// liberation returns the regular and the bold font. It parses them once.
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

// Width returns the width of text in units of the canvas.
func (t Typeface) Width(text string) float64 {
	face := t.face()
	return float64(face.Width(text))
}

// smallestFit is the smallest share of its size to which fit reduces a typeface.
const smallestFit = 0.7

// fit returns the typeface, smaller if the text would otherwise be wider than limit. It shortens
// text that would be too small to read.
func (t Typeface) fit(text string, limit float64) (Typeface, string) {
	if w := t.Width(text); w > limit {
		t.size *= max(smallestFit, limit/w)
	}
	return t, t.Shorten(text, limit+1)
}

// ShortenName replaces the middle of a name that is wider than limit by an ellipsis, because long
// names of one kind often differ only at their ends.
func (t Typeface) ShortenName(name string, limit float64) string {
	if t.Width(name) <= limit {
		return name
	}
	runes := []rune(name)
	kept := func(n int) string { return string(runes[:(n+1)/2]) + "…" + string(runes[len(runes)-n/2:]) }
	n := sort.Search(len(runes), func(n int) bool { return t.Width(kept(n)) > limit })
	return kept(max(0, n-1))
}

// Shorten cuts off text that is wider than limit and ends it with an ellipsis.
func (t Typeface) Shorten(text string, limit float64) string {
	if t.Width(text) <= limit {
		return text
	}
	runes := []rune(text)
	kept := sort.Search(len(runes), func(n int) bool { return t.Width(string(runes[:n+1])+"…") > limit })
	return strings.TrimRight(string(runes[:kept]), " ") + "…"
}
