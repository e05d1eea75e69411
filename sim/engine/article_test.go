package engine

import (
	"math"
	"slices"
	"testing"

	"mmsim/sim"
)

// articleConfig returns the configuration of the article's matchmaker, without a warm-up period.
func articleConfig() sim.Config {
	return sim.Config{
		Seed: 1, Tick: sim.Second, Duration: 10 * sim.Minute, Sample: sim.Minute,
		IdealFor: 10 * sim.Second, ExpandFor: 10 * sim.Second, Then: sim.StateFailed,
		IdealRTT: 50 * sim.RTTUnit, ExpandRTT: 100 * sim.RTTUnit,
		PlayAgain: 0, Between: 30 * sim.Second,
		Queues: []sim.Queue{{WarmBodyFor: 10 * sim.Second, MatchSize: 4, MatchLength: sim.Length{Mean: 300 * sim.Second}}},
	}
}

// placesOf returns places with the given RTTs in ms, one row per place.
func placesOf(cfg sim.Config, rtts ...[]int) *sim.Places {
	p := &sim.Places{Datacenters: len(rtts[0])}
	for place, row := range rtts {
		best := ^sim.RTT(0)
		for _, ms := range row {
			p.RTT = append(p.RTT, sim.RTT(ms*sim.RTTUnit))
			best = min(best, sim.RTT(ms*sim.RTTUnit))
		}
		p.Reach = append(p.Reach, sim.Reach{
			Ideal:  p.Within(uint32(place), cfg.IdealRTT, 0),
			Expand: p.Within(uint32(place), cfg.ExpandRTT, 0),
		})
		p.Best = append(p.Best, best)
	}
	return p
}

// solos returns one solo arrival at a place for each instant in seconds.
func solos(place uint32, seconds ...float64) (joins []sim.Arrival) {
	for i, s := range seconds {
		person := sim.Person{Entity: sim.Entity(place<<16+uint32(i), 0, 0, 0), Place: place}
		joins = append(joins, sim.Arrival{At: sim.Instant(s * 1000), Members: []sim.Person{person}})
	}
	return joins
}

// merge merges lists of arrivals by time, with a stable sort.
func merge(lists ...[]sim.Arrival) (joins []sim.Arrival) {
	for _, l := range lists {
		for _, a := range l {
			i := len(joins)
			for i > 0 && joins[i-1].At > a.At {
				i--
			}
			joins = append(joins[:i], append([]sim.Arrival{a}, joins[i:]...)...)
		}
	}
	return joins
}

// facts keeps a copy of every record that an observer receives.
type facts struct {
	entered []sim.Search
	matched []sim.Match
	ended   []sim.Ended
	census  []sim.Census
}

func (f *facts) Entered(s *sim.Search) {
	c := *s
	c.Players = append([]sim.Player(nil), s.Players...)
	f.entered = append(f.entered, c)
}
func (f *facts) Matched(m *sim.Match) {
	c := *m
	c.Players = append([]sim.Matched(nil), m.Players...)
	f.matched = append(f.matched, c)
}
func (f *facts) Ended(e *sim.Ended) {
	c := *e
	c.Players = append([]sim.Player(nil), e.Players...)
	f.ended = append(f.ended, c)
}
func (f *facts) Sampled(c *sim.Census) { f.census = append(f.census, *c) }

func simulate(t *testing.T, cfg sim.Config, p *sim.Places, joins []sim.Arrival) (*facts, sim.Totals) {
	t.Helper()
	arrivals, f := list(joins), &facts{}
	e, err := New(cfg, p, &arrivals, f)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
		t.Fatal(err)
	}
	totals := e.Finish()
	if err := e.Verify(); err != nil {
		t.Fatal(err)
	}
	return f, totals
}

