package section

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
)

// Among selects players by where they live: in one of the countries or on one of the continents. If both
// are empty, it selects all.
type Among struct {
	Countries, Continents []string // codes
}

// All reports whether all players are selected.
func (a *Among) All() bool { return len(a.Countries)+len(a.Continents) == 0 }

// Has reports whether the players who live in a country on a continent are selected.
func (a *Among) Has(country, continent string) bool {
	return a.All() || slices.Contains(a.Countries, country) || slices.Contains(a.Continents, continent)
}

// String lists the codes.
func (a *Among) String() string {
	return strings.Join(slices.Concat(a.Continents, a.Countries), ", ")
}

// value returns the Value for a selection.
func (a *Among) value() value.Value {
	o := value.Object{
		Start: func() { *a = Among{} },
		Keys: []value.Key{
			value.Named("countries", "ISO 3166 codes or English names of countries", codes(&a.Countries, "a list of countries, such as [DE, FR]", parseCountry)),
			value.Named("continents", "codes of continents", codes(&a.Continents, "a list of continents, some of AF, AN, AS, EU, NA, OC, SA", parseContinent)),
		},
	}
	v := o.Value().Checked(func(n yamltree.Node) error {
		if a.All() {
			return n.Misfit()
		}
		return nil
	})
	v.Expects = "a mapping with countries, continents or both, such as {countries: [DE, FR]}"
	v.Unset = a.All
	return v
}

// codes returns the Value for a list of names, of which parse returns the codes. If a name has none, parse
// may return the name that was meant.
func codes(p *[]string, expects string, parse func(name string) (code, meant string)) value.Value {
	return value.Distinct(p, expects).Checked(func(yamltree.Node) error {
		list := *p
		*p = nil
		for _, name := range list {
			code, meant := parse(name)
			switch {
			case code == "" && meant != "":
				return fmt.Errorf("%q (did you mean %s?)", name, meant)
			case code == "":
				return fmt.Errorf("%q", name)
			case slices.Contains(*p, code):
				return fmt.Errorf("%s twice", code)
			}
			*p = append(*p, code)
		}
		return nil
	})
}

func parseCountry(name string) (code, meant string) {
	if c, ok := atlas.FindCountry(name); ok {
		return c.String(), ""
	}
	return "", atlas.NearestCountry(name)
}

func parseContinent(name string) (code, meant string) {
	if c, ok := datasets.ParseContinent(name); ok {
		return c.String(), ""
	}
	var all []string
	for c := datasets.Africa; c <= datasets.SouthAmerica; c++ {
		all = append(all, c.String())
	}
	return "", input.Nearest(name, all)
}
