package joinfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSuspectJoins(t *testing.T) {
	island := "day.csv: 3000 of 3010 joins are at latitude 0, longitude 0, where failed geolocations end up"
	swapped := "day.csv: 3000 of 3010 joins are more than 1000 km from every city of 100,000 people, and within 100 km of one " +
		"with latitude and longitude swapped: are the columns swapped?"
	const berlin, newYork, swappedNewYork, nowhere = "52.52,13.4", "40.71,-74", "-74,40.71", "-48.88,-123.39"
	for _, test := range []struct {
		name, few, many string
		want            []string
	}{
		{"places with people", berlin, newYork, nil},
		{"null island", berlin, "0,0", []string{island}},
		{"swapped", berlin, swappedNewYork, []string{swapped}},
		{"far from cities, also when swapped", berlin, nowhere, nil},
		{"more than one in a thousand", "0.001,0.009", berlin, []string{"day.csv: 10 of 3010 joins are at latitude 0, longitude 0, where failed geolocations end up"}},
	} {
		var file strings.Builder
		for i := range 3010 {
			place := test.many
			if i < 10 {
				place = test.few
			}
			fmt.Fprintf(&file, "%d,%s\n", i, place)
		}
		var got []string
		for _, w := range read(t, file.String(), Options{}).Warnings {
			got = append(got, w.String())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got warnings %q, want %q", test.name, got, test.want)
		}
	}
	day := read(t, "0,0,0\n"+strings.Repeat("1,52.52,13.4\n", 1000), Options{})
	if len(day.Warnings) > 0 {
		t.Errorf("one suspect join of 1001: got warnings %q, want none", day.Warnings)
	}
}