// A lonely player changes state 10 s and 20 s after the join, and fails after 30 s.
func TestLonelyPlayerFailsAfterThirtySeconds(t *testing.T) {
	cfg := articleConfig()
	cfg.Sample = sim.Second
	f, _ := simulate(t, cfg, placesOf(cfg, []int{20}), solos(0, 5))
	if len(f.ended) != 1 || f.ended[0].At != 35_000 || f.ended[0].Into != sim.StateFailed {
		t.Fatalf("ended %+v, want one FAILED at 35 s", f.ended)
	}
	for _, c := range f.census {
		at, want := c.At.Seconds(), sim.Census{At: c.At}
		switch {
		case at >= 5 && at < 15:
			want.Ideal = 1
		case at >= 15 && at < 25:
			want.Expand = 1
		case at >= 25 && at < 35:
			want.WarmBody = 1
		}
		if c != want {
			t.Errorf("got census %+v, want %+v", c, want)
		}
	}
}

// Thresholds are inclusive, and a NEW ticket enters the first state that admits it.
func TestFirstState(t *testing.T) {
	for _, c := range []struct {
		ms   int
		want sim.State
	}{{0, sim.StateIdeal}, {50, sim.StateIdeal}, {51, sim.StateExpand}, {100, sim.StateExpand}, {101, sim.StateWarmBody}} {
		cfg := articleConfig()
		f, _ := simulate(t, cfg, placesOf(cfg, []int{c.ms}), solos(0, 1, 1, 1, 1))
		if len(f.matched) != 1 || f.matched[0].Players[0].State != c.want {
			t.Errorf("at %d ms: %+v, want one match out of %v", c.ms, f.matched, c.want)
		}
	}
}

// When a ticket enters EXPAND at a tick, it can already be matched in that tick's pass.
func TestExpandedTicketIsMatchedInTheSameTick(t *testing.T) {
	cfg := articleConfig()
	// Three players near the second datacenter play with a fourth, who can use that datacenter only
	// in state EXPAND.
	p := placesOf(cfg, []int{20, 90}, []int{300, 20})
	f, _ := simulate(t, cfg, p, merge(solos(0, 0.4), solos(1, 9.5, 9.6, 9.7)))
	if len(f.matched) != 1 || f.matched[0].At != 11_000 || f.matched[0].Datacenter != 1 {
		t.Fatalf("matched %+v, want one match at 11 s at datacenter 1", f.matched)
	}
	// The time in IDEAL is over at 10.4 s, so the ticket expands at the tick at 11 s.
	var waits []sim.Duration
	for i := range f.matched[0].Players {
		waits = append(waits, f.matched[0].Wait(i))
	}
	slices.Sort(waits)
	if want := []sim.Duration{1_300, 1_400, 1_500, 10_600}; !slices.Equal(waits, want) {
		t.Errorf("got waits %d ms, want %d ms", waits, want)
	}
}

// Deadlines do not drift: a player who joins at 0.4 s fails at the first tick at or after 30.4 s.
// If each of the three 10 s periods were rounded up to a tick, the player would fail later.
func TestDeadlinesDoNotDrift(t *testing.T) {
	cfg := articleConfig()
	cfg.Tick = 7 * sim.Second
	f, _ := simulate(t, cfg, placesOf(cfg, []int{20}), solos(0, 0.4))
	if len(f.ended) != 1 || f.ended[0].At != 35_000 {
		t.Fatalf("ended %+v, want FAILED at 35 s, the first tick (every 7 s) at or after 30.4 s", f.ended)
	}
}

// A state with duration 0 is left within the tick in which it is entered.
func TestStatesOfZeroLengthEndInTheSameTick(t *testing.T) {
	cfg := articleConfig()
	cfg.IdealFor, cfg.ExpandFor, cfg.Queues[0].WarmBodyFor = 0, 0, 0
	f, _ := simulate(t, cfg, placesOf(cfg, []int{20}), solos(0, 3, 3, 3, 3))
	if len(f.matched) != 0 || len(f.ended) != 4 || f.ended[0].At != 3_000 {
		t.Fatalf("matched %+v, ended %+v, want no match and four players who fail at 3 s, before the pass", f.matched, f.ended)
	}
}

