package latencymap

// fill fills the holes in a datacenter's grid and returns their number, see Builder.Maps. Only
// measured cells count as neighbours, not filled ones. fill visits the measured cells instead of
// the holes, because most holes are far from any measured cell.
func (b *Builder) fill(dc int, grid *Grid) (filled int) {
	estimates, n := b.estimates(), len(b.options.Datacenters)
	estimate := func(cell int) float64 { return float64(Milliseconds(estimates[cell*n+dc])) }
	var sums, weights [Cells]float64
	for cell, ms := range grid.ms {
		if ms <= 0 {
			continue
		}
		off, here := float64(ms)-estimate(cell), CellCentre(cell).vector()
		eachNeighbour(cell, b.options.Fill, func(near int) {
			if grid.ms[near] <= 0 {
				weight := 1 / here.chordSquared(CellCentre(near).vector())
				sums[near] += float64(weight * off)
				weights[near] += weight
			}
		})
	}
	for cell, weight := range weights {
		if weight == 0 || cell == nullIsland && b.options.Clean {
			continue
		}
		lowest := max(float64(b.limits[dc*Cells+cell]), AccessMS)
		grid.ms[cell] = float32(min(max(estimate(cell)+sums[cell]/weight, lowest), SampleMaxMS))
		filled++
	}
	return filled
}

// eachNeighbour yields the cells up to reach rows and columns away from a cell, row by row. It
// wraps around at the antimeridian.
func eachNeighbour(cell, reach int, yield func(near int)) {
	row, col := cell/Cols, cell%Cols
	for r := max(row-reach, 0); r <= min(row+reach, Rows-1); r++ {
		for c := col - reach; c <= col+reach; c++ {
			if near := r*Cols + (c+Cols)%Cols; near != cell {
				yield(near)
			}
		}
	}
}

// estimates returns the model's estimates for all cells and datacenters. The first call computes
// them, which takes about 60 ms for 29 datacenters.
func (b *Builder) estimates() []uint16 {
	if b.model == nil {
		set, err := Open(nil, "", b.options.Datacenters, Options{Fallback: Model})
		if err != nil {
			panic(err) // cannot happen: NewBuilder has checked the datacenters
		}
		b.model = set.Table(CellCentres(), nil).RTT
	}
	return b.model
}

// CellCentres returns the centres of all cells.
func CellCentres() []Position {
	centres := make([]Position, Cells)
	for cell := range centres {
		centres[cell] = CellCentre(cell)
	}
	return centres
}
