package experiment

import (
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/datasets"
	"mmsim/sim"
)

// arrivals yields the joins of all days of a run to the simulator. The end of day -1 is the
// warm-up; days 0, 1 and so on follow. If the run has more days than the data, the days of the
// data repeat, with new players and random draws. arrivals uses constant memory and does not
// allocate for each join.
type arrivals struct {
	day     *datasets.Day
	options datasets.ReplayOptions
	last    int32 // day on which the run ends
	today   int32
	replay  *datasets.Replay
	router  *router // nil if a single queue takes all parties
	members []sim.Person
}

// arrivals returns the joins of the replication.
func (r *Replication) arrivals() *arrivals {
	last := int32((config.SimSpan(r.Config.Clock.Duration) - 1) / sim.Day)
	if warmup := config.SimSpan(r.Config.Clock.Warmup); warmup > 0 {
		return r.arrivalsOn(-1, last, uint32(sim.Day-warmup))
	}
	return r.arrivalsOn(0, last, 0)
}

// arrivalsOn returns the joins of some days. from is the time in ms at which the first day begins.
func (r *Replication) arrivalsOn(first, last int32, from uint32) *arrivals {
	a := &arrivals{day: r.Day, options: r.ReplayOptions(), router: r.router, last: last, today: first}
	a.options.From = from
	a.replay = a.day.Replay(int(first), a.options)
	return a
}

// ReplayOptions say how the rows of Day become the joins of the replication.
func (r *Replication) ReplayOptions() datasets.ReplayOptions {
	c := r.Config
	return datasets.ReplayOptions{
		Days: c.Dataset.Days, Scale: c.Dataset.Scale, Resample: c.Dataset.Resample, ByPlayer: c.Searches(), Spread: c.Dataset.Spread,
		Parties: datasets.PartyShares(c.Players.Parties), Draws: binding.DrawsOf(c.Seed, uint64(r.Config.Run)),
	}
}

// Next implements sim.Arrivals.
func (a *arrivals) Next(next *sim.Arrival) bool {
	arrival, ok := a.replay.Next()
	for ; !ok; arrival, ok = a.replay.Next() {
		if a.today == a.last {
			return false
		}
		a.today++
		a.options.From = 0
		a.replay = a.day.Replay(int(a.today), a.options)
	}
	next.At = sim.Instant(a.today)*sim.Instant(sim.Day) + sim.Instant(arrival.MS)
	a.members = a.members[:0]
	for i, m := range arrival.Members {
		a.members = append(a.members, sim.Person{
			Entity: sim.Entity(m.Row, m.Copy, a.today, uint32(i)), Row: m.Row, Place: m.Place, Copy: binding.CopyOf(m.Copy, a.today),
		})
		p, first := &a.members[i], &a.members[0]
		p.Party, p.PartyPlace = first.Entity, first.Place
	}
	next.Members = a.members
	if a.router != nil {
		next.Queue = a.router.queueOf(&a.members[0])
	}
	return true
}

// newEvents sets the events, with the places of this replication's players.
func (r *Replication) newEvents() error {
	r.events = slices.Clone(r.inputs.events)
	for i := range r.events {
		e, own := &r.events[i], &r.Config.Events[i]
		if e.Latency == 0 {
			continue
		}
		if e.Slowed = r.livesIn(&own.From); e.Slowed != nil && !slices.Contains(e.Slowed, true) {
			return own.NoPlayer()
		}
	}
	return nil
}

// newBursts sets the joins of the events.
func (r *Replication) newBursts() error {
	o := r.ReplayOptions()
	for i := range r.events {
		e := &r.events[i]
		if e.Joins == 0 {
			continue
		}
		own := &r.Config.Events[i]
		if r.season != nil {
			return own.Errorf("got joins with season.skill, expected no such event: the persons of a season come from the rows of the data only")
		}
		joins, ok := r.Day.Burst(datasets.BurstOptions{
			Number: i, Day: own.Day - 1, Joins: e.Joins, From: r.livesIn(&own.From), Parties: o.Parties, Draws: o.Draws,
		})
		if !ok {
			return own.NoPlayer()
		}
		burst := &binding.Burst{Joins: joins, Event: e, Number: i}
		if r.router != nil {
			burst.QueueOf = r.router.queueOf
		}
		r.bursts = append(r.bursts, burst)
	}
	return nil
}

// livesIn returns, by place, whether the players who live there are selected, or nil if all are.
func (r *Replication) livesIn(among *section.Among) []bool {
	if among.All() {
		return nil
	}
	lives := make([]bool, len(r.located))
	for place := range lives {
		p := &r.located[place]
		lives[place] = among.Has(r.countries[p.Country], continents[p.Continent])
	}
	return lives
}
