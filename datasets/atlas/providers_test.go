package atlas

import (
	"slices"
	"strings"
	"testing"
)

// towns are the cities of regions that are not in the atlas, because they have fewer than 100,000
// people. Each is near a city that is. The distances are those of the map, rounded up.
var towns = map[string]struct {
	near string
	km   float64
}{
	"Ashburn":        {"Washington", 50},
	"Boardman":       {"Tri-Cities", 70}, // Oregon, at the Columbia
	"Boydton":        {"Durham", 90},     // in the south of Virginia
	"Cheyenne":       {"Fort Collins", 70},
	"Council Bluffs": {"Omaha", 10},
	"Eemshaven":      {"Groningen", 35},
	"Gavle":          {"Uppsala", 100},
	"Hamina":         {"Lahti", 100}, // at the coast, halfway to the Russian border
	"Moncks Corner":  {"North Charleston", 40},
	"Quincy":         {"Tri-Cities", 130}, // in the middle of the state of Washington
	"Saint-Ghislain": {"Charleroi", 50},
	"The Dalles":     {"Gresham", 100}, // up the Columbia from Portland
}

// cityNames are names in the atlas that differ from those that people use.
var cityNames = map[string]string{"Queretaro": "Santiago de Queretaro", "Zurich": "Zuerich", "Frankfurt": "Frankfurt am Main"}

// Each region is where its city is, by the
func TestPositions(t *testing.T) {
	used := map[string]bool{}
	for _, p := range Providers() {
		for _, r := range p.Regions {
			name, most := r.City, 100.0
			if town, ok := towns[r.City]; ok {
				used[r.City] = true
				name, most = town.near, town.km
			} else if other, ok := cityNames[r.City]; ok {
				name = other
			}
			i := slices.IndexFunc(Cities(), func(c City) bool { return c.Name == name && c.Country == r.Country }) // the largest of that name
			if i < 0 {
				t.Errorf("%s %s: the atlas has no city %s in %v, want one, or an entry in towns", p.Name, r.Name, name, r.Country)
				continue
			}
			if km := distanceKM(r.Lat, r.Lon, Cities()[i].Lat, Cities()[i].Lon); km > most {
				t.Errorf("%s %s: %.0f km from %s, want at most %.0f", p.Name, r.Name, km, name, most)
			}
		}
	}
	for town := range towns {
		if !used[town] {
			t.Errorf("no region is in %s, want the entry in towns removed", town)
		}
	}
}

// Regions of one city have one position, whichever provider they belong to.
func TestOneCityOnePosition(t *testing.T) {
	type position struct{ lat, lon float64 }
	of := map[string]position{}
	for _, p := range Providers() {
		for _, r := range p.Regions {
			at := position{r.Lat, r.Lon}
			if other, ok := of[r.City]; ok && other != at {
				t.Errorf("%s %s: %s is at %v, and at %v elsewhere", p.Name, r.Name, r.City, at, other)
			}
			of[r.City] = at
		}
	}
}

func TestNames(t *testing.T) {
	for _, p := range Providers() {
		seen := map[string]bool{}
		for _, name := range p.RegionNames() {
			if folded := strings.ToLower(name); seen[folded] || name == "" || strings.ContainsAny(name, "/\\:+, ") {
				t.Errorf("%s: got the name %q, want each once and without the signs of a list", p.Name, name)
			} else {
				seen[folded] = true
			}
		}
		if FindProvider(p.Name) == nil || FindProvider(p.Name).Title != p.Title || p.Source == "" {
			t.Errorf("%s: got %+v by name", p.Name, FindProvider(p.Name))
		}
	}
	if FindProvider("ibm") != nil {
		t.Error("got a provider ibm, want none")
	}
}

// The counts and names are those of the pages that data/README.md names.
func TestRegionsOfThePages(t *testing.T) {
	for name, want := range map[string]struct {
		count int
		have  string
	}{
		"aws":      {34, "us-east-1 us-west-2 eu-west-1 ap-southeast-7 ap-east-2 mx-central-1"},
		"gcp":      {43, "us-central1 europe-west12 northamerica-south1 asia-southeast3 africa-south1"},
		"azure":    {57, "eastus eastus2 westeurope newzealandnorth austriaeast indonesiacentral"},
		"gamelift": {33, "us-east-1 us-west-2-lax-1 af-south-1-los-1 us-east-1-dfw-2"},
		"playfab":  {23, "EastUs NorthEurope SouthAfricaNorth UaeNorth UkSouth"},
	} {
		p := FindProvider(name)
		if len(p.Regions) != want.count {
			t.Errorf("%s: got %d regions, want %d", name, len(p.Regions), want.count)
		}
		for _, region := range strings.Fields(want.have) {
			if !slices.Contains(p.RegionNames(), region) {
				t.Errorf("%s: has no %s", name, region)
			}
		}
	}
}

// GameLift's regions are those of AWS, and PlayFab's are those of Azure in another spelling.
func TestHostedElsewhere(t *testing.T) {
	for guest, host := range map[string]string{"gamelift": "aws", "playfab": "azure"} {
		for _, r := range FindProvider(guest).Regions {
			i := slices.IndexFunc(FindProvider(host).Regions, func(h Region) bool { return strings.EqualFold(h.Name, r.Name) })
			isLocalZone := guest == "gamelift" && strings.Count(r.Name, "-") == 4
			if isLocalZone {
				continue
			}
			if i < 0 || FindProvider(host).Regions[i].City != r.City {
				t.Errorf("%s %s: got no region of %s in %s", guest, r.Name, host, r.City)
			}
		}
	}
}
