package resulttest

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"

	"mmsim/reports/chart"
)

// textCanvas records the texts of a picture and their boxes.
type textCanvas struct {
	*vgsvg.Canvas
	boxes []chart.Box
	texts []string
}

func (c *textCanvas) FillString(f font.Face, at vg.Point, text string) {
	x, y := float64(at.X), float64(at.Y)
	size := float64(f.Font.Size)
	c.boxes = append(c.boxes, chart.Box{X0: x, Y0: y - float64(0.15*size), X1: x + float64(f.Width(text)), Y1: y + float64(0.65*size)})
	c.texts = append(c.texts, text)
}

// TextFaults lists the texts of a picture that leave the canvas or overlap another text.
func TextFaults(p *chart.Plot) (faults []string) {
	c := &textCanvas{Canvas: vgsvg.New(chart.Width, vg.Length(p.Height))}
	p.DrawOn(c)
	for i, box := range c.boxes {
		if box.X0 < 0 || box.Y0 < 0 || box.X1 > chart.Width || box.Y1 > p.Height {
			faults = append(faults, fmt.Sprintf("%s: %q at %v leaves the canvas", p.Name, c.texts[i], box))
		}
		if k := slices.IndexFunc(c.boxes[:i], box.Touches); k >= 0 {
			faults = append(faults, fmt.Sprintf("%s: %q and %q overlap", p.Name, c.texts[k], c.texts[i]))
		}
	}
	return faults
}
