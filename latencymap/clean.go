package latencymap

import "math/bits"

// lightMargin is the minimum ratio of a plausible RTT to the RTT of light in fibre along the great
// circle. No cable is straight, so a sample with a lower ratio has a wrong position.
const lightMargin = 1.15

// nullIsland is the cell at latitude 0 and longitude 0. It is in the ocean, so a sample there comes
// from a failed geolocation.
var nullIsland = CellOf(0, 0)

// Cleaned counts the values that were dropped from a map, by reason.
type Cleaned struct {
	NullIsland      int `json:"null_island"`
	FasterThanLight int `json:"faster_than_light"`
	NaN             int `json:"nan"` // values that are NaN, infinite or negative; dropped even without cleaning
}

// clean drops the impossible samples of all maps by making them negative. Lookup ignores negative
// values, and Raw can still return them.
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

// lowestMS returns the lowest plausible RTT in ms between two points.
func lowestMS(a, b vector) float64 { return lightMargin * lightInFibreMSPerKM * a.kilometres(b) }
