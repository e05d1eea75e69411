package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"strings"
	"unicode"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// queueColours are the colours of queues. They repeat if there are more queues.
var queueColours = [...]color.RGBA{chart.Blue, chart.Orange, chart.Purple, chart.Green, chart.Red, chart.Sky}

// queuePlotHeight is the height of a picture with a curve for each queue.
const queuePlotHeight = 440

// plotQueueWaits shows, for each queue, the cumulative distribution of the waits of first
// searches.
func plotQueueWaits(r *result.Result) chart.Plot {
	return plotQueues(r, result.MeasureWaitFirst, chart.Plot{
		Name:  "wait-time",
		Title: cmp.Or(words.QueueWaits(r.Summary.Queues), "No player was matched, so there are no waits"),
		Note:  "time from the start of a first search to the start of the match, by queue; searches without a match are not included",
	}, "share of first searches with a match that wait at most", " s", shortestWait, 10, func(q *outcome.QueueStats) float64 { return float64(q.WaitFirst.Max) })
}

// plotQueueRTTs shows, for each queue, the cumulative distribution of RTTs.
func plotQueueRTTs(r *result.Result) chart.Plot {
	return plotQueues(r, result.MeasureRTT, chart.Plot{
		Name:  "rtt",
		Title: cmp.Or(words.QueueRTTs(r.Summary.Queues), "No player was matched, so there are no RTTs"),
		Note:  "round-trip time of players to the datacenter where they play, by queue",
	}, "share of players with an RTT of at most", " ms", 1, 100, func(q *outcome.QueueStats) float64 { return float64(q.RTT.Max) })
}

// plotQueues draws the cumulative distribution of a measure for each queue. The axis ends at high, or at the
// highest value, which most returns for a queue.
func plotQueues(r *result.Result, measure result.Measure, p chart.Plot, head, unit string, low, high float64, most func(q *outcome.QueueStats) float64) chart.Plot {
	p.Height = queuePlotHeight
	for i := range r.Summary.Queues {
		high = highest([]float64{high, most(&r.Summary.Queues[i])})
		p.Key = append(p.Key, chart.KeyEntry{Text: words.Name(r.Summary.Queues[i].Name), Colour: queueColours[i%len(queueColours)], Line: true})
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		panel := SharesPanel(s, r.Summary.Players.Matched, top+32, queuePlotHeight-42, low, high, unit, head)
		for i := range r.Summary.Queues {
			xs, ys := Cumulative(r.QueueDistribution(r.Summary.Queues[i].Name, measure), low)
			panel.Steps(queueColours[i%len(queueColours)], 1.8, xs, ys)
		}
	}
	return p
}

// perQueue returns the picture of the only queue, or those of the queues that have one, each in the queue's own
// section and with a unique name.
func perQueue(r *result.Result, plot func(q *outcome.QueueStats) (p chart.Plot, ok bool)) (plots []chart.Plot) {
	s := &r.Summary
	if len(s.Queues) == 0 {
		if p, ok := plot(&outcome.QueueStats{WaitFirst: s.WaitFirst, RTT: s.RTT, Matchmaking: s.Matchmaking}); ok {
			plots = append(plots, p)
		}
	}
	for i := range s.Queues {
		q := &s.Queues[i]
		if p, ok := plot(q); ok {
			p.Name, p.Section, p.Title = fmt.Sprintf("%s-%d", p.Name, i+1), QueueSection(i), words.Name(q.Name)+": "+lowerFirst(p.Title)
			plots = append(plots, p)
		}
	}
	return plots
}

// lowerFirst returns a sentence that continues after a colon. An acronym at its start stays.
func lowerFirst(sentence string) string {
	if len(sentence) > 1 && unicode.IsLower(rune(sentence[1])) {
		return strings.ToLower(sentence[:1]) + sentence[1:]
	}
	return sentence
}

// logTicks returns the ticks of a logarithmic axis. The label of the first one begins with ≤, because
// all lower values are drawn there.
func logTicks(low, high float64, unit string) []chart.Tick {
	ticks := chart.InUnit(chart.LogTicks(low, high), unit)
	ticks[0].Label = "≤ " + ticks[0].Label
	return ticks
}
