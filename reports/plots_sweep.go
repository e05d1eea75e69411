package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// WritePlots writes the pictures of a sweep as PNG and SVG: curves over one setting,
// heat maps over two, and how the first two metrics trade off.
func (s *Sweep) WritePlots(create Create) error {
	t := s.table()
	var plots []Plot
	switch varied := s.varied(); len(varied) {
	case 1:
		plots = append(plots, s.curves(t, varied[0]))
	case 2:
		for m := range t.metrics {
			plots = append(plots, s.heatMap(t, m, varied[0], varied[1]))
		}
	}
	if len(t.metrics) > 1 && len(s.Points) > 2 {
		plots = append(plots, s.tradeOff(t, 0, 1))
	}
	return writePlots(plots, create)
}

// varied lists the settings that take more than one value.
func (s *Sweep) varied() []int {
	var list []int
	for i := range s.Settings {
		if len(s.values(i)) > 1 {
			list = append(list, i)
		}
	}
	return list
}

// values lists the values of a setting in the order of the grid.
func (s *Sweep) values(setting int) []string {
	var list []string
	for _, point := range s.Points {
		if !slices.Contains(list, point.Values[setting]) {
			list = append(list, point.Values[setting])
		}
	}
	return list
}

// positions are where values stand on an axis: at their numbers or durations where
// they ascend, else one after the other.
func positions(values []string) []float64 {
	xs, ascending := make([]float64, len(values)), true
	for i, text := range values {
		x, err := strconv.ParseFloat(text, 64)
		if d, notDuration := time.ParseDuration(text); err != nil && notDuration == nil {
			x, err = d.Seconds(), nil
		}
		xs[i] = x
		ascending = ascending && err == nil && (i == 0 || x > xs[i-1])
	}
	if !ascending {
		for i := range xs {
			xs[i] = float64(i)
		}
	}
	return xs
}

// curveHeight is the height of one panel.
const curveHeight = 170

// curves shows every metric over one setting, with the 95 % interval of its mean.
func (s *Sweep) curves(t *sweepTable, setting int) Plot {
	values := s.values(setting)
	xs := positions(values)
	return Plot{
		Name:   "curves",
		Title:  s.curvesTitle(t, setting, values),
		Note:   fmt.Sprintf("mean of %s at each value%s", plural(len(s.Points[0].Runs), "run"), s.ifSeveral(", with its 95 % interval")),
		height: headingHeight + curveHeight*float64(len(t.metrics)) + margin,
		draw: func(sheet *sheet, top float64) {
			for m, name := range t.metrics {
				y := top + curveHeight*float64(m)
				drawCurve(sheet, y+26, y+curveHeight-34, name, t.units[m], xs, values, t.estimates[m])
			}
		},
	}
}

// ifSeveral is what to say of intervals where there are several runs; one has none.
func (s *Sweep) ifSeveral(says string) string {
	if len(s.Points[0].Runs) < 2 {
		return ""
	}
	return says
}

// curvesTitle says what the first metric does from the first value to the last.
func (s *Sweep) curvesTitle(t *sweepTable, setting int, values []string) string {
	es, unit := t.estimates[0], t.units[0]
	first, last := es[0].mean, es[len(es)-1].mean
	says := fmt.Sprintf("%s from %s to %s", s.Settings[setting], values[0], values[len(values)-1])
	if math.IsNaN(first) || math.IsNaN(last) {
		return says
	}
	decimals := unit.decimals(max(math.Abs(first), math.Abs(last)) / 100)
	return fmt.Sprintf("%s takes %s from %s to %s", says, t.metrics[0], unit.quantity(first, decimals, false), unit.quantity(last, decimals, false))
}

// drawCurve draws one panel.
func drawCurve(s *sheet, top, bottom float64, name string, unit Unit, xs []float64, values []string, es []estimate) {
	var ys []float64
	for _, e := range es {
		ys = append(ys, e.mean, e.low, e.high)
	}
	low, high := extent(ys)
	p := panel{s, scale{min: xs[0], max: xs[len(xs)-1], lo: plotLeft + 10, hi: plotRight - 10}, scale{lo: bottom, hi: top}}
	p.head(inUnit(name, unit))
	if low > high {
		p.nothing("nobody to describe")
		return
	}
	if low == high {
		low, high = low-math.Abs(low)/10-1e-9, high+math.Abs(high)/10+1e-9
	}
	p.y.min, p.y.max = low-(high-low)/10, high+(high-low)/10
	for _, t := range unit.ticks(p.y, 4) {
		y := p.y.at(t.value)
		p.line(grid, 1, plotLeft, y, plotRight, y)
		p.text(smallFace, muted, plotLeft-8, y+3.5, toLeft, t.label)
	}
	var ticks []tick
	var means, discsAt = make([]float64, len(es)), []disc{}
	for i, e := range es {
		ticks = append(ticks, tick{xs[i], values[i]})
		means[i] = e.mean
		x := p.x.at(xs[i])
		if !math.IsNaN(e.low) {
			p.line(sky, 3, x, p.y.at(e.low), x, p.y.at(e.high))
		}
		if !math.IsNaN(e.mean) {
			discsAt = append(discsAt, disc{point{x, p.y.at(e.mean)}, 3.5})
		}
	}
	p.curve(blue, 1.5, xs, means)
	p.discs(blue, discsAt)
	p.xAxis(ticks)
}

// inUnit names a metric with the sign of its unit.
func inUnit(name string, u Unit) string {
	if sign := u.String(); sign != "" {
		return name + " (" + sign + ")"
	}
	return name
}

// ticks are about n round numbers of the unit along an axis.
func (u Unit) ticks(a scale, n int) []tick {
	factor := 1.0
	if u == UnitShare {
		factor = 100
	}
	ticks := ticksWithin(factor*a.min, factor*a.max, n)
	for i := range ticks {
		ticks[i].value /= factor
	}
	return ticks
}
