package chart

import "slices"

type Box struct{ X0, Y0, X1, Y1 float64 }

// Touches reports whether two boxes have a point in common.
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
	Taken  []Box // no name may cover these: points, and the names placed so far
}

// Place returns the first free position for a name near a point: right, left, above or below it,
// close or at a short distance. Names have TinyFace. The position is free if the name covers
// neither Taken nor avoid. Place adds the box of the name to Taken. ok is false if no position is
// free.
func (l *Labels) Place(p Point, name string, avoid []Box) (at Box, ok bool) {
	places := labelPlaces(p, TinyFace.Width(name))
	free := slices.IndexFunc(places[:], func(b Box) bool {
		return b.X0 >= l.Within.X0 && b.X1 <= l.Within.X1 && b.Y0 >= l.Within.Y0 && b.Y1 <= l.Within.Y1 &&
			!slices.ContainsFunc(l.Taken, b.Touches) && !slices.ContainsFunc(avoid, b.Touches)
	})
	if free < 0 {
		return Box{}, false
	}
	l.Taken = append(l.Taken, places[free])
	return places[free], true
}

// Label writes a name into the box that Place returned.
func (s *Canvas) Label(at Box, name string) {
	s.Text(TinyFace, Ink, at.X0, at.Y1-2, ToRight, name)
}

// labelPlaces returns the possible positions for a name of this width, best first.
func labelPlaces(p Point, width float64) (places [8]Box) {
	for i, gap := range [...]float64{8, 16} {
		for k, at := range [...]Point{ // the start of the base line
			{p.X + gap, p.Y + 3}, {p.X - gap - width, p.Y + 3},
			{p.X - width/2, p.Y - gap - 1}, {p.X - width/2, p.Y + gap + 7},
		} {
			places[4*i+k] = Box{at.X, at.Y - 7, at.X + width, at.Y + 2}
		}
	}
	return places
}
