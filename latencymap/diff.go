package latencymap

import (
	"cmp"
	"math"
	"slices"
)

// Difference describes how two maps of a datacenter differ.
type Difference struct {
	Cells        []CellDifference // cells with a sample in both maps, in ascending order
	OnlyA, OnlyB int              // number of cells with a sample in only one map
}

// CellDifference contains a cell's RTT in each of the two maps, in ms.
type CellDifference struct {
	Cell int
	A, B float64
}

// Delta returns B - A in ms.
func (c CellDifference) Delta() float64 { return c.B - c.A }

// Compare compares two maps. In a map from a PNG, 255 means 255 ms or more. If one of the maps is
// from a PNG, higher values in the other therefore count as 255 ms.
func Compare(a, b *Grid) Difference {
	var d Difference
	top := math.Inf(1)
	if a.shades || b.shades {
		top = shadeMax
	}
	for cell := range Cells {
		msA, inA := a.At(cell)
		msB, inB := b.At(cell)
		switch {
		case inA && inB:
			d.Cells = append(d.Cells, CellDifference{cell, min(float64(msA), top), min(float64(msB), top)})
		case inA:
			d.OnlyA++
		case inB:
			d.OnlyB++
		}
	}
	return d
}

// Add adds the cells of another pair of maps, so that all datacenters can be summarised together.
func (d *Difference) Add(other Difference) {
	d.Cells = append(d.Cells, other.Cells...)
	d.OnlyA += other.OnlyA
	d.OnlyB += other.OnlyB
}

// DifferenceFigures summarises a Difference over the cells with a sample in both maps, in ms. All
// fields are 0 if there are no such cells.
type DifferenceFigures struct {
	Bias              float64 // mean of B - A
	Mean, Median, P95 float64 // of the absolute difference; Median and P95 are nearest ranks
	Changed           int     // cells whose difference exceeds the limit
}

// Figures summarises the difference. A cell is Changed if its difference exceeds limit, in ms.
func (d *Difference) Figures(limit float64) DifferenceFigures {
	n := len(d.Cells)
	if n == 0 {
		return DifferenceFigures{}
	}
	var f DifferenceFigures
	absolute := make([]float64, n)
	for i, c := range d.Cells {
		absolute[i] = math.Abs(c.Delta())
		f.Bias += c.Delta()
		f.Mean += absolute[i]
		if absolute[i] > limit {
			f.Changed++
		}
	}
	slices.Sort(absolute)
	f.Bias /= float64(n)
	f.Mean /= float64(n)
	f.Median = absolute[(n+1)/2-1]
	f.P95 = absolute[(95*n+99)/100-1]
	return f
}

// Largest returns up to n cells that differ, sorted by decreasing absolute difference and then by
// cell.
func (d *Difference) Largest(n int) []CellDifference {
	var differ []CellDifference
	for _, c := range d.Cells {
		if c.Delta() != 0 {
			differ = append(differ, c)
		}
	}
	slices.SortStableFunc(differ, func(a, b CellDifference) int {
		return cmp.Compare(math.Abs(b.Delta()), math.Abs(a.Delta()))
	})
	return differ[:min(n, len(differ))]
}
