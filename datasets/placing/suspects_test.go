package placing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/internal/draws"
	"mmsim/datasets/joinfile"
)

// warnings returns the warnings about a file.
func warnings(t *testing.T, file string, o joinfile.Options) (list []string) {
	t.Helper()
	o.Draw = draws.Stream(1)
	day, err := joinfile.Read(strings.NewReader(file), "day.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range day.Warnings {
		list = append(list, w.String())
	}
	return list
}

// rows returns n rows with times that are all over the day. place returns latitude and longitude.
func rows(n int, place func(i int) (lat, lon float64)) string {
	var file strings.Builder
	for i := range n {
		lat, lon := place(i)
		fmt.Fprintf(&file, "%d,%.4f,%.4f\n", i*86_000/n, lat, lon)
	}
	return file.String()
}

// cities returns the positions of players near the cities of a country, or of all countries if none
// is given.
func cities(countries ...string) func(i int) (lat, lon float64) {
	random := rand.New(rand.NewPCG(1, 2))
	var areas []atlas.Area
	for _, c := range atlas.Countries() {
		if len(countries) == 0 || slices.Contains(countries, c.Code.String()) {
			areas = append(areas, atlas.FindArea(c.Code, "", ""))
		}
	}
	return func(i int) (float64, float64) {
		p := areas[random.IntN(len(areas))].Draw(random.Uint64())
		lat, lon := p.Lat+random.NormFloat64()*0.2, p.Lon+random.NormFloat64()*0.2
		return min(max(lat, -90), 90), min(max(lon, -180), 180)
	}
}

func swapped(place func(i int) (lat, lon float64)) func(i int) (lat, lon float64) {
	return func(i int) (float64, float64) {
		lat, lon := place(i)
		return lon, lat
	}
}

func mixed(few, most func(i int) (lat, lon float64), every int) func(i int) (lat, lon float64) {
	return func(i int) (float64, float64) {
		if i%every == 0 {
			return few(i)
		}
		return most(i)
	}
}

func at(lat, lon float64) func(int) (float64, float64) {
	return func(int) (float64, float64) { return lat, lon }
}

func TestPlaces(t *testing.T) {
	const (
		island  = "at latitude 0, longitude 0, where failed geolocations end up"
		proxy   = "is this the place of a server or of a proxy? --map latitude=COLUMN,longitude=COLUMN reads other columns"
		radians = "the coordinates look like radians; expected degrees"
		some    = "joins are more than 1000 km from every city of 100,000 people, and near one with latitude and longitude swapped: are some rows swapped?"
		whole   = "with latitude and longitude swapped: swap the two columns, or add a header time,longitude,latitude"
	)
	us := cities("US")
	inRadians := func(i int) (float64, float64) {
		lat, lon := us(i)
		return lat * math.Pi / 180, lon * math.Pi / 180
	}
	for name, test := range map[string]struct {
		file string
		want []string // ends of the warnings
	}{
		"the world":                           {rows(3000, cities()), nil},
		"null island":                         {rows(3000, at(0, 0)), []string{"3000 of 3000 joins are " + island}},
		"one in a thousand on null island":    {rows(3000, mixed(at(0, 0), us, 1000)), []string{"3 of 3000 joins are " + island}},
		"less than one in a thousand":         {rows(3000, mixed(at(0, 0), us, 2000)), nil},
		"one place":                           {rows(3000, at(52.52, 13.4)), []string{"at latitude 52.52, longitude 13.40: " + proxy}},
		"one place, other data":               {"time,lat,lon,country\n" + strings.Repeat("1,52.52,13.4,DE\n", 1000) + strings.Repeat("80000,52.52,13.4,\n", 1000), []string{"at latitude 52.52, longitude 13.40: " + proxy}},
		"99 % in one place":                   {rows(3000, mixed(us, at(52.52, 13.4), 100)), nil},
		"over 99 % in one place":              {rows(3000, mixed(us, at(52.52, 13.4), 120)), []string{proxy}},
		"999 joins in one place":              {rows(999, at(52.52, 13.4)), nil},
		"far from cities, also when swapped":  {rows(999, at(-48.88, -123.39)), nil},
		"radians":                             {rows(3000, inRadians), []string{radians}},
		"999 joins in radians":                {rows(999, inRadians), nil},
		"swapped in the whole file":           {rows(3000, swapped(cities("DE", "FR", "PL"))), []string{whole}},
		"some rows swapped":                   {rows(3000, mixed(at(-74, 40.71), us, 100)), []string{"30 of 3000 " + some}},
		"a country with a single town, drawn": {"time,country\n" + strings.Repeat("1,MT\n", 1000) + strings.Repeat("80000,MT\n", 1000), []string{"2000 by their country"}},
	} {
		got := warnings(t, test.file, joinfile.Options{})
		if !slices.EqualFunc(got, test.want, strings.HasSuffix) {
			t.Errorf("%s: got warnings %q, want %q", name, got, test.want)
		}
	}
}

