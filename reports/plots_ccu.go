package reports

import (
	"fmt"
	"image/color"
	"math"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotCCU shows who is online through the day and what they do.
func plotCCU(r *result.Result) Plot {
	ccu := &r.Summary.CCU
	p := Plot{
		Name:   "ccu",
		Title:  "Nobody was online",
		Note:   "concurrent users (CCU) by what they do: playing, between matches, searching",
		height: 476,
		key:    []keyEntry{{"playing", blue, false}, {"between matches", sky, false}, {"searching", red, false}},
	}
	if ccu.Peak > 0 {
		p.Title = fmt.Sprintf("%s players online at the peak (%s), %s on average; %s of them search at any moment",
			words.Thousands(ccu.Peak), words.Clock(ccu.PeakAt), words.Thousands(int(math.Round(float64(ccu.Mean)))),
			words.Percent(outcome.RoundShare(outcome.Ratio(float64(ccu.SearchingMean), float64(ccu.Mean)))))
	}
	xs, playing := overMinutes(r, maxPoints, func(m *result.Minute) int { return m.Playing })
	_, between := overMinutes(r, maxPoints, func(m *result.Minute) int { return m.Between })
	_, searching := overMinutes(r, maxPoints, (*result.Minute).Searching)
	layers := [][]float64{playing, between, searching}
	colours := []color.RGBA{blue, sky, red}
	if ccu.BotsMean > 0 {
		_, bots := overMinutes(r, maxPoints, func(m *result.Minute) int { return m.Bots })
		layers, colours = append(layers, bots), append(colours, purple)
		p.key = append(p.key, keyEntry{"playing against bots (not part of CCU)", purple, false})
	}
	p.draw = func(s *sheet, top float64) {
		sum := make([]float64, len(xs))
		for _, layer := range layers {
			for i, v := range layer {
				sum[i] += v
			}
		}
		ticks := niceTicks(max(highest(sum), 7), 7)
		panel := newPanel(s, top+32, p.height-timeAxisHeight-8, plotRight, 0, r.Span(), ticks[len(ticks)-1].value)
		panel.head("players")
		panel.yAxis(ticks)
		panel.stack(colours, xs, layers)
		panel.timeAxis()
	}
	return p
}
