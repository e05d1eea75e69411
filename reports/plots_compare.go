package reports

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/result"
)

// Rows and columns of the plot of differences.
const (
	differenceRow   = 19
	differenceLeft  = 190 // names of the metrics stand left of it
	differenceRight = 640 // words stand right of it
)

// PlotComparison writes the differences of the headline as differences.png and .svg.
func PlotComparison(c *judge.Comparison, create result.Create) error {
	plot := plotDifferences(c)
	return writePlots([]Plot{plot}, create)
}

// plotDifferences shows every difference of the headline with its interval, in percent
// of A, so that waits and RTTs stand on one scale. What is 0 in A has no percentage and
// is left out.
func plotDifferences(c *judge.Comparison) Plot {
	var list []*judge.Difference
	for _, d := range judge.Headlines(c) {
		if d.A != 0 && !math.IsNaN(float64(d.Difference)) {
			list = append(list, d)
		}
	}
	p := Plot{
		Name:   "differences",
		Title:  strings.TrimSuffix(judge.ComparisonConclusion(c), "."),
		Note:   "difference of B from A in percent of A, with its 95 % interval (one without an end reaches beyond the axis): " + smallFace.shorten(fmt.Sprintf("A is %s, B is %s", c.A, c.B), 360),
		height: headingHeight + 64 + differenceRow*float64(max(1, len(list))) + margin,
		key: []keyEntry{
			{text: "better", colour: green}, {text: "worse", colour: red},
			{text: "higher or lower", colour: blue}, {text: "not shown", colour: rule},
		},
	}
	p.draw = func(s *sheet, top float64) { drawDifferences(s, top, list) }
	return p
}

func drawDifferences(s *sheet, top float64, list []*judge.Difference) {
	ticks := niceTicks(reachOf(list), 3)
	most := ticks[len(ticks)-1].value
	bottom := top + 8 + differenceRow*float64(max(1, len(list)))
	p := panel{s, scale{min: -most, max: most, lo: differenceLeft, hi: differenceRight}, scale{lo: bottom, hi: top}}
	if len(list) == 0 {
		s.text(textFace, muted, margin, top+20, toRight, "nothing to compare in percent")
		return
	}
	var both []tick
	for i := len(ticks) - 1; i > 0; i-- {
		both = append(both, tick{-ticks[i].value, "-" + ticks[i].label + " %"})
	}
	for i, t := range ticks {
		label := "0"
		if i > 0 {
			label = "+" + t.label + " %"
		}
		both = append(both, tick{t.value, label})
	}
	for _, t := range both {
		s.line(grid, 1, p.x.at(t.value), top, p.x.at(t.value), bottom)
	}
	s.line(ink, 1, p.x.at(0), top, p.x.at(0), bottom)
	p.xAxis(both)
	for i, d := range list {
		p.difference(d, top+8+differenceRow*float64(i))
	}
}

// reachOf is how far the axis must reach to either side: to every interval that is more
// than chance, and where there is none, to every difference. Wider ones are cut.
func reachOf(list []*judge.Difference) float64 {
	shown, all := 0.0, 0.0
	for _, d := range list {
		low, high := differencePercents(d)
		if d.Verdict.Shown() {
			shown = max(shown, -low, high)
		}
		all = max(all, math.Abs(low+high)/2)
	}
	if shown > 0 {
		return shown
	}
	return all
}

// difference draws one row below y.
func (p panel) difference(d *judge.Difference, y float64) {
	middle, base := y+differenceRow/2-2, y+differenceRow/2+2
	p.text(smallFace, ink, differenceLeft-10, base, toLeft, smallFace.shorten(d.Name, differenceLeft-10-margin))
	low, high := differencePercents(d)
	c := verdictColour(d.Verdict)
	cut := func(percent float64) float64 { return p.x.at(min(max(percent, p.x.min), p.x.max)) }
	p.line(c, 2, cut(low), middle, cut(high), middle)
	for _, end := range [...]float64{low, high} {
		if end >= p.x.min && end <= p.x.max {
			p.line(c, 2, p.x.at(end), middle-4, p.x.at(end), middle+4)
		}
	}
	if at := (low + high) / 2; at >= p.x.min && at <= p.x.max {
		p.discs(c, []disc{{point{p.x.at(at), middle}, 4}})
	}
	row := judge.DifferenceCells(d)
	p.text(smallFace, ink, differenceRight+16, base, toRight, row[1]+" → "+row[2])
	p.text(smallFace, muted, sheetWidth-margin, base, toLeft, string(d.Verdict))
}

// differencePercents is the interval in percent of A; without an interval, the difference itself.
func differencePercents(d *judge.Difference) (low, high float64) {
	low, high = float64(d.Low), float64(d.High)
	if math.IsNaN(low) {
		low, high = float64(d.Difference), float64(d.Difference)
	}
	a := math.Abs(float64(d.A)) / 100
	return low / a, high / a
}

// verdictColour of a verdict in pictures.
func verdictColour(v judge.Verdict) color.RGBA {
	switch v {
	case judge.VerdictBetter:
		return green
	case judge.VerdictWorse:
		return red
	case judge.VerdictHigher, judge.VerdictLower:
		return blue
	}
	return rule
}
