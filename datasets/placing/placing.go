// Package placing finds positions for joins whose rows have no coordinates: from an IP address, or
// from the name of a country, region or city. From a name, it draws a town of package atlas by the
// number of people in it.
//
// The draw is keyed by the party, so the members of a party live in the same town if their rows name
// the same area. A player without a party has a key, too, and lives in the same town in all rows.
// Rows with neither are keyed by their time, their area, and how many rows with the same time and
// area came before. The draw of a row therefore does not depend on any other row, except that rows
// with the same time and area are told apart by their order. It does not depend on the format of the
// file.
//
// [Suspects] warns of places and times of a whole day that are probably not what its file means.
package placing

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"net/netip"
	"strings"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/tables"
)

// Cells are the cells of a row that tell where the player lives and who the player is. A cell that
// the row does not have is empty.
type Cells struct {
	Country, Region, City []byte
	Address               netip.Addr
	Party, Player         []byte
	Instant               int64 // time of the join
}

// Placer places the rows of a file.
type Placer struct {
	Counts datasets.Placed // of the rows that were placed

	draw      datasets.Draw
	addresses *Addresses
	countries map[string]countryCell // by cell
	areas     map[string]*area       // by the cells of country, region and city
	rows      map[uint64]uint64      // number of rows without party and player so far, by time and area
	key       []byte
}

// area is an area with its place in the counts.
type area struct {
	atlas.Area
	country      datasets.CountryCode
	region, city bool // whether the row names them
}

// New returns a Placer. addresses may be nil.
func New(draw datasets.Draw, addresses *Addresses) *Placer {
	return &Placer{
		draw: draw, addresses: addresses,
		countries: make(map[string]countryCell), areas: make(map[string]*area), rows: make(map[uint64]uint64),
	}
}

// ErrNoPlace is returned for a row that names neither a country nor an address.
var ErrNoPlace = errors.New("no coordinates: expected latitude and longitude, or a country")

// CountryExpected describes the cells of a country, for messages.
const CountryExpected = "expected an ISO 3166 code or the English name of a country"

// countryCell is what a cell of a country means.
type countryCell struct {
	code datasets.CountryCode
	err  error // if the country is unknown
}

// Country returns the country that a cell names.
func (p *Placer) Country(cell []byte) (datasets.CountryCode, error) {
	found, known := p.countries[string(cell)]
	if !known {
		found.code, known = atlas.FindCountry(string(cell))
		if !known {
			expected := CountryExpected
			if near := atlas.NearestCountry(string(cell)); near != "" {
				expected += fmt.Sprintf("; did you mean %s?", near)
			}
			found.err = fmt.Errorf("country %s: %s", tables.Quoted(cell), expected)
		}
		p.countries[string(cell)] = found
	}
	return found.code, found.err
}

// Place sets the position of a row's place and counts the row.
func (p *Placer) Place(c *Cells, place *datasets.Place) error {
	found := datasets.CountryCode(0)
	if p.addresses != nil && c.Address.IsValid() {
		position, country, err := p.addresses.find(c.Address)
		if err != nil {
			return err
		}
		if position != nil {
			p.Counts.ByAddress++
			setPosition(place, *position)
			return nil
		}
		found = country
	}
	a, err := p.areaOf(c, found)
	if err != nil {
		return err
	}
	p.count(a)
	place.Country = a.country
	setPosition(place, a.Draw(p.draw(p.entity(c, a), 0)))
	return nil
}

