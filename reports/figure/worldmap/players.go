package worldmap

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// MaxMarks limits the number of circles on a map as wide as the canvas. If more cells have players, they are joined into
// squares of two degrees, then four, and so on.
const MaxMarks = 1250

// markSize is the largest radius of a circle.
const markSize = 13

// Players draws a circle for every mark of Join, with small circles on top of large
// ones. The colour shows the class of the mark's mean RTT. Players returns the boxes of all circles,
// and the boxes of the circles that are too large to be covered by a name.
func (m Map) Players(cells []result.Cell, colours []color.RGBA, classOf func(rtt float64) int) (all, large []chart.Box) {
	marks := m.marks(cells)
	if len(marks) == 0 {
		return nil, nil
	}
	most := float64(marks[0].Players)
	// Circles of about the same size are drawn together, with one path per colour. That takes a
	// tenth of the bytes that separate circles would take.
	for from := 0; from < len(marks); {
		to := from
		var outlines []chart.Circle
		circlesByClass := make([][]chart.Circle, len(colours))
		for to < len(marks) && marks[to].Players*3 >= marks[from].Players {
			k := marks[to]
			d := chart.Circle{Point: m.At(k.Longitude, k.Latitude), Radius: max(1.3, markSize*m.scale/Scale*math.Sqrt(float64(k.Players)/most))}
			r := 0.8 * d.Radius // the box is roughly the square inside the circle
			all = append(all, chart.Around(d.Point, r))
			if d.Radius >= 4 {
				large = all
			}
			class := classOf(k.RTT)
			circlesByClass[class] = append(circlesByClass[class], d)
			outlines = append(outlines, chart.Circle{Point: d.Point, Radius: d.Radius + 0.6})
			to++
		}
		m.Circles(chart.Paper, outlines)
		for class, list := range circlesByClass {
			m.Circles(colours[class], list)
		}
		from = to
	}
	return all, large
}

// marks returns the marks of Join, those with the most players first. A smaller map has fewer.
func (m Map) marks(cells []result.Cell) []Mark {
	marks := Join(cells, int(MaxMarks*m.scale/Scale))
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(b.Players, a.Players) })
	return marks
}

// placesMax is the number of places on a map whose numbers a page shows.
const placesMax = 250

// RecordPlaces records the places with the most players, so that a page shows their numbers.
func (m Map) RecordPlaces(name string, cells []result.Cell) {
	var list []chart.Cell
	marks := m.marks(cells)
	for _, k := range marks[:min(len(marks), placesMax)] {
		at := m.At(k.Longitude, k.Latitude)
		list = append(list, chart.Cell{Box: chart.Around(at, 4), Texts: []string{
			words.Position(k.Latitude, k.Longitude), words.Thousands(k.Players), words.Millis(outcome.RoundMillis(k.RTT)),
		}})
	}
	m.Cells(name, []string{"", "players", "mean RTT"}, list)
}
