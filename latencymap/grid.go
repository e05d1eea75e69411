package latencymap

import "math"

// A latency map divides the Earth into cells of one degree. Row 0 is the
// northernmost degree, column 0 the westernmost: row r holds the latitudes
// [89-r, 90-r), column c the longitudes [c-180, c-179).
const (
	Rows  = 180
	Cols  = 360
	Cells = Rows * Cols
)

// CellOf returns the cell, row*Cols + column, that holds a position given in
// degrees. The poles and the antimeridian are legal: latitude 90 belongs to
// row 0, and longitude 180 is the same meridian as -180.
func CellOf(lat, lon float64) int {
	row := min(max(Rows/2-1-int(math.Floor(lat)), 0), Rows-1)
	col := (int(math.Floor(lon)) + Cols/2) % Cols
	if col < 0 {
		col += Cols
	}
	return row*Cols + col
}

// CellCentre returns the middle of a cell.
func CellCentre(cell int) Position {
	row, col := cell/Cols, cell%Cols
	return Position{
		Lat: float64(Rows/2-row) - 0.5,
		Lon: float64(col-Cols/2) + 0.5,
	}
}

// SampleMaxMS is the largest RTT, in ms, that a map may hold. No path on Earth comes
// near it, so a larger number is in another unit or not an RTT. It is below the largest
// stored RTT (see Quantise), so no sample is cut.
const SampleMaxMS = 4000

// Grid is the latency map of one datacenter as it was read: the RTT in
// milliseconds between the players of a cell and the datacenter, 0 where there
// is no sample. It never holds NaN, infinite or negative values, which the readers
// turn into 0 and count, nor any above SampleMaxMS, which they refuse.
type Grid struct {
	ms      [Cells]float32
	invalid int
	shades  bool // from a PNG: 255 ms means 255 ms or more
}

// At returns the RTT of a cell in milliseconds, or false if it has no sample.
func (g *Grid) At(cell int) (ms float32, ok bool) {
	ms = g.ms[cell]
	return ms, ms > 0
}

// Invalid returns how many cells of the file held NaN, an infinity or a
// negative number.
func (g *Grid) Invalid() int { return g.invalid }

// put stores the value of a cell, or returns false if the file must be refused.
func (g *Grid) put(cell int, ms float32) bool {
	switch {
	case ms >= 0 && ms <= SampleMaxMS:
		g.ms[cell] = ms
	case ms > SampleMaxMS && ms <= math.MaxFloat32:
		return false
	default:
		g.invalid++
	}
	return true
}
