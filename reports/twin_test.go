package reports

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// facts is a run as a list: what an observer is told, in order.
type facts struct {
	setup   setup.Run
	totals  sim.Totals
	entered []sim.Search
	matches []sim.Match
	ended   []sim.Ended
	census  []sim.Census

	unfinished []sim.Search
}

// randomFacts makes a small run that keeps the conservation law. Parties search,
// wait, and are matched or end; some began before the window.
func randomFacts(seed uint64) *facts {
	draw := rand.New(rand.NewPCG(seed, 7))
	f := &facts{setup: randomSetup(draw)}
	duration := int(f.setup.Duration)
	f.totals = sim.Totals{Reached: sim.Instant(duration), PeakCCU: 40, PeakAt: 1234, PlayingTime: int64(draw.IntN(1 << 30)),
		BetweenTime: 1 << 20, SearchingTime: 1<<20 + 1, BotsTime: 7}
	for id := range uint64(draw.IntN(400)) {
		at := sim.Instant(draw.IntN(duration))
		var match sim.Match
		for len(match.Players) < f.setup.Queues[0].MatchSize && (len(match.Players) == 0 || draw.IntN(8) > 0) {
			f.addTicket(draw, &match, at)
		}
		match.ID, match.At, match.Datacenter = id, at, draw.IntN(len(f.setup.Datacenters))
		match.Ends = at + 1 + sim.Instant(draw.IntN(int(sim.Hour)))
		f.underRules(draw, &match)
		switch draw.IntN(12) {
		case 0:
			f.end(draw, &match)
		case 1:
			f.totals.SearchingAtEnd += len(match.Players)
			f.unfinished = append(f.unfinished, searches(&match)...)
		default:
			f.matches = append(f.matches, match)
		}
	}
	for t := sim.Instant(0); int(t) <= duration; t += 30_000 {
		f.census = append(f.census, sim.Census{At: t, Playing: draw.IntN(99), Between: 2, Ideal: 3, Expand: draw.IntN(5), WarmBody: 1, Bots: 6})
	}
	slices.SortStableFunc(f.matches, func(a, b sim.Match) int { return cmp.Compare(a.At, b.At) })
	return f
}

// articleFacts is a run without a ruleset.
func articleFacts() *facts {
	for seed := uint64(3); ; seed++ {
		if f := randomFacts(seed); f.setup.Queues[0].Rules == nil {
			return f
		}
	}
}

func randomSetup(draw *rand.Rand) setup.Run {
	s := setup.Run{
		Continents: []string{"AF", "EU", "SA"},
		Countries:  []string{"FR", "BR"},
		Duration:   sim.Duration(1 + draw.IntN(int(30*sim.Hour))),
		Queues:     []setup.Queue{{MatchSize: 1 + draw.IntN(5)}},
		Ideal:      sim.RTT(draw.IntN(1000)),
		Expand:     1600,
		Jitter:     draw.IntN(2) == 0,
	}
	for _, name := range []string{"frankfurt", "a,b\"c", "東京"}[:1+draw.IntN(3)] {
		s.Datacenters = append(s.Datacenters, setup.Datacenter{Name: name, Latitude: float64(draw.IntN(90)) + 0.125, Longitude: -float64(draw.IntN(180))})
	}
	if draw.IntN(2) == 0 {
		s.Queues[0].Rules = randomRuleset(draw)
	}
	for range 1 + draw.IntN(30) {
		s.Places = append(s.Places, setup.Place{Latitude: int16(draw.IntN(18_001) - 9_000), Longitude: int16(draw.IntN(36_001) - 18_000), Continent: uint8(draw.IntN(3)), Country: uint16(len(s.Places) % 2)})
	}
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
	return s
}

func randomRuleset(draw *rand.Rand) *setup.Ruleset {
	r := &setup.Ruleset{Name: "ranked", Dialect: "playfab", Placement: "pool", ExpansionBasis: "longest", OptionalBasis: "all",
		MinPlayers: 2 + draw.IntN(8), Rules: []setup.Rule{{Name: "skill", AtStart: sim.Relaxed{}}, {Name: "maps", AtStart: sim.Relaxed{Optional: true}}, {Name: "latency", AtStart: sim.Relaxed{}}}[:draw.IntN(4)]}
	if draw.IntN(2) == 0 {
		r.Service = &setup.Service{Window: sim.Duration(1 + draw.IntN(int(2*sim.Hour))), PlayersSee: []string{"time_to_match_s"}}
	}
	return r
}

