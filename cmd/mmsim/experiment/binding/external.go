package binding

import (
	"mmsim/cmd/mmsim/config"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/matcher"
	"mmsim/matcher/external"
	"mmsim/sim"
)

// BindExternal creates the rules of a queue whose external matchmaker makes the matches. The
// matchmaker sees every attribute of the population except the skill of a season, and knows datacenters by the names of regions.
// If set is nil, matches have q.Match.Size players. Otherwise, set determines the size of matches,
// and reports measure matches against its rules. The queue rejects no ticket because of set.
func BindExternal(c *config.Config, q *config.Queue, set *config.Ruleset, regions []Region, population *population.Population) (*Rules, error) {
	r := &Rules{population: population, Sim: &sim.Rules{Schema: &matcher.Schema{}}}
	r.Sim.Set = &matcher.Ruleset{MinPlayers: q.Match.Size, MaxPlayers: q.Match.Size}
	if set != nil {
		bound, err := Bind(c, q, set, nil, population)
		if err != nil {
			return nil, err
		}
		r = bound
	}
	r.Regions, r.Sim.Regions = regions, nil
	if err := r.addRegions(); err != nil {
		return nil, err
	}
	size, required := r.Sim.Refuse, r.Sim.Required
	r.RefuseService = func(t *matcher.Ticket) error {
		for i := range t.Players {
			for _, column := range required {
				if t.Players[i].Value(column.Column).Kind == matcher.Missing {
					return column.Refusal
				}
			}
		}
		return size(len(t.Players))
	}
	r.Sim.Refuse = func(int) error { return nil }
	r.Sim.Required, r.Sim.Backfills = nil, q.External.Backfill
	for _, a := range population.Attributes {
		if a.Name == c.Season.Skill {
			continue // hidden
		}
		// The zero byte keeps the column's name different from all column names of dialects.
		shown := external.Shown{Name: a.Name, Column: r.Sim.Schema.Column("\x00" + a.Name)}
		kind := map[datasets.Kind]matcher.ValueKind{datasets.Number: matcher.IsNumber, datasets.Text: matcher.IsText, datasets.List: matcher.IsSet}[a.Kind]
		r.Shown = append(r.Shown, shown)
		r.shown = append(r.shown, Reading{Read: matcher.Read{Column: shown.Column, Kind: kind}, Attribute: a, Number: a.Kind == datasets.Number})
	}
	r.Sim.Describe = r.describeShown
	return r, nil
}

// ShownTo returns a player's value of the i-th attribute in Shown.
func (r *Rules) ShownTo(i int, p *population.Person) matcher.Value {
	return r.shown[i].Value(r.Sim.Schema, p)
}

// describeShown implements sim.Rules.Describe. It also sets the attributes that the external
// matchmaker sees.
func (r *Rules) describeShown(p *sim.Person, player, ticket []matcher.Value) {
	r.describe(p, player, ticket)
	for i := range r.shown {
		read := &r.shown[i]
		read.fill(r.Sim.Schema, (*population.Person)(p), &player[read.Column])
	}
}
