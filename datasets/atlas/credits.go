package atlas

// Credit names the source and the licence of embedded data.
type Credit struct {
	Data    string // description of the data
	Source  string
	Licence string
}

// Credits returns the credits that must accompany the embedded data.
func Credits() []Credit {
	return []Credit{
		{
			Data:    "cities of 100,000 people and more",
			Source:  "GeoNames (geonames.org), dump of 2026-08-01; changed: reduced and rounded",
			Licence: "CC BY 4.0",
		},
		{
			Data:    "countries and their populations",
			Source:  "GeoNames (geonames.org)",
			Licence: "CC BY 4.0",
		},
		{
			Data:    "regions of the cities",
			Source:  "GeoNames (geonames.org), first-level administrative divisions",
			Licence: "CC BY 4.0",
		},
		{
			Data:    "codes and names of countries",
			Source:  "ISO 3166, i18n-iso-countries and Unicode CLDR; changed: joined, with other usual names",
			Licence: "MIT; Unicode License",
		},
		{
			Data:    "share of people online by country",
			Source:  "ITU and World Bank, individuals using the Internet, by way of Our World in Data; approximate",
			Licence: "CC BY 4.0",
		},
		{
			Data:    "coastlines",
			Source:  "Natural Earth, 110m land",
			Licence: "public domain",
		},
		{
			Data:    "time zones",
			Source:  "IANA time zone database, 2025c",
			Licence: "public domain",
		},
	}
}