// underRules makes a match one of a pool, if the run has rules.
func (f *facts) underRules(draw *rand.Rand, match *sim.Match) {
	rules := f.setup.Queues[0].Rules
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

// addTicket adds a party to the match and tells that it entered, if it did so
// inside the window.
func (f *facts) addTicket(draw *rand.Rand, match *sim.Match, at sim.Instant) {
	size := 1 + draw.IntN(f.setup.Queues[0].MatchSize-len(match.Players))
	wait := []int{0, draw.IntN(3000), draw.IntN(200_000)}[draw.IntN(3)]
	began := at - sim.Instant(wait)
	search := sim.Search{Began: began, Return: draw.IntN(2) == 0, PartySize: uint8(size)}
	state := sim.StateIdeal + sim.State(draw.IntN(3))
	for range size {
		player := sim.Player{ID: draw.Uint64N(100), Person: sim.Person{Row: uint32(draw.IntN(60)), Place: uint32(draw.IntN(len(f.setup.Places)))}}
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
		f.entered = append(f.entered, search)
	} else {
		f.totals.SearchingAtStart += size
	}
}

// end tells that the tickets of what would have been a match ended without one.
func (f *facts) end(draw *rand.Rand, match *sim.Match) {
	rules := f.setup.Queues[0].Rules
	into := []sim.State{sim.StateFailed, sim.StateFailed, sim.StateBots, sim.StateRejected}[draw.IntN(4)]
	if rules != nil {
		into = []sim.State{sim.StateExpired, sim.StateExpired, sim.StateRejected}[draw.IntN(3)]
	}
	for _, search := range searches(match) {
		e := sim.Ended{Search: search, At: match.At, Into: into}
		if into == sim.StateExpired && draw.IntN(5) > 0 {
			e.Apart = &sim.Apart{MayMeet: draw.IntN(2) * draw.IntN(12), TooMany: draw.IntN(3), ByRule: make([]int, len(rules.Rules))}
			for i := range e.Apart.ByRule {
				e.Apart.ByRule[i] = draw.IntN(3) * draw.IntN(3)
			}
		}
		if into == sim.StateRejected {
			e.State = sim.StateNew
		}
		f.ended = append(f.ended, e)
	}
	if into == sim.StateRejected && rules != nil {
		f.refuse("too many players", len(match.Players))
	}
}

// searches are those of the parties of what would have been a match.
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

// refuse tells how many players were refused for a reason.
func (f *facts) refuse(why string, players int) {
	if f.totals.Rules == nil {
		f.totals.Rules = []*sim.RuleTotals{{GroupBudgetHits: 3, TeamBudgetHits: 1, Refusals: []sim.RefusalCount{{Reason: why}}}}
	}
	f.totals.Rules[0].Refusals[0].Players += players
}

// tell tells everything to an observer.
func (f *facts) tell(o sim.Observer) {
	for i := range f.entered {
		o.Entered(&f.entered[i])
	}
	for i := range f.ended {
		o.Ended(&f.ended[i])
	}
	for i := range f.matches {
		o.Matched(&f.matches[i])
	}
	for i := range f.census {
		o.Sampled(&f.census[i])
	}
	if o, is := o.(sim.UnfinishedObserver); is {
		for i := range f.unfinished {
			o.Unfinished(&f.unfinished[i], f.totals.Reached)
		}
	}
}

func (f *facts) result() *Result {
	c := NewCollector(f.setup)
	f.tell(c)
	return c.Finish(f.totals, Header{Seed: 1 << 60, Run: 3, Version: "v1", Complete: true, Warmup: sim.Hour,
		Warnings: []string{`a "warning"`}, Latency: outcome.Latency{ShareMap: 0.25, Cleaned: outcome.Cleaned{NaN: 3}}})
}

// twin is the simple way to the same numbers: keep every player, filter, sort.
type twin []twinPlayer

type twinPlayer struct {
	sim.Matched
	at         sim.Instant
	datacenter int
	oldest     bool // the match counts for this player's groups
}

func (f *facts) twin() twin {
	var t twin
	for _, m := range f.matches {
		oldest := 0
		for i, p := range m.Players {
			if p.Began < m.Players[oldest].Began {
				oldest = i
			}
		}
		for i, p := range m.Players {
			t = append(t, twinPlayer{p, m.At, m.Datacenter, i == oldest && !m.Backfill})
		}
	}
	return t
}

func (t twin) where(keep func(*twinPlayer) bool) (kept twin) {
	for i := range t {
		if keep(&t[i]) {
			kept = append(kept, t[i])
		}
	}
	return kept
}

// waits returns the sorted waits in ms of searches that began inside the window.
func (t twin) waits() []int {
	return t.sorted(func(p *twinPlayer) (int, bool) { return int(p.at - p.Began), p.Began >= 0 })
}

// rtts returns the sorted RTTs in 1/16 ms.
func (t twin) rtts() []int {
	return t.sorted(func(p *twinPlayer) (int, bool) { return int(p.RTT), true })
}

func (t twin) sorted(value func(*twinPlayer) (int, bool)) (values []int) {
	for i := range t {
		if v, ok := value(&t[i]); ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

func (t twin) matches() (n int) {
	return len(t.where(func(p *twinPlayer) bool { return p.oldest }))
}

func (t twin) served() outcome.Served {
	return outcome.Served{
		Players:  outcome.Count(len(t)),
		Matches:  outcome.Count(t.matches()),
		WaitMean: twinSeconds(mean(t.waits())),
		WaitP95:  twinSeconds(float64(rank(t.waits(), 0.95))),
		RTTMean:  twinMillis(mean(t.rtts())),
		RTTP95:   twinMillis(float64(rank(t.rtts(), 0.95))),
	}
}

func twinWait(waits []int) outcome.WaitStats {
	return outcome.WaitStats{
		Count: outcome.Count(len(waits)), Mean: twinSeconds(mean(waits)), SD: twinSeconds(deviation(waits)),
		P50: twinSeconds(float64(rank(waits, 0.5))), P90: twinSeconds(float64(rank(waits, 0.9))),
		P95: twinSeconds(float64(rank(waits, 0.95))), P99: twinSeconds(float64(rank(waits, 0.99))),
		Max: twinSeconds(float64(rank(waits, 1))), ShareZero: twinShare(below(waits, 0), len(waits)),
	}
}

func twinRTT(rtts []int, s *setup.Run) outcome.RTTStats {
	return outcome.RTTStats{
		Count: outcome.Count(len(rtts)), Mean: twinMillis(mean(rtts)), SD: twinMillis(deviation(rtts)),
		P50: twinMillis(float64(rank(rtts, 0.5))), P90: twinMillis(float64(rank(rtts, 0.9))),
		P95: twinMillis(float64(rank(rtts, 0.95))), P99: twinMillis(float64(rank(rtts, 0.99))),
		Max:       twinMillis(float64(rank(rtts, 1))),
		ShareLE50: twinShare(below(rtts, 50*16), len(rtts)), ShareLE100: twinShare(below(rtts, 100*16), len(rtts)),
		ShareLEIdeal: twinShare(below(rtts, int(s.Ideal)), len(rtts)), ShareLEExpand: twinShare(below(rtts, int(s.Expand)), len(rtts)),
	}
}

func twinSeconds(ms float64) outcome.Seconds { return outcome.Seconds(math.Round(ms/1000*1000) / 1000) }
func twinMillis(units float64) outcome.Millis {
	return outcome.Millis(math.Round(units/16*100) / 100)
}

func twinShare(part, all int) outcome.Share {
	if all == 0 {
		return 0
	}
	return outcome.Share(math.Round(float64(part)/float64(all)*1e5) / 1e5)
}

func mean(values []int) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0
	for _, v := range values {
		sum += v
	}
	return float64(sum) / float64(len(values))
}

func deviation(values []int) float64 {
	if len(values) == 0 {
		return 0
	}
	sum, centre := 0.0, mean(values)
	for _, v := range values {
		sum += (float64(v) - centre) * (float64(v) - centre)
	}
	return math.Sqrt(sum / float64(len(values)))
}

// rank is the nearest-rank percentile of sorted values.
func rank(sorted []int, p float64) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))-1e-9))-1)]
}

// below counts the values that are at most limit.
func below(values []int, limit int) (n int) {
	for _, v := range values {
		if v <= limit {
			n++
		}
	}
	return n
}
