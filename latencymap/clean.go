package latencymap

import "math/bits"

// lightMargin is how much slower than light in fibre along the great circle a
// plausible sample must be. No cable is straight, so a sample within 15 % of the limit
// also has a wrong position.
const lightMargin = 1.15

// nullIsland is the cell of latitude 0, longitude 0, in the ocean, where failed
// geolocations end up.
var nullIsland = CellOf(0, 0)

// Cleaned counts the cells of one map whose value was dropped.
type Cleaned struct {
	NullIsland      int
	FasterThanLight int
	NaN             int // NaN, infinite or negative; never a sample, even without cleaning
}

// clean drops the impossible samples of all maps by negating them: Lookup ignores
// negative values, and Raw can still show them.
func (s *Set) clean() {
	n := len(s.datacenters)
	for cell, filled := range s.filled {
		if filled == 0 {
			continue
		}
		row, centre := s.samples[cell*n:][:n], CellCentre(cell).vector()
		for left := filled; left != 0; left &= left - 1 {
			dc := bits.TrailingZeros64(left)
			switch {
			case cell == nullIsland:
				s.cleaned[dc].NullIsland++
			case float64(row[dc]) < lowestMS(centre, s.positions[dc]):
				s.cleaned[dc].FasterThanLight++
			default:
				continue
			}
			row[dc] = -row[dc]
			s.filled[cell] &^= 1 << dc
		}
	}
}

// lowestMS is the lowest plausible RTT in ms between two points.
func lowestMS(a, b vector) float64 { return lightMargin * lightInFibreMSPerKM * a.kilometres(b) }
