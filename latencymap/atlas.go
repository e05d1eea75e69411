package latencymap

import (
	"cmp"
	"math"
	"slices"
)

// Atlas answers which of the listed cities is nearest to a position, from which
// the continent and country of a place follow. Cities that can be nearest to
// some point of a cell are found when the cell is first asked for, so an Atlas
// must not be used by several goroutines.
type Atlas struct {
	cities    []vector
	latitudes []float64 // by rank
	byRank    []int32   // city numbers by latitude, southernmost first
	near      [][]int32 // per cell, candidates in ascending order
}

// NewAtlas makes an atlas of cities, whose order is kept as their number.
func NewAtlas(cities []Position) *Atlas {
	a := &Atlas{
		cities:    vectors(cities),
		latitudes: make([]float64, len(cities)),
		byRank:    make([]int32, len(cities)),
		near:      make([][]int32, Cells),
	}
	for i := range a.byRank {
		a.byRank[i] = int32(i)
	}
	slices.SortStableFunc(a.byRank, func(i, j int32) int { return cmp.Compare(cities[i].Lat, cities[j].Lat) })
	for rank, city := range a.byRank {
		a.latitudes[rank] = cities[city].Lat
	}
	return a
}

// Nearest returns the number of the nearest city, the first of them if several
// are equally near, or -1 if the atlas is empty.
func (a *Atlas) Nearest(lat, lon float64) int {
	cell := CellOf(lat, lon)
	if a.near[cell] == nil {
		a.near[cell] = a.candidates(cell)
	}
	place := Position{Lat: lat, Lon: lon}.vector()
	nearest, best := -1, math.Inf(1)
	for _, city := range a.near[cell] {
		if squared := place.chordSquared(a.cities[city]); squared < best {
			nearest, best = int(city), squared
		}
	}
	return nearest
}

// candidates returns the cities that are nearest to some point of a cell: those
// not farther from its centre than the nearest one plus the cell's diameter.
// Only a band of latitudes is searched, because a city is never nearer than its
// difference in latitude.
func (a *Atlas) candidates(cell int) []int32 {
	const slackKM = 1e-3 // keeps equally near cities in spite of rounding
	const kmPerDegree = earthRadiusKM * math.Pi / 180
	centre := CellCentre(cell)
	from := centre.vector()
	reach := 2*cellRadiusKM(cell) + slackKM

	middle, _ := slices.BinarySearch(a.latitudes, centre.Lat)
	south, north := middle-1, middle
	nearest := math.Inf(1)
	for south >= 0 || north < len(a.latitudes) {
		// Take the next city outwards, whichever side is nearer.
		rank := north
		if north == len(a.latitudes) || south >= 0 && centre.Lat-a.latitudes[south] < a.latitudes[north]-centre.Lat {
			rank = south
			south--
		} else {
			north++
		}
		if math.Abs(a.latitudes[rank]-centre.Lat)*kmPerDegree > nearest {
			break
		}
		nearest = min(nearest, from.kilometres(a.cities[a.byRank[rank]]))
	}

	limit := nearest + reach
	band := limit / kmPerDegree
	first, _ := slices.BinarySearch(a.latitudes, centre.Lat-band)
	last, _ := slices.BinarySearch(a.latitudes, centre.Lat+band)
	found := []int32{} // not nil: known, even if empty
	for _, city := range a.byRank[first:last] {
		if from.kilometres(a.cities[city]) <= limit {
			found = append(found, city)
		}
	}
	slices.Sort(found)
	return found
}
