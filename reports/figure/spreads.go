package figure

import (
	"fmt"
	"image/color"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// spreadRow is the height of the panels of one attribute, with headings and axis.
const spreadRow = 190

// plotSpreads shows the distributions of spread and team gap of the attributes that rules use. It
// returns no picture if there are none, or all matches are in one bin.
func plotSpreads(r *result.Result, _ Coast) []chart.Plot {
	var list []outcome.Attribute
	for _, a := range r.Summary.Attributes {
		if len(a.Rules) > 0 && a.Matches > 0 && len(spreadsOf(r, a.Name, result.OfSpread)) > 1 {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return nil
	}
	first := &list[0]
	title := fmt.Sprintf("%s: the players of a match are %s apart on average, those of 5 %% of matches more than %s",
		words.Name(first.Name), words.Digits(first.SpreadMean), words.Digits(first.SpreadP95))
	if first.TeamGapMean > 0 {
		title += fmt.Sprintf("; its teams differ by %s", words.Digits(first.TeamGapMean))
	}
	return []chart.Plot{{
		Name: "spreads", Section: AttributesSection,
		Title:  title,
		Note:   "matches by how far apart their players (highest minus lowest value) and their teams (of team means) are in attributes that rules use",
		Height: chart.HeadingHeight + float64(spreadRow*float64(len(list))),
		Draw: func(s *chart.Canvas, top float64) {
			for i := range list {
				drawSpreads(s, top+float64(spreadRow*float64(i)), r, &list[i])
			}
		},
	}}
}

// spreadsOf returns the bins of one distribution.
func spreadsOf(r *result.Result, attribute, of string) (bins []result.SpreadBin) {
	return slices.DeleteFunc(slices.Clone(r.Spreads), func(b result.SpreadBin) bool { return b.Attribute != attribute || b.Of != of })
}

// drawSpreads draws the spreads of an attribute on the left, and its team gaps on the right.
func drawSpreads(s *chart.Canvas, top float64, r *result.Result, a *outcome.Attribute) {
	const middle = (chart.PlotLeft + chart.PlotRight) / 2
	gaps := spreadsOf(r, a.Name, result.OfTeamGap)
	right := float64(chart.PlotRight)
	if len(gaps) > 0 {
		right = middle - 30
		drawSpread(s, top, middle+40, chart.PlotRight, "share of matches by team gap of "+words.Printable(a.Name), chart.Sky, gaps,
			[]chart.Limit{{Name: "mean " + words.Digits(a.TeamGapMean), Value: float64(a.TeamGapMean)}})
	}
	drawSpread(s, top, chart.PlotLeft, right, "share of matches by spread of "+words.Printable(a.Name), chart.Purple, spreadsOf(r, a.Name, result.OfSpread),
		[]chart.Limit{{Name: "mean " + words.Digits(a.SpreadMean), Value: float64(a.SpreadMean)}, {Name: "95 % " + words.Digits(a.SpreadP95), Value: float64(a.SpreadP95)}})
}

func drawSpread(s *chart.Canvas, top, left, right float64, head string, colour color.RGBA, bins []result.SpreadBin, lines []chart.Limit) {
	matches, most := 0, 0
	for _, b := range bins {
		matches, most = matches+b.Matches, max(most, b.Matches)
	}
	ticks := chart.InUnit(chart.NiceTicks(100*outcome.Ratio(float64(most), float64(matches)), 3), " %")
	p := chart.Panel{Canvas: s, X: chart.Scale{Min: 0, Max: bins[len(bins)-1].To, Lo: left, Hi: right},
		Y: chart.Scale{Min: 0, Max: ticks[len(ticks)-1].Value, Lo: top + spreadRow - 34, Hi: top + 44}}
	s.Text(chart.HeadFace, chart.Ink, left-48, top+20, chart.ToRight, chart.HeadFace.Shorten(head, right-left+48))
	p.YAxis(ticks)
	var bars [][]chart.Point
	for _, b := range bins {
		bars = append(bars, p.Bar(p.X.At(b.From)+0.5, p.X.At(b.To)-0.5, p.Y.At(100*float64(b.Matches)/float64(matches))))
	}
	p.Polygons(colour, bars...)
	p.VerticalLines(lines)
	p.XAxis(chart.TicksWithin(0, p.X.Max, 6))
}
