package binding

import (
	"fmt"
	"math"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
	"mmsim/sim"
)

// people implements sim.People with the population of a replication.
type people struct {
	population *population.Population
	values     []matcher.Value // by column; values of a player without attributes
	class      matcher.Text    // class of a player whose attributes give none
	sources    []playerSource
	absent     []vendor.Field        // fields that no player has
	household  *population.Attribute // nil if households are not known
	session    *population.Attribute // in seconds; nil if session lengths are not known
}

// playerSource is a field of the rules and the player attribute that fills it.
type playerSource struct {
	vendor.Field
	from  *population.Attribute
	texts dictionary[textValue]
}

// textValue is the value that the rules see for an entry of a dictionary.
type textValue struct {
	value matcher.Value
	sane  bool
}

// newPeople looks up the fields of the rules in the population. It returns an error if the
// population has an attribute for a field but the rules cannot use its values.
func newPeople(rules vendor.Placement, in *PlacingInputs) (*people, error) {
	p := &people{
		population: in.Population, class: rules.DefaultClass(),
		values:    make([]matcher.Value, rules.Schema().Columns()),
		household: in.Population.Attribute(datasets.ColumnIP),
		session:   in.Population.Attribute(datasets.ColumnSessionLength),
	}
	taken := map[matcher.Column]string{}
	for _, f := range rules.PlayerFields() {
		if !f.Class {
			p.values[f.Column] = f.Absent()
		}
		from := in.Population.Attribute(f.Name)
		if from == nil {
			p.absent = append(p.absent, f)
			continue
		}
		if other := taken[f.Column]; other != "" && !f.Class {
			return nil, fmt.Errorf("players have both %s and %s, expected one of them", other, f.Name)
		}
		if !f.Class {
			taken[f.Column] = f.Name
		}
		if want := config.KindOf(matcher.Read{Kind: f.Kind}); from.Kind != want {
			return nil, fmt.Errorf("players' %s is a %s, but the rules expect a %s", f.Name, from.Kind, want)
		}
		s := playerSource{Field: f, from: from}
		if err := s.check(); err != nil {
			place := "players.attributes." + f.Name
			if !from.Generated() {
				place = fmt.Sprintf("%s: column %q", input.Shown(in.Config.Dataset.File), f.Name)
			}
			return nil, fmt.Errorf("%s: got %w", place, err)
		}
		p.sources = append(p.sources, s)
	}
	p.forgetReplaced(taken)
	return p, nil
}

// forgetReplaced removes absent fields whose column another field fills.
func (p *people) forgetReplaced(taken map[matcher.Column]string) {
	kept := p.absent[:0]
	for _, f := range p.absent {
		if f.Class || taken[f.Column] == "" {
			kept = append(kept, f)
		}
	}
	p.absent = kept
}

// check checks all values that are known before the run: texts, and numbers in a column of the
// data. Reading the data may not have checked them, because the column may have been read for
// the rules of another configuration. Generated numbers are not known yet. If the rules do not
// accept one, the player is rejected in the run.
func (s *playerSource) check() error {
	if s.Kind == matcher.IsText {
		for _, text := range s.from.Dictionary()[1:] {
			if _, err := s.Text(text); err != nil {
				return err
			}
		}
	}
	if column := s.from.Column(); column != nil {
		for _, x := range column.Numbers {
			if _, err := s.Number(x); err != nil && !math.IsNaN(x) {
				return err
			}
		}
	}
	return nil
}

// value returns the value of the field for p, or a missing value if p has none. ok is false if
// the rules do not accept the value.
func (s *playerSource) value(p *population.Person) (matcher.Value, bool) {
	if s.Kind == matcher.IsNumber {
		x := s.from.Number(p)
		if math.IsNaN(x) {
			return matcher.Value{}, true
		}
		value, err := s.Number(x)
		return value, err == nil
	}
	t := s.texts.at(s.from, p, s.read)
	return t.value, t.sane
}

// read converts an entry of the dictionary.
func (s *playerSource) read(entry uint32) textValue {
	switch {
	case entry == 0:
		return textValue{sane: true}
	case s.Kind == matcher.IsSet:
		return textValue{s.Texts(s.from.List(entry)), true}
	}
	value, err := s.Text(s.from.Dictionary()[entry])
	return textValue{value, err == nil}
}

// Describe implements sim.People.
func (p *people) Describe(person *sim.Person, player *matcher.Player) (matcher.Text, bool) {
	class := p.class
	player.Values = append(player.Values[:0], p.values...)
	for i := range p.sources {
		s := &p.sources[i]
		value, sane := s.value((*population.Person)(person))
		switch {
		case !sane:
			return class, false
		case value.Kind == matcher.Missing: // the player keeps the default
		case s.Class:
			class = value.Text
		default:
			player.Values[s.Column] = value
		}
	}
	return class, true
}

// Friends implements sim.People.
func (p *people) Friends(person *sim.Person, rows []uint32) []uint32 {
	return p.population.Friends((*population.Person)(person), rows)
}

// Household implements sim.People.
func (p *people) Household(person *sim.Person) uint32 {
	if p.household == nil {
		return 0
	}
	return p.household.Text((*population.Person)(person))
}

// Session implements sim.People.
func (p *people) Session(person *sim.Person) sim.Duration {
	if p.session == nil {
		return 0
	}
	seconds := p.session.Number((*population.Person)(person))
	if math.IsNaN(seconds) {
		return 0
	}
	return max(sim.Millisecond, sim.Duration(math.Round(min(seconds, 1e9)*float64(sim.Second))))
}
