package figure

import (
	"fmt"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotSearches shows how many searches begin in a minute through the day and, if there are any, how
// many players leave without a match.
func plotSearches(r *result.Result) chart.Plot {
	const panel = 330 // height of a panel with its heading and its axis
	key := []chart.KeyEntry{{Text: "joins", Colour: chart.Blue, Line: true}, {Text: "returns after a match", Colour: chart.Orange, Line: true}}
	p := chart.Plot{
		Name:   "searches",
		Title:  "No search began",
		Note:   "searches that begin in a minute: first searches of players who join, and searches of players who return after a match",
		Height: chart.HeadingHeight + 18 + panel,
		Key:    key,
	}
	busiest, most, lost := 0, 0, 0
	for i := range r.Series {
		m := &r.Series[i]
		if n := m.Joins + m.Returns; n > most {
			busiest, most = i, n
		}
		lost = max(lost, m.Failed)
	}
	if most > 0 {
		p.Section = SearchesSection // a page of nothing does not have it
		m := &r.Series[busiest]
		p.Title = fmt.Sprintf("%s searches begin in the busiest minute (%s): %s joins and %s returns", words.Thousands(most), words.Clock(outcome.Seconds(m.T), words.Zone(r.Summary.Run.TimeZone)), words.Thousands(m.Joins), words.Thousands(m.Returns))
	}
	if lost > 0 {
		p.Height += panel
		p.Note += "; below: players who leave without a match"
		p.Key = append(p.Key, chart.KeyEntry{Text: "leave without a match", Colour: chart.Red, Line: true})
	}
	xs, joins := OverMinutes(r, maxPoints, func(m *result.Minute) int { return m.Joins })
	_, returns := OverMinutes(r, maxPoints, func(m *result.Minute) int { return m.Returns })
	_, failed := OverMinutes(r, maxPoints, func(m *result.Minute) int { return m.Failed })
	p.Draw = func(s *chart.Canvas, top float64) {
		above := dayPanel(s, r, top+32, top+panel-chart.TimeAxisHeight-24, "searches that begin in a minute", chart.NiceTicks(max(highest(joins, returns), 7), 6))
		above.TimeAxis()
		above.Curve(chart.Orange, 1.8, xs, returns)
		above.Curve(chart.Blue, 1.8, xs, joins)
		if lost > 0 {
			below := dayPanel(s, r, top+panel+32, top+2*panel-chart.TimeAxisHeight-24, "players who leave without a match in a minute", chart.NiceTicks(highest(failed), 4))
			below.TimeAxis()
			below.Curve(chart.Red, 1.8, xs, failed)
		}
	}
	return p
}
