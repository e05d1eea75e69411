package worldmap

import (
	"image/color"
	"math"

	"mmsim/reports/chart"
)

// cellLayer fills every cell for which has(cell) is true, with one colour. Adjacent cells in a row
// are one rectangle, and all rectangles are one path.
func (m Map) cellLayer(c color.Color, has func(cell int) bool) {
	var boxes [][]chart.Point
	for row := 90 - int(North); row < 90-int(South); row++ {
		for col := 0; col < Columns; {
			if !has(row*Columns + col) {
				col++
				continue
			}
			from := col
			for col < Columns && has(row*Columns+col) {
				col++
			}
			a, b := m.corner(row, from), m.corner(row+1, col)
			boxes = append(boxes, []chart.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}})
		}
	}
	m.Polygons(c, boxes...)
}

// corner returns the north-western corner of a cell, moved to the nearest pixel, so that there is
// no gap between neighbours of different colours.
func (m Map) corner(row, col int) chart.Point {
	const pixel = 72.0 / chart.DPI
	p := m.At(float64(col-180), float64(90-row))
	return chart.Point{X: math.Round(p.X/pixel) * pixel, Y: math.Round(p.Y/pixel) * pixel}
}

// ClassLayers fills each cell with the colour of its class. A cell with a negative class is not
// drawn.
func (m Map) ClassLayers(colours []color.RGBA, class func(cell int) int) {
	for k, c := range colours {
		m.cellLayer(c, func(cell int) bool { return class(cell) == k })
	}
}

// Borders draws a line between neighbouring cells that belong to different groups. A cell whose
// group is negative has no border.
func (m Map) Borders(c color.Color, width float64, groups []int) {
	differ := func(a, b int) bool {
		return groups[a] >= 0 && groups[b] >= 0 && groups[a] != groups[b]
	}
	north, south := 90-int(North), 90-int(South)
	for row := north; row < south; row++ { // borders along the northern edge of each row
		for col := 0; col < Columns && row > north; col++ {
			from := col
			for col < Columns && differ(row*Columns+col, (row-1)*Columns+col) {
				col++
			}
			m.Polyline(c, width, segment(m.corner(row, from), m.corner(row, col)))
		}
	}
	for col := 1; col < Columns; col++ { // borders along the western edge of each column
		for row := north; row < south; row++ {
			from := row
			for row < south && differ(row*Columns+col, row*Columns+col-1) {
				row++
			}
			m.Polyline(c, width, segment(m.corner(from, col), m.corner(row, col)))
		}
	}
}

// segment returns a line from a to b, or nil if they are equal.
func segment(a, b chart.Point) []chart.Point {
	if a == b {
		return nil
	}
	return []chart.Point{a, b}
}

// Smoothed replaces the group of every cell by the most frequent group among the cells up to two
// rows and columns away. In a tie, a cell keeps its own group. Single cells of another group,
// which are common in measured maps, disappear.
func Smoothed(groups []int) []int {
	smooth := make([]int, len(groups))
	votes := make(map[int]int)
	for cell, own := range groups {
		smooth[cell] = own
		if own < 0 {
			continue
		}
		clear(votes)
		row, col := cell/Columns, cell%Columns
		for r := max(row-2, 0); r <= min(row+2, Rows-1); r++ {
			for c := col - 2; c <= col+2; c++ {
				if near := groups[r*Columns+(c+Columns)%Columns]; near >= 0 {
					votes[near]++
					if n := votes[near] - votes[smooth[cell]]; n > 0 || n == 0 && near == own {
						smooth[cell] = near
					}
				}
			}
		}
	}
	return smooth
}

// Coast fills the land. All land is one path, which is fast to draw and takes few bytes.
func (m Map) Coast(coast Coast) { m.Polygons(chart.Land, m.shapes(coast)...) }

// Outline draws the outline of the land.
func (m Map) Outline(coast Coast) {
	for _, shape := range m.shapes(coast) {
		m.Polyline(chart.Rule, 0.7, append(shape, shape[0]))
	}
}

// shapes returns the land as polygons on the canvas.
func (m Map) shapes(coast Coast) [][]chart.Point {
	var shapes [][]chart.Point
	for _, ring := range coast {
		for _, part := range VisibleParts(ring) {
			points := make([]chart.Point, 0, len(part))
			for _, at := range part {
				p := m.At(at[0], at[1])
				if n := len(points); n > 0 && math.Abs(p.X-points[n-1].X)+math.Abs(p.Y-points[n-1].Y) < coastDetail {
					continue
				}
				points = append(points, p)
			}
			shapes = append(shapes, points)
		}
	}
	return shapes
}

// coastDetail is the distance on the canvas below which a point of the coast is skipped.
const coastDetail = 0.9
