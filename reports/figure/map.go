package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/geography"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Coast is the outline of land as rings of longitudes and latitudes in degrees.
type Coast = geography.Coast

// mapTop is the space between the legend and the map.
const mapTop = 8.0

// MapStretch is how much longer a degree of latitude is on the map than a degree of longitude.
// Shapes are undistorted at about 35° north and south, where most people live.
const MapStretch = 1.22

// mapScale is the length of a degree of longitude on the canvas.
const mapScale = (chart.Width - 2*chart.Margin) / 360.0

// plotMap shows where players live and which RTTs they get.
func plotMap(r *result.Result, coast Coast) []chart.Plot {
	p := mapOf(r, coast, r.Map)
	p.Title = mapTitle(&r.Summary)
	return []chart.Plot{p}
}

// plotQueueMaps shows where the players of several queues live, and for each queue which RTTs
// they get. There is no map of RTTs over all queues, because a mean over queues with different
// rules says nothing.
func plotQueueMaps(r *result.Result, coast Coast) []chart.Plot {
	all := mapOf(r, coast, r.Map)
	all.Title = cmp.Or(noMatches(&r.Summary), fmt.Sprintf("%s were matched, from %s", words.Plural(r.Summary.Players.Matched, "player"), words.Plural(len(r.Map), "place")))
	all.Note = "players of all queues by where they live: the area of a circle shows how many; triangles are datacenters"
	all.Key, all.Draw = nil, func(s *chart.Canvas, top float64) {
		m := fullMap(s, top)
		m.coast(coast)
		circles, large := m.players(r.Map, []color.RGBA{chart.Blue}, func(float64) int { return 0 })
		m.datacenters(r.Summary.ByDatacenter, circles, large, false)
	}
	plots := []chart.Plot{all}
	for i := range r.Summary.Queues {
		q := &r.Summary.Queues[i]
		if cells := r.MapOf(q.Name); len(cells) > 0 {
			p := mapOf(r, coast, cells)
			p.Title = fmt.Sprintf("90 %% of players get %s or better; the mean RTT is %s", words.Millis(q.RTT.P90), words.Millis(q.RTT.Mean))
			plots = append(plots, ofQueue(p, i, q))
		}
	}
	return plots
}

// MapName is the name of the map of a whole run.
const MapName = "map"

// mapOf returns a map of players in the colours of their RTTs.
func mapOf(r *result.Result, coast Coast, cells []result.Cell) chart.Plot {
	classes := rttClasses(&r.Summary)
	return chart.Plot{
		Name:   MapName,
		Note:   "players by where they live: the area of a circle shows how many, its colour the mean RTT they got; triangles are datacenters",
		Height: chart.HeadingHeight + 26 + mapTop + MapStretch*mapScale*(geography.North-geography.South) + chart.Margin,
		Key:    classKey(classes),
		Draw: func(s *chart.Canvas, top float64) {
			m := fullMap(s, top)
			m.coast(coast)
			all, large := m.players(cells, chart.Ramp[:], classes.Of)
			m.datacenters(r.Summary.ByDatacenter, all, large, false)
		},
	}
}

// rttClasses returns the classes by which a map colours the RTTs of a run.
func rttClasses(s *outcome.Summary) grade.RTTClasses {
	limits := grade.RTTsOf(s.Thresholds, s.Limits)
	return limits.Classes()
}

// noMatches returns the title of a map without players, or "" if there are players.
func noMatches(s *outcome.Summary) string {
	if s.Players.Matched == 0 {
		return "No player was matched, so the map is empty"
	}
	return ""
}

// mapTitle says which continent has the highest RTTs.
func mapTitle(s *outcome.Summary) string {
	if none := noMatches(s); none != "" {
		return none
	}
	limits, _, within := grade.Within(s)
	title := fmt.Sprintf("%s of players get an RTT above %s", words.Percent(outcome.RoundShare(1-float64(within))), words.Threshold(limits.Fair))
	if i := grade.HighestRTTs(s.ByContinent, s.Players.Matched); i >= 0 && len(s.ByContinent) > 1 {
		g := &s.ByContinent[i]
		title += fmt.Sprintf("; the highest mean is %s in %s", words.Millis(g.RTTMean), outcome.Continent(g.Name))
	}
	return title
}

// worldMap is a canvas with a map of the world. Its methods draw at longitudes and latitudes.
type worldMap struct {
	*chart.Canvas
	left, top, scale float64 // scale is the length of a degree of longitude
}

// fullMap returns a map as wide as the canvas, below a legend that ends at top.
func fullMap(s *chart.Canvas, top float64) worldMap {
	return worldMap{s, chart.Margin, top + mapTop, mapScale}
}

func (m worldMap) position(longitude, latitude float64) chart.Point {
	return chart.Point{X: m.left + float64((longitude+180)*m.scale), Y: m.top + float64((geography.North-latitude)*m.scale*MapStretch)}
}

// datacenters marks the datacenters and writes their names, the busiest one first. A name is beside
// its datacenter, or at a short distance with a line between the two. It covers no circle if there
// is room, or else only small ones. If there is no such place either, a datacenter with at least 1 %
// of the players has its name on top of the circles, on a background of chart.Paper; the names of
// other datacenters are omitted. If background is true, all names have that background, which makes
// them readable on any colour.
func (m worldMap) datacenters(datacenters []outcome.Datacenter, circles, large []chart.Box, background bool) {
	datacenters = slices.Clone(datacenters)
	slices.SortStableFunc(datacenters, func(a, b outcome.Datacenter) int { return cmp.Compare(b.Players, a.Players) })
	labels := chart.Labels{Within: chart.Box{X0: chart.Margin, X1: chart.Width - chart.Margin, Y1: math.Inf(1)}}
	all := outcome.Count(0)
	for i := range datacenters {
		all += datacenters[i].Players
		p := m.datacenterAt(&datacenters[i])
		labels.Taken = append(labels.Taken, chart.Box{X0: p.X - 6, Y0: p.Y - 7, X1: p.X + 6, Y1: p.Y + 5})
	}
	type label struct {
		at   chart.Box
		name string
	}
	var named []label
	for i := range datacenters {
		p, name := m.datacenterAt(&datacenters[i]), chart.TinyFace.ShortenName(words.Printable(datacenters[i].Name), 110)
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
		p := m.datacenterAt(&datacenters[i])
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
	place := []func(chart.Point, string, []chart.Box) (chart.Box, bool){labels.Place, labels.PlaceApart}
	for _, avoid := range [...][]chart.Box{circles, large} {
		for _, try := range place {
			if at, ok = try(p, name, avoid); ok {
				return at, false, true
			}
		}
	}
	for _, try := range place {
		if !busy {
			break
		}
		if at, ok = try(p, name, nil); ok {
			return at, true, true
		}
	}
	return chart.Box{}, false, false
}

// datacenterAt returns the position of a datacenter.
func (m worldMap) datacenterAt(d *outcome.Datacenter) chart.Point {
	return m.position(float64(d.Longitude), float64(d.Latitude))
}

func (m worldMap) triangle(c color.Color, p chart.Point, r float64) {
	m.Polygons(c, []chart.Point{{X: p.X, Y: p.Y - r}, {X: p.X + float64(0.9*r), Y: p.Y + float64(0.7*r)}, {X: p.X - float64(0.9*r), Y: p.Y + float64(0.7*r)}})
}
