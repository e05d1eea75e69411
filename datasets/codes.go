package datasets

// Continent identifies one of the seven continents. 0 means not specified.
type Continent uint8

// The continents in alphabetical order of their codes.
const (
	Africa Continent = iota + 1
	Antarctica
	Asia
	Europe
	NorthAmerica
	Oceania
	SouthAmerica
)

// continentCodes is indexed by Continent.
var continentCodes = [...]string{"", "AF", "AN", "AS", "EU", "NA", "OC", "SA"}

// String returns the two-letter code, or "" if no continent is specified.
func (c Continent) String() string { return continentCodes[c] }

// ParseContinent returns the continent with a two-letter code in upper or lower case.
func ParseContinent(code string) (Continent, bool) {
	pair, ok := ParseCountry(code)
	if !ok {
		return 0, false
	}
	for c := Africa; c <= SouthAmerica; c++ {
		if letters := continentCodes[c]; pair == CountryCode(letters[0])<<8|CountryCode(letters[1]) {
			return c, true
		}
	}
	return 0, false
}

// CountryCode is the two-letter ISO 3166 code of a country, packed into 16 bits to keep places
// small. 0 means not specified.
type CountryCode uint16

// MarshalText returns the code as text.
func (c CountryCode) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ParseCountry returns the country code for two letters in upper or lower case. It does not check
// whether the country exists, because data may contain codes that this package does not know.
func ParseCountry(code string) (CountryCode, bool) {
	if len(code) != 2 {
		return 0, false
	}
	first, second := code[0]&^0x20, code[1]&^0x20
	if first < 'A' || first > 'Z' || second < 'A' || second > 'Z' {
		return 0, false
	}
	return CountryCode(first)<<8 | CountryCode(second), true
}

// String returns the two letters in upper case, or "" if no country is specified.
func (c CountryCode) String() string {
	if c == 0 {
		return ""
	}
	return string([]byte{byte(c >> 8), byte(c)})
}