// areaOf returns the area that a row names. The country is that of the address, if found is not 0.
func (p *Placer) areaOf(c *Cells, found datasets.CountryCode) (*area, error) {
	p.key = append(append(p.key[:0], c.Country...), 0)
	p.key = append(append(append(p.key, c.Region...), 0), c.City...)
	p.key = binary.LittleEndian.AppendUint16(append(p.key, 0), uint16(found))
	if a, known := p.areas[string(p.key)]; known {
		return a, nil
	}
	country, err := found, error(nil)
	switch {
	case found != 0:
	case len(c.Country) > 0:
		country, err = p.Country(c.Country)
	case p.addresses != nil && c.Address.IsValid():
		err = fmt.Errorf("the address is private or not in %s: expected one that is, or a country", p.addresses.name)
	default:
		err = ErrNoPlace
	}
	if err != nil {
		return nil, err
	}
	a := &area{atlas.FindArea(country, string(c.Region), string(c.City)), country, len(c.Region) > 0, len(c.City) > 0}
	p.areas[string(p.key)] = a
	return a, nil
}

func (p *Placer) count(a *area) {
	if a.Unknown.City {
		p.Counts.UnknownCity++
	}
	if a.Unknown.Region {
		p.Counts.UnknownRegion++
	}
	switch {
	case a.city && !a.Unknown.City:
		p.Counts.ByCity++
	case a.region && !a.Unknown.Region:
		p.Counts.ByRegion++
	default:
		p.Counts.ByCountry++
	}
}

// Kinds of keys of a draw. A party and a player with the same name have different keys.
const (
	keyParty = iota + 1
	keyPlayer
	keyRow
)

// entity returns the key of a row's draw.
func (p *Placer) entity(c *Cells, a *area) uint64 {
	switch {
	case len(c.Party) > 0:
		return hash(append(append(p.key[:0], keyParty), c.Party...))
	case len(c.Player) > 0:
		return hash(append(append(p.key[:0], keyPlayer), c.Player...))
	}
	p.key = binary.LittleEndian.AppendUint64(append(p.key[:0], keyRow), uint64(c.Instant))
	p.key = binary.LittleEndian.AppendUint16(p.key, uint16(a.country))
	p.key = append(append(append(p.key, c.Region...), 0), c.City...)
	row := hash(p.key)
	number := p.rows[row]
	p.rows[row]++
	return hash(binary.LittleEndian.AppendUint64(p.key, number))
}

func hash(key []byte) uint64 {
	h := fnv.New64a()
	h.Write(key)
	return h.Sum64()
}

// setPosition rounds a position down to hundredths of a degree. It first rounds to a hundredth of
// that, about 10 m, because 0.29 as a float is a little less than 0.29.
func setPosition(place *datasets.Place, p atlas.Point) {
	hundredths := func(degrees float64) int16 { return int16(math.Floor(math.Round(degrees*1e4) / 100)) }
	place.LatHundredths, place.LonHundredths = hundredths(p.Lat), hundredths(p.Lon)
}

// Warnings returns warnings about the rows that were placed, for readers of the results. The
// parameter all is the number of all rows.
func (p *Placer) Warnings(all int) (list []string) {
	share := func(n int) string {
		return fmt.Sprintf("%d of %d joins (%.1f %%)", n, all, 100*float64(n)/float64(all))
	}
	c := &p.Counts
	if c.ByAddress > 0 {
		list = append(list, share(c.ByAddress)+" have no coordinates and are placed by their IP address")
	}
	if drawn := c.Joins() - c.ByAddress; drawn > 0 {
		var by []string
		for _, part := range []struct {
			name  string
			joins int
		}{{"city", c.ByCity}, {"region", c.ByRegion}, {"country", c.ByCountry}} {
			if part.joins > 0 {
				by = append(by, fmt.Sprintf("%d by their %s", part.joins, part.name))
			}
		}
		list = append(list, fmt.Sprintf("%s have no coordinates and are in towns drawn by the number of people: %s", share(drawn), strings.Join(by, ", ")))
	}
	if c.UnknownCity > 0 {
		list = append(list, share(c.UnknownCity)+" name a city that is not among the cities of 100,000 people: their region or country counts")
	}
	if c.UnknownRegion > 0 {
		list = append(list, share(c.UnknownRegion)+" name a region that has no city of 100,000 people or another name in the atlas: their country counts")
	}
	return list
}
