package decision

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"mmsim/reports/chart"
	"mmsim/reports/fidelity"
	"mmsim/reports/figure"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// fidelityPanel is the height of a panel with its heading and its axis.
const fidelityPanel = 330

// fidelityKey is the legend of pictures that show production over the runs.
var fidelityKey = []chart.KeyEntry{{Text: "production", Colour: chart.Orange, Line: true}, {Text: "the runs of the simulation", Colour: chart.Sky}}

// Fidelity returns the pictures of production over the band of the runs: the distributions of waits and
// RTTs, and the hours of the day.
func Fidelity(r *fidelity.Result) (plots []chart.Plot) {
	if len(r.Waits.Production) > 0 && len(r.RTTs.Production) > 0 {
		plots = append(plots, fidelityDistributions(r))
	}
	return append(plots, fidelityHours(r))
}

// fidelityTitle says how far apart the distributions of two measures are.
func fidelityTitle(r *fidelity.Result) string {
	apart := func(d *fidelity.Distributions) string {
		return phrase.Share(result.Distance(d.Production, result.Pooled(d.Runs...)))
	}
	return fmt.Sprintf("Distance of the distributions: waits of first searches %s, RTTs %s", apart(&r.Waits), apart(&r.RTTs))
}

func fidelityDistributions(r *fidelity.Result) chart.Plot {
	return chart.Plot{
		Name: "distributions", Title: fidelityTitle(r), Note: "matched players; the band is between the lowest and the highest of the runs",
		Height: chart.HeadingHeight + 26 + 2*fidelityPanel, Key: fidelityKey,
		Draw: func(s *chart.Canvas, top float64) {
			for _, of := range []struct {
				d             *fidelity.Distributions
				low, longest  float64
				unit, heading string
			}{
				{&r.Waits, 0.1, 10, " s", "share of first searches with a match that wait at most"},
				{&r.RTTs, 5, 100, " ms", "share of players with an RTT of at most"},
			} {
				curves := make([]steps, 0, 1+len(of.d.Runs))
				for _, bins := range append([][]result.Bin{of.d.Production}, of.d.Runs...) {
					c := steps{}
					if c.xs, c.ys = figure.Cumulative(result.Distribution{Bins: bins}, of.low); len(c.xs) > 0 {
						curves = append(curves, c)
						of.longest = max(of.longest, c.xs[len(c.xs)-1])
					}
				}
				p := figure.SharesPanel(s, 1, top+32, top+fidelityPanel-50, of.low, of.longest, of.unit, of.heading)
				fillSteps(p, curves[1:])
				p.Steps(chart.Orange, 1.8, curves[0].xs, curves[0].ys)
				top += fidelityPanel
			}
		},
	}
}

// steps is a curve that keeps each value up to the position of the next.
type steps struct{ xs, ys []float64 }

// at returns the value at a position.
func (c *steps) at(x float64) float64 {
	i := sort.SearchFloat64s(c.xs, x)
	switch {
	case i < len(c.xs) && c.xs[i] == x:
		return c.ys[i]
	case i == 0:
		return 0
	}
	return c.ys[i-1]
}

