package latencymap

// fill fills the holes of a datacenter's grid, see Builder.Maps, and returns how
// many. Only measured cells count, never filled ones. What a measured cell tells is
// spread over the holes around it, since most cells of most maps are neither.
func (b *Builder) fill(dc int, grid *Grid) (filled int) {
	estimates, n := b.estimates(), len(b.options.Datacenters)
	estimate := func(cell int) float64 { return Milliseconds(estimates[cell*n+dc]) }
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

// eachNeighbour yields the cells around a cell, up to reach rows and columns away,
// row by row. East and west meet at the antimeridian.
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

// estimates returns what the model says of every cell and datacenter, made when
// first asked for: some 60 ms for 29 datacenters.
func (b *Builder) estimates() []uint16 {
	if b.model == nil {
		set, err := Open(nil, "", b.options.Datacenters, Options{Fallback: Model})
		if err != nil {
			panic(err) // NewBuilder checked the datacenters
		}
		b.model = set.Table(CellCentres(), nil).RTT
	}
	return b.model
}

// CellCentres returns the middle of every cell.
func CellCentres() []Position {
	centres := make([]Position, Cells)
	for cell := range centres {
		centres[cell] = CellCentre(cell)
	}
	return centres
}
