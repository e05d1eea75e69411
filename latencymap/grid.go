package latencymap

import "math"

// Rows, Cols and Cells are the size of a latency map, which divides the Earth into cells of one
// degree. Row 0 is the northernmost and column 0 the westernmost: row r contains the latitudes
// [89-r, 90-r), and column c contains the longitudes [c-180, c-179).
const (
	Rows  = 180
	Cols  = 360
	Cells = Rows * Cols
)

// CellOf returns the cell, row*Cols + column, that contains a position in degrees. Latitude 90
// belongs to row 0. Longitude 180 is the same as -180.
func CellOf(lat, lon float64) int {
	row := min(max(Rows/2-1-int(math.Floor(lat)), 0), Rows-1)
	col := (int(math.Floor(lon)) + Cols/2) % Cols
	if col < 0 {
		col += Cols
	}
	return row*Cols + col
}

// CellCentre returns the centre of a cell.
func CellCentre(cell int) Position {
	row, col := cell/Cols, cell%Cols
	return Position{
		Lat: float64(Rows/2-row) - 0.5,
		Lon: float64(col-Cols/2) + 0.5,
	}
}

// SampleMaxMS is the maximum RTT of a sample in ms. No real path comes close to it, so a larger
// number is in another unit or is not an RTT. It is below the largest stored RTT (see Quantise), so
// samples are never clipped.
const SampleMaxMS = 4000

// Grid is the latency map of one datacenter as it was read: the RTT in milliseconds between the
// players in each cell and the datacenter, or 0 if there is no sample. The readers replace NaN,
// infinite and negative values with 0 and count them. They refuse values above SampleMaxMS.
type Grid struct {
	ms      [Cells]float32
	invalid int
	shades  bool // from a PNG, where 255 ms means 255 ms or more
}

// At returns the RTT of a cell in milliseconds. It returns false if the cell has no sample.
func (g *Grid) At(cell int) (ms float32, ok bool) {
	ms = g.ms[cell]
	return ms, ms > 0
}

// Invalid returns the number of NaN, infinite or negative values in the file.
func (g *Grid) Invalid() int { return g.invalid }

// put sets the value of a cell. It returns false if the value is so large that the file must be
// refused.
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
