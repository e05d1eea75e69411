package reports

import (
	"image/color"
	"math"

	"mmsim/reports/grade"
	"mmsim/reports/words"
)

// A scale maps values to positions along an axis.
type scale struct {
	min, max float64 // values at the ends
	lo, hi   float64 // positions of the ends
	log      bool    // equal ratios are equal lengths; values below min stand at min
}

func (a scale) at(v float64) float64 {
	if a.log {
		return a.lo + (a.hi-a.lo)*math.Log(max(v, a.min)/a.min)/math.Log(a.max/a.min)
	}
	return a.lo + (a.hi-a.lo)*(v-a.min)/(a.max-a.min)
}

// A panel is one coordinate system on a sheet. Panels are placed by hand rather
// than by a plotting package, because those that share an axis must line up.
type panel struct {
	*sheet
	x, y scale
}

// plotLeft and plotRight are where the data of a panel of full width begins and
// ends; numbers of the y axis stand left of it.
const (
	plotLeft  = 72
	plotRight = sheetWidth - margin
)

// newPanel lays a panel between top and bottom that ends at right. The values of x
// go from x0 to x1, those of y from 0 to yMax.
func newPanel(s *sheet, top, bottom, right, x0, x1, yMax float64) panel {
	return panel{s,
		scale{min: x0, max: x1, lo: plotLeft, hi: right},
		scale{min: 0, max: yMax, lo: bottom, hi: top},
	}
}

// headHeight is the distance of the name of a panel from its data.
const headHeight = 14

// head names what the y axis shows, above it and upright.
func (p panel) head(text string) {
	p.text(headFace, ink, margin, p.y.hi-headHeight, toRight, text)
}

// yAxis draws a line through the panel at every tick, labelled on the left.
func (p panel) yAxis(ticks []tick) {
	for _, t := range ticks {
		y := p.y.at(t.value)
		p.line(grid, 1, p.x.lo, y, p.x.hi, y)
		p.text(smallFace, muted, p.x.lo-8, y+3.5, toLeft, t.label)
	}
}

// xAxis draws the base line with ticks and labels below it. Labels that would
// touch the one before are left out.
func (p panel) xAxis(ticks []tick) {
	base := p.y.lo
	free := math.Inf(-1)
	for _, t := range ticks {
		x := p.x.at(t.value)
		p.line(rule, 1, x, base, x, base+4)
		half := smallFace.width(t.label) / 2
		if x-half < free {
			continue
		}
		p.text(smallFace, muted, x, base+16, centred, t.label)
		free = x + half + 6
	}
	p.line(rule, 1, p.x.lo, base, p.x.hi, base)
}

// curve draws a line through the values; NaN interrupts it, and a value alone
// between two gaps is a dot.
func (p panel) curve(c color.RGBA, width float64, xs, ys []float64) {
	var run []point
	flush := func() {
		if len(run) == 1 {
			p.discs(c, []disc{{run[0], width}})
		}
		p.stroke(c, width, run)
		run = run[:0]
	}
	for i, y := range ys {
		if math.IsNaN(y) {
			flush()
			continue
		}
		run = append(run, point{p.x.at(xs[i]), p.y.at(y)})
	}
	flush()
}

// stack fills areas on top of each other: layers[k][i] is the height of layer k at
// xs[i]. Where the first layer is NaN there is nothing.
func (p panel) stack(colours []color.RGBA, xs []float64, layers [][]float64) {
	for start := 0; start < len(xs); {
		end := start
		for end < len(xs) && !math.IsNaN(layers[0][end]) {
			end++
		}
		if end-start > 1 {
			p.stackRun(colours, xs[start:end], layers, start)
		}
		start = end + 1
	}
}

func (p panel) stackRun(colours []color.RGBA, xs []float64, layers [][]float64, start int) {
	floor := make([]float64, len(xs))
	for k, layer := range layers {
		outline := make([]point, 0, 2*len(xs))
		for i := len(xs) - 1; i >= 0; i-- {
			outline = append(outline, point{p.x.at(xs[i]), p.y.at(floor[i])})
		}
		for i := range xs {
			floor[i] += layer[start+i]
			outline = append(outline, point{p.x.at(xs[i]), p.y.at(floor[i])})
		}
		p.fill(colours[k], outline)
	}
}

// limit is a named RTT that a panel shows as a dashed line.
type limit struct {
	name  string
	value float64 // ms
}

func limits(r *grade.RTTs) []limit {
	return []limit{
		{r.GoodName + " " + words.Threshold(r.Good), float64(r.Good)},
		{r.FairName + " " + words.Threshold(r.Fair), float64(r.Fair)},
	}
}

// nothing says that there is nothing to draw.
func (p panel) nothing(why string) {
	p.text(textFace, muted, (p.x.lo+p.x.hi)/2, (p.y.lo+p.y.hi)/2, centred, why)
}

// levels draws limits across the panel, named to the right of it. Lines close
// together keep their names apart.
func (p panel) levels(limits []limit) {
	free := math.Inf(1)
	for _, l := range limits {
		if l.value > p.y.max {
			continue
		}
		y := p.y.at(l.value)
		p.line(ink, 1, p.x.lo, y, p.x.hi, y, 5, 4)
		name := min(y+3.5, free)
		p.text(smallFace, ink, p.x.hi+6, name, toRight, l.name)
		free = name - 13
	}
}

// uprights draws limits from top to bottom, named above the panel.
func (p panel) uprights(limits []limit) {
	free := math.Inf(-1)
	for _, l := range limits {
		if l.value > p.x.max {
			continue
		}
		x := p.x.at(l.value)
		p.line(ink, 1, x, p.y.hi-4, x, p.y.lo, 5, 4)
		name := max(x+4, free)
		p.text(smallFace, ink, name, p.y.hi-5, toRight, l.name)
		free = name + smallFace.width(l.name) + 8
	}
}
