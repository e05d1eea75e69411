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
func (r *Replication) populate() (err error) {
	o := population.Options{
		Generated: r.Config.Players.Attributes,
		Draws:     binding.DrawsOf(r.Config.Seed, uint64(r.Config.Run)),
	}
	if len(o.Generated) > 0 {
		o.Locate = NewLocator().Of(r.Day)
	}
	if r.population, err = population.New(r.Day, o); err == nil {
		r.warn(r.population.Warnings...)
	}
	return err
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
			number.Sample = binding.Sample(r.Day, a, r.season)
			number.Of = func(p *sim.Player) float64 { return a.Number(binding.Person(p)) }
		} else {
			number.Sample = a.Column().Numbers
		}
		list = append(list, number)
	}
	return list
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
			columns[i].Rating = r.season != nil && a.Name == r.Config.Season.Rating.Attribute
		}
	}
	return columns
}
