package datasets_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/datasets"
)

func TestDescribe(t *testing.T) {
	day := read(t, `time,latitude,longitude,continent,country,mmr,build,rtt:paris,party_id
0,1,1,EU,DE,1500,a,5,p
3600,2,2,EU,FR,,b,,p
3600.5,2,2,,US,500,a,,q
86399,3,3,,,1000,,7,
`)
	got := datasets.Describe(day, func(place uint32) (datasets.Continent, datasets.CountryCode) {
		de, _ := datasets.ParseCountry("DE")
		return datasets.Asia, de
	})
	hours := [24]int{0: 1, 1: 2, 23: 1}
	want := datasets.Description{
		Rows: 4, Places: 4, Times: "seconds since midnight", Parties: 1, First: 0, Last: 86_399_000, WholeSeconds: 3, Measured: 2, Hours: hours,
		Continents: []datasets.Count{{Code: "AS", Joins: 2}, {Code: "EU", Joins: 2}},
		Countries:  []datasets.Count{{Code: "DE", Joins: 2}, {Code: "FR", Joins: 1}, {Code: "US", Joins: 1}},
		Columns: []datasets.ColumnDescription{
			{Name: "mmr", Kind: datasets.Number, Missing: 1, Min: 500, Mean: 1000, Max: 1500},
			{Name: "build", Kind: datasets.Text, Missing: 1, Distinct: 2, Min: math.NaN(), Mean: math.NaN(), Max: math.NaN()},
			{Name: "party_id", Kind: datasets.Text, Missing: 1, Distinct: 2, Min: math.NaN(), Mean: math.NaN(), Max: math.NaN()},
		},
		Form:    datasets.Form{Format: "CSV", Separator: "comma", Header: true},
		Players: datasets.PlayerRows{Days: 1},
		Empty:   []datasets.HourSpan{{From: 2, To: 23}},
		FirstRow: []datasets.Value{
			{Column: "time", Value: "00:00:00"}, {Column: "latitude", Value: "1.00"}, {Column: "longitude", Value: "1.00"},
			{Column: "country", Value: "DE"}, {Column: "continent", Value: "EU"}, {Column: "rtt:paris", Value: "5 ms"},
			{Column: "mmr", Value: "1500"}, {Column: "build", Value: "a"}, {Column: "party_id", Value: "p"},
		},
	}
	for _, name := range []string{"time", "latitude", "longitude", "continent", "country", "mmr", "build", "rtt:paris", "party_id"} {
		want.Form.Columns = append(want.Form.Columns, datasets.FormColumn{Name: name, Taken: name})
	}
	want.Form.Columns[4].Place = "country"
	equalNaN := cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
	if diff := cmp.Diff(want, got, equalNaN); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]datasets.Count{{Code: "", Joins: 2}, {Code: "EU", Joins: 2}}, datasets.Describe(day, nil).Continents); diff != "" {
		t.Errorf("without a function that finds continents: (-want +got): %s", diff)
	}
}
