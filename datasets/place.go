package datasets

import "math/bits"

// Place is the place of one or more joins. It has a position, and data about players at this place
// if the file contains any. Rows with the same position and data share one place. The position is
// rounded down to 0.01°, so that it stays in its cell of a latency map.
type Place struct {
	LatHundredths, LonHundredths int16       // hundredths of a degree, rounded down
	Country                      CountryCode // from the file; 0 if the country of the nearest city applies
	Continent                    Continent   // from the file; 0 if the continent of the nearest city applies
	measured                     uint32      // number of the set of measured RTTs; 0 if there are none
}

// Lat returns the latitude in degrees.
func (p Place) Lat() float64 { return float64(p.LatHundredths) / 100 }

// Lon returns the longitude in degrees.
func (p Place) Lon() float64 { return float64(p.LonHundredths) / 100 }

// own reports whether the file contains data about the place besides its position.
func (p Place) own() bool { return p.Country != 0 || p.Continent != 0 || p.measured != 0 }

// cells is the number of 1° cells in the world.
const cells = 180 * 360

// cell returns the 1° cell of a place. Latitude 90 belongs to the northernmost row. Longitude 180
// is the same as -180.
func (p Place) cell() int {
	row := min((int(p.LatHundredths)+9000)/100, 179)
	column := (int(p.LonHundredths) + 18000) / 100 % 360
	return row*360 + column
}

// placeTable numbers places in the order of their first appearance. It is a hash table with open
// addressing, whose slots contain the keys. A lookup touches one cache line, and adding a row
// allocates nothing. The zero value is ready to use.
type placeTable struct {
	places []Place
	slots  []placeSlot // length is a power of two; at most half full
}

type placeSlot struct {
	key      uint64 // position, country and continent
	measured uint32
	number   uint32 // number of the place, from 1; 0 if the slot is free
}

func (p Place) key() uint64 {
	return uint64(uint16(p.LatHundredths))<<48 | uint64(uint16(p.LonHundredths))<<32 |
		uint64(p.Country)<<16 | uint64(p.Continent)
}

// number returns the index of a place, and adds the place if it is new.
func (t *placeTable) number(p Place) uint32 {
	if 2*len(t.places) >= len(t.slots) {
		t.grow()
	}
	key := p.key()
	s := t.find(key, p.measured)
	if s.number == 0 {
		t.places = append(t.places, p)
		*s = placeSlot{key, p.measured, uint32(len(t.places))}
	}
	return s.number - 1
}

// find returns the slot of a key, or the free slot in which to store it.
func (t *placeTable) find(key uint64, measured uint32) *placeSlot {
	mask := len(t.slots) - 1
	hash := (key ^ uint64(measured)*0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15
	for i := int(bits.ReverseBytes64(hash)) & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.number == 0 || s.key == key && s.measured == measured {
			return s
		}
	}
}

func (t *placeTable) grow() {
	t.slots = make([]placeSlot, max(1<<12, 2*len(t.slots)))
	for i, p := range t.places {
		key := p.key()
		*t.find(key, p.measured) = placeSlot{key, p.measured, uint32(i + 1)}
	}
}

// neighbours lists, for each 1° cell, the places that have only a position and no other data. When
// a day is scaled up, rows are copied, and a copy may move to one of these places.
type neighbours struct {
	start  []uint32 // index of the first place of each cell, and the end of the last cell
	places []uint32
}

// newNeighbours groups the places by cell with a counting sort. The cost is linear in the number of
// places.
func newNeighbours(places []Place) neighbours {
	n := neighbours{start: make([]uint32, cells+1)}
	for _, p := range places {
		if !p.own() {
			n.start[p.cell()+1]++
		}
	}
	for c := range cells {
		n.start[c+1] += n.start[c]
	}
	n.places = make([]uint32, n.start[cells])
	next := append([]uint32(nil), n.start[:cells]...)
	for i, p := range places {
		if !p.own() {
			c := p.cell()
			n.places[next[c]] = uint32(i)
			next[c]++
		}
	}
	return n
}

// of returns the places in the same cell as p.
func (n *neighbours) of(p Place) []uint32 {
	c := p.cell()
	return n.places[n.start[c]:n.start[c+1]]
}
