package latencymap

import (
	"cmp"
	"math"
	"slices"
)

// Atlas finds the city nearest to a position. The city determines the position's continent and
// country. An Atlas is not safe for concurrent use, because it computes the candidate cities of a
// cell on the first lookup in that cell.
type Atlas struct {
	cities    []vector
	latitudes []float64 // by rank
	byRank    []int32   // city numbers sorted by latitude, southernmost first
	near      [][]int32 // by cell: candidates in ascending order; nil before the first lookup
}

// NewAtlas returns an atlas of the cities. The number of a city is its index in the list.
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

// Nearest returns the number of the nearest city, or the lowest number if several are equally near.
// It returns -1 if the atlas is empty.
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

// candidates returns all cities that may be the nearest to some point of a cell. Their distance
// from the centre of the cell is at most that of the nearest city plus the diameter of the cell.
// candidates searches only a band of latitudes, because the distance to a city is at least the
// difference in latitude.
func (a *Atlas) candidates(cell int) []int32 {
	const slackKM = 1e-3 // so that rounding does not exclude an equally near city
	const kmPerDegree = earthRadiusKM * math.Pi / 180
	centre := CellCentre(cell)
	from := centre.vector()
	reach := 2*cellRadiusKM(cell) + slackKM

	middle, _ := slices.BinarySearch(a.latitudes, centre.Lat)
	south, north := middle-1, middle
	nearest, shortest := math.Inf(1), math.Inf(1) // in km, and as a squared chord
	for south >= 0 || north < len(a.latitudes) {
		// Of the next cities to the north and to the south, take the one that is nearer in
		// latitude.
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
		if squared := from.chordSquared(a.cities[a.byRank[rank]]); squared < shortest {
			nearest, shortest = chordKilometres(squared), squared
		}
	}

	limit := nearest + reach
	band := limit / kmPerDegree
	first, _ := slices.BinarySearch(a.latitudes, centre.Lat-band)
	last, _ := slices.BinarySearch(a.latitudes, centre.Lat+band)
	within := math.Inf(1)
	if limit < math.Pi*earthRadiusKM {
		within = chordSquaredOf(limit)
	}
	found := []int32{} // not nil, because nil means that the cell has not been looked up
	for _, city := range a.byRank[first:last] {
		if from.chordSquared(a.cities[city]) <= within {
			found = append(found, city)
		}
	}
	slices.Sort(found)
	return found
}
