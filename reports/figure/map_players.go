package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/result"
)

// mapMarks limits the number of circles on a map as wide as the canvas. If more cells have players, they are joined into
// squares of two degrees, then four, and so on.
const mapMarks = 1250

// markSize is the largest radius of a circle.
const markSize = 13

// players draws a circle for every mark that joinCells returns, with small circles on top of large
// ones. The colour shows the class of the mark's mean RTT. players returns the boxes of all circles,
// and the boxes of the circles that are too large to be covered by a name.
func (m worldMap) players(cells []result.Cell, colours []color.RGBA, classOf func(rtt float64) int) (all, large []chart.Box) {
	marks := m.marks(cells)
	if len(marks) == 0 {
		return nil, nil
	}
	most := float64(marks[0].players)
	// Circles of about the same size are drawn together, with one path per colour. That takes a
	// tenth of the bytes that separate circles would take.
	for from := 0; from < len(marks); {
		to := from
		var outlines []chart.Circle
		circlesByClass := make([][]chart.Circle, len(colours))
		for to < len(marks) && marks[to].players*3 >= marks[from].players {
			k := marks[to]
			d := chart.Circle{Point: m.position(k.longitude, k.latitude), Radius: max(1.3, markSize*m.scale/mapScale*math.Sqrt(float64(k.players)/most))}
			r := 0.8 * d.Radius // the box is roughly the square inside the circle
			all = append(all, chart.Around(d.Point, r))
			if d.Radius >= 4 {
				large = all
			}
			class := classOf(k.rtt)
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

// mark is one circle on the map.
type mark struct {
	longitude, latitude float64 // mean position of its players
	players             int
	rtt                 float64 // mean RTT of its players, in ms
}

// marks returns the marks of joinCells, those with the most players first. A smaller map has fewer.
func (m worldMap) marks(cells []result.Cell) []mark {
	marks := joinCells(cells, int(mapMarks*m.scale/mapScale))
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(b.players, a.players) })
	return marks
}

// joinCells joins neighbouring cells into larger and larger squares until there are at most
// most marks.
func joinCells(cells []result.Cell, most int) []mark {
	for size := 1; ; size *= 2 {
		columns := 360 / size
		if 360%size != 0 {
			columns++
		}
		index := make([]int32, columns*(180/size+1))
		var marks []mark
		for i := range cells {
			c := &cells[i]
			if c.Players == 0 {
				continue
			}
			at := (c.Latitude+90)/size*columns + (c.Longitude+180)/size
			if index[at] == 0 {
				marks = append(marks, mark{})
				index[at] = int32(len(marks))
			}
			k, n := &marks[index[at]-1], float64(c.Players)
			k.longitude += float64(n * (float64(c.Longitude) + 0.5))
			k.latitude += float64(n * (float64(c.Latitude) + 0.5))
			k.rtt += float64(n * float64(c.RTTMean))
			k.players += c.Players
		}
		if len(marks) > most && size < 90 {
			continue
		}
		for i := range marks {
			k := &marks[i]
			n := float64(k.players)
			k.longitude, k.latitude, k.rtt = k.longitude/n, k.latitude/n, k.rtt/n
		}
		return marks
	}
}
