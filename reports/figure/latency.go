package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A LatencyMap has the RTT from every one-degree cell of the world, row by row from the
// north-west corner, to one datacenter or to the best of several.
type LatencyMap struct {
	Name        string               // name of the picture's files, without extension
	RTT         []float32            // in ms; 0 if unknown
	Measured    []bool               // false for an estimate, which is drawn only on land
	Best        []int                // index of the best of Datacenters, by cell; nil if the map is of a single datacenter
	Datacenters []outcome.Datacenter // marked on the map; their players do not matter
	Limits      grade.RTTs           // determine the colours
}

// cellMapHeight is the height of a canvas with one map below heading and legend. It is a multiple
// of 3 canvas units, which are exactly 4 pixels of a PNG, so that cells are whole pixels too.
var cellMapHeight = 3 * math.Ceil((chart.HeadingHeight+26+worldmap.Height+chart.Margin)/3)

// PlotLatency draws a map of the RTTs to one datacenter, or to the best of several datacenters. In
// the second case it also draws borders between the areas that have different best datacenters.
func PlotLatency(l *LatencyMap, coast Coast) chart.Plot {
	classes := l.Limits.Classes()
	land := worldmap.LandCells(coast)
	shown := func(cell int) bool { return l.RTT[cell] > 0 && (l.Measured[cell] || land[cell]) }
	p := chart.Plot{
		Name:   l.Name,
		Title:  l.title(shown, land),
		Note:   "RTT of a player in each cell of one degree; " + l.note(),
		Height: cellMapHeight,
		Key:    classKey(classes),
	}
	measured, estimated := l.count(shown)
	if measured > 0 && estimated > 0 {
		p.Key = append(p.Key, chart.KeyEntry{Text: "pale: estimated", Colour: paler(chart.Ramp[0])})
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		m := worldmap.Full(s, top)
		m.Coast(coast)
		layer := func(isMeasured bool, colours []color.RGBA) {
			m.ClassLayers(colours, func(cell int) int {
				if !shown(cell) || l.Measured[cell] != isMeasured {
					return -1
				}
				return classes.Of(float64(l.RTT[cell]))
			})
		}
		full := chart.Ramp[:]
		pale := full
		if measured > 0 {
			pale = words.Each(full, paler)
		}
		layer(false, pale)
		layer(true, full)
		m.Outline(coast)
		if l.Best != nil {
			m.Borders(chart.Ink, 0.9, worldmap.Smoothed(l.groups(shown)))
		}
		m.Datacenters(l.datacenters(shown), nil, nil, true)
	}
	return p
}

func (l *LatencyMap) note() string {
	if l.Best == nil {
		return "triangle: the datacenter"
	}
	return "triangles: the datacenters; lines: borders between the areas of the best datacenters; borders of single cells are omitted"
}

// count returns how many of the shown cells are measured and how many are estimated.
func (l *LatencyMap) count(shown func(int) bool) (measured, estimated int) {
	for cell, is := range l.Measured {
		switch {
		case !shown(cell):
		case is:
			measured++
		default:
			estimated++
		}
	}
	return measured, estimated
}

// title says which share of the shown area is within the RTT limits.
func (l *LatencyMap) title(shown func(int) bool, land []bool) string {
	var all, good, fair float64
	where := "land"
	for cell, rtt := range l.RTT {
		if !shown(cell) {
			continue
		}
		if !land[cell] {
			where = "area shown"
		}
		area := cellArea(cell)
		all += area
		if rtt <= float32(l.Limits.Good) {
			good += area
		}
		if rtt <= float32(l.Limits.Fair) {
			fair += area
		}
	}
	subject := "The best of " + words.Thousands(len(l.Datacenters)) + " datacenters"
	if l.Best == nil {
		subject = l.Datacenters[0].Name
	}
	if all == 0 {
		return subject + ": no RTT is known"
	}
	return fmt.Sprintf("%s is within %s of %s of the %s, within %s of %s", subject,
		words.Threshold(l.Limits.Good), words.Percent(outcome.RoundShare(good/all)), where, words.Threshold(l.Limits.Fair), words.Percent(outcome.RoundShare(fair/all)))
}

// cellArea is the area of a cell relative to that of a cell at the equator.
func cellArea(cell int) float64 {
	return math.Cos((89.5 - float64(cell/worldmap.Columns)) * math.Pi / 180)
}

// groups returns the best datacenter of every shown cell, and -1 for other cells.
func (l *LatencyMap) groups(shown func(int) bool) []int {
	groups := slices.Clone(l.Best)
	for cell := range groups {
		if !shown(cell) {
			groups[cell] = -1
		}
	}
	return groups
}

// datacenters returns the datacenters with the number of shown cells for which they are best as their
// players, because a worldmap.Map places the names in that order.
func (l *LatencyMap) datacenters(shown func(int) bool) []outcome.Datacenter {
	datacenters := slices.Clone(l.Datacenters)
	for cell, best := range l.Best {
		if shown(cell) {
			datacenters[best].Players++
		}
	}
	return datacenters
}

// paler mixes a colour with chart.Paper.
func paler(c color.RGBA) color.RGBA {
	const keep = 45
	mix := func(c, paper uint8) uint8 { return uint8((int(c)*keep + int(paper)*(100-keep)) / 100) }
	return color.RGBA{mix(c.R, chart.Paper.R), mix(c.G, chart.Paper.G), mix(c.B, chart.Paper.B), 0xFF}
}
