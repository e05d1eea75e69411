package resulttest

import (
	"cmp"
	"math"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// Draws is implemented by *rand.Rand of math/rand/v2, which only tests may import.
type Draws interface {
	IntN(n int) int
	Uint64N(n uint64) uint64
	ExpFloat64() float64
	NormFloat64() float64
}

// Facts are the events of a run in the order in which an observer receives them.
type Facts struct {
	Setup   setup.Run
	Totals  sim.Totals
	Entered []sim.Search
	Matches []sim.Match
	Ended   []sim.Ended
	Census  []sim.Census

	Unfinished []sim.Search
}

// RandomFacts returns a small random run. Each party searches; its search then ends in a match, ends
// without one, or is unfinished when the run ends. Some searches begin before the window.
func RandomFacts(draw Draws) *Facts {
	f := &Facts{Setup: randomSetup(draw)}
	duration := int(f.Setup.Duration)
	f.Totals = sim.Totals{Reached: sim.Instant(duration), CCU: sim.Peak{Value: 40, At: 1234}, PlayingTime: int64(draw.IntN(1 << 30)),
		BetweenTime: 1 << 20, SearchingTime: 1<<20 + 1, BotsTime: 7}
	for id := range uint64(draw.IntN(400)) {
		at := sim.Instant(draw.IntN(duration))
		var match sim.Match
		for len(match.Players) < f.Setup.Queues[0].MatchSize && (len(match.Players) == 0 || draw.IntN(8) > 0) {
			f.addTicket(draw, &match, at)
		}
		match.ID, match.At, match.Datacenter = id, at, draw.IntN(len(f.Setup.Datacenters))
		match.Ends = at + 1 + sim.Instant(draw.IntN(int(sim.Hour)))
		f.underRules(draw, &match)
		if f.Setup.Missing {
			f.addSeats(draw, &match)
		}
		switch draw.IntN(12) {
		case 0:
			f.end(draw, &match)
		case 1:
			f.Totals.SearchingAtEnd += len(match.Players)
			f.Unfinished = append(f.Unfinished, searches(&match)...)
		default:
			f.Matches = append(f.Matches, match)
		}
	}
	for t := sim.Instant(0); int(t) <= duration; t += 30_000 {
		f.Census = append(f.Census, sim.Census{At: t, Playing: draw.IntN(99), Between: 2, Ideal: 3, Expand: draw.IntN(5), WarmBody: 1, Bots: 6})
	}
	slices.SortStableFunc(f.Matches, func(a, b sim.Match) int { return cmp.Compare(a.At, b.At) })
	return f
}

// steps open in every run of RandomFacts.
var steps = []setup.Step{
	{Opens: "IDEAL", State: sim.StateIdeal}, {After: 10 * sim.Second, Opens: "EXPAND", State: sim.StateExpand}, {After: 20 * sim.Second, Opens: "WARMBODY", State: sim.StateWarmBody},
	{Opens: "as at the start"}, {After: 1500, Opens: "-skill, maps"}, {After: 40 * sim.Second, Opens: "skill off"},
}

func randomSetup(draw Draws) setup.Run {
	s := setup.Run{
		Continents: []string{"AF", "EU", "SA"},
		Countries:  []string{"FR", "BR"},
		Duration:   sim.Duration(1 + draw.IntN(int(30*sim.Hour))),
		Queues:     []setup.Queue{{MatchSize: 1 + draw.IntN(5), Steps: steps}},
		Ideal:      sim.RTT(draw.IntN(1000)),
		Expand:     1600,
	}
	s.Jitter, s.Patience = draw.IntN(2) == 0, s.Duration%2 == 0
	for _, name := range []string{"frankfurt", "a,b\"c", "東京"}[:1+draw.IntN(3)] {
		s.Datacenters = append(s.Datacenters, setup.Datacenter{Name: name, Latitude: float64(draw.IntN(90)) + 0.125, Longitude: -float64(draw.IntN(180))})
	}
	if draw.IntN(2) == 0 {
		s.Queues[0].Rules = randomRuleset(draw)
		s.Queues[0].Asks = s.Queues[0].Rules.MinPlayers%2 == 1
	}
	for range 1 + draw.IntN(30) {
		s.Places = append(s.Places, setup.Place{Latitude: int16(draw.IntN(18_001) - 9_000), Longitude: int16(draw.IntN(36_001) - 18_000), Continent: uint8(draw.IntN(3)), Country: uint16(len(s.Places) % 2)})
	}
	s.Missing = len(s.Places)%3 == 0
	values := make([]float64, 50)
	for i := range values {
		if values[i] = float64(draw.IntN(1 + draw.IntN(40))); draw.IntN(5) == 0 {
			values[i] = math.NaN()
		}
	}
	drawn := func(p *sim.Player) float64 {
		if int(p.Row) < len(values) {
			return values[p.Row]
		}
		return math.NaN()
	}
	s.Attributes = []setup.Attribute{
		{Name: "mmr", Rules: []string{"skill"}, Sample: values, Of: nil}, {Name: "nobody has it", Rules: nil, Sample: nil, Of: nil},
		{Name: "drawn", Rules: nil, Sample: values, Of: drawn}, {Name: "drawn without a sample", Rules: nil, Sample: nil, Of: drawn},
	}
	s.Texts = []setup.Texts{{Name: "maps", Rules: []string{"same map"}, Of: func(p *sim.Player) []uint32 {
		return [][]uint32{nil, {1}, {2}, {1, 2}, {0, 2, 7}, {0, 1, 2, 7}}[(p.ID*7+uint64(p.Row))%6]
	}}}
	if len(s.Places)%2 == 0 {
		s.Limits = &outcome.Limits{
			Wait: &outcome.WaitLimits{Good: 2.5, Fair: 60}, RTT: &outcome.RTTLimits{Good: outcome.RoundMillis(501. / 16), Fair: 62.5},
			Unmatched: &outcome.UnmatchedLimits{Good: 0.22, Fair: 0.4},
		}
	}
	return s
}

func randomRuleset(draw Draws) *setup.Ruleset {
	r := &setup.Ruleset{Name: "ranked", Dialect: "playfab", Placement: "pool", ExpansionBasis: "longest", OptionalBasis: "all",
		MinPlayers: 2 + draw.IntN(8), Rules: []setup.Rule{{Name: "skill", AtStart: sim.Relaxed{}}, {Name: "maps", AtStart: sim.Relaxed{Optional: true}}, {Name: "latency", AtStart: sim.Relaxed{}}}[:draw.IntN(4)]}
	if draw.IntN(2) == 0 {
		r.Service = &setup.Service{Window: sim.Duration(1 + draw.IntN(int(2*sim.Hour))), PlayersSee: []string{"time_to_match_s"}}
	}
	return r
}

// underRules adds to a match the data that only rulesets produce: stages of relaxation, backfill
// and teams. It does nothing if the run has no rules.
func (f *Facts) underRules(draw Draws, match *sim.Match) {
	rules := f.Setup.Queues[0].Rules
	if rules == nil {
		return
	}
	match.Backfill = draw.IntN(5) == 0
	for range rules.Rules {
		match.Relaxed = append(match.Relaxed, sim.Relaxed{Stage: draw.IntN(3) * draw.IntN(100), Inactive: draw.IntN(9) == 0, Optional: draw.IntN(9) == 0})
	}
	if draw.IntN(8) == 0 {
		clear(match.Relaxed)
	}
	teams := 1 + draw.IntN(60)
	for i := range match.Players {
		p := &match.Players[i]
		if p.State = sim.StateWaiting; teams > 1 {
			p.Team = int16(p.Party % uint64(teams))
		}
	}
}

// addSeats decides who is missing from a match, and whether it is cut short.
func (f *Facts) addSeats(draw Draws, match *sim.Match) {
	match.Drawn = match.Ends
	if match.Cut = draw.IntN(4) == 0; match.Cut {
		match.Drawn += 1 + sim.Instant(draw.IntN(1000))
	}
	for i := range match.Players {
		seat := sim.Seat{Left: match.Ends}
		switch draw.IntN(6) {
		case 0:
			seat = sim.Seat{Left: match.At, Leaves: true, Dead: draw.IntN(2) == 0}
		case 1:
			seat = sim.Seat{Left: match.At + 1 + sim.Instant(draw.IntN(int(match.Ends-match.At))), Leaves: true}
		}
		if i > 0 && match.Players[i].Party == match.Players[i-1].Party {
			seat = match.Seats[i-1]
		}
		match.Seats = append(match.Seats, seat)
		match.Incomplete = match.Incomplete || seat.Leaves
	}
	if !match.Cut && !match.Incomplete && match.ID%2 == 0 { // the engine tells only the seats of the others
		match.Seats = nil
	}
	match.Incomplete = match.Incomplete && (!match.Backfill || f.complete() > 0)
}

// complete returns the number of matches in which nobody is missing so far.
func (f *Facts) complete() (n int) {
	for i := range f.Matches {
		if m := &f.Matches[i]; !m.Backfill {
			n++
		}
		if f.Matches[i].Incomplete {
			n--
		}
	}
	return n
}

// addTicket adds a party to the match. If its search begins inside the window, addTicket also
// adds it to Entered.
func (f *Facts) addTicket(draw Draws, match *sim.Match, at sim.Instant) {
	size := 1 + draw.IntN(f.Setup.Queues[0].MatchSize-len(match.Players))
	wait := []int{0, draw.IntN(3000), draw.IntN(200_000)}[draw.IntN(3)]
	began := at - sim.Instant(wait)
	search := sim.Search{Began: began, Return: draw.IntN(2) == 0, PartySize: uint8(size)}
	state := sim.StateIdeal + sim.State(draw.IntN(3))
	for range size {
		player := sim.Player{ID: draw.Uint64N(100), Person: sim.Person{Row: uint32(draw.IntN(60)), Place: uint32(draw.IntN(len(f.Setup.Places)))}}
		best := sim.RTT(draw.IntN(2000))
		estimate := best + sim.RTT(draw.IntN(2)*draw.IntN(1000))
		search.Players = append(search.Players, player)
		match.Players = append(match.Players, sim.Matched{
			Player: player, Began: began, Party: search.Players[0].ID, PartySize: uint8(size), State: state,
			Team: sim.NoTeam, Return: search.Return, Repeat: search.Return && draw.IntN(3) == 0,
			RTT: estimate + sim.RTT(draw.IntN(20)), Estimate: estimate, Best: best,
		})
	}
	if began >= 0 {
		f.Entered = append(f.Entered, search)
	} else {
		f.Totals.SearchingAtStart += size
	}
}

// end ends the searches of the match's tickets without a match.
func (f *Facts) end(draw Draws, match *sim.Match) {
	rules := f.Setup.Queues[0].Rules
	into := []sim.State{sim.StateFailed, sim.StateFailed, sim.StateBots, sim.StateRejected}[draw.IntN(4)]
	if rules != nil {
		into = []sim.State{sim.StateExpired, sim.StateExpired, sim.StateRejected}[draw.IntN(3)]
	}
	for _, search := range searches(match) {
		e := sim.Ended{Search: search, At: match.At, Into: into}
		if into == sim.StateExpired && draw.IntN(5) > 0 {
			e.Apart = &sim.Apart{MayMeet: draw.IntN(2) * draw.IntN(12), TooMany: draw.IntN(3), Own: draw.IntN(8) == 0, ByRule: make([]int, len(rules.Rules))}
			for i := range e.Apart.ByRule {
				e.Apart.ByRule[i] = draw.IntN(3) * draw.IntN(3)
			}
		}
		if into == sim.StateExpired && f.Setup.Queues[0].Asks && len(match.Players)%2 == 0 {
			e.Into, e.Apart = sim.StateDeclined, nil
		}
		if f.Setup.Patience && (into == sim.StateExpired || into == sim.StateFailed) && len(match.Players)%3 == 1 {
			e.Into, e.Apart = sim.StateCancelled, nil
		}
		if into == sim.StateRejected {
			e.State = sim.StateNew
		}
		f.Ended = append(f.Ended, e)
	}
	if into == sim.StateRejected && rules != nil {
		f.refuse("too many players", len(match.Players))
	}
}

// searches returns the searches of the parties in a match.
func searches(match *sim.Match) (list []sim.Search) {
	for i := 0; i < len(match.Players); i += int(match.Players[i].PartySize) {
		first := &match.Players[i]
		s := sim.Search{Began: first.Began, State: first.State, Return: first.Return, Party: first.Party, PartySize: first.PartySize}
		for _, p := range match.Players[i : i+int(first.PartySize)] {
			s.Players = append(s.Players, p.Player)
		}
		list = append(list, s)
	}
	return list
}

// refuse counts players who were refused for a reason.
func (f *Facts) refuse(why string, players int) {
	if f.Totals.Rules == nil {
		f.Totals.Rules = []*sim.RuleTotals{{GroupBudgetHits: 3, TeamBudgetHits: 1, Refusals: []sim.RefusalCount{{Reason: why}}}}
		if f.Setup.Queues[0].Asks {
			f.Totals.Acceptance = []*sim.AcceptanceTotals{&Decided}
		}
		for i := range f.Setup.Queues[0].Rules.Rules {
			if !f.Setup.Queues[0].Asks {
				break // runs without Asks do not count evaluations
			}
			f.Totals.Rules[0].Evaluations = append(f.Totals.Rules[0].Evaluations, struct{ Passed, Failed int64 }{int64(7 + i), int64(3 + i)})
		}
	}
	f.Totals.Rules[0].Refusals[0].Players += players
}

// Decided has counts of proposals to players, and CameTo is the part of a summary that results
// from them.
var (
	Decided = sim.AcceptanceTotals{Started: 7, Refused: 2, TimedOut: 1, Lapsed: 4, AnswerTime: 90_000, Players: 30, LostTime: 100_000, Returned: 20}
	CameTo  = outcome.Acceptance{
		Proposals: 14, Started: 7, Refused: 2, TimedOut: 1, Lapsed: 4, ShareStarted: 0.5, PerStart: 2,
		AnswerMean: 3, Returned: 20, LostMean: 5, LostPerMatch: 3.333,
	}
)

// Report sends all events to an observer.
func (f *Facts) Report(o sim.Observer) {
	for i := range f.Entered {
		o.Entered(&f.Entered[i])
	}
	for i := range f.Ended {
		o.Ended(&f.Ended[i])
	}
	for i := range f.Matches {
		o.Matched(&f.Matches[i])
	}
	for i := range f.Census {
		o.Sampled(&f.Census[i])
	}
	if o, is := o.(sim.UnfinishedObserver); is {
		for i := range f.Unfinished {
			o.Unfinished(&f.Unfinished[i], f.Totals.Reached)
		}
	}
}
