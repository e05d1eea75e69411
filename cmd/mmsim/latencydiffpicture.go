package main

import (
	"fmt"
	"math"

	"mmsim/latencymap"
	"mmsim/reports"
)

// draw draws where the maps differ: the mean difference over those datacenters that
// have the cell in both sets. A cell is of one set alone if none has.
func (d *diffCommand) draw(r *diffReport, pairs []comparedMaps) error {
	p := &reports.LatencyDifference{
		Name: "difference", A: r.A, B: r.B, Limit: r.Limit,
		Of:    pairs[0].datacenter,
		Delta: make([]float32, latencymap.Cells),
		OnlyA: make([]bool, latencymap.Cells), OnlyB: make([]bool, latencymap.Cells),
	}
	if len(pairs) > 1 {
		p.Of = fmt.Sprintf("mean of %d datacenters", len(pairs))
	}
	sums, counts := make([]float64, latencymap.Cells), make([]float64, latencymap.Cells)
	for _, pair := range pairs {
		for _, c := range pair.Cells {
			sums[c.Cell] += c.Delta()
			counts[c.Cell]++
		}
	}
	for cell := range latencymap.Cells {
		p.Delta[cell] = float32(math.NaN())
		if counts[cell] > 0 {
			p.Delta[cell] = float32(sums[cell] / counts[cell])
			continue
		}
		for _, pair := range pairs {
			_, inA := pair.a.At(cell)
			_, inB := pair.b.At(cell)
			p.OnlyA[cell] = p.OnlyA[cell] || inA
			p.OnlyB[cell] = p.OnlyB[cell] || inB && !p.OnlyA[cell]
		}
	}
	return writePicture(d.file, reports.PlotLatencyDifference(p, coast()))
}
