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
		if float64(sin*citySin)+float64(cos*cityCos*math.Cos((c.Lon-lon)*math.Pi/180)) >= limit {
			return true
		}
	}
	return false
}

// populatedKM is the distance from a city within which a position is populated. The built-in cities have
// 100,000 people, so most people live that near to one.
const populatedKM = 50

// populatedCells marks the cells of a quarter of a degree whose middle is within populatedKM of a
// city. It takes 5 ms.
var populatedCells = sync.OnceValue(func() *[720 * 1440]bool {
	var cells [720 * 1440]bool
	for _, c := range Cities() {
		row, column := quarterOf(c.Lat, c.Lon)
		const reach = 2 // rows of cells, each 28 km high
		lengthwise := min(float64(reach)/math.Cos(c.Lat*math.Pi/180), 720)
		for r := max(row-reach, 0); r <= min(row+reach, 719); r++ {
			for by := -int(lengthwise); by <= int(lengthwise); by++ {
				around := (column + by + 1440) % 1440
				if (r == row && by == 0) || distanceKM(c.Lat, c.Lon, (float64(r)+0.5)/4-90, (float64(around)+0.5)/4-180) <= populatedKM {
					cells[r*1440+around] = true
				}
			}
		}
	}
	return &cells
})

func quarterOf(lat, lon float64) (row, column int) {
	return min(int(math.Floor(lat*4))+360, 719), (int(math.Floor(lon*4)) + 720 + 1440) % 1440
}

// Populated reports whether there is a city within about 50 km of a position. It is a table lookup
// with cells of a quarter of a degree.
func Populated(lat, lon float64) bool {
	row, column := quarterOf(lat, lon)
	return populatedCells()[row*1440+column]
}

func distanceKM(lat1, lon1, lat2, lon2 float64) float64 {
	sin1, cos1 := math.Sincos(lat1 * math.Pi / 180)
	sin2, cos2 := math.Sincos(lat2 * math.Pi / 180)
	return earthKM * math.Acos(min(float64(sin1*sin2)+float64(cos1*cos2*math.Cos((lon2-lon1)*math.Pi/180)), 1))
}
