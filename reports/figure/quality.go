package figure

import (
	"fmt"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

const decileRow = 18

// plotQuality shows spread, wait and RTT by deciles of the attributes that rules use. It returns
// no picture if rules use no attribute that has deciles.
func plotQuality(r *result.Result, _ Coast) []chart.Plot {
	s := &r.Summary
	list := grade.RuledDeciles(s)
	if len(list) == 0 {
		return nil
	}
	p := chart.Plot{
		Name: "quality", Section: AttributesSection,
		Title:  qualityTitle(s, list),
		Note:   "tenths of the matched players by attributes that rules use; wait of all searches and RTT: bars and the numbers on their left are means, thin lines extend to the 95th percentile",
		Height: chart.HeadingHeight + chart.Margin,
	}
	const head = 50
	for _, a := range list {
		p.Height += head + float64(decileRow*float64(len(a.Deciles)))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		for _, a := range list {
			top += head
			drawDeciles(s, top, a)
			top += float64(decileRow * float64(len(a.Deciles)))
		}
	}
	return []chart.Plot{p}
}

func drawDeciles(s *chart.Canvas, top float64, a outcome.AttributeDeciles) {
	s.Text(chart.HeadFace, chart.Ink, barsLeft-10, top-8, chart.ToLeft, chart.HeadFace.ShortenName(a.Name, barsLeft-10-chart.Margin))
	column := chart.Bars{Head: "spread in their matches", Left: barsLeft, Width: 160, Row: decileRow, Rows: len(a.Deciles), Colour: chart.Purple}
	column.Value = func(i int) chart.Bar {
		spread := a.Deciles[i].SpreadMean
		if a.Deciles[i].Players == 0 {
			return chart.Bar{Label: "–"}
		}
		return chart.Bar{Value: float64(spread), Label: words.Digits(spread)}
	}
	column.Draw(s, top, func(i int) string { return words.DecileValues(&a.Deciles[i]) })
	column.Head, column.Left, column.Width, column.Colour = "wait: mean, p95", 480, 140, chart.Orange
	column.Value = func(i int) chart.Bar { return waitBar(&a.Deciles[i].Served) }
	column.Draw(s, top, nil)
	column.Head, column.Left, column.Colour = "RTT: mean, p95", 738, chart.Green
	column.Value = func(i int) chart.Bar { return rttBar(&a.Deciles[i].Served) }
	column.Draw(s, top, nil)
}

// qualityTitle says how similar players are in the first attribute, and which decile waits
// longest.
func qualityTitle(s *outcome.Summary, list []outcome.AttributeDeciles) string {
	first := slices.IndexFunc(s.Attributes, func(a outcome.Attribute) bool { return a.Name == list[0].Name })
	a := &s.Attributes[first]
	if a.Matches == 0 {
		return "No match has two players with a value"
	}
	title := fmt.Sprintf("The players of a match are %s apart in %s on average", words.Digits(a.SpreadMean), words.Name(a.Name))
	if d := grade.LongestWait(&list[0], s.Players.Matched); d != nil {
		title += fmt.Sprintf("; those with %s wait longest (%s, mean of all searches)", words.DecileValues(d), words.Seconds(d.WaitMean))
	}
	return title
}
