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

// A sidedEvent is an event of one side of a comparison, or of both.
type sidedEvent struct {
	result.SideEvent
	of string // "A", "B", or "" for both
}

// String names the event and the side that has it.
func (e *sidedEvent) String() string {
	text := words.Printable(e.Action)
	if e.of != "" {
		text += " in " + e.of
	}
	return text
}

// eventsOf lists the events of both sides in the order of their beginnings. An event that both sides have is listed
// once.
func eventsOf(sides *[2]result.Sketch) (list []sidedEvent) {
	same := func(a, b *result.SideEvent) bool { return a.At == b.At && a.For == b.For && a.Action == b.Action }
	list = words.Each(sides[0].Events, func(e result.SideEvent) sidedEvent { return sidedEvent{e, "A"} })
	for _, e := range sides[1].Events {
		i := slices.IndexFunc(list, func(of sidedEvent) bool { return of.of == "A" && same(&of.SideEvent, &e) })
		if i >= 0 {
			list[i].of = ""
		} else {
			list = append(list, sidedEvent{e, "B"})
		}
	}
	slices.SortStableFunc(list, func(a, b sidedEvent) int { return cmp.Compare(a.At, b.At) })
	return list
}

// Sides returns a picture of the time around each event of a comparison, minute by minute, with a curve for each side.
// There is none without events, or if the minutes of a side are not known.
func Sides(sides *[2]result.Sketch, colours [2]color.RGBA) (plots []chart.Plot) {
	events := eventsOf(sides)
	minutes := [2][]result.SideMinute{sides[0].Minutes(), sides[1].Minutes()}
	if len(events) == 0 || len(minutes[0]) == 0 || len(minutes[1]) == 0 {
		return nil
	}
	var bands []chart.Band
	for i := range events {
		bands = append(bands, bandOf(events[i].At, events[i].For, events[i].String(), strconv.Itoa(i+1), len(events)))
	}
	end := 0
	for _, list := range minutes {
		end = max(end, list[len(list)-1].T+result.MinuteLength)
	}
	return pictures(bands, float64(end), func(around span) chart.Plot {
		p := plotSides(&minutes, around, colours)
		p.Title = sidesTitle(&minutes, &events[around.first], around.events)
		p.Bands, p.Ahead = bands, float64(events[0].UTCOffset)
		return p
	})
}

// sidesTitle says how long players wait during the event that begins first.
func sidesTitle(minutes *[2][]result.SideMinute, e *sidedEvent, events int) string {
	text := begin(e.String(), events)
	var means [2]outcome.Seconds
	for i, list := range minutes {
		sum, n := 0.0, 0
		for _, m := range list {
			if float64(m.T) >= float64(e.At) && float64(m.T) < float64(e.At+e.For) && !math.IsNaN(float64(m.WaitMean)) {
				sum, n = sum+float64(m.WaitMean), n+1
			}
		}
		if n == 0 {
			return text
		}
		means[i] = outcome.RoundSeconds(sum / float64(n))
	}
	return text + fmt.Sprintf(": the mean wait of its minutes is %s in A, %s in B", words.Seconds(means[0]), words.Seconds(means[1]))
}

func plotSides(minutes *[2][]result.SideMinute, around span, colours [2]color.RGBA) chart.Plot {
	both := func(head string, of func(m *result.SideMinute) float64) panel {
		part := panel{head: head}
		for i, name := range [...]string{"A", "B"} {
			points := words.Each(minutes[i], func(m result.SideMinute) point { return point{m.T, of(&m)} })
			part.curves = append(part.curves, curve{name, colours[i], points})
		}
		return part
	}
	panels := []panel{
		both("searching players", func(m *result.SideMinute) float64 { return m.Searching }),
		both("mean wait in seconds, of players matched in the minute", func(m *result.SideMinute) float64 { return float64(m.WaitMean) }),
		both("wait in seconds that 95 % of them do not exceed (p95)", func(m *result.SideMinute) float64 { return float64(m.WaitP95) }),
	}
	panels = append(panels[:1], slices.DeleteFunc(panels[1:], func(part panel) bool { // on servers, nobody waits
		return !slices.ContainsFunc(part.curves, func(c curve) bool {
			return slices.ContainsFunc(c.points, func(p point) bool { return p.value > 0 })
		})
	})...)
	p := draw(around, panels)
	p.Note = "by minute, mean of the runs of each side, from an hour before the event to two hours after it"
	p.Key = panels[0].key()
	return p
}
