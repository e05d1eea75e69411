package figure

import (
	"fmt"
	"image/color"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotCCU shows the number of players online through the day, by activity.
func plotCCU(r *result.Result) chart.Plot {
	ccu := &r.Summary.CCU
	p := chart.Plot{
		Name:   "ccu",
		Title:  "No player was online",
		Note:   "concurrent users (CCU) by activity: playing, between matches, searching",
		Height: 476,
		Key:    []chart.KeyEntry{{Text: "playing", Colour: chart.Blue}, {Text: "between matches", Colour: chart.Sky}, {Text: "searching", Colour: chart.Red}},
	}
	if ccu.Peak > 0 {
		p.Title = fmt.Sprintf("%s online at the peak (%s), %s on average; %s of them search at any moment",
			words.Plural(ccu.Peak, "player"), words.Clock(ccu.PeakAt, words.Zone(r.Summary.Run.TimeZone)), words.MeanCount(float64(ccu.Mean)),
			words.Percent(outcome.RoundShare(outcome.Ratio(float64(ccu.SearchingMean), float64(ccu.Mean)))))
	}
	xs, playing := OverMinutes(r, maxPoints, func(m *result.Minute) int { return m.Playing })
	_, between := OverMinutes(r, maxPoints, func(m *result.Minute) int { return m.Between })
	_, searching := OverMinutes(r, maxPoints, (*result.Minute).Searching)
	layers := [][]float64{playing, between, searching}
	colours := []color.RGBA{chart.Blue, chart.Sky, chart.Red}
	if ccu.BotsMean > 0 {
		_, bots := OverMinutes(r, maxPoints, func(m *result.Minute) int { return m.Bots })
		layers, colours = append(layers, bots), append(colours, chart.Purple)
		p.Key = append(p.Key, chart.KeyEntry{Text: "playing against bots (not part of CCU)", Colour: chart.Purple})
	}
	if n := len(r.Series); n > 0 && float64(r.Series[n-1].T+result.MinuteLength) >= r.Span() { // draw the last minute to its end
		xs = append(xs, r.Span())
		for i, layer := range layers {
			layers[i] = append(layer, layer[len(layer)-1])
		}
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		sum := make([]float64, len(xs))
		for _, layer := range layers {
			for i, v := range layer {
				sum[i] += v
			}
		}
		ticks := chart.NiceTicks(max(highest(sum), 7), 7)
		panel := dayPanel(s, r, top+32, p.Height-chart.TimeAxisHeight-8, "players", ticks)
		panel.Stack(colours, xs, layers)
		panel.TimeAxis()
	}
	return p
}
