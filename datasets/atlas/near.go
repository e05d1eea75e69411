package atlas

import (
	"math"
	"sync"
)

const (
	earthKM       = 6371.0
	kmPerLatitude = math.Pi / 180 * earthKM
)

// cityCells marks the 1° cells of the world that contain a city or are next to a cell with a city.
var cityCells = sync.OnceValue(func() *[180 * 360]bool {
	var cells [180 * 360]bool
	for _, c := range Cities() {
		row, column := cellOf(c.Lat, c.Lon)
		for r := max(row-1, 0); r <= min(row+1, 179); r++ {
			for _, beside := range []int{359, 0, 1} {
				cells[r*360+(column+beside)%360] = true
			}
		}
	}
	return &cells
})

func cellOf(lat, lon float64) (row, column int) {
	return min(int(math.Floor(lat))+90, 179), (int(math.Floor(lon)) + 180 + 360) % 360
}

// Remote reports whether there is no city within km kilometres of a position. km must be at least
// 350. The cost is a table lookup near cities and 10 µs elsewhere.
func Remote(lat, lon, km float64) bool {
	row, column := cellOf(lat, lon)
	return !cityCells()[row*360+column] && !NearCity(lat, lon, km)
}

// NearCity reports whether there is a city within km kilometres of a position. It takes 10 µs.
func NearCity(lat, lon, km float64) bool {
	degrees := km / kmPerLatitude
	sin, cos := math.Sincos(lat * math.Pi / 180)
	limit := math.Cos(km / earthKM)
	for _, c := range Cities() {
		if math.Abs(c.Lat-lat) > degrees {
			continue // cheap test that excludes most cities
		}
		citySin, cityCos := math.Sincos(c.Lat * math.Pi / 180)
		if sin*citySin+cos*cityCos*math.Cos((c.Lon-lon)*math.Pi/180) >= limit {
			return true
		}
	}
	return false
}
