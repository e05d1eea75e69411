package atlas

import (
	_ "embed"
	"slices"
	"sync"

	"mmsim/datasets"
)

// providersDate is the month of the documentation that the regions of providers were taken from.
const providersDate = "2026-11"

// Provider is a company or a service that hosts game servers in public regions. See data/README.md
// for what the list contains.
type Provider struct {
	Name    string   `json:"provider"` // such as "aws"
	Title   string   `json:"title"`    // such as "Amazon Web Services"
	Source  string   `json:"source"`   // documentation that lists the regions
	Date    string   `json:"date"`     // its month
	Regions []Region `json:"regions"`
}

// Region is a public region of a provider.
type Region struct {
	Name    string               `json:"name"` // as the provider writes it
	City    string               `json:"city"`
	Country datasets.CountryCode `json:"country"`
	Lat     float64              `json:"latitude"` // of the city, as Lon
	Lon     float64              `json:"longitude"`
}

//go:embed data/providers.csv
var providersCSV string

var providers = sync.OnceValue(func() []Provider {
	list := []Provider{
		{Name: "aws", Title: "Amazon Web Services", Source: "AWS Regions (docs.aws.amazon.com)"},
		{Name: "gcp", Title: "Google Cloud", Source: "Compute Engine: regions and zones (docs.cloud.google.com)"},
		{Name: "azure", Title: "Microsoft Azure", Source: "List of Azure regions (learn.microsoft.com)"},
		{Name: "gamelift", Title: "Amazon GameLift Servers", Source: "Amazon GameLift Servers service locations (docs.aws.amazon.com)"},
		{Name: "playfab", Title: "PlayFab Multiplayer Servers", Source: "PlayFab Multiplayer API, AzureRegion (learn.microsoft.com)"},
	}
	for _, row := range embedded(providersCSV) {
		i := slices.IndexFunc(list, func(p Provider) bool { return p.Name == row[0] })
		list[i].Date = providersDate
		list[i].Regions = append(list[i].Regions, Region{row[1], row[2], mustCountry(row[3]), mustNumber(row[4]), mustNumber(row[5])})
	}
	return list
})

// Providers returns the providers. The list is shared and must not be changed.
func Providers() []Provider { return providers() }

// ProviderNames lists the names of the providers.
func ProviderNames() []string {
	var names []string
	for _, p := range Providers() {
		names = append(names, p.Name)
	}
	return names
}

// FindProvider returns the provider with the given name, or nil if there is none.
func FindProvider(name string) *Provider {
	i := slices.IndexFunc(Providers(), func(p Provider) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &Providers()[i]
}

// RegionNames lists the names of the provider's regions.
func (p *Provider) RegionNames() []string {
	var names []string
	for i := range p.Regions {
		names = append(names, p.Regions[i].Name)
	}
	return names
}