// Fault 5 of the article's published program: its play-again chance is 76/101 instead of 75 %.
func TestFault5PlayAgainIsAnExactBernoulliDraw(t *testing.T) {
	const n, p = 200_000, 0.75
	s := sim.NewStream(1, 0, sim.PurposePlayAgain)
	again := 0
	for entity := range uint64(n) {
		if s.Uniform(sim.Entity(uint32(entity), 0, 0, 0), 3) < p {
			again++
		}
	}
	sd := math.Sqrt(p * (1 - p) / n) // 76/101 differs from p by 2.5 standard deviations
	if got := float64(again) / n; math.Abs(got-p) > 2*sd {
		t.Errorf("got share %.5f of players who play again, want %.5f ± %.5f", got, p, 2*sd)
	}
}

// Fault 6 of the article's published program: warm bodies time out by the EXPAND limit and one tick
// late, and a player who has already failed can still be matched.
func TestFault6WarmBodyHasItsOwnLimit(t *testing.T) {
	cfg := articleConfig()
	cfg.Queues[0].WarmBodyFor = 3 * sim.Second
	// A player who is alone from 0 s fails at 3 s. The three players who join at that tick cannot
	// play with the first.
	f, _ := simulate(t, cfg, placesOf(cfg, []int{200}), solos(0, 0, 3, 3, 3))
	if len(f.matched) != 0 || len(f.ended) != 4 || f.ended[0].At != 3_000 || f.ended[3].At != 6_000 {
		t.Fatalf("matched %+v, ended %+v, want no match and four players who fail, the first at 3 s and the last at 6 s", f.matched, f.ended)
	}
}

// Fault 6 of the article's published program: a player who goes from EXPAND to WARMBODY is in no
// queue for one pass.
func TestFault6ExpandToWarmBodyMissesNoPass(t *testing.T) {
	cfg := articleConfig()
	p := placesOf(cfg, []int{80, 300}, []int{300, 20})
	f, _ := simulate(t, cfg, p, merge(solos(0, 0), solos(1, 9, 9, 9)))
	if len(f.matched) != 1 || f.matched[0].At != 10_000 {
		t.Fatalf("matched %+v, want one match with the warm body at 10 s", f.matched)
	}
}

// Fault 7 of the article's published program: warm bodies are shuffled among regular players and
// displace them.
func TestFault7WarmBodiesNeverDisplaceRegularTickets(t *testing.T) {
	cfg := articleConfig()
	p := placesOf(cfg, []int{20}, []int{200})
	f, _ := simulate(t, cfg, p, merge(solos(0, 1, 1, 1, 1, 1, 1), solos(1, 1, 1)))
	if len(f.matched) != 2 {
		t.Fatalf("got %d matches, want 2: one of regular tickets and one with warm bodies", len(f.matched))
	}
	for i, want := range []int{0, 2} {
		warm := 0
		for _, player := range f.matched[i].Players {
			if player.State == sim.StateWarmBody {
				warm++
			}
		}
		if warm != want {
			t.Errorf("match %d has %d warm bodies, want %d", i, warm, want)
		}
	}
}

// Fault 7 of the article's published program: warm bodies form matches in any datacenter. Here, the
// oldest warm bodies that fill a match play each other, in the datacenter where their highest RTT
// is lowest.
func TestFault7WarmBodiesPlayEachOtherWhereItIsFairest(t *testing.T) {
	cfg := articleConfig()
	p := placesOf(cfg, []int{110, 150, 150, 300}, []int{310, 150, 150, 110})
	f, _ := simulate(t, cfg, p, merge(solos(0, 1, 1, 2), solos(1, 2.5, 2.7)))
	if len(f.matched) != 1 || f.matched[0].Datacenter != 1 || f.matched[0].At != 3_000 {
		t.Fatalf("matched %+v, want one match at datacenter 1 (lowest worst RTT, lower id)", f.matched)
	}
	for _, player := range f.matched[0].Players {
		if player.Began == 2_700 {
			t.Error("the match contains the youngest warm body, want the older ones")
		}
	}
}

