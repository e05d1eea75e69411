package atlas

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"mmsim/datasets"
)

//go:embed data/names.csv
var namesCSV string

//go:embed data/regions.csv
var regionsCSV string

// index finds places by their folded names, see fold.
type index struct {
	countries map[string]datasets.CountryCode
	names     []string                                     // of countries, as in names.csv: first the code, then the other names
	folded    []string                                     // names in the form of fold
	regions   map[datasets.CountryCode]map[string]townList // by name of the region, and by its code if that has letters
	cities    map[datasets.CountryCode]map[string][]int    // indices into Cities
	towns     map[datasets.CountryCode][]Town
	lists     map[datasets.CountryCode]townList // of towns
}

// Town is a place from which positions are drawn: a City, or the largest place of a country that has
// no City.
type Town struct {
	Lat, Lon float64
	People   uint64 // relative to the other towns of the country
	region   string
}

var builtinIndex = sync.OnceValue(func() *index {
	x := &index{
		countries: make(map[string]datasets.CountryCode),
		regions:   make(map[datasets.CountryCode]map[string]townList),
		cities:    make(map[datasets.CountryCode]map[string][]int),
		towns:     make(map[datasets.CountryCode][]Town),
		lists:     make(map[datasets.CountryCode]townList),
	}
	for i, c := range Cities() {
		x.towns[c.Country] = append(x.towns[c.Country], townOf(&c))
		name := fold(c.Name)
		named := x.cities[c.Country]
		if named == nil {
			named = make(map[string][]int)
			x.cities[c.Country] = named
		}
		named[name] = append(named[name], i)
	}
	x.addCountries()
	x.addRegions()
	return x
})

func townOf(c *City) Town { return Town{c.Lat, c.Lon, uint64(c.Population), c.Region} }

func (x *index) addCountries() {
	for _, row := range embedded(namesCSV) {
		code := mustCountry(row[0])
		names := append([]string{row[0], row[1]}, strings.Split(row[2], "|")...)
		for _, name := range names {
			folded := fold(name)
			x.countries[folded] = code
			x.folded = append(x.folded, folded)
		}
		x.names = append(x.names, names...)
		if row[3] != "" {
			x.towns[code] = []Town{{mustNumber(row[4]), mustNumber(row[5]), 1, ""}}
		}
		x.lists[code] = newTownList(x.towns[code])
	}
}

func (x *index) addRegions() {
	for _, row := range embedded(regionsCSV) {
		country, code := mustCountry(row[0]), row[1]
		var inside []Town
		for _, t := range x.towns[country] {
			if t.region == code {
				inside = append(inside, t)
			}
		}
		towns := newTownList(inside)
		named := x.regions[country]
		if named == nil {
			named = make(map[string]townList)
			x.regions[country] = named
		}
		named[foldRegion(row[2])] = towns
		if unicode.IsLetter(rune(code[0])) { // numbers are GeoNames' own, not those of ISO 3166-2
			named[fold(code)] = towns
			named[fold(row[0]+code)] = towns // ISO 3166-2, such as US-TX
		}
	}
}

// fold returns a name in the form in which names are compared: letters and digits without accents,
// in lower case. "&" means "and", and "St." means "Saint".
func fold(name string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(strings.ToLower(strings.ReplaceAll(name, "&", " and ")), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_'
	}) {
		if word == "st." || word == "st" {
			word = "saint"
		}
		for _, r := range norm.NFD.String(word) {
			switch {
			case r == 'ß':
				b.WriteString("ss")
			case r == 'ø':
				b.WriteByte('o')
			case r == 'ł':
				b.WriteByte('l')
			case r == 'đ':
				b.WriteByte('d')
			case unicode.IsLetter(r), unicode.IsDigit(r):
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// regionWords are words that exports add to the names of regions or leave out.
var regionWords = strings.NewReplacer("state of ", "", "province of ", "", " province", "", " state", "", " region", "", " oblast", "", " prefecture", "")

// foldRegion is like fold for the name of a region.
func foldRegion(name string) string {
	if folded := fold(regionWords.Replace(strings.ToLower(name))); folded != "" {
		return folded
	}
	return fold(name)
}

// FindCountry returns the country with this ISO 3166 code of two or three letters or this English
// name, in any letter case. It knows all countries with a permanent population.
func FindCountry(name string) (datasets.CountryCode, bool) {
	code, ok := builtinIndex().countries[fold(name)]
	return code, ok
}

// NearestCountry returns the name of a country that an unknown name probably means, or "" if there
// is none. It is one that begins with the name, such as Germany for GER. Otherwise, it is the one with the
// fewest letters to change, at most a third of them.
func NearestCountry(name string) string {
	wanted := fold(name)
	if len(wanted) < minNearest {
		return ""
	}
	best, least := "", len(wanted)/3+1
	x := builtinIndex()
	for i, known := range x.names {
		folded := x.folded[i]
		if len(folded) <= minNearest { // codes are too similar to each other
			continue
		}
		if strings.HasPrefix(folded, wanted) {
			return known
		}
		if n := changes([]rune(wanted), []rune(folded), least); n < least {
			best, least = known, n
		}
	}
	return best
}

// minNearest is the minimum number of letters of a name that may be a misspelled one.
const minNearest = 3

// changes returns the number of letters to insert, delete or replace to make two words equal, or
// limit if that is less.
func changes(a, b []rune, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		above := row[0]
		row[0] = i + 1
		for j, s := range b {
			cost := above
			if r != s {
				cost++
			}
			above = row[j+1]
			row[j+1] = min(cost, row[j]+1, above+1)
		}
	}
	return min(row[len(b)], limit)
}
