package figure

import (
	"fmt"
	"image/color"

	"mmsim/reports/chart"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// stateColours are the colours of IDEAL, EXPAND and WARMBODY.
var stateColours = []color.RGBA{chart.Green, chart.Orange, chart.Red}

// plotStates shows in which states players are matched through the day. It returns no picture if
// there are no states, or if all players are matched in the same one.
func plotStates(r *result.Result, _ Coast) []chart.Plot {
	if !r.Summary.HasStates() {
		return nil
	}
	states := &r.Summary.States
	inStates := states.Ideal.Matched + states.Expand.Matched + states.WarmBody.Matched
	if most := max(states.Ideal.Matched, states.Expand.Matched, states.WarmBody.Matched); most == inStates && most > 0 {
		return nil
	}
	limits := &r.Summary.Thresholds
	p := chart.Plot{
		Name:   "states",
		Title:  "No player was matched",
		Note:   "matched players by the state in which their search ended, shares of every quarter of an hour",
		Height: 476,
		Key: []chart.KeyEntry{
			{Text: fmt.Sprintf("IDEAL, within %s%s", words.Threshold(limits.Ideal), words.RTTInBrackets(&r.Summary, &states.Ideal, " (%s)")), Colour: chart.Green},
			{Text: fmt.Sprintf("EXPAND, within %s%s", words.Threshold(limits.Expand), words.RTTInBrackets(&r.Summary, &states.Expand, " (%s)")), Colour: chart.Orange},
			{Text: "WARMBODY, anywhere" + words.RTTInBrackets(&r.Summary, &states.WarmBody, " (%s)"), Colour: chart.Red},
		},
	}
	if len(r.Summary.Queues) == 0 && states.Used() {
		p.Note += "; mean RTT in brackets"
	}
	if r.Summary.Players.Matched > 0 {
		p.Title = fmt.Sprintf("%s of players match within the ideal threshold, %s after expanding it, %s as a warm body",
			words.PercentOf(states.Ideal.Matched, inStates), words.PercentOf(states.Expand.Matched, inStates), words.PercentOf(states.WarmBody.Matched, inStates))
		if share := r.Summary.Pooled(); share >= 0.0005 {
			p.Note += fmt.Sprintf("; without the %s who were matched from a pool, where players have no state", words.Percent(share))
		}
	}
	shares := func(count func(*result.Window) int) (xs, ys []float64) {
		return overWindows(r, func(w *result.Window) float64 { return float64(count(w)) / float64(w.Ideal+w.Expand+w.WarmBody) }) // NaN is a gap
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		xs, ideal := shares(func(w *result.Window) int { return w.Ideal })
		_, expand := shares(func(w *result.Window) int { return w.Expand })
		_, warmBody := shares(func(w *result.Window) int { return w.WarmBody })
		panel := dayPanel(s, r, top+32, p.Height-chart.TimeAxisHeight-8, "share of players matched", chart.PercentTicks())
		if r.Summary.Players.Matched == 0 {
			panel.Empty(noPlayers)
		}
		panel.Stack(stateColours, xs, [][]float64{ideal, expand, warmBody})
		panel.TimeAxis()
	}
	return []chart.Plot{p}
}