// The nearest warm bodies complete a partial group, but only if the group then has exactly the size
// of a match.
func TestPartialGroupTakesTheNearestWarmBodies(t *testing.T) {
	cfg := articleConfig()
	p := placesOf(cfg, []int{20}, []int{300}, []int{150})
	f, _ := simulate(t, cfg, p, merge(solos(0, 1, 1), solos(1, 1), solos(2, 2.5)))
	if len(f.matched) != 1 || f.matched[0].At != 3_000 {
		t.Fatalf("matched %+v, want one match at 3 s, when the group needs warm bodies", f.matched)
	}
	f, _ = simulate(t, cfg, p, merge(solos(0, 1, 1, 1), solos(1, 1), solos(2, 1)))
	last := f.matched[0].Players[3]
	if last.Place != 2 {
		t.Errorf("the warm body in the match is %g ms away, want the nearest one, at place 2", sim.RTTMillis(last.RTT))
	}
}

// Fault 9 of the article's published program: two of its runs differ in nearly every line.
func TestFault9EqualSeedsGiveEqualRuns(t *testing.T) {
	different := 0
	for seed := range uint64(20) {
		cfg, p, joins := randomSetup(seed)
		first, again := runVerified(t, cfg, p, joins), runVerified(t, cfg, p, joins)
		if first != again {
			t.Errorf("seed %d: two runs with equal configurations differ: %s", seed, firstDifference(again, first))
		}
		cfg.Seed++
		if runVerified(t, cfg, p, joins) != first {
			different++
		}
	}
	if different == 0 {
		t.Error("no run changed when Config.Seed changed, want at least one of 20 to change")
	}
}

// A returning player becomes NEW exactly at a tick, because matches start at ticks and last whole
// ticks here, as do pauses. The player may be matched in that tick's pass, with a wait of 0.
func TestReturningPlayerIsMatchedInTheSamePass(t *testing.T) {
	cfg := articleConfig()
	cfg.PlayAgain = 0.999999
	f, _ := simulate(t, cfg, placesOf(cfg, []int{20}), solos(0, 1, 1, 1, 1))
	if len(f.matched) != 2 || f.matched[1].At != 331_000 {
		t.Fatalf("matched %+v, want a second match at 331 s", f.matched)
	}
	for i, player := range f.matched[1].Players {
		if !player.Return || !player.Repeat || f.matched[1].Wait(i) != 0 {
			t.Errorf("got player %+v, want Return, Repeat and a wait of 0", player)
		}
	}
}

// A bot match takes as long as a match but is not counted as one, and its player may return.
func TestBots(t *testing.T) {
	cfg := articleConfig()
	cfg.Then, cfg.PlayAgain = sim.StateBots, 0.999999
	f, totals := simulate(t, cfg, placesOf(cfg, []int{200}), solos(0, 0))
	if len(f.matched) != 0 || len(f.ended) == 0 || f.ended[0].Into != sim.StateBots || f.ended[0].At != 10_000 {
		t.Fatalf("matched %+v, ended %+v, want no match and a first search that ends in BOTS at 10 s", f.matched, f.ended)
	}
	if second := f.entered[1]; second.Began != 340_000 || !second.Return {
		t.Errorf("got second search %+v, want a return at 340 s (10 + 300 + 30)", second)
	}
	if totals.PlayingTime != 0 || totals.BotsTime != int64(300*sim.Second)+int64(10*sim.Minute-350*sim.Second) {
		t.Errorf("got totals %+v, want no playing time and 550 s in bot matches", totals)
	}
}

// A party larger than a match is rejected and counted. It does not wait.
func TestPartyLargerThanAMatchIsRejected(t *testing.T) {
	cfg := articleConfig()
	joins := []sim.Arrival{{At: 500, Members: make([]sim.Person, 5)}}
	f, _ := simulate(t, cfg, placesOf(cfg, []int{20}), joins)
	if len(f.ended) != 1 || f.ended[0].Into != sim.StateRejected || f.ended[0].At != 500 || len(f.ended[0].Players) != 5 {
		t.Fatalf("ended %+v, want one party of 5 REJECTED at 0.5 s", f.ended)
	}
}

