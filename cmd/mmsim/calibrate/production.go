package calibrate

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/datasets"
	"mmsim/datasets/ticketlog"
	"mmsim/reports/collect"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/reports/words"
	"mmsim/sim"
)

// production hands what a log reports to the collector of a result, as the simulator does.
type production struct {
	places    *sim.Places
	use       uint64            // the datacenters that take part
	regions   map[string]uint64 // datacenters by the names that the log may have
	collector *collect.Collector
	window    int64 // length in ms
	levels    *levels
	totals    sim.Totals
	matches   uint64
	unlocated int // matches of which the log does not tell the datacenter

	search sim.Search
	match  sim.Match
	ended  sim.Ended
}

// produced returns the result of what a log reports. r is a replication of the calibrated configuration:
// it has the datacenters, the RTTs and the queues. The second value is the number of matches of which the
// log does not tell the datacenter.
func produced(l *ticketlog.Log, r *experiment.Replication, datacenters []datasets.Datacenter) (*result.Result, int) {
	s, places, header := r.Reported(l.Places())
	s.Facts, s.Season, s.Servers, s.Events = outcome.Facts{Production: true, Patience: true}, false, nil, nil
	s.Attributes, s.Texts = attributesOf(l, s.Attributes), nil
	header.Run.DatasetSHA256, header.Run.Resample, header.Run.Warmup, header.Warnings = "", false, 0, doubts(l, r.Config)
	for i := range s.Queues {
		s.Queues[i].Rules = nil // what they explain is not in the log
		s.Queues[i].Asks = s.Queues[i].Asks || l.Counts.Declined > 0
	}
	p := &production{places: places, use: inUse(s.Datacenters), regions: regionsOf(r.Config, datacenters, inUse(s.Datacenters)), collector: collect.NewCollector(s), window: int64(s.Duration), levels: newLevels(s.Duration)}
	l.Spans(p.span)
	p.sample(s.Duration)
	l.Replay(p)
	return p.collector.Finish(p.totals, header), p.unlocated
}

// lostMax is the highest share of lost tickets without a warning.
const lostMax = 0.01

// doubts returns warnings about what the log does not tell, or not well.
func doubts(l *ticketlog.Log, prod *config.Config) (list []string) {
	c := &l.Counts
	for _, a := range prod.Players.Attributes {
		if _, has := l.Kinds()[a.Name]; prod.Dataset.File != "" && !has {
			list = append(list, fmt.Sprintf("the log has no column %s: players.attributes draws it, so that it is not that of your players; if the column has another name, --map %s=COLUMN", a.Name, a.Name))
		}
	}
	if float64(c.Lost) > lostMax*float64(c.Searches) {
		list = append(list, fmt.Sprintf("the log lost the ends of %s of %s (%s): their matches seem to have fewer players, and the next searches of these players seem to be joins, so that the simulation has more players than production",
			words.Thousands(c.Lost), words.Plural(c.Searches, "ticket"), words.PercentOf(c.Lost, c.Searches)))
	}
	if c.WholeSeconds {
		list = append(list, "the log has times in whole seconds: its waits are off by up to 1 s, which can be a large distance between distributions where rules relax after a fixed wait; expected milliseconds")
	}
	return list
}

// attributesOf returns the numeric attributes of the log. Those of the simulation have the names of rules.
func attributesOf(l *ticketlog.Log, simulated []setup.Attribute) (list []setup.Attribute) {
	rows := l.JoinRows()
	for _, c := range l.Attributes() {
		if c.Kind != datasets.Number {
			continue
		}
		a := setup.Attribute{Name: c.Name, Sample: make([]float64, len(rows)), Of: func(p *sim.Player) float64 { return c.Numbers[p.Row] }}
		for i, row := range rows {
			a.Sample[i] = c.Numbers[row]
		}
		if i := slices.IndexFunc(simulated, func(s setup.Attribute) bool { return s.Name == c.Name }); i >= 0 {
			a.Rules = simulated[i].Rules
		}
		list = append(list, a)
	}
	return list
}

// inUse returns the datacenters that take part.
func inUse(list []setup.Datacenter) (use uint64) {
	for i := range list {
		if !list[i].Unused {
			use |= 1 << i
		}
	}
	return use
}

// best returns a player's lowest RTT to a datacenter that takes part, or to the one of the match.
func (p *production) best(place uint32, estimate sim.RTT) sim.RTT {
	for dc := range sim.DatacentersIn(p.use) {
		estimate = min(estimate, p.places.Row(place)[dc])
	}
	return estimate
}

// regionsOf returns the datacenters of each region, and each datacenter under its own name.
func regionsOf(c *config.Config, datacenters []datasets.Datacenter, use uint64) map[string]uint64 {
	regions := map[string]uint64{}
	for i, dc := range datacenters {
		regions[dc.Name] = 1 << i
	}
	for _, r := range binding.Regions(c, &config.Queue{}, datacenters, use) {
		regions[r.Name] = r.Datacenters
	}
	return regions
}

// player converts a player.
func player(p *ticketlog.Player) sim.Player {
	return sim.Player{ID: uint64(p.Number), Person: sim.Person{Entity: uint64(p.Number), Row: p.Row, Place: p.Place}}
}

// fill fills in a search.
func fill(to *sim.Search, s *ticketlog.Seen) {
	*to = sim.Search{Queue: s.Queue, Began: sim.Instant(s.Began), State: sim.StateWaiting, Return: s.Return, Party: uint64(s.Ticket), PartySize: uint8(len(s.Players)), Players: to.Players[:0]}
	for i := range s.Players {
		to.Players = append(to.Players, player(&s.Players[i]))
	}
}

