package latencymap

import "math"

const (
	// earthRadiusKM is the mean radius of the Earth.
	earthRadiusKM = 6371.0
	lightKMPerMS  = 299.792458
	// lightInFibreMSPerKM is the lowest possible RTT per kilometre of cable. In one millisecond, light
	// travels about 100 km through fibre and back.
	lightInFibreMSPerKM = 0.01
)

// Position is a point on the Earth in degrees. Latitude is from -90 to 90 and longitude from -180
// to 180.
type Position struct{ Lat, Lon float64 }

// greatCircleKM returns the distance between two positions along the surface of a spherical Earth.
func greatCircleKM(a, b Position) float64 { return a.vector().kilometres(b.vector()) }

// vector is a position as a point on the unit sphere. A distance between vectors takes one square
// root and one arcsine instead of five trigonometric functions. This pays off because the same
// positions are used for many distances.
type vector struct{ x, y, z float64 }

func (p Position) vector() vector {
	sinLat, cosLat := math.Sincos(p.Lat * (math.Pi / 180))
	sinLon, cosLon := math.Sincos(p.Lon * (math.Pi / 180))
	return vector{x: cosLat * cosLon, y: cosLat * sinLon, z: sinLat}
}

// chordSquared returns the squared length of the straight line between two points of the unit
// sphere. Points that are sorted by it are also sorted by great-circle distance. The conversions
// prevent fused multiply-add, which would give different last bits on some processors.
func (a vector) chordSquared(b vector) float64 {
	dx, dy, dz := a.x-b.x, a.y-b.y, a.z-b.z
	return float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
}

func (a vector) kilometres(b vector) float64 { return chordKilometres(a.chordSquared(b)) }

func chordKilometres(squared float64) float64 {
	return 2 * earthRadiusKM * math.Asin(min(math.Sqrt(squared)/2, 1))
}

// chordSquaredOf is the inverse of chordKilometres, up to half the Earth's circumference.
func chordSquaredOf(kilometres float64) float64 {
	chord := 2 * math.Sin(kilometres/(2*earthRadiusKM))
	return chord * chord
}

// cellRadiusKM returns the distance from the centre of a cell to its farthest point, which is one
// of the two corners nearer the equator.
func cellRadiusKM(cell int) float64 {
	centre := CellCentre(cell)
	corner := Position{Lat: centre.Lat - math.Copysign(0.5, centre.Lat), Lon: centre.Lon + 0.5}
	return greatCircleKM(centre, corner)
}

// fibreMS returns the RTT of a fibre along the great circle, at two thirds of the speed of light.
func fibreMS(kilometres float64) float64 { return kilometres / lightKMPerMS * 3 }

// lineMS is a linear fit to the clean cells of 28 real maps. Its median error is 6.1 ms, and 90 %
// of its errors are below 21.5 ms.
func lineMS(kilometres float64) float64 { return 18.5 + float64(0.0158*kilometres) }
