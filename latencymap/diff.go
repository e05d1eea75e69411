package latencymap

import (
	"cmp"
	"math"
	"slices"
)

// Difference is how two maps of a datacenter differ.
type Difference struct {
	Cells        []CellDifference // cells with a sample in both maps, by cell
	OnlyA, OnlyB int              // cells with a sample in one map only
}

// CellDifference is the RTT in ms of a cell in both maps.
type CellDifference struct {
	Cell int
	A, B float64
}

// Delta is B minus A, in ms.
func (c CellDifference) Delta() float64 { return c.B - c.A }

// Compare compares two maps. If one of them was read from a PNG, where 255 stands for
// 255 ms or more, values of the other above 255 ms count as 255 ms.
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

// Add adds the cells of another pair of maps, to sum up all datacenters.
func (d *Difference) Add(other Difference) {
	d.Cells = append(d.Cells, other.Cells...)
	d.OnlyA += other.OnlyA
	d.OnlyB += other.OnlyB
}

// DifferenceFigures sum a Difference up, in ms over the cells that both maps have;
// all 0 if there is none.
type DifferenceFigures struct {
	Bias              float64 // mean of B minus A
	Mean, Median, P95 float64 // of the absolute difference; nearest rank
	Changed           int     // cells that differ by more than the limit
}

// Figures sums up, with a limit in ms above which a cell counts as changed.
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

// Largest returns up to n cells that differ, the largest difference first and equal
// ones by cell.
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
