package joinfile

import (
	"fmt"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
)

// There is a warning if at least one in suspectShare joins is suspect. A smaller share is ignored,
// because every file has a few wrong joins.
const suspectShare = 1000

const (
	remoteKM = 1000 // distance from the nearest city of 100,000 people beyond which hardly anybody lives
	nearKM   = 100
)

// suspects warns of joins in places where nobody lives. One such place is latitude 0 and longitude
// 0, the result of failed geolocation. Others are far from all cities, but would be near one if
// latitude and longitude were swapped.
func suspects(name string, day *datasets.Day) (warnings []datasets.Warning) {
	joins := make([]int, len(day.Places))
	for j := range day.Joins() {
		joins[j.Place]++
	}
	island, swapped := 0, 0
	for i, p := range day.Places {
		switch {
		case p.LatHundredths == 0 && p.LonHundredths == 0:
			island += joins[i]
		case looksSwapped(p):
			swapped += joins[i]
		}
	}
	all := day.Rows()
	if island*suspectShare >= all && island > 0 {
		warnings = append(warnings, datasets.Warning{Place: name, Message: fmt.Sprintf(
			"%d of %d joins are at latitude 0, longitude 0, where failed geolocations end up", island, all)})
	}
	if swapped*suspectShare >= all && swapped > 0 {
		warnings = append(warnings, datasets.Warning{Place: name, Message: fmt.Sprintf(
			"%d of %d joins are more than %d km from every city of 100,000 people, and within %d km of one "+
				"with latitude and longitude swapped: are the columns swapped?", swapped, all, remoteKM, nearKM)})
	}
	return warnings
}

// looksSwapped reports whether a place makes sense only if its latitude and longitude are swapped.
func looksSwapped(p datasets.Place) bool {
	lat, lon := p.Lat(), p.Lon()
	return lon >= -90 && lon <= 90 && atlas.Remote(lat, lon, remoteKM) && atlas.NearCity(lon, lat, nearKM)
}
