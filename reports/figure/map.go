package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// The part of the world that the map shows: all places where people play.
const (
	mapNorth = 76.0
	mapSouth = -56.0
	mapTop   = 8.0 // space between legend and map
)

// MapStretch makes a degree of latitude this much longer than one of longitude:
// true to shape at about 35° north and south, where most people live.
const MapStretch = 1.22

// mapScale is the length of a degree of longitude on the canvas.
const mapScale = (chart.Width - 2*chart.Margin) / 360.0

// plotMap shows where players live and which RTT they got.
func plotMap(r *result.Result, coast Coast) chart.Plot {
	limits := grade.RTTsOf(r.Summary.Thresholds, r.Summary.Limits)
	classes := limits.Classes()
	return chart.Plot{
		Name:   "map",
		Title:  mapTitle(r),
		Note:   "players by where they live: the area of a circle shows how many, its colour the mean RTT they got; triangles are datacenters",
		Height: chart.HeadingHeight + 26 + mapTop + MapStretch*mapScale*(mapNorth-mapSouth) + chart.Margin,
		Key:    classKey(classes),
		Draw: func(s *chart.Canvas, top float64) {
			m := worldMap{s, top + mapTop}
			m.coast(coast)
			all, large := m.players(r.Map, classes)
			m.datacenters(r.Summary.ByDatacenter, all, large, false)
		},
	}
}

// mapTitle describes which continent has the highest RTTs.
func mapTitle(r *result.Result) string {
	matched := r.Summary.Players.Matched
	if matched == 0 {
		return "No player was matched, so the map is empty"
	}
	if len(r.Summary.Queues) > 0 { // RTTs of queues with different rules are not counted together
		return fmt.Sprintf("%s were matched, from %s", words.Plural(matched, "player"), words.Plural(len(r.Map), "place"))
	}
	limits, _, within := grade.Within(&r.Summary)
	title := fmt.Sprintf("%s of players get more than %s", words.Percent(outcome.RoundShare(1-float64(within))), words.Threshold(limits.Fair))
	groups := r.Summary.ByContinent
	if i := outcome.HighestRTTs(groups, matched); i >= 0 && len(groups) > 1 {
		title += fmt.Sprintf("; %s has the highest RTT with %s on average", words.Continent(groups[i].Name), words.Millis(groups[i].RTTMean))
	}
	return title
}

// worldMap draws in longitude and latitude.
type worldMap struct {
	*chart.Canvas
	top float64
}

func (m worldMap) position(longitude, latitude float64) chart.Point {
	return chart.Point{X: chart.Margin + (longitude+180)*mapScale, Y: m.top + (mapNorth-latitude)*mapScale*MapStretch}
}

// datacenters marks the datacenters and names them, busiest first. A name is written in a free
// place near its datacenter, or else over small circles only, or else omitted. With plates,
// names are on a white plate, so that they are readable on any colour.
func (m worldMap) datacenters(sites []outcome.Datacenter, circles, large []chart.Box, plates bool) {
	sites = slices.Clone(sites)
	slices.SortStableFunc(sites, func(a, b outcome.Datacenter) int { return cmp.Compare(b.Players, a.Players) })
	labels := chart.Labels{Within: chart.Box{X0: chart.Margin, X1: chart.Width - chart.Margin, Y1: math.Inf(1)}}
	for i := range sites {
		p := m.position(float64(sites[i].Longitude), float64(sites[i].Latitude))
		labels.Taken = append(labels.Taken, chart.Box{X0: p.X - 6, Y0: p.Y - 7, X1: p.X + 6, Y1: p.Y + 5})
		m.triangle(chart.Paper, p, 6.2)
		m.triangle(chart.Ink, p, 4.2)
	}
	for i := range sites {
		p := m.position(float64(sites[i].Longitude), float64(sites[i].Latitude))
		name := chart.TinyFace.Shorten(sites[i].Name, 110)
		at, ok := labels.Place(p, name, circles)
		if !ok {
			at, ok = labels.Place(p, name, large)
		}
		if !ok {
			continue
		}
		if plates {
			m.Rectangle(chart.Paper, at.X0-1.5, at.Y0-1, at.X1+1.5, at.Y1+1)
		}
		m.Label(at, name)
	}
}

func (m worldMap) triangle(c color.Color, p chart.Point, r float64) {
	m.Polygons(c, []chart.Point{{X: p.X, Y: p.Y - r}, {X: p.X + 0.9*r, Y: p.Y + 0.7*r}, {X: p.X - 0.9*r, Y: p.Y + 0.7*r}})
}