// The RTT of a party to a datacenter is the highest RTT among its members.
func TestWorstMemberDecides(t *testing.T) {
	cfg := articleConfig()
	p := placesOf(cfg, []int{20, 60}, []int{70, 20})
	pair := sim.Arrival{At: 1_000, Members: []sim.Person{{Place: 0}, {Place: 1}}}
	f, _ := simulate(t, cfg, p, merge([]sim.Arrival{pair}, solos(0, 1, 1)))
	if len(f.matched) != 1 || f.matched[0].Datacenter != 0 {
		t.Fatalf("matched %+v, want one match at datacenter 0", f.matched)
	}
	for _, p := range f.matched[0].Players {
		if inPair := p.PartySize == 2; inPair != (p.State == sim.StateExpand) {
			t.Errorf("got player %+v, want EXPAND for the pair alone, because no datacenter is within 50 ms of both", p)
		}
	}
}

// Only the window is measured. Players who are searching when it begins are counted separately.
func TestWarmUpIsNotMeasured(t *testing.T) {
	cfg := articleConfig()
	cfg.WarmUp = 20 * sim.Second
	joins := merge(solos(0, -15, -15, -15, -15, -2, -1), solos(0, 3, 4))
	f, totals := simulate(t, cfg, placesOf(cfg, []int{20}), joins)
	if totals.SearchingAtStart != 2 || len(f.entered) != 2 || len(f.matched) != 1 || f.matched[0].ID != 1 {
		t.Errorf("got totals %+v, outcomes %+v; want 2 players who search at the start, 2 who enter later and one match, with ID 1", totals, f)
	}
}

// Two configurations with the same seed use the same draws for a player. Even if thresholds, time
// limits, ticks and walking orders differ, players who never failed and have left by the end have
// played the same number of matches.
func TestCommonRandomNumbers(t *testing.T) {
	matchesOf := func(change func(*sim.Config)) (matches map[uint64]int, open map[uint64]bool) {
		cfg := articleConfig()
		cfg.PlayAgain, cfg.Duration, cfg.Queues[0].MatchLength.SD = 0.75, 2*sim.Hour, sim.Minute
		cfg.LastMileMedian, cfg.LastMileSigma = 3, 1
		change(&cfg)
		joins := &poissonArrivals{stream: sim.NewStream(1, 0, sim.PurposeArrivals), places: 300, gap: 500}
		f := &facts{}
		e, err := New(cfg, clusters(cfg, 3, 100), joins, f)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
			t.Fatal(err)
		}
		matches, open = map[uint64]int{}, map[uint64]bool{}
		for _, m := range f.matched {
			for _, p := range m.Players {
				matches[p.ID]++
				open[p.ID] = m.At > sim.Instant(cfg.Duration-40*sim.Minute)
			}
		}
		for _, ended := range f.ended {
			open[ended.Players[0].ID] = true // a player who fails stops early, before all drawn matches
		}
		return matches, open
	}
	base, baseOpen := matchesOf(func(*sim.Config) {})
	changed, changedOpen := matchesOf(func(c *sim.Config) {
		c.IdealRTT, c.IdealFor, c.Queues[0].Order, c.Queues[0].Prefer, c.Tick = 20*sim.RTTUnit, 3*sim.Second, sim.OrderOldest, sim.PreferBest, 5*sim.Second
	})
	compared := 0
	for id, n := range base {
		if baseOpen[id] || changedOpen[id] {
			continue
		}
		compared++
		if changed[id] != n {
			t.Fatalf("player %d plays %d matches in the base configuration and %d in the changed one, want equal numbers", id, n, changed[id])
		}
	}
	if compared < 5_000 {
		t.Errorf("%d players could be compared, want at least 5000", compared)
	}
}