// Entered implements ticketlog.Observer.
func (p *production) Entered(s *ticketlog.Seen) {
	fill(&p.search, s)
	p.collector.Entered(&p.search)
}

// states are the states in which searches end without a match.
var states = map[ticketlog.End]sim.State{
	ticketlog.Cancelled: sim.StateCancelled, ticketlog.Expired: sim.StateExpired, ticketlog.Declined: sim.StateDeclined,
	ticketlog.Failed: sim.StateFailed, ticketlog.Lost: sim.StateLost,
}

// Ended implements ticketlog.Observer.
func (p *production) Ended(s *ticketlog.Seen) {
	fill(&p.ended.Search, s)
	p.ended.At, p.ended.Into = sim.Instant(s.Ended), states[s.End]
	p.collector.Ended(&p.ended)
}

// Matched implements ticketlog.Observer.
func (p *production) Matched(m *ticketlog.Made) {
	datacenter := p.datacenterOf(m)
	p.match = sim.Match{ID: p.matches, Queue: m.Queue, At: sim.Instant(m.At), Ends: sim.Instant(m.Ends), Datacenter: datacenter, Region: sim.NoRegion, Players: p.match.Players[:0]}
	p.matches++
	for i := range m.Searches {
		s := &m.Searches[i]
		for j := range s.Players {
			of := &s.Players[j]
			estimate := p.places.Row(of.Place)[datacenter]
			matched := sim.Matched{
				Player: player(of), Began: sim.Instant(s.Began), Party: uint64(s.Ticket), PartySize: uint8(len(s.Players)),
				Team: sim.NoTeam, State: sim.StateWaiting, Return: s.Return, Repeat: metAgain(m, s, of),
				RTT: estimate, Estimate: estimate, Best: p.best(of.Place, estimate),
			}
			if of.RTT > 0 {
				matched.RTT = sim.RTT(min(math.Round(float64(of.RTT)*sim.RTTUnit), math.MaxUint16))
			}
			p.match.Players = append(p.match.Players, matched)
		}
	}
	p.collector.Matched(&p.match)
}

// metAgain reports whether a player of another ticket came from the same match as a player.
func metAgain(m *ticketlog.Made, own *ticketlog.Seen, p *ticketlog.Player) bool {
	if p.Before == 0 {
		return false
	}
	return slices.ContainsFunc(m.Searches, func(s ticketlog.Seen) bool {
		return s.Ticket != own.Ticket && slices.ContainsFunc(s.Players, func(other ticketlog.Player) bool { return other.Before == p.Before })
	})
}

// datacenterOf returns the datacenter of a match: in the region that the log names, or among all, the one
// in which the highest RTT of a player is lowest, as a pool places matches.
func (p *production) datacenterOf(m *ticketlog.Made) int {
	set := p.regions[m.Datacenter]
	if set == 0 {
		set = p.use
		p.unlocated++
	}
	if bits.OnesCount64(set) == 1 {
		return bits.TrailingZeros64(set)
	}
	best, lowest := 0, math.MaxInt
	for dc := range sim.DatacentersIn(set) {
		worst := 0
		for i := range m.Searches {
			for _, of := range m.Searches[i].Players {
				worst = max(worst, int(p.places.Row(of.Place)[dc]))
			}
		}
		if worst < lowest {
			best, lowest = dc, worst
		}
	}
	return best
}

// levels counts the players by activity at every whole second of the window. The number at a second is
// the sum of the changes up to it.
type levels struct {
	changes [ticketlog.Activities][]int32
}

func newLevels(window sim.Duration) *levels {
	l := &levels{}
	for a := range l.changes {
		l.changes[a] = make([]int32, window/sim.Second+2)
	}
	return l
}

// span counts players with an activity.
func (p *production) span(a ticketlog.Activity, from, to int64, players int) {
	inside := int64(players) * (to - max(0, from))
	switch a {
	case ticketlog.InSearch:
		p.totals.SearchingTime += inside
		if from < 0 {
			p.totals.SearchingAtStart += players
		}
		if to == p.window {
			p.totals.SearchingAtEnd += players
		}
	case ticketlog.InMatch:
		p.totals.PlayingTime += inside
	case ticketlog.InPause:
		p.totals.BetweenTime += inside
	}
	changes := p.levels.changes[a]
	second := func(ms int64) int64 { return (max(0, ms) + int64(sim.Second) - 1) / int64(sim.Second) }
	changes[second(from)] += int32(players)
	changes[second(to)] -= int32(players)
}

// sample takes the census of every minute, and sets the totals that depend on the number of players at an
// instant. The peak is that of whole seconds.
func (p *production) sample(window sim.Duration) {
	t := &p.totals
	t.Reached = sim.Instant(window)
	var now [ticketlog.Activities]int
	for second := sim.Instant(0); second < sim.Instant(window/sim.Second); second++ {
		for a := range now {
			now[a] += int(p.levels.changes[a][second])
		}
		at := second * sim.Instant(sim.Second)
		census := sim.Census{At: at, Playing: now[ticketlog.InMatch], Between: now[ticketlog.InPause], Waiting: now[ticketlog.InSearch]}
		t.CCU.Note(census.CCU(), at)
		if at%sim.Instant(sim.Minute) == 0 {
			p.collector.Sampled(&census)
		}
	}
}
