package atlas

import (
	"sort"

	"mmsim/datasets"
	"mmsim/datasets/internal/draws"
)

// Area is a country, a region or a city from which positions are drawn.
type Area struct {
	// Unknown has the parts of the name that are not in the atlas.
	Unknown struct{ Region, City bool }

	townList
}

// townList is a list of towns from which one is drawn.
type townList struct {
	towns []Town
	ends  []uint64 // people in towns up to and including each
}

func newTownList(towns []Town) townList {
	l := townList{towns, make([]uint64, len(towns))}
	sum := uint64(0)
	for i, t := range towns {
		sum += t.People
		l.ends[i] = sum
	}
	return l
}

// FindArea returns the smallest area that the names stand for. Region and city may be "". It returns
// the city; if the city is unknown, the region; if both are unknown, the country. If the country has
// several cities of this name, it returns those in the region, or all of them.
//
// Regions are those of GeoNames' first level (states, provinces, Länder) that have a city of 100,000
// people. Their names are English or local. If GeoNames has a code with letters, as in the United
// States, the United Kingdom and Switzerland, the code also works, with or without the country.
func FindArea(country datasets.CountryCode, region, city string) Area {
	x := builtinIndex()
	area := Area{townList: x.lists[country]}
	var within []Town
	if region != "" {
		named := x.regions[country]
		list, known := named[foldRegion(region)]
		if !known {
			list, known = named[fold(region)]
		}
		area.Unknown.Region = !known
		if known {
			area.townList, within = list, list.towns
		}
	}
	if city != "" {
		found := x.city(country, city, within)
		area.Unknown.City = found == nil
		if found != nil {
			area.townList = newTownList(found)
		}
	}
	return area
}

// city returns the cities of a country with a name. If some are in the region that consists of the
// towns within, it returns only those.
func (x *index) city(country datasets.CountryCode, name string, within []Town) []Town {
	var all, inside []Town
	for _, i := range x.cities[country][fold(name)] {
		t := townOf(&Cities()[i])
		all = append(all, t)
		if len(within) > 0 && within[0].region == t.region {
			inside = append(inside, t)
		}
	}
	if inside != nil {
		return inside
	}
	return all
}

// Draw returns the position of a town in the area. The chance of a town is its share of the people
// in the area. The share of people who are online is known only by country, so it is the same for
// all towns of an area.
func (a *Area) Draw(bits uint64) Point {
	if len(a.towns) == 1 {
		return Point{a.towns[0].Lat, a.towns[0].Lon}
	}
	person := draws.Below(bits, a.ends[len(a.ends)-1])
	t := a.towns[sort.Search(len(a.ends), func(i int) bool { return a.ends[i] > person })]
	return Point{t.Lat, t.Lon}
}
