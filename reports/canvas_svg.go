package reports

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// WriteSVG draws the picture as SVG. Equal plots give equal bytes.
func (p *Plot) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, plainSVG.Replace(p.svg(func(s *sheet) {
		s.box(paper, 0, 0, sheetWidth, p.height)
		p.paint(s)
	})))
	return err
}

// inlineSVG returns the picture as an element of a page, which writes title and note
// itself: it scales to the width it is given, carries its title for those who
// listen, and takes its greys from the custom properties of the page (--ink,
// --paper …), so that it follows the theme.
func (p *Plot) inlineSVG() string {
	drawing := p.svg(p.paintBody)
	head := strings.Index(drawing, "<svg")
	body := head + strings.Index(drawing[head:], ">") + 1
	return fmt.Sprintf(`<svg role="img" aria-label="%s" viewBox="0 %d %d %g">`,
		html.EscapeString(p.Title), headingHeight-4, sheetWidth, p.height-headingHeight+4) + themedSVG.Replace(drawing[body:])
}

func (p *Plot) svg(paint func(*sheet)) string {
	canvas := vgsvg.New(sheetWidth, vg.Length(p.height))
	paint(&sheet{Canvas: canvas, height: p.height})
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		panic("reports: svg into memory: " + err.Error())
	}
	return b.String()
}

// plainSVG names fonts of the same widths for machines without the drawn one, and
// drops what only repeats a default.
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
	for _, t := range themed {
		hex := hexColour(t.colour)
		pairs = append(pairs, hex, fmt.Sprintf("var(--%s,%s)", t.name, hex))
	}
	return pairs
}
