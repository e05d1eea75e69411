package datasets

// Placed counts the joins whose rows have no coordinates, by how their position was found. All
// positions except those of addresses were drawn from the cities of the area.
type Placed struct {
	ByAddress int `json:"by_address"` // by the IP address
	ByCity    int `json:"by_city"`    // by the name of a city
	ByRegion  int `json:"by_region"`  // by the name of a region
	ByCountry int `json:"by_country"` // by a country

	UnknownCity   int `json:"unknown_city"`   // the city is not in the atlas, so the region or the country counts
	UnknownRegion int `json:"unknown_region"` // the region is not in the atlas
}

// Joins returns the number of joins without coordinates.
func (p Placed) Joins() int { return p.ByAddress + p.ByCity + p.ByRegion + p.ByCountry }
