package servers

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

// people gives the placement on servers what it must know of a replication's persons.
type people struct {
	population *population.Population
	values     []matcher.Value // of a person without attributes, by column
	class      matcher.Text    // of a person who names none
	sources    []playerSource
	absent     []vendor.Field        // fields that no player has
	household  *population.Attribute // nil: no household is known
	session    *population.Attribute // in seconds; nil: no session length is known
}

// playerSource is an attribute of the population that fills a field of the rules.
type playerSource struct {
	vendor.Field
	from  *population.Attribute
	texts []textValue // by entry of its dictionary, as far as read
}

// textValue is the value of a dictionary's entry in the rules.
type textValue struct {
	value       matcher.Value
	known, sane bool
}

// newPeople finds the fields of the rules in the population. An attribute that the data has
// and the rules cannot use is an error.
func newPeople(rules vendor.Placement, in *Inputs) (*people, error) {
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
			return nil, fmt.Errorf("players' %s: a %s, expected a %s for the rules", f.Name, from.Kind, want)
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

// check checks all values that are known before the run: the texts, and the numbers of a
// column, which may have been read for another configuration's rules. A person whose drawn
// number does not fit is rejected in the run.
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

// value returns a person's value: missing if the person has none, false if it does not fit.
func (s *playerSource) value(p *population.Person) (matcher.Value, bool) {
	if s.Kind == matcher.IsNumber {
		x := s.from.Number(p)
		if math.IsNaN(x) {
			return matcher.Value{}, true
		}
		value, err := s.Number(x)
		return value, err == nil
	}
	entry := s.from.Text(p)
	if entry == 0 {
		return matcher.Value{}, true
	}
	for int(entry) >= len(s.texts) {
		s.texts = append(s.texts, textValue{})
	}
	t := &s.texts[entry]
	if !t.known {
		*t = s.read(entry)
	}
	return t.value, t.sane
}

// read reads an entry of the dictionary for the first time.
func (s *playerSource) read(entry uint32) textValue {
	if s.Kind == matcher.IsSet {
		return textValue{s.Texts(s.from.List(entry)), true, true}
	}
	value, err := s.Text(s.from.Dictionary()[entry])
	return textValue{value, true, err == nil}
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
		case value.Kind == matcher.Missing: // the person keeps the default
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
