package figure

import (
	"image/color"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// discSize is the largest radius of the disc of a datacenter. It is larger than any circle of players, so that players who
// live near a datacenter do not hide its disc.
const discSize = 26

// PlotSites draws the map of a run with a disc under each datacenter, whose area shows the machine hours
// or, without a fleet, the players that it hosts. cells are the places where players live.
func PlotSites(s *outcome.Summary, cells []result.Cell, coast Coast) chart.Plot {
	p := mapOf(&result.Result{Summary: *s}, coast, cells)
	p.Title = mapTitle(s)
	hosted, of := siteHosts(s)
	p.Note = "players by where they live: the area of a circle shows how many, its colour the mean RTT they got; the area of the disc under a datacenter shows its " + hosted
	p.Key = append(p.Key, chart.KeyEntry{Text: hosted, Colour: chart.Purple})
	colours, class := chart.Ramp[:], rttClasses(s).Of
	if len(s.Queues) > 0 { // a mean RTT over queues with different rules says nothing
		p.Note = "players by where they live: the area of a circle shows how many; the area of the disc under a datacenter shows its " + hosted
		p.Key, colours, class = p.Key[len(p.Key)-1:], []color.RGBA{chart.Blue}, func(float64) int { return 0 }
	}
	p.Draw = func(c *chart.Canvas, top float64) {
		m := worldmap.Full(c, top)
		m.Coast(coast)
		boxes := discs(m, s.ByDatacenter, of, hosted)
		circles, large := m.Players(cells, colours, class)
		m.Datacenters(s.ByDatacenter, append(circles, boxes...), large, false)
		m.RecordPlaces("the places with the most players", cells)
	}
	return p
}

// siteHosts returns what a datacenter hosts, in words and as a number.
func siteHosts(s *outcome.Summary) (name string, of func(d *outcome.Datacenter) float64) {
	if s.Fleet == nil {
		return "players", func(d *outcome.Datacenter) float64 { return float64(d.Players) }
	}
	return "machine hours", func(d *outcome.Datacenter) float64 {
		if d.MachineHours == nil {
			return 0
		}
		return float64(*d.MachineHours)
	}
}

// discs draws the discs of datacenters and returns their boxes.
func discs(m worldmap.Map, datacenters []outcome.Datacenter, of func(d *outcome.Datacenter) float64, name string) (boxes []chart.Box) {
	most := 0.0
	for i := range datacenters {
		most = max(most, of(&datacenters[i]))
	}
	var circles []chart.Circle
	var list []chart.Cell
	for i := range datacenters {
		x := of(&datacenters[i])
		if !(x > 0) {
			continue
		}
		disc := chart.Circle{Point: m.DatacenterAt(&datacenters[i]), Radius: discSize * math.Sqrt(x/most)}
		box := chart.Around(disc.Point, disc.Radius)
		circles, boxes = append(circles, disc), append(boxes, box)
		list = append(list, chart.Cell{Box: box, Texts: []string{words.Printable(datacenters[i].Name), words.Thousands(outcome.Count(math.Round(x)))}})
	}
	m.Circles(chart.Purple, circles)
	m.Cells("datacenters", []string{"", name}, list)
	return boxes
}
