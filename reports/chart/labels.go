package chart

import (
	"math"
	"slices"
)

type Box struct{ X0, Y0, X1, Y1 float64 }

// Touches reports whether two boxes overlap. Boxes that only share an edge do not.
func (a Box) Touches(b Box) bool {
	return a.X0 < b.X1 && b.X0 < a.X1 && a.Y0 < b.Y1 && b.Y0 < a.Y1
}

// Around returns the box around a point's mark.
func Around(p Point, radius float64) Box {
	return Box{p.X - radius, p.Y - radius, p.X + radius, p.Y + radius}
}

// Labels places the names of points so that no name covers another name or a point. The label
// plotter of gonum/plot does not prevent overlaps.
type Labels struct {
	Within Box   // all names must be inside it
	Taken  []Box // no name may cover these: points, and the names and leaders placed so far
}

// Place returns the first free position for a name: close to a point, beside, above or below it or at a
// corner, or else at a distance, where the name needs a Leader. The name is measured in TinyFace. A position is free
// if the name overlaps neither Taken nor avoid, and its leader nothing in Taken. Place adds the boxes of both to
// Taken. ok is false if no position is free.
func (l *Labels) Place(p Point, name string, avoid []Box) (at Box, ok bool) {
	for _, gap := range [...]float64{8, 16, 26, 38} {
		if at, ok = l.firstFree(p, labelPlaces(p, TinyFace.Width(name), gap), avoid); ok {
			break
		}
	}
	return at, ok
}

func (l *Labels) firstFree(p Point, places [8]Box, avoid []Box) (at Box, ok bool) {
	taken := func(b Box) bool { return slices.ContainsFunc(l.Taken, b.Touches) }
	free := slices.IndexFunc(places[:], func(b Box) bool {
		return b.X0 >= l.Within.X0 && b.X1 <= l.Within.X1 && b.Y0 >= l.Within.Y0 && b.Y1 <= l.Within.Y1 &&
			!taken(b) && !slices.ContainsFunc(avoid, b.Touches) && !slices.ContainsFunc(leaderBoxes(p, b), taken)
	})
	if free < 0 {
		return Box{}, false
	}
	l.Taken = append(append(l.Taken, places[free]), leaderBoxes(p, places[free])...)
	return places[free], true
}

// leaderStart is the length of the part of a leader that the mark of its point hides.
const leaderStart = 9.0

// leaderBoxes returns small boxes along the visible part of a leader.
func leaderBoxes(p Point, at Box) (boxes []Box) {
	end := at.nearest(p)
	length := math.Hypot(end.X-p.X, end.Y-p.Y)
	for d := leaderStart; d < length; d += 2 {
		boxes = append(boxes, Around(Point{p.X + (end.X-p.X)*d/length, p.Y + (end.Y-p.Y)*d/length}, 1))
	}
	return boxes
}

// nearest returns the point of the box that is nearest to p.
func (a Box) nearest(p Point) Point {
	return Point{min(max(p.X, a.X0), a.X1), min(max(p.Y, a.Y0), a.Y1)}
}

// Label writes a name into the box that Place returned.
func (s *Canvas) Label(at Box, name string) {
	s.Text(TinyFace, Ink, at.X0, at.Y1-2, ToRight, name)
}

// labelPlaces returns the possible positions for a name of this width at a distance from its point,
// best first: to the right and left, above and below, and at the corners.
func labelPlaces(p Point, width, gap float64) (places [8]Box) {
	corner := 0.75 * gap
	for i, at := range [...]Point{ // the start of the base line
		{p.X + gap, p.Y + 3}, {p.X - gap - width, p.Y + 3},
		{p.X - width/2, p.Y - gap - 1}, {p.X - width/2, p.Y + gap + 7},
		{p.X + corner, p.Y - corner}, {p.X + corner, p.Y + corner + 6},
		{p.X - corner - width, p.Y - corner}, {p.X - corner - width, p.Y + corner + 6},
	} {
		places[i] = Box{at.X, at.Y - 7, at.X + width, at.Y + 2}
	}
	return places
}

// Leader draws a thin line from a point to the nearest place of a name's box. It draws nothing if
// the box is next to the point.
func (s *Canvas) Leader(p Point, at Box) {
	if end := at.nearest(p); math.Hypot(end.X-p.X, end.Y-p.Y) > leaderStart {
		s.Line(Ink, 0.7, p.X, p.Y, end.X, end.Y)
	}
}
