package chart

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// WriteSVG draws the picture as SVG. Equal plots give equal bytes.
func (p *Plot) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, plainSVG.Replace(p.svg(func(s *Canvas) {
		s.Rectangle(Paper, 0, 0, Width, p.Height)
		p.paint(s)
	})))
	return err
}

// InlineSVG returns the picture as an element of a page, without title and note, which the page
// writes itself. The element scales to the width of the page and has the title as a label for
// screen readers. It takes the colours in Themed from CSS custom properties (--ink, --paper …),
// so it follows the page's theme.
func (p *Plot) InlineSVG() string {
	drawing := p.svg(p.paintBody)
	head := strings.Index(drawing, "<svg")
	body := head + strings.Index(drawing[head:], ">") + 1
	return fmt.Sprintf(`<svg role="img" aria-label="%s" viewBox="0 %d %d %g">`,
		html.EscapeString(p.Title), HeadingHeight-4, Width, p.Height-HeadingHeight+4) + themedSVG.Replace(drawing[body:])
}

func (p *Plot) svg(paint func(*Canvas)) string {
	canvas := &svgCanvas{Canvas: vgsvg.New(Width, vg.Length(p.Height))}
	paint(&Canvas{on: canvas, height: p.Height})
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		panic("chart: svg into memory: " + err.Error())
	}
	return canvas.withWidths(b.String())
}

// svgCanvas records the widths of its texts. A machine without our font shows another one, whose
// texts may be wider and overlap bars or each other. Each text element therefore states its
// width, which vgsvg cannot write.
type svgCanvas struct {
	*vgsvg.Canvas
	widths []float64 // of the texts, in drawing order
}

func (c *svgCanvas) FillString(f font.Face, at vg.Point, text string) {
	c.widths = append(c.widths, float64(f.Width(text)))
	c.Canvas.FillString(f, at, text)
}

// withWidths adds the widths to the text elements of a drawing.
func (c *svgCanvas) withWidths(drawing string) string {
	const text = "<text "
	var b strings.Builder
	b.Grow(len(drawing) + 64*len(c.widths))
	for _, width := range c.widths {
		at := strings.Index(drawing, text) + len(text)
		fmt.Fprintf(&b, `%slengthAdjust="spacingAndGlyphs" textLength="%.4g" `, drawing[:at], width)
		drawing = drawing[at:]
	}
	b.WriteString(drawing)
	return b.String()
}

// plainSVG names more fonts that have the same widths, for machines without our font. It also
// removes properties that have their default value.
var plainSVG = strings.NewReplacer(svgFonts()...)

var themedSVG = strings.NewReplacer(append(svgFonts(), svgTheme()...)...)

func svgFonts() []string {
	const drawn, named = "font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"
	return []string{
		drawn + "font-variant:normal;font-weight:normal;font-style:normal;", named,
		drawn + "font-variant:normal;font-weight:bold;font-style:normal;", named + "font-weight:bold;",
		";stroke-dasharray:none", "", ";stroke-dashoffset:0", "",
	}
}

func svgTheme() []string {
	var pairs []string
	for _, t := range Themed {
		hex := HexColour(t.Colour)
		pairs = append(pairs, hex, fmt.Sprintf("var(--%s,%s)", t.Name, hex))
	}
	return pairs
}
