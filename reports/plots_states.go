package reports

import (
	"fmt"
	"image/color"

	"mmsim/reports/result"
	"mmsim/reports/words"
)

// stateColours are those of IDEAL, EXPAND and WARMBODY.
var stateColours = []color.RGBA{green, orange, red}

// plotStates shows in which state players match through the day.
func plotStates(r *result.Result) Plot {
	states := &r.Summary.States
	limits := &r.Summary.Thresholds
	p := Plot{
		Name:   "states",
		Title:  "Nobody was matched",
		Note:   "players matched by the state in which their search ended, shares of every quarter of an hour; mean RTT in brackets",
		height: 476,
		key: []keyEntry{
			{fmt.Sprintf("IDEAL, within %s%s", words.Threshold(limits.Ideal), words.RTTInBrackets(&states.Ideal, " (%s)")), green, false},
			{fmt.Sprintf("EXPAND, within %s%s", words.Threshold(limits.Expand), words.RTTInBrackets(&states.Expand, " (%s)")), orange, false},
			{"WARMBODY, anywhere" + words.RTTInBrackets(&states.WarmBody, " (%s)"), red, false},
		},
	}
	if r.Summary.Players.Matched > 0 {
		p.Title = fmt.Sprintf("%s match within the ideal threshold, %s after expanding it, %s as a warm body",
			words.Percent(states.Ideal.Share), words.Percent(states.Expand.Share), words.Percent(states.WarmBody.Share))
	}
	shares := func(count func(*result.Window) int) (xs, ys []float64) {
		return overWindows(r, func(w *result.Window) float64 { return float64(count(w)) / float64(w.Matched) })
	}
	p.draw = func(s *sheet, top float64) {
		xs, ideal := shares(func(w *result.Window) int { return w.Ideal })
		_, expand := shares(func(w *result.Window) int { return w.Expand })
		_, warmBody := shares(func(w *result.Window) int { return w.WarmBody })
		panel := newPanel(s, top+32, p.height-timeAxisHeight-8, plotRight, 0, r.Span(), 1)
		panel.head("share of players matched")
		panel.yAxis(percentTicks())
		panel.stack(stateColours, xs, [][]float64{ideal, expand, warmBody})
		panel.timeAxis()
	}
	return p
}
