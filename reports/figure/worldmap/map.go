// Package worldmap draws maps of the world on a canvas: the coast, players by where they live, cells of
// one degree, and datacenters with their names. The geometry is also that of the map on a page: the
// frame, the coast inside it, the cells that have land, and places that are joined into fewer marks.
package worldmap

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// space is the space between the legend and a map as wide as the canvas.
const space = 8.0

// Stretch is how much longer a degree of latitude is on the map than a degree of longitude.
// Shapes are undistorted at about 35° north and south, where most people live.
const Stretch = 1.22

// Scale is the length of a degree of longitude on a map as wide as the canvas.
const Scale = (chart.Width - 2*chart.Margin) / 360.0

// Height is the height of a map as wide as the canvas, with the space above it.
const Height = space + Stretch*Scale*(North-South)

// A Map is a canvas with a map of the world. Its methods draw at longitudes and latitudes.
type Map struct {
	*chart.Canvas
	left, top, scale float64 // scale is the length of a degree of longitude
}

// New returns a map whose north-western corner is at left and top. scale is the length of a degree of
// longitude.
func New(s *chart.Canvas, left, top, scale float64) Map { return Map{s, left, top, scale} }

// Full returns a map as wide as the canvas, below a legend that ends at top.
func Full(s *chart.Canvas, top float64) Map {
	return New(s, chart.Margin, top+space, Scale)
}

// At returns the position of a place on the canvas.
func (m Map) At(longitude, latitude float64) chart.Point {
	return chart.Point{X: m.left + float64((longitude+180)*m.scale), Y: m.top + float64((North-latitude)*m.scale*Stretch)}
}

// Datacenters marks the datacenters and writes their names, the busiest one first. A name is beside
// its datacenter, or at a short distance with a line between the two. It covers no circle if there
// is room, or else only small ones. If there is no such place either, a datacenter with at least 1 %
// of the players has its name on top of the circles, on a background of chart.Paper; the names of
// other datacenters are omitted. If background is true, all names have that background, which makes
// them readable on any colour.
func (m Map) Datacenters(datacenters []outcome.Datacenter, circles, large []chart.Box, background bool) {
	datacenters = slices.Clone(datacenters)
	slices.SortStableFunc(datacenters, func(a, b outcome.Datacenter) int { return cmp.Compare(b.Players, a.Players) })
	labels := chart.Labels{Within: chart.Box{X0: chart.Margin, X1: chart.Width - chart.Margin, Y1: math.Inf(1)}}
	all := outcome.Count(0)
	for i := range datacenters {
		all += datacenters[i].Players
		p := m.DatacenterAt(&datacenters[i])
		labels.Taken = append(labels.Taken, chart.Box{X0: p.X - 6, Y0: p.Y - 7, X1: p.X + 6, Y1: p.Y + 5})
	}
	type label struct {
		at   chart.Box
		name string
	}
	var named []label
	for i := range datacenters {
		p, name := m.DatacenterAt(&datacenters[i]), chart.TinyFace.ShortenName(words.Printable(datacenters[i].Name), 110)
		at, covers, ok := placeName(&labels, p, name, circles, large, datacenters[i].Players*100 >= all && all > 0)
		if !ok {
			continue
		}
		if background || covers {
			m.Rectangle(chart.Paper, at.X0-1.5, at.Y0-1, at.X1+1.5, at.Y1+1)
		}
		m.Leader(p, at)
		named = append(named, label{at, name})
	}
	for i := range datacenters { // on top of the lines
		p := m.DatacenterAt(&datacenters[i])
		m.triangle(chart.Paper, p, 6.2)
		m.triangle(chart.Ink, p, 4.2)
	}
	for _, l := range named {
		m.Label(l.at, l.name)
	}
}

// placeName returns where to write the name of a datacenter at p. covers reports whether the name
// may cover large circles and so needs a background. ok is false if there is no place for it.
func placeName(labels *chart.Labels, p chart.Point, name string, circles, large []chart.Box, busy bool) (at chart.Box, covers, ok bool) {
	for _, avoid := range [...][]chart.Box{circles, large} {
		if at, ok = labels.Place(p, name, avoid); ok {
			return at, false, true
		}
	}
	if busy {
		at, ok = labels.Place(p, name, nil)
	}
	return at, ok, ok
}

// DatacenterAt returns the position of a datacenter.
func (m Map) DatacenterAt(d *outcome.Datacenter) chart.Point {
	return m.At(float64(d.Longitude), float64(d.Latitude))
}

func (m Map) triangle(c color.Color, p chart.Point, r float64) {
	m.Polygons(c, []chart.Point{{X: p.X, Y: p.Y - r}, {X: p.X + float64(0.9*r), Y: p.Y + float64(0.7*r)}, {X: p.X - float64(0.9*r), Y: p.Y + float64(0.7*r)}})
}
