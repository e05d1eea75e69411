package population

import (
	"fmt"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// Population contains the attributes of the players of a day: columns of the data and generated
// attributes. A player's value depends only on the player (or the first player of the party, see Per) and the attribute, and not on the scale,
// on other attributes, or on the order of calls. Replications must not share a Population, because
// it adds drawn lists to dictionaries.
type Population struct {
	// Attributes has the columns of the data in file order, followed by the generated attributes in
	// the order of their declaration. It does not include generated friends, because their values
	// are players, see Friends.
	Attributes []*Attribute
	Warnings   []string // for readers of the results

	friends friendship // nil if nobody has friends
}

// Options declare generated attributes and supply data that the file may lack.
type Options struct {
	Generated []Generated

	// Locate returns the continent and country of a place for which the data has none. Only
	// ByCountry and Graph need it.
	Locate func(place uint32) (datasets.Continent, datasets.CountryCode)

	Draws datasets.Draws
}

// New returns the population of a day. An error names the attribute. An attribute of type ByCountry
// needs one step per place. Generated friends need about 20 ns and 5 bytes per row.
func New(day *datasets.Day, o Options) (*Population, error) {
	p := &Population{}
	for _, column := range day.Columns {
		p.Attributes = append(p.Attributes, attributeOf(column))
	}
	if column, ok := day.Column(datasets.ColumnFriends); ok {
		p.nameFriends(day, column)
	}
	for _, generated := range o.Generated {
		name := generated.Name
		if err := generated.Validate(); err != nil {
			return nil, fmt.Errorf("attribute %s: %w", tables.Quoted(name), err)
		}
		if p.Attribute(name) != nil {
			if _, isColumn := day.Column(name); !isColumn {
				return nil, fmt.Errorf("attribute %s is declared twice: expected it once", tables.Quoted(name))
			}
			p.Warnings = append(p.Warnings, fmt.Sprintf("the data has a column %s: players.attributes.%s is not used", name, name))
			continue
		}
		m := &maker{day: day, locate: o.Locate, draw: o.Draws.Attributes, stream: streamOf(name)}
		if graph, isGraph := generated.Generator.(Graph); isGraph {
			p.generateFriends(graph, m, o.Draws.Friends)
			continue
		}
		a := &Attribute{Name: name, dictionary: &dictionary{}}
		generated.attach(a, m)
		if generated.perParty() {
			a.ofParty()
		}
		p.Warnings = append(p.Warnings, m.warnings...)
		p.Attributes = append(p.Attributes, a)
	}
	return p, nil
}

// Attribute returns the attribute with the given name, or nil if there is none.
func (p *Population) Attribute(name string) *Attribute {
	for _, a := range p.Attributes {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Replace adds an attribute whose numbers the caller computes, and returns it. It takes the place of
// an attribute with the same name.
func (p *Population) Replace(name string, number func(*Person) float64) *Attribute {
	a := &Attribute{Name: name, Kind: datasets.Number, number: number, dictionary: &dictionary{}}
	for i, old := range p.Attributes {
		if old.Name == name {
			p.Attributes[i] = a
			return a
		}
	}
	p.Attributes = append(p.Attributes, a)
	return a
}
