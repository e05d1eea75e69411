// Package events draws the minutes around the events of a run, such as outages.
package events

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Bands returns the events of a run in the order of their beginnings, as bands of its pictures. With
// several events, the name of a band begins with the number of its event.
func Bands(list outcome.Object[outcome.Event]) (bands []chart.Band) {
	for i := range list {
		bands = append(bands, bandOf(list[i].At, list[i].For, words.Printable(list[i].Action), list[i].Name, len(list)))
	}
	slices.SortStableFunc(bands, func(a, b chart.Band) int { return cmp.Compare(a.From, b.From) })
	return bands
}

// bandOf returns the band of an event. Its name begins with the event's number if there are several events.
func bandOf(at, length outcome.Seconds, name, number string, events int) chart.Band {
	band := chart.Band{From: float64(at), To: float64(at + length), Name: name}
	if events > 1 {
		band.Number, band.Name = number, number+" "+name
	}
	return band
}

// picturesMax limits the pictures of a run with many events that are far from each other.
const picturesMax = 8

// A span is a time around events, in seconds. Events whose surroundings overlap share one.
type span struct {
	from, to float64
	first    int // the event that begins first, an index into the bands
	events   int
}

// spansOf returns the times around the events, from an hour before to two hours after each.
func spansOf(bands []chart.Band, end float64) (spans []span) {
	for i := range bands {
		from, to := max(0, bands[i].From-result.BeforeEvent), min(end, bands[i].To+result.AfterEvent)
		if n := len(spans); n > 0 && from <= spans[n-1].to {
			spans[n-1].to = max(spans[n-1].to, to)
			spans[n-1].events++
		} else {
			spans = append(spans, span{from, to, i, 1})
		}
	}
	return spans[:min(len(spans), picturesMax)]
}

// Plots returns a picture of the time around each event, minute by minute.
func Plots(r *result.Result) (plots []chart.Plot) {
	bands := Bands(r.Summary.Events)
	return pictures(bands, r.Span(), func(around span) chart.Plot {
		p := plot(r, around)
		p.Title = title(r.Summary.Events, &bands[around.first], around.events)
		return p
	})
}

// pictures returns what draw returns for the time around each event, with names of their own.
func pictures(bands []chart.Band, end float64, draw func(around span) chart.Plot) (plots []chart.Plot) {
	spans := spansOf(bands, end)
	for i, around := range spans {
		p := draw(around)
		if len(spans) > 1 {
			p.Name += "-" + strconv.Itoa(i+1)
		}
		plots = append(plots, p)
	}
	return plots
}

// begin returns the beginning of a title: the event, or the first of several.
func begin(event string, events int) string {
	if events > 1 {
		return words.Plural(events, "event") + " within hours of each other, first " + event
	}
	return event
}

// title says what the event that begins first did to the waits.
func title(list outcome.Object[outcome.Event], band *chart.Band, events int) string {
	i := slices.IndexFunc(list, func(e outcome.Event) bool { return band.Number == "" || e.Name == band.Number })
	e := &list[i]
	text := begin(words.Printable(e.Action), events)
	if e.MatchedBefore > 0 && e.MatchedDuring > 0 {
		text += fmt.Sprintf(": the mean wait goes from %s to %s", words.Seconds(e.WaitBefore), words.Seconds(e.WaitDuring))
	}
	if e.Recovery == 0 {
		text += "; as before as soon as it ends"
	} else if e.Recovery > 0 {
		text += fmt.Sprintf("; as before %s after the end", words.Span(e.Recovery))
	}
	return text
}

// A curve is a value by minute.
type curve struct {
	name   string
	colour color.RGBA
	points []point // in order of time
}

// A point is the value of the minute that begins at t. It is NaN if the minute has none.
type point struct {
	t     int
	value float64
}

// panelHeight is the height of a panel with its heading and its axis.
const panelHeight = 190

func plot(r *result.Result, around span) chart.Plot {
	line := func(name string, colour color.RGBA, of func(m *result.Minute) float64) curve {
		return curve{name, colour, words.Each(r.Series, func(m result.Minute) point { return point{m.T, of(&m)} })}
	}
	panels := []panel{
		{"searching players", []curve{line("searching", chart.Red, func(m *result.Minute) float64 { return float64(m.Searching()) })}},
		{"wait in seconds, of players matched in the minute", []curve{
			line("wait, mean", chart.Ink, func(m *result.Minute) float64 { return float64(m.WaitMean) }),
			line("wait, 95 % (p95)", chart.Purple, func(m *result.Minute) float64 { return float64(m.WaitP95) }),
		}},
		{"searches that begin in the minute", []curve{
			line("joins", chart.Blue, func(m *result.Minute) float64 { return float64(m.Joins) }),
			line("returns", chart.Orange, func(m *result.Minute) float64 { return float64(m.Returns) }),
		}},
	}
	if r.Summary.Servers != nil { // players are placed at once
		panels = slices.Delete(panels, 1, 2)
	}
	p := draw(around, panels)
	for _, part := range panels {
		p.Key = append(p.Key, part.key()...)
	}
	return p
}

// A panel has some curves on one scale.
type panel struct {
	head   string
	curves []curve
}

func (p *panel) key() []chart.KeyEntry {
	return words.Each(p.curves, func(c curve) chart.KeyEntry { return chart.KeyEntry{Text: c.name, Colour: c.colour, Line: true} })
}

// draw returns a picture of panels below each other, without a key.
func draw(around span, panels []panel) chart.Plot {
	p := chart.Plot{
		Name:   "events",
		Note:   "by minute, from an hour before the event to two hours after it",
		Height: chart.HeadingHeight + 26 + float64(panelHeight*float64(len(panels))),
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		for _, part := range panels {
			xs, ys := make([][]float64, len(part.curves)), make([][]float64, len(part.curves))
			for i, c := range part.curves {
				xs[i], ys[i] = overMinutes(c.points, around)
			}
			_, highest := chart.Extent(ys...)
			ticks := chart.NiceTicks(highest, 4)
			axis := chart.Ticked(s, top+32, top+panelHeight-chart.ClockAxisHeight-12, chart.PlotRight, around.from, around.to, part.head, ticks)
			axis.ClockAxis()
			for i, c := range slices.Backward(part.curves) {
				axis.Curve(c.colour, 1.8, xs[i], ys[i])
			}
			top += panelHeight
		}
	}
	return p
}

// pointsMax limits the points of a curve. More than one for every two pixels would not be visible.
const pointsMax = 440

// overMinutes returns the middle and the value of the minutes in a span. In a long span, a point of the curve is
// the mean of several minutes.
func overMinutes(points []point, around span) (xs, ys []float64) {
	at := func(t float64) int { // the first point from the whole minute of t on
		t -= math.Mod(t, result.MinuteLength)
		i, _ := slices.BinarySearchFunc(points, t, func(p point, t float64) int { return cmp.Compare(float64(p.t), t) })
		return i
	}
	points = points[at(around.from):at(around.to)]
	per := max(1, (len(points)+pointsMax-1)/pointsMax)
	for group := range slices.Chunk(points, per) {
		sum, n := 0.0, 0
		for _, p := range group {
			if !math.IsNaN(p.value) {
				sum, n = sum+p.value, n+1
			}
		}
		xs = append(xs, float64(group[0].t+group[len(group)-1].t+result.MinuteLength)/2)
		ys = append(ys, sum/float64(n)) // NaN is a gap
	}
	return xs, ys
}
