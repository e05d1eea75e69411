package reports

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

	"mmsim/reports/grade"
)

// Colours of all pictures. Those of data are the palette of Okabe and Ito, which
// stays apart for colour-blind eyes; everything else keeps out of its way.
var (
	paper = rgb(0xFFFFFF)
	ink   = rgb(0x1B2733) // titles and names
	muted = rgb(0x5A6875) // everything that explains
	rule  = rgb(0x9AA5B1) // axes
	grid  = rgb(0xE4E8EC)
	land  = rgb(0xE6E3DB)
	band  = rgb(0xEEF1F4) // evenings, backgrounds of bars

	blue   = rgb(0x0072B2)
	sky    = rgb(0x56B4E9)
	green  = rgb(0x009E73)
	orange = rgb(0xE69F00)
	red    = rgb(0xD55E00)
	purple = rgb(0xCC79A7)
)

// themed names the colours that the page replaces in its dark form.
var themed = []struct {
	name   string
	colour color.RGBA
}{
	{"paper", paper}, {"ink", ink}, {"muted", muted}, {"rule", rule},
	{"grid", grid}, {"land", land}, {"band", band}, {"blue", blue}, {"sky", sky},
	{"best", rttColours[0]}, {"worst", rttColours[len(rttColours)-1]},
}

// rttColours go from good to bad: blues within the first limit of RTTs, yellows within
// the second, reds beyond. Warm colours darken as they worsen, so that
// the order survives every kind of colour blindness and a grey print.
var rttColours = [grade.ClassCount]color.RGBA{
	rgb(0x2166AC), rgb(0x74ADD1), rgb(0xF3CF5B), rgb(0xEE9336), rgb(0xD14A2B), rgb(0x7F1B3C),
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// hexColour is the colour as SVG and CSS write it.
func hexColour(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// typeface is a weight and a size of the one font family of all pictures.
type typeface struct {
	bold bool
	size float64 // in units of the sheet
}

var (
	titleFace = typeface{bold: true, size: 17}
	headFace  = typeface{bold: true, size: 11.5}
	textFace  = typeface{size: 11.5}
	smallFace = typeface{size: 10.5}
	tinyFace  = typeface{size: 9}
)

// liberation holds the regular and the bold font, parsed when first needed.
var liberation = sync.OnceValue(func() [2]*opentype.Font {
	var fonts [2]*opentype.Font
	for i, ttf := range [][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			panic("reports: embedded font: " + err.Error())
		}
		fonts[i] = parsed
	}
	return fonts
})

func (t typeface) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(t.size)}
	if t.bold {
		f.Weight = xfont.WeightBold
		return font.Face{Font: f, Face: liberation()[1]}
	}
	return font.Face{Font: f, Face: liberation()[0]}
}

// width of a text in units of the sheet.
func (t typeface) width(text string) float64 {
	face := t.face()
	return float64(face.Width(text))
}

// fit returns the typeface, made smaller if the text would be wider than limit.
func (t typeface) fit(text string, limit float64) typeface {
	if w := t.width(text); w > limit {
		t.size *= limit / w
	}
	return t
}

// shorten cuts a text that is wider than limit and marks the cut.
func (t typeface) shorten(text string, limit float64) string {
	if t.width(text) <= limit {
		return text
	}
	runes := []rune(text)
	kept := sort.Search(len(runes), func(n int) bool { return t.width(string(runes[:n+1])+"…") > limit })
	return strings.TrimRight(string(runes[:kept]), " ") + "…"
}
