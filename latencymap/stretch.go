package latencymap

import (
	"io"
	"math"
)

const (
	// SilentStretch is the factor where there are no measurements. It is the ratio of the RTT to
	// that of light in the cables, between cloud regions all over the world.
	SilentStretch = 1.3
	// clusterReachKM is the maximum distance between a datacenter and a fitted city for the
	// datacenter to use the factors of that city.
	clusterReachKM = 800
	noCluster      = -1
	// smoothings is the number of times that factors are averaged with their neighbours. Areas are
	// boxes, but players on both sides of a border use the same cables. Smoothing makes factors
	// change gradually over about five degrees.
	smoothings = 2
)

// Stretch is the length of the route that packets actually take divided by the length of the path.
// It depends on the cluster of the datacenter and on the position of the player. It was fitted for
// boxes on the Earth, called areas, and then smoothed to avoid jumps.
//
// A cluster is a set of neighbouring datacenters. A datacenter belongs to the cluster of the
// nearest fitted city, regardless of its own name.
type Stretch struct {
	clusters    names
	cities      []vector
	cityCluster []int

	areas  names
	areaOf [Cells]int16 // -1 if the cell is in no area

	// factors is indexed by cell and then by cluster, because the lookups for a place need the
	// factors of all clusters.
	factors []float32
}

// ParseStretch reads the three tables of the model, each with a header: areas
// (area,lat_min,lat_max,lon_min,lon_max), clusters (city,lat,lon,cluster) and factors
// (cluster,area,factor,cells). If areas overlap, the first one counts.
func ParseStretch(areas, clusters, factors io.Reader) (*Stretch, error) {
	s := new(Stretch)
	if err := s.readAreas(areas); err != nil {
		return nil, err
	}
	if err := s.readClusters(clusters); err != nil {
		return nil, err
	}
	byArea, err := s.readFactors(factors)
	if err != nil {
		return nil, err
	}
	s.spread(byArea)
	return s, nil
}

// names assigns numbers to names in the order of their first appearance.
type names struct {
	list    []string
	numbers map[string]int
}

func (n *names) number(name string) int {
	number, known := n.numbers[name]
	if !known {
		if n.numbers == nil {
			n.numbers = make(map[string]int)
		}
		number = len(n.list)
		n.list = append(n.list, name)
		n.numbers[name] = number
	}
	return number
}

func (s *Stretch) readAreas(r io.Reader) error {
	for cell := range s.areaOf {
		s.areaOf[cell] = -1
	}
	rec := readRecords(r, "stretch_areas.csv", 5)
	for rec.next() {
		area := s.areas.number(rec.text(0))
		south, north, west, east := rec.number(1), rec.number(2), rec.number(3), rec.number(4)
		s.claim(int16(area), south, north, west, east)
	}
	return rec.err
}

// claim adds all cells whose centres are in a box to an area. It skips cells that already belong to
// an area.
func (s *Stretch) claim(area int16, south, north, west, east float64) {
	for row := range Rows {
		if lat := CellCentre(row * Cols).Lat; lat < south || lat >= north {
			continue
		}
		for cell := row * Cols; cell < (row+1)*Cols; cell++ {
			if lon := CellCentre(cell).Lon; lon >= west && lon < east && s.areaOf[cell] < 0 {
				s.areaOf[cell] = area
			}
		}
	}
}

func (s *Stretch) readClusters(r io.Reader) error {
	rec := readRecords(r, "stretch_clusters.csv", 4)
	for rec.next() {
		s.cities = append(s.cities, Position{Lat: rec.number(1), Lon: rec.number(2)}.vector())
		s.cityCluster = append(s.cityCluster, s.clusters.number(rec.text(3)))
	}
	return rec.err
}

// readFactors returns factors indexed by area and then by cluster. It uses SilentStretch where the
// table has none.
func (s *Stretch) readFactors(r io.Reader) ([]float32, error) {
	factors := make([]float32, len(s.areas.list)*len(s.clusters.list))
	for i := range factors {
		factors[i] = SilentStretch
	}
	rec := readRecords(r, "stretch_factors.csv", 4)
	for rec.next() {
		cluster, area, factor := rec.index(0, s.clusters.numbers), rec.index(1, s.areas.numbers), rec.number(2)
		if !(factor >= 1 && factor <= 20) {
			// Refuse a factor below 1, with which a player could be faster than light.
			rec.failf(2, "%v is no stretch factor, expected 1 to 20", factor)
		}
		if rec.err == nil {
			factors[area*len(s.clusters.list)+cluster] = float32(factor)
		}
	}
	return factors, rec.err
}

