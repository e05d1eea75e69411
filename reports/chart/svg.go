package chart

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// WriteSVG draws the picture as SVG. Equal plots give equal bytes.
func (p *Plot) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, plainSVG.Replace(p.svg(nil, func(s *Canvas) {
		s.Rectangle(Paper, 0, 0, Width, p.Height)
		p.paint(s)
	})))
	return err
}

// Inline returns the picture as an SVG element of a page, without title and note, which the page
// writes itself, and what the picture shows in numbers. The element scales to the width of the page
// and has the title, or else the note, as a label for screen readers. The page's style sheet must set
// the font of its texts, mirror them (scale(1,-1)), because y grows upwards in the drawing, and set the
// CSS custom properties of the colours in Themed (--ink, --paper …), so that the picture follows the
// page's theme.
func (p *Plot) Inline() (svg string, shown []Shown) {
	r := &record{}
	drawing := p.svg(r, p.paintBody)
	head := strings.Index(drawing, "<svg")
	body := head + strings.Index(drawing[head:], ">") + 1
	return fmt.Sprintf(`<svg role="img" aria-label="%s" viewBox="0 %d %d %g">`,
		html.EscapeString(cmp.Or(p.Title, p.Note)), HeadingHeight-4, Width, p.Height-HeadingHeight+4) + themedSVG.Replace(drawing[body:]), r.finished()
}

func (p *Plot) svg(r *record, paint func(*Canvas)) string {
	canvas := &svgCanvas{Canvas: vgsvg.New(Width, vg.Length(p.Height))}
	paint(&Canvas{on: canvas, height: p.Height, record: r, bands: p.Bands, ahead: p.Ahead})
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		panic("chart: svg into memory: " + err.Error())
	}
	var groups []string
	if r != nil {
		groups = r.groups
	}
	return canvas.completed(b.String(), groups)
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

// completed adds the widths to the text elements of a drawing, and the attributes to its groups.
func (c *svgCanvas) completed(drawing string, groups []string) string {
	const text, group = "<text ", `<g transform="translate(0, 0)">`
	var b strings.Builder
	b.Grow(len(drawing) + 64*len(c.widths))
	for line := range strings.Lines(drawing) {
		switch {
		case strings.HasPrefix(line, text):
			fmt.Fprintf(&b, `%slengthAdjust="spacingAndGlyphs" textLength="%.4g" %s`, text, c.widths[0], line[len(text):])
			c.widths = c.widths[1:]
		case strings.HasPrefix(line, group):
			fmt.Fprintf(&b, "<g %s>%s", groups[0], line[len(group):])
			groups = groups[1:]
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

const drawnFont = "font-family:Liberation Sans;"

// plainSVG names more fonts that have the same widths, for machines without our font. It also
// removes properties that have their default value.
var plainSVG = strings.NewReplacer(svgDefaults("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")...)

var themedSVG = strings.NewReplacer(append(svgDefaults(""), svgTheme()...)...)

func svgDefaults(fonts string) []string {
	return []string{
		drawnFont + "font-variant:normal;font-weight:normal;font-style:normal;", fonts,
		drawnFont + "font-variant:normal;font-weight:bold;font-style:normal;", fonts + "font-weight:bold;",
		";stroke-dasharray:none", "", ";stroke-dashoffset:0", "",
	}
}

func svgTheme() []string {
	pairs := []string{"\n\tstyle", " style", ` transform="scale(1, -1)"`, ""}
	for _, t := range Themed {
		pairs = append(pairs, HexColour(t.Colour), themed(t.Colour))
	}
	return pairs
}

// themed returns a colour as a page writes it: the custom property if it has one.
func themed(c color.RGBA) string {
	for _, t := range Themed {
		if t.Colour == c {
			return "var(--" + t.Name + ")"
		}
	}
	return HexColour(c)
}
