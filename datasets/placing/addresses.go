package placing

import (
	"fmt"
	"math"
	"net/netip"

	"github.com/oschwald/maxminddb-golang/v2"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
)

// Addresses finds the place of an IP address in a MaxMind DB file, such as GeoLite2 City, GeoLite2
// Country or DB-IP Lite.
type Addresses struct {
	db   *maxminddb.Reader
	name string
}

// ReadAddresses returns the database with the given content, which must not change while it is in
// use. The parameter name is used only in messages.
func ReadAddresses(content []byte, name string) (*Addresses, error) {
	db, err := maxminddb.OpenBytes(content)
	if err != nil {
		return nil, fmt.Errorf("%s: not a database of IP addresses (%w): expected a MaxMind DB file (.mmdb)", name, err)
	}
	return &Addresses{db, name}, nil
}

// broadKM is the accuracy radius from which a position only stands for a country. MaxMind gives
// 1000 km to addresses of which only the country is known. Their position is the middle of the
// country, where nobody needs to live.
const broadKM = 500

// record is the part of a record that matters here.
type record struct {
	Country struct {
		Code string `maxminddb:"iso_code"`
	} `maxminddb:"country"`
	Location struct {
		Latitude  *float64 `maxminddb:"latitude"`
		Longitude *float64 `maxminddb:"longitude"`
		Radius    uint16   `maxminddb:"accuracy_radius"`
	} `maxminddb:"location"`
}

// find looks up an address. The position is nil if the database does not know it, and the country
// is 0. An error never contains the address.
func (a *Addresses) find(address netip.Addr) (position *atlas.Point, country datasets.CountryCode, err error) {
	var r record
	found := a.db.Lookup(address.Unmap().WithZone(""))
	if !found.Found() {
		return nil, 0, nil // also an IPv6 address in a database of IPv4 addresses
	}
	if err := found.Decode(&r); err != nil {
		return nil, 0, fmt.Errorf("%s: the record of an address is damaged: expected country.iso_code and location.latitude, as in GeoLite2", a.name)
	}
	country, _ = atlas.FindCountry(r.Country.Code)
	lat, lon := r.Location.Latitude, r.Location.Longitude
	if lat == nil || lon == nil || r.Location.Radius >= broadKM && country != 0 ||
		!(math.Abs(*lat) <= 90 && math.Abs(*lon) <= 180) {
		return nil, country, nil
	}
	return &atlas.Point{Lat: *lat, Lon: *lon}, country, nil
}
