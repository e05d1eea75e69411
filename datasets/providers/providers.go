// Package providers lists the public regions of companies and services that host game servers,
// under the names that these give them. See data/README.md for what the list contains.
package providers

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mmsim/datasets"
)

// Date is the month of the documentation that the regions were taken from.
const Date = "2026-11"

// Provider is a company or a service with regions.
type Provider struct {
	Name    string // such as "aws"
	Title   string // such as "Amazon Web Services"
	Source  string // documentation that lists the regions
	Regions []Region
}

// Region is a region of a provider.
type Region struct {
	Name     string // as the provider writes it
	City     string
	Country  datasets.CountryCode
	Lat, Lon float64 // position of the city
}

//go:embed data/datacenters.csv
var regionsCSV string

var all = sync.OnceValue(func() []Provider {
	list := []Provider{
		{Name: "aws", Title: "Amazon Web Services", Source: "AWS Regions (docs.aws.amazon.com)"},
		{Name: "gcp", Title: "Google Cloud", Source: "Compute Engine: regions and zones (docs.cloud.google.com)"},
		{Name: "azure", Title: "Microsoft Azure", Source: "List of Azure regions (learn.microsoft.com)"},
		{Name: "gamelift", Title: "Amazon GameLift Servers", Source: "Amazon GameLift Servers service locations (docs.aws.amazon.com)"},
		{Name: "playfab", Title: "PlayFab Multiplayer Servers", Source: "PlayFab Multiplayer API, AzureRegion (learn.microsoft.com)"},
	}
	rows, err := csv.NewReader(strings.NewReader(regionsCSV)).ReadAll()
	if err != nil {
		panic(err) // cannot happen: tests have checked the embedded data
	}
	for _, row := range rows[1:] {
		i := slices.IndexFunc(list, func(p Provider) bool { return p.Name == row[0] })
		country, ok := datasets.ParseCountry(row[3])
		if i < 0 || !ok {
			panic(fmt.Sprintf("providers: row %v in embedded data", row))
		}
		list[i].Regions = append(list[i].Regions, Region{row[1], row[2], country, mustNumber(row[4]), mustNumber(row[5])})
	}
	return list
})

func mustNumber(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return x
}

// All returns the providers. The list is shared and must not be changed.
func All() []Provider { return all() }

// Names lists the names of the providers.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Named returns the provider with the given name, or nil if there is none.
func Named(name string) *Provider {
	i := slices.IndexFunc(All(), func(p Provider) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &All()[i]
}

// RegionNames lists the names of the provider's regions.
func (p *Provider) RegionNames() []string {
	var names []string
	for i := range p.Regions {
		names = append(names, p.Regions[i].Name)
	}
	return names
}
