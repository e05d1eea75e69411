package population

import (
	"fmt"

	"mmsim/datasets"
	"mmsim/datasets/internal/wording"
)

// Population is what is known about the players of a day beside when and where they
// join: the columns of the data, and generated attributes. Values about a player
// depend on the player and on the attribute alone: not on scale, on other
// attributes, or on who was asked about before. It belongs to one replication,
// since lists are entered into dictionaries as they are drawn.
type Population struct {
	// Attributes are the columns of the data in the order of the file, and then the
	// generated ones as they were declared; without a generated graph of friends,
	// whose values are players: see Friends.
	Attributes []*Attribute
	Warnings   []string // what a reader of the results should know

	friends friendship // nil: nobody has friends
}

// Options says what a day's population has beyond the data.
type Options struct {
	Generated []Generated

	// Locate says on which continent and in which country a place lies, where the
	// data does not. Asked for ByCountry and Graph only.
	Locate func(place uint32) (datasets.Continent, datasets.CountryCode)

	Draws datasets.Draws
}

// New returns the population of a day. An error names the attribute. It
// costs a look at every place for an attribute by country, and some 20 ns and 5
// bytes a row for a graph of friends.
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
			return nil, fmt.Errorf("attribute %s: %w", wording.Quoted(name), err)
		}
		if p.Attribute(name) != nil {
			if _, isColumn := day.Column(name); !isColumn {
				return nil, fmt.Errorf("attribute %s is there twice: expected it once", wording.Quoted(name))
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
		p.Warnings = append(p.Warnings, m.warnings...)
		p.Attributes = append(p.Attributes, a)
	}
	return p, nil
}

// Attribute returns the attribute of that name, nil for none.
func (p *Population) Attribute(name string) *Attribute {
	for _, a := range p.Attributes {
		if a.Name == name {
			return a
		}
	}
	return nil
}