// fillSteps fills the area between the lowest and the highest of curves.
func fillSteps(p chart.Panel, curves []steps) {
	var xs, low, high []float64
	for i := range curves {
		xs = append(xs, curves[i].xs...)
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for _, x := range xs {
		least, most := math.Inf(1), math.Inf(-1)
		for i := range curves {
			least, most = min(least, curves[i].at(x)), max(most, curves[i].at(x))
		}
		low, high = append(low, least), append(high, most)
	}
	p.Polygons(chart.Sky, slices.Concat(outline(p, xs, high, false), outline(p, xs, low, true)))
}

// outline returns the corners of steps, from left to right or back.
func outline(p chart.Panel, xs, ys []float64, back bool) (corners []chart.Point) {
	for i, x := range xs {
		if i > 0 {
			corners = append(corners, chart.Point{X: p.X.At(x), Y: p.Y.At(ys[i-1])})
		}
		corners = append(corners, chart.Point{X: p.X.At(x), Y: p.Y.At(ys[i])})
	}
	if back {
		slices.Reverse(corners)
	}
	return corners
}

// fidelityHours shows waits and matches by hour.
func fidelityHours(r *fidelity.Result) chart.Plot {
	outside := 0
	for i := range r.Hours {
		if w := &r.Hours[i].Wait; w.Production < w.Low || w.Production > w.High {
			outside++
		}
	}
	p := chart.Plot{
		Name: "hours", Title: fmt.Sprintf("In %s of the day, the mean wait of production is outside that of the runs", words.Plural(outside, "hour")),
		Note:   "all days by the hour (" + words.Zone(r.TimeZone) + ") in which the search began; the band is between the lowest and the highest of the runs",
		Height: chart.HeadingHeight + 26 + 2*fidelityPanel, Key: fidelityKey,
	}
	if outside == 0 {
		p.Title = "In every hour of the day, the mean wait of production is within that of the runs"
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		drawHours(s, top, r, "mean wait of all searches with a match", " s", func(h *fidelity.Hour) *fidelity.Spread { return &h.Wait })
		drawHours(s, top+fidelityPanel, r, "matches", "", func(h *fidelity.Hour) *fidelity.Spread { return &h.Matches })
	}
	return p
}

// drawHours draws the panel of one value by hour.
func drawHours(s *chart.Canvas, top float64, r *fidelity.Result, heading, unit string, of func(h *fidelity.Hour) *fidelity.Spread) {
	var xs, ys, highs []float64
	for i := range r.Hours {
		v := of(&r.Hours[i])
		xs, ys, highs = append(xs, float64(i)+0.5), append(ys, v.Production), append(highs, v.High)
	}
	_, highest := chart.Extent(ys, highs)
	p := chart.Ticked(s, top+32, top+fidelityPanel-50, chart.PlotRight, 0, 24, heading, chart.InUnit(chart.NiceTicks(highest, 5), unit))
	for i := range r.Hours {
		if v := of(&r.Hours[i]); v.Low <= v.High {
			x0, x1 := p.X.At(float64(i)+0.1), p.X.At(float64(i)+0.9)
			y0, y1 := p.Y.At(v.High), p.Y.At(v.Low)
			if middle := (y0 + y1) / 2; y1-y0 < 2 { // a single run, or equal ones
				y0, y1 = middle-1, middle+1
			}
			p.Rectangle(chart.Sky, x0, y0, x1, y1)
		}
	}
	p.Curve(chart.Orange, 1.8, xs, ys)
	p.HourAxis()
}

// Patience returns the picture of the shares of searches that would be cancelled by a wait. ok is false
// if none was cancelled.
func Patience(c *fidelity.Calibration) (plot chart.Plot, ok bool) {
	if len(c.KaplanMeier) == 0 || len(c.Patience) == 0 {
		return plot, false
	}
	last := c.Patience[len(c.Patience)-1]
	return chart.Plot{
		Name:   "patience",
		Title:  fmt.Sprintf("%s of searches would be cancelled by a wait of %s; %s of all were", phrase.Share(last.Share), words.Span(outcome.Seconds(last.At)), phrase.Share(c.Naive)),
		Note:   "Kaplan and Meier: searches that end otherwise are censored, with the 95 % interval (Greenwood); line: players.patience",
		Height: chart.HeadingHeight + 26 + fidelityPanel,
		Key: []chart.KeyEntry{
			{Text: "production", Colour: chart.Orange, Line: true}, {Text: "95 % interval", Colour: chart.Sky}, {Text: phrase.Setting("players.patience"), Colour: chart.Ink, Line: true},
		},
		Draw: func(s *chart.Canvas, top float64) { drawPatience(s, top, c) },
	}, true
}

func drawPatience(s *chart.Canvas, top float64, c *fidelity.Calibration) {
	var curve, low, high steps
	curve.ys, low.ys, high.ys, curve.xs = []float64{0}, []float64{0}, []float64{0}, []float64{0}
	most := 0.0
	for _, k := range c.KaplanMeier {
		curve.xs = append(curve.xs, k.At)
		curve.ys, low.ys, high.ys = append(curve.ys, 100*(1-k.Survival)), append(low.ys, 100*(1-k.High)), append(high.ys, 100*(1-k.Low))
		most = max(most, 100*(1-k.Survival))
	}
	last := curve.xs[len(curve.xs)-1]
	p := chart.Ticked(s, top+32, top+fidelityPanel-50, chart.PlotRight, 0, last, "share of searches that would be cancelled by a wait of",
		chart.InUnit(chart.NiceTicks(min(100, 1.25*most), 5), " %"))
	low.xs, high.xs = curve.xs, curve.xs
	for i := range high.ys {
		high.ys[i] = min(high.ys[i], p.Y.Max)
	}
	curve, low, high = curve.thinned(p.X), low.thinned(p.X), high.thinned(p.X)
	p.Polygons(chart.Sky, slices.Concat(outline(p, curve.xs, high.ys, false), outline(p, curve.xs, low.ys, true)))
	xs, ys := []float64{0}, []float64{0}
	for _, e := range c.Patience {
		xs, ys = append(xs, e.At), append(ys, 100*e.Share)
	}
	p.Steps(chart.Orange, 1.8, curve.xs, curve.ys)
	p.Curve(chart.Ink, 1.2, xs, ys)
	p.XAxis(chart.InUnit(chart.TicksWithin(0, last, 8), " s"))
}

// thinned leaves out steps that are too close to be distinguished.
func (c *steps) thinned(axis chart.Scale) (kept steps) {
	for i, x := range c.xs {
		if n := len(kept.xs); n > 0 && i < len(c.xs)-1 && axis.At(x)-axis.At(kept.xs[n-1]) < 0.5 {
			kept.ys[n-1] = c.ys[i]
			continue
		}
		kept.xs, kept.ys = append(kept.xs, x), append(kept.ys, c.ys[i])
	}
	return kept
}