// spread assigns factors to the cells and smooths them.
func (s *Stretch) spread(byArea []float32) {
	n := len(s.clusters.list)
	s.factors = make([]float32, Cells*n)
	for cell, area := range s.areaOf {
		for cluster := range n {
			s.factors[cell*n+cluster] = SilentStretch
			if area >= 0 {
				s.factors[cell*n+cluster] = byArea[int(area)*n+cluster]
			}
		}
	}
	smoothed := make([]float32, len(s.factors))
	for range smoothings {
		average3(smoothed, s.factors, n, func(cell int) (int, int) { return west(cell), east(cell) })
		average3(s.factors, smoothed, n, func(cell int) (int, int) { return north(cell), south(cell) })
	}
}

// average3 averages the factors of every cell with those of two neighbouring cells. The first
// parameter receives the result.
func average3(to, from []float32, n int, neighbours func(cell int) (int, int)) {
	for cell := range Cells {
		before, after := neighbours(cell)
		a, b, c := from[before*n:][:n], from[cell*n:][:n], from[after*n:][:n]
		for i := range to[cell*n:][:n] {
			to[cell*n+i] = (a[i] + b[i] + c[i]) / 3
		}
	}
}

func north(cell int) int {
	if cell < Cols {
		return cell
	}
	return cell - Cols
}

func south(cell int) int {
	if cell >= Cells-Cols {
		return cell
	}
	return cell + Cols
}

func west(cell int) int { return cell - cell%Cols + (cell+Cols-1)%Cols }
func east(cell int) int { return cell - cell%Cols + (cell+1)%Cols }

// Area returns the name of the area that contains a position, or "" if there is none.
func (s *Stretch) Area(place Position) string {
	if area := s.areaOf[CellOf(place.Lat, place.Lon)]; area >= 0 {
		return s.areas.list[area]
	}
	return ""
}

// Cluster returns the name of a datacenter's cluster, or "" if no fitted city is near enough.
func (s *Stretch) Cluster(datacenter Position) string {
	if cluster := s.clusterOf(datacenter.vector()); cluster != noCluster {
		return s.clusters.list[cluster]
	}
	return ""
}

func (s *Stretch) clusterOf(datacenter vector) int {
	nearest, cluster := chordSquaredOf(clusterReachKM), noCluster
	for i, city := range s.cities {
		if squared := city.chordSquared(datacenter); squared < nearest {
			nearest, cluster = squared, s.cityCluster[i]
		}
	}
	return cluster
}

// Factor returns the stretch between a place and a datacenter.
func (s *Stretch) Factor(place, datacenter Position) float64 {
	return s.at(fieldPointOf(place), s.clusterOf(datacenter.vector()))
}

func (s *Stretch) at(p fieldPoint, cluster int) float64 {
	if cluster == noCluster {
		return SilentStretch
	}
	n, factor := len(s.clusters.list), 0.0
	for i, cell := range p.cells {
		factor += float64(p.weights[i] * float64(s.factors[cell*n+cluster]))
	}
	return factor
}

// fieldPoint describes a position by the four cells whose centres surround it, and by their weights
// in an interpolation.
type fieldPoint struct {
	cells   [4]int
	weights [4]float64
}

// fieldPointOf returns the cells and weights for an interpolation at a position. They are the same
// for all clusters.
func fieldPointOf(place Position) fieldPoint {
	y, x := Rows/2-0.5-place.Lat, place.Lon+Cols/2-0.5
	top, left := math.Floor(y), math.Floor(x)
	down, right := y-top, x-left
	upper := min(max(int(top), 0), Rows-1) * Cols
	lower := min(max(int(top)+1, 0), Rows-1) * Cols
	leftCol := (int(left) + Cols) % Cols
	rightCol := (leftCol + 1) % Cols
	return fieldPoint{
		cells:   [4]int{upper + leftCol, upper + rightCol, lower + leftCol, lower + rightCol},
		weights: [4]float64{(1 - down) * (1 - right), (1 - down) * right, down * (1 - right), down * right},
	}
}
