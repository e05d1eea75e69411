package experiment

import (
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/reports/records"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// populate prepares the attributes of the replication's players.
func (r *Replication) populate() (*population.Population, error) {
	o := population.Options{
		Generated: r.Config.Players.Attributes,
		Draws:     drawsOf(r.Config.Seed, uint64(r.Config.Run)),
	}
	if len(o.Generated) > 0 {
		o.Locate = NewLocator().Of(r.Day)
	}
	return population.New(r.Day, o)
}

// numbers converts the numeric attributes to the type that reports use.
func (r *Replication) numbers() []setup.Attribute {
	var list []setup.Attribute
	for _, a := range r.population.Attributes {
		if a.Kind != datasets.Number {
			continue
		}
		number := setup.Attribute{Name: a.Name, Rules: r.rulesOn(a)}
		if a.Generated() {
			number.Sample = sample(r.Day, a)
			number.Of = func(p *sim.Player) float64 { return a.Number(binding.Person(p)) }
		} else {
			number.Sample = a.Column().Numbers
		}
		list = append(list, number)
	}
	return list
}

// sampleMax is the maximum number of rows that are sampled to compute the deciles of a generated
// numeric attribute. More rows would move a decile by less than the width of a histogram bin.
const sampleMax = 1 << 18

// sample returns the values of a generated numeric attribute for players of the first measured day.
// It takes every row, or rows at regular steps if there are more than sampleMax.
func sample(day *datasets.Day, a *population.Attribute) []float64 {
	step := (day.Rows() + sampleMax - 1) / sampleMax
	values := make([]float64, 0, day.Rows()/step+1)
	i := 0
	var one population.Person
	for join := range day.Joins() {
		if i%step == 0 {
			entity := sim.Entity(join.Row, 0, 0, 0)
			one = population.Person{Entity: entity, Row: join.Row, Place: join.Place, Party: entity, PartyPlace: join.Place}
			values = append(values, a.Number(&one))
		}
		i++
	}
	return values
}

// RecordColumns converts the attributes to the type that package records uses.
func (r *Replication) RecordColumns() []records.Attribute {
	columns := make([]records.Attribute, len(r.population.Attributes))
	for i, a := range r.population.Attributes {
		columns[i] = records.Attribute{Name: a.Name, Append: func(to []byte, p *sim.Player) []byte {
			return a.Append(to, binding.Person(p))
		}}
		if a.Kind == datasets.Number {
			columns[i].Number = func(p *sim.Player) float64 { return a.Number(binding.Person(p)) }
		}
	}
	return columns
}