func TestTimes(t *testing.T) {
	const hours = "if these numbers are hours, write them as HH:00:00"
	const export = "is this the time of an export or an upload? --map time=COLUMN reads the time from another column"
	file := func(n int, time func(i int) string) string {
		place := cities()
		var b strings.Builder
		for i := range n {
			lat, lon := place(i)
			fmt.Fprintf(&b, "%s,%.4f,%.4f\n", time(i), lat, lon)
		}
		return b.String()
	}
	number := func(i, from, n int) string { return fmt.Sprint(from + i%n) }
	for name, test := range map[string]struct {
		file, want string
	}{
		"hours":               {file(2400, func(i int) string { return number(i, 0, 24) }), hours},
		"999 hours":           {file(999, func(i int) string { return number(i, 0, 24) }), ""},
		"five minutes":        {file(2400, func(i int) string { return number(i, 7000, 300) }), export},
		"a little longer":     {file(2400, func(i int) string { return number(i, 7000, 330) }), ""},
		"with dates":          {file(2400, func(i int) string { return fmt.Sprintf("2026-03-14T12:00:%02dZ", i%60) }), export},
		"99 % in five":        {file(2400, func(i int) string { return fmt.Sprint(7000 + 50_000*(1/(1+i%100))) }), ""},
		"over 99 % in five":   {file(2400, func(i int) string { return fmt.Sprint(7000 + 50_000*(1/(1+i%120))) }), export},
		"five around a night": {file(2400, func(i int) string { return []string{"2026-03-14T23:59:00Z", "2026-03-15T00:02:00Z"}[i%2] }), export},
	} {
		var got []string
		for _, w := range warnings(t, test.file, joinfile.Options{}) {
			if !strings.Contains(w, "is earlier than the row before it") {
				got = append(got, w)
			}
		}
		if test.want == "" && got != nil || test.want != "" && (len(got) != 1 || !strings.HasSuffix(got[0], test.want)) {
			t.Errorf("%s: got warnings %q, want %q", name, got, test.want)
		}
	}
}

// Files of any single country: no correct file is taken for a swapped one, and every swapped one that
// can be read is found, in Europe and elsewhere. Files of larger parts of the world are found as well.
func TestSwappedCountries(t *testing.T) {
	var everywhere, missed []string
	check := func(name string, place func(i int) (float64, float64), readable bool) {
		header := "time,lat,lng\n"
		if got := warnings(t, header+rows(500, place), joinfile.Options{}); got != nil {
			t.Errorf("%s: got warnings %q about a correct file", name, got)
		}
		if !readable {
			return
		}
		file := header + rows(500, swapped(place))
		got := warnings(t, file, joinfile.Options{})
		if len(got) != 1 || !strings.HasSuffix(got[0], "--map latitude=lng,longitude=lat swaps them") {
			missed = append(missed, name)
			return
		}
		cure := map[string]string{"latitude": "lng", "longitude": "lat"}
		if got := warnings(t, file, joinfile.Options{Names: cure}); got != nil {
			t.Errorf("%s: got warnings %q after the cure", name, got)
		}
	}
	for _, c := range atlas.Countries() {
		area := atlas.FindArea(c.Code, "", "")
		readable := true
		for i := range uint64(100) {
			if p := area.Draw(i << 57); math.Abs(p.Lon) > 88 {
				readable = false // a swapped file is refused: its latitudes are invalid
			}
		}
		if c.Continent == datasets.Europe && c.Code.String() != "RU" {
			everywhere = append(everywhere, c.Code.String())
		}
		check(c.Code.String(), cities(c.Code.String()), readable)
	}
	check("Europe", cities(everywhere...), true)
	// The cities of these countries have other cities at the swapped positions: Latvia's are in Oman,
	// Armenia's and Georgia's in the south of Russia.
	alike := []string{"AM", "BH", "CY", "GE", "LV"}
	if slices.ContainsFunc(missed, func(m string) bool { return !slices.Contains(alike, m) }) {
		t.Errorf("swapped files of %v are not found, want at most those of %v", missed, alike)
	}
}
