package figure

import (
	"fmt"
	"image/color"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// plotRTT shows RTTs through the day and their distribution.
func plotRTT(r *result.Result) chart.Plot {
	rtt := &r.Summary.RTT
	levels, good, fair := grade.Within(&r.Summary)
	p := chart.Plot{
		Name:   "rtt",
		Title:  "No player was matched, so there are no RTTs",
		Note:   "round-trip time of players to the datacenter where they play; above: by quarter of an hour; below: by RTT",
		Height: 706,
		Key:    percentileKey(),
	}
	if rtt.Count > 0 {
		p.Title = fmt.Sprintf("%s of players get %s or better, %s get %s or better; the mean RTT is %s",
			words.Percent(good), words.Threshold(levels.Good), words.Percent(fair), words.Threshold(levels.Fair), words.Millis(rtt.Mean))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		panel := percentilePanel(s, r, top+32, top+292, rttRight, "RTT in milliseconds", rtt.Count, [3]func(*result.Window) float64{
			func(w *result.Window) float64 { return float64(w.RTTP50) },
			func(w *result.Window) float64 { return float64(w.RTTP90) },
			func(w *result.Window) float64 { return float64(w.RTTP99) },
		})
		panel.HorizontalLines(limits(levels.ForReaders(&r.Summary)))
		rttHistogram(s, r, &levels, top+416, p.Height-42)
	}
	return p
}

// rttRight is the right edge of the panels. It leaves room for the names of the limits.
const rttRight = chart.PlotRight - 78

// rttBars is the maximum number of bars in the RTT histogram.
const rttBars = 60

// rttHistogram draws a histogram of RTTs in the colours of the map. The axis ends at about the
// 99.5th percentile, or at the limit good if that is higher. The last bar also counts all higher
// RTTs.
func rttHistogram(s *chart.Canvas, r *result.Result, levels *grade.RTTs, top, bottom float64) {
	bars, width := Rebin(r.Distribution(result.MeasureRTT).Bins)
	end := max(width*float64(len(bars)), float64(levels.Good))
	xs, shares := make([]float64, len(bars)), make([]float64, len(bars))
	for i, n := range bars {
		xs[i], shares[i] = width*(float64(i)+0.5), 100*outcome.Ratio(float64(n), float64(r.Summary.RTT.Count))
	}
	ticks := chart.InUnit(chart.NiceTicks(highest(shares), 4), " %")
	p := chart.NewPanel(s, top, bottom, rttRight, 0, end, ticks[len(ticks)-1].Value)
	p.HeadOverLimits(histogramHead(r, bars, width))
	if r.Summary.RTT.Count > 0 {
		p.YAxis(ticks)
	} else {
		p.Empty(noPlayers)
	}
	classes := levels.Classes()
	p.Columns(width, 1, xs, [][]float64{shares}, func(_, i int) color.RGBA { return chart.Ramp[classes.Of(xs[i])] })
	if r.Summary.RTT.Count > 0 {
		p.VerticalLines(limits(levels.ForReaders(&r.Summary)))
	}
	p.XAxis(slices.DeleteFunc(chart.InUnit(chart.NiceTicks(end, 10), " ms"), func(t chart.Tick) bool { return t.Value > p.X.Max }))
}

// histogramHead names the axis of the histogram. If there are RTTs beyond the last bar, it says that
// this bar includes them.
func histogramHead(r *result.Result, bars []int, width float64) string {
	head := fmt.Sprintf("share of players in steps of %g ms", width)
	last := width * float64(len(bars)-1)
	switch {
	case r.Summary.RTT.Count == 0:
		return "share of players by RTT"
	case float64(r.Summary.RTT.Max) > last+width:
		head += fmt.Sprintf("; the last bar includes everything above %g ms", last)
	}
	return head
}

// Rebin joins bins into bars of equal width, which is a round number of ms up to 100. There are at
// most rttBars bars, unless that takes a larger width. The last bar includes the 0.5 % of players
// with the highest values.
func Rebin(bins []result.Bin) (bars []int, width float64) {
	total := 0
	for _, b := range bins {
		total += b.Players
	}
	below, limit := 0, 0.0
	for _, b := range bins {
		below += b.Players
		limit = b.To
		if float64(below) >= 0.995*float64(total) {
			break
		}
	}
	width = 1
	for _, w := range [...]float64{1, 2, 5, 10, 20, 50, 100} {
		width = w
		if limit/w <= rttBars {
			break
		}
	}
	n := max(1, int((limit+width-1)/width))
	bars = make([]int, n)
	for _, b := range bins {
		bars[min(int(b.From/width), n-1)] += b.Players
	}
	return bars, width
}

// plotBest shows the distributions of RTTs and of how much higher they are than the player's lowest
// RTT to any datacenter.
func plotBest(r *result.Result) chart.Plot {
	delta := &r.Summary.DeltaRTT
	p := chart.Plot{
		Name:   "rtt-best",
		Title:  "No player was matched, so there are no RTTs",
		Note:   "round-trip time to the datacenter where players play, and how much of it they would not have in their best datacenter",
		Height: queuePlotHeight,
		Key:    []chart.KeyEntry{{Text: "RTT", Colour: chart.Ink, Line: true}, {Text: "RTT minus the player's lowest RTT to any datacenter", Colour: chart.Sky, Line: true}},
	}
	if r.Summary.RTT.Count > 0 {
		p.Title = fmt.Sprintf("Half of the players play within %s of their best datacenter, 95 %% within %s", words.Millis(delta.P50), words.Millis(delta.P95))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		most := highest([]float64{100, float64(r.Summary.RTT.Max)})
		panel := SharesPanel(s, r.Summary.RTT.Count, top+32, queuePlotHeight-42, 1, most, " ms", "share of players with at most")
		for i, measure := range [...]result.Measure{result.MeasureRTT, result.MeasureDeltaRTT} {
			xs, ys := Cumulative(r.Distribution(measure), 1)
			panel.Steps(p.Key[i].Colour, 1.8, xs, ys)
		}
	}
	return p
}

// This does not compile unless chart.Ramp has a colour for every class.
var _ [grade.ClassCount]color.RGBA = chart.Ramp

// classKey returns the legend of the RTT classes.
func classKey(c grade.RTTClasses) []chart.KeyEntry {
	var key []chart.KeyEntry
	for i, name := range c.Names() {
		if name != "" {
			key = append(key, chart.KeyEntry{Text: name, Colour: chart.Ramp[i]})
		}
	}
	return key
}

// limits returns the two RTT limits as lines to draw in a panel.
func limits(r grade.RTTs) []chart.Limit {
	return []chart.Limit{
		{Name: r.GoodName + " " + words.Threshold(r.Good), Value: float64(r.Good)},
		{Name: r.FairName + " " + words.Threshold(r.Fair), Value: float64(r.Fair)},
	}
}
