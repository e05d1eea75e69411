package figure

import (
	"fmt"
	"image/color"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A LatencyDifference describes how two sets of latency maps differ in every one-degree cell of
// the world, row by row from the north-west corner.
type LatencyDifference struct {
	Name         string               // name of the picture's files, without extension
	Of           string               // what is compared, such as a datacenter
	A, B         string               // names of the two sets
	Delta        []float32            // B minus A in ms; NaN if A or B has no RTT for the cell
	OnlyA, OnlyB []bool               // cells for which only A, or only B, has an RTT
	Limit        float64              // in ms, above 0; a larger difference counts as a change
	Datacenters  []outcome.Datacenter // marked on the map
}

// differenceColours range from much lower through unchanged to much higher. The last two are for
// cells that only A or only B has.
var differenceColours = [...]color.RGBA{
	chart.RGB(0x2166AC), chart.RGB(0x74ADD1), chart.RGB(0xAEB8C0), chart.RGB(0xEE9336), chart.RGB(0xB5352B), chart.RGB(0xDDA9C6), chart.RGB(0x8CCDB7),
}

// A change of more than muchChanged times the Limit is large.
const muchChanged = 4

// class returns the index of a cell's colour, or -1 if it has none.
func (d *LatencyDifference) class(cell int) int {
	delta := float64(d.Delta[cell])
	switch {
	case d.OnlyA[cell]:
		return 5
	case d.OnlyB[cell]:
		return 6
	case math.IsNaN(delta):
		return -1
	case delta < -muchChanged*d.Limit:
		return 0
	case delta < -d.Limit:
		return 1
	case delta <= d.Limit:
		return 2
	case delta <= muchChanged*d.Limit:
		return 3
	}
	return 4
}

func (d *LatencyDifference) key() []chart.KeyEntry {
	limit, much := d.Limit, muchChanged*d.Limit
	var key []chart.KeyEntry
	for i, text := range []string{
		fmt.Sprintf("more than %g ms lower", much), fmt.Sprintf("%g–%g lower", limit, much), fmt.Sprintf("within %g ms", limit),
		fmt.Sprintf("%g–%g higher", limit, much), fmt.Sprintf("more than %g ms higher", much), "only in A", "only in B",
	} {
		key = append(key, chart.KeyEntry{Text: text, Colour: differenceColours[i]})
	}
	return key
}

// PlotLatencyDifference draws a map of where two sets of latency maps differ.
func PlotLatencyDifference(d *LatencyDifference, coast Coast) chart.Plot {
	return chart.Plot{
		Name:   d.Name,
		Title:  d.title(),
		Note:   chart.TextFace.Shorten(fmt.Sprintf("%s: RTT in B minus RTT in A; A is %s, B is %s", d.Of, d.A, d.B), chart.Width-2*chart.Margin),
		Height: cellMapHeight,
		Key:    d.key(),
		Draw: func(s *chart.Canvas, top float64) {
			m := worldmap.Full(s, top)
			m.Coast(coast)
			m.ClassLayers(differenceColours[:], d.class)
			m.Outline(coast)
			m.Datacenters(d.Datacenters, nil, nil, true)
		},
	}
}

// title says how much the RTTs changed, and in which direction.
func (d *LatencyDifference) title() string {
	var both, changed int
	var sum float64
	for _, delta := range d.Delta {
		if delta := float64(delta); !math.IsNaN(delta) {
			both++
			sum += delta
			if math.Abs(delta) > d.Limit {
				changed++
			}
		}
	}
	if both == 0 {
		return "The sets have no cell in common"
	}
	mean, which := sum/float64(both), "higher"
	if mean < 0 {
		mean, which = -mean, "lower"
	}
	by := words.Millis(outcome.RoundMillis(mean)) + " " + which
	if mean < 0.05 {
		by = "the same"
	}
	return fmt.Sprintf("%s of %s cells differ by more than %g ms; RTT in B is %s on average",
		words.Percent(outcome.RoundShare(float64(changed)/float64(both))), words.Thousands(both), d.Limit, by)
}
