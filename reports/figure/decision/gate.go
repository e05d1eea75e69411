package decision

import (
	"fmt"
	"image/color"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
)

// Layout of the picture of limits.
const (
	limitLeft      = 290 // the names of metrics are to the left
	limitRight     = 560 // texts are to the right
	limitValueLeft = 576
	limitBoundLeft = 656
)

// limitRowsMax is the maximum number of rows with the same verdict for a limit with stars.
const limitRowsMax = 8

// limitRow is a limit in the picture of a gate. value, low and high are distances from the limit as
// shares of it, above 0 beyond it. They are NaN if they are not known.
type limitRow struct {
	*judge.LimitResult
	value, low, high float64
}

// Gate returns the picture of a gate: how far every value and its interval are from the limit.
// Its title names the limit that is broken most, or else the closest one. A gate with fewer than two
// limits needs no picture.
func Gate(g *judge.GateResult) []chart.Plot {
	rows := limitRows(g)
	if len(rows) < 2 {
		return nil
	}
	p := chart.Plot{
		Name:   "gate",
		Title:  phrase.Gate(g),
		Note:   "distance of the value, or of its change, from the limit, with 95 % intervals, in percent of the limit; right of the line is beyond it; triangles are beyond the axis",
		Height: chart.HeadingHeight + 60 + float64(differenceRow*float64(len(rows))) + chart.Margin/2,
		Key: []chart.KeyEntry{
			{Text: "held", Colour: chart.Green}, {Text: "broken", Colour: chart.Red}, {Text: "undecided", Colour: chart.Orange},
		},
	}
	if worst := closest(rows); worst != nil && g.Count(judge.LimitBroken) == 0 {
		where := "closest to its limit"
		if worst.value > 0 {
			where = "farthest beyond its limit"
		}
		p.Title += fmt.Sprintf("; %s: %s, %s (%s)", where, phrase.Metric(worst.Metric), valueOf(worst.LimitResult), phrase.Bound(worst.LimitResult))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		panel := limitPanel(s, top, rows)
		var cells []chart.Cell
		for i := range rows {
			y, l := top+8+float64(differenceRow*float64(i)), rows[i].LimitResult
			drawLimit(panel, &rows[i], y)
			cells = append(cells, chart.Cell{Box: chart.Box{X0: chart.Margin, Y0: y - 2, X1: chart.Width - chart.Margin, Y1: y + differenceRow - 2}, Texts: []string{
				phrase.Metric(l.Metric), valueOf(l), phrase.Bound(l), phrase.Interval(l), string(l.Verdict),
			}})
		}
		s.Cells("limits", []string{"", "value", "limit", "95 % interval", "verdict"}, cells)
	}
	return []chart.Plot{p}
}

// limitRows returns the rows of the picture: the broken limits first, then the undecided and the
// held ones. Skipped limits have no row. A limit with stars has a row for the held metric that is
// closest to it, and for the worst of the others.
func limitRows(g *judge.GateResult) (rows []limitRow) {
	for _, verdict := range []judge.LimitVerdict{judge.LimitBroken, judge.LimitUndecided, judge.LimitHeld} {
		for _, line := range g.Lines() {
			members, most := line.With(verdict), limitRowsMax
			if verdict == judge.LimitHeld {
				most = 1
			}
			for i := range members[:min(len(members), most)] {
				rows = append(rows, distanceOf(&members[i]))
			}
		}
	}
	return rows
}

// distanceOf returns the row of a limit. The distance from a limit of 0 is a share of the distance
// that is farthest from it.
func distanceOf(l *judge.LimitResult) limitRow {
	x, bound, sign := float64(l.Value), float64(l.Bound), 1.0
	if l.Kind.IsChange() {
		x = float64(l.Difference)
		if l.Relative {
			bound *= math.Abs(float64(l.Baseline))
		}
	}
	switch l.Kind {
	case judge.LimitMin:
		sign = -1
	case judge.LimitMaxDecrease:
		sign, bound = -1, -bound
	}
	r := limitRow{l, sign * (x - bound), sign * (float64(l.Low) - bound), sign * (float64(l.High) - bound)}
	if sign < 0 {
		r.low, r.high = r.high, r.low
	}
	unit := math.Abs(bound)
	if unit == 0 {
		unit = r.reach()
	}
	if unit > 0 {
		r.value, r.low, r.high = r.value/unit, r.low/unit, r.high/unit
	}
	return r
}

// reach returns the largest of the distances that are known, to either side.
func (r *limitRow) reach() float64 {
	low, high := chart.Extent([]float64{0, r.value, r.low, r.high})
	return max(-low, high)
}

// closest returns the row that is farthest beyond its limit, or closest to it if all are within.
// It returns nil if no value is known.
func closest(rows []limitRow) (worst *limitRow) {
	for i := range rows {
		if r := &rows[i]; !math.IsNaN(r.value) && (worst == nil || r.value > worst.value) {
			worst = r
		}
	}
	return worst
}

// limitPanel draws the axis. It extends to every interval, but at most to 100 %.
func limitPanel(s *chart.Canvas, top float64, rows []limitRow) chart.Panel {
	reach := 0.0
	for i := range rows {
		reach = max(reach, rows[i].reach())
	}
	ticks := chart.NiceTicks(100*min(max(reach, 0.01), 1), 2)
	return balancedPanel(s, top, len(rows), limitLeft, limitRight, ticks, [3]string{"%s %% within", "limit", "%s %% beyond"}, 5, 4)
}

// drawLimit draws the row of one limit at y.
func drawLimit(p chart.Panel, r *limitRow, y float64) {
	middle, base, c := y+differenceRow/2-2, y+differenceRow/2+2, limitColour(r.Verdict)
	p.Text(chart.SmallFace, chart.Ink, limitLeft-10, base, chart.ToLeft, chart.SmallFace.ShortenName(phrase.Metric(r.Metric), limitLeft-10-chart.Margin))
	drawInterval(p, c, middle, 100*r.value, 100*r.low, 100*r.high)
	const room = chart.Width - chart.Margin - 60 - limitBoundLeft
	p.Text(chart.SmallFace, chart.Ink, limitValueLeft, base, chart.ToRight, chart.SmallFace.Shorten(valueOf(r.LimitResult), limitBoundLeft-limitValueLeft-6))
	p.Text(chart.SmallFace, chart.Muted, limitBoundLeft, base, chart.ToRight, chart.SmallFace.Shorten(phrase.Bound(r.LimitResult), room))
	p.Text(chart.SmallFace, chart.Muted, chart.Width-chart.Margin, base, chart.ToLeft, string(r.Verdict))
}

// valueOf returns the value, or its change from the baseline, or why there is none.
func valueOf(l *judge.LimitResult) string {
	if l.Reason != "" {
		return l.Reason
	}
	if change := phrase.Change(l); change[1] != "" {
		return change[1]
	}
	return phrase.Measured(l)
}

func limitColour(v judge.LimitVerdict) color.RGBA {
	switch v {
	case judge.LimitHeld:
		return chart.Green
	case judge.LimitBroken:
		return chart.Red
	}
	return chart.Orange
}
