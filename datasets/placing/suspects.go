package placing

import (
	"fmt"
	"math"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
)

// Limits of the warnings.
const (
	// suspectShare is the divisor of a share: there is a warning if at least one in suspectShare
	// joins is suspect. A smaller share is ignored, because every file has a few wrong joins.
	suspectShare = 1000

	// crowdMin is the number of joins from which a warning about all joins makes sense, and
	// crowdShare their share in percent.
	crowdMin, crowdShare = 1000, 99

	// crowdMS is the time within which no day has almost all of its joins.
	crowdMS = 5 * 60 * 1000

	// swappedMin is the number of joins from which the whole file can tell that latitude and
	// longitude are swapped.
	swappedMin = 100

	// remoteKM is the distance from the nearest city of 100,000 people beyond which hardly anybody
	// lives.
	remoteKM = 1000
)

// Cures are parts of the warnings that depend on the file.
type Cures struct {
	Swap string // how to swap latitude and longitude
}

// Suspects warns of joins whose times or places are probably not what their file means. Each warning
// has the likely cure.
func Suspects(day *datasets.Day, cures Cures) (messages []string) {
	joins := make([]int, len(day.Places))
	for j := range day.Joins() {
		joins[j.Place]++
	}
	return append(times(day), places(day, joins, cures)...)
}

// times warns if almost all joins are within a few minutes.
func times(day *datasets.Day) []string {
	all := day.Rows()
	crowd := all*crowdShare/100 + 1 // more than the share
	if all < crowdMin {
		return nil
	}
	from, found := day.Crowd(crowd, crowdMS)
	if !found {
		return nil
	}
	text := fmt.Sprintf("more than %d %% of %d joins are within five minutes, from %02d:%02d:%02d",
		crowdShare, all, from/3_600_000, from/60_000%60, from/1000%60)
	if last, whole := day.Last(); day.Midnight.IsZero() && whole && last <= 23_000 {
		return []string{text + ": the times are 0 to 23 seconds after midnight: if these numbers are hours, write them as HH:00:00"}
	}
	return []string{text + ": is this the time of an export or an upload? --map time=COLUMN reads the time from another column"}
}

// places warns of joins in places where nobody lives, and of files whose joins are almost all in one
// place.
func places(day *datasets.Day, joins []int, cures Cures) (messages []string) {
	all := day.Rows()
	island, swapped, small := 0, 0, 0
	var asRead, ifSwapped int // joins near a city
	for i, p := range day.Places {
		lat, lon := p.Lat(), p.Lon()
		switch {
		case p.LatHundredths == 0 && p.LonHundredths == 0:
			island += joins[i]
			continue
		case looksSwapped(p):
			swapped += joins[i]
		}
		if math.Abs(lat) <= math.Pi/2 && math.Abs(lon) <= math.Pi {
			small += joins[i]
		}
		if atlas.Populated(lat, lon) {
			asRead += joins[i]
		}
		if math.Abs(lon) <= 90 && atlas.Populated(lon, lat) {
			ifSwapped += joins[i]
		}
	}
	percent := func(n int) float64 { return 100 * float64(n) / float64(all) }
	if island*suspectShare >= all && island > 0 {
		messages = append(messages, fmt.Sprintf("%d of %d joins are at latitude 0, longitude 0, where failed geolocations end up", island, all))
	}
	switch most, at := crowdOf(day, joins); {
	case all >= crowdMin && small*100 > (all-island)*crowdShare && island*2 < all:
		messages = append(messages, fmt.Sprintf("more than %d %% of %d joins are within π/2 of latitude 0 and π of longitude 0: the coordinates look like radians; expected degrees", crowdShare, all))
	case all >= swappedMin && ifSwapped*2 >= all && asRead*5 < ifSwapped*4:
		messages = append(messages, fmt.Sprintf("%.0f %% of joins are near a city as read, and %.0f %% with latitude and longitude swapped: %s",
			percent(asRead), percent(ifSwapped), cures.Swap))
	case swapped*suspectShare >= all && swapped > 0:
		messages = append(messages, fmt.Sprintf("%d of %d joins are more than %d km from every city of 100,000 people, and near one "+
			"with latitude and longitude swapped: are some rows swapped?", swapped, all, remoteKM))
	case all >= crowdMin && most*100 > all*crowdShare && island < most && 100*day.Placed.Joins() <= all*(100-crowdShare):
		messages = append(messages, fmt.Sprintf("more than %d %% of %d joins are at latitude %.2f, longitude %.2f: is this the place of a server or of a proxy? "+
			"--map latitude=COLUMN,longitude=COLUMN reads other columns", crowdShare, all, at.Lat(), at.Lon()))
	}
	return messages
}

// looksSwapped reports whether a place makes sense only if its latitude and longitude are swapped.
func looksSwapped(p datasets.Place) bool {
	lat, lon := p.Lat(), p.Lon()
	return lon >= -90 && lon <= 90 && atlas.Remote(lat, lon, remoteKM) && atlas.Populated(lon, lat)
}

// crowdOf returns the position with the most joins and their number. It may return another one if no
// position has more than half of the joins.
func crowdOf(day *datasets.Day, joins []int) (most int, at datasets.Place) {
	same := func(p, q datasets.Place) bool {
		return p.LatHundredths == q.LatHundredths && p.LonHundredths == q.LonHundredths
	}
	lead := 0 // majority vote: what a candidate has more than all others since it became the candidate
	for i, p := range day.Places {
		switch {
		case lead == 0:
			at, lead = p, joins[i]
		case same(p, at):
			lead += joins[i]
		case joins[i] > lead:
			at, lead = p, joins[i]-lead
		default:
			lead -= joins[i]
		}
	}
	for i, p := range day.Places {
		if same(p, at) {
			most += joins[i]
		}
	}
	return most, at
}
