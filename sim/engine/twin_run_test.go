package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"mmsim/sim"
)

// logger logs facts in the format of the twin's log.
type logger struct{ strings.Builder }

func (l *logger) Entered(s *sim.Search) {
	fmt.Fprintf(l, "%d enters %v return %v\n", s.Began, ids(s), s.Return)
}

func (l *logger) Matched(m *sim.Match) {
	var players []string
	for _, p := range m.Players {
		players = append(players, fmt.Sprintf("{%d row %d began %d %v party %d return %v repeat %v rtt %d best %d of all %d}",
			p.ID, p.Row, p.Began, p.State, p.PartySize, p.Return, p.Repeat, p.RTT, p.Best, p.BestOfAll))
	}
	if m.Players[0].State == sim.StateWaiting {
		var teams []int16
		for _, p := range m.Players {
			teams = append(teams, p.Team)
		}
		fmt.Fprintf(l, "%d region %d teams %v backfill %v\n", m.At, m.Region, teams, m.Backfill)
	}
	fmt.Fprintf(l, "%d match %d at %d until %d: %s\n", m.At, m.ID, m.Datacenter, m.Ends, strings.Join(players, " "))
}

func (l *logger) Ended(e *sim.Ended) { fmt.Fprintf(l, "%d %v %v\n", e.At, e.Into, ids(&e.Search)) }

func (l *logger) Sampled(*sim.Census) {}

func ids(s *sim.Search) (ids []uint64) {
	for _, p := range s.Players {
		ids = append(ids, p.ID)
	}
	return ids
}

// list yields arrivals from a slice.
type list []sim.Arrival

func (l *list) Next(a *sim.Arrival) bool {
	if len(*l) == 0 {
		return false
	}
	*a = (*l)[0]
	*l = (*l)[1:]
	return true
}

// randomSetup draws a small configuration, places and arrivals from a seed.
func randomSetup(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(options ...sim.Duration) sim.Duration { return options[r.IntN(len(options))] }
	ideal := sim.RTT(20 + r.IntN(60))
	cfg := sim.Config{
		Seed: seed, Run: uint64(r.IntN(3)),
		Tick:   pick(1, 7, 10, 25),
		WarmUp: pick(0, 0, 150, 301), Duration: sim.Duration(500 + r.IntN(800)), Sample: 60,
		IdealFor: pick(0, 30, 100), ExpandFor: pick(0, 30, 100),
		Then:     []sim.State{sim.StateFailed, sim.StateBots}[r.IntN(2)],
		IdealRTT: ideal, ExpandRTT: ideal + sim.RTT(r.IntN(60)),
		Queues: []sim.Queue{{
			WarmBodyFor: pick(0, 40, 100),
			MatchSize:   2 + r.IntN(7),
			MatchLength: sim.Length{Mean: pick(1, 20, 50, 300), SD: pick(0, 0, 20)},
			Order:       sim.Order(r.IntN(2)), Prefer: sim.Prefer(r.IntN(2)),
			PartnerCooldown: pick(0, 0, 30, 200), KeepTogether: r.IntN(6) == 0,
		}},
		PlayAgain: []float64{0, 0.5, 0.9}[r.IntN(3)], Between: pick(0, 10, 30),
	}
	if r.IntN(4) == 0 {
		cfg.LastMileMedian, cfg.LastMileSigma = 0.5, 1
	}
	p := &sim.Places{Datacenters: 1 + r.IntN(5)}
	for range 1 + r.IntN(6) {
		best := ^sim.RTT(0)
		for range p.Datacenters {
			rtt := sim.RTT(r.IntN(160))
			p.RTT = append(p.RTT, rtt)
			best = min(best, rtt)
		}
		place := uint32(len(p.Reach))
		p.Reach = append(p.Reach, sim.Reach{
			Ideal:  p.Within(place, cfg.IdealRTT, 0),
			Expand: p.Within(place, cfg.ExpandRTT, 0),
		})
		p.Best = append(p.Best, best)
	}
	var joins []sim.Arrival
	at := sim.Instant(-cfg.WarmUp)
	gap, parties := 2+r.IntN(60), r.IntN(3) == 0
	for row := uint32(0); at < sim.Instant(cfg.Duration); row++ {
		size := 1
		if parties {
			size = 1 + r.IntN(4)
		}
		a := sim.Arrival{At: at}
		for member := range size {
			a.Members = append(a.Members, sim.Person{Entity: sim.Entity(row, 0, 0, uint32(member)), Row: row, Place: uint32(r.IntN(len(p.Reach)))})
		}
		joins = append(joins, a)
		at = at.Add(sim.Duration(r.IntN(gap)))
	}
	cfg.Use = randomUse(seed, p.Datacenters)
	randomEvents(seed, &cfg, p.Datacenters, len(p.Reach))
	return cfg, p, joins
}

// randomUse draws the datacenters that take part from a seed. In half of the configurations it is 0.
func randomUse(seed uint64, datacenters int) uint64 {
	r := rand.New(rand.NewPCG(seed, 3))
	if r.IntN(2) == 0 {
		return 0
	}
	return 1 + r.Uint64N(1<<datacenters-1)
}

// TestTwin compares the engine with its twin on small random configurations.
func TestTwin(t *testing.T) {
	compareWithTwin(t, 600, []string{" match ", "EXPAND", "WARMBODY", "FAILED", "BOTS", "repeat true"}, randomSetup)
}

// In this configuration, matches of 8 and cool-downs make the search for a group so long that the engine
// gives it up. The twin gives up after as many tries.
func TestTwinOfLongSearches(t *testing.T) {
	cfg, places, joins := randomSetup(6413)
	cfg.Events = nil
	w := &twin{cfg: cfg, places: places, joins: joins}
	want := w.run()
	if w.skipped == 0 {
		t.Error("no search was too long")
	}
	if got := runVerified(t, cfg, places, joins); got != want {
		t.Fatalf("the engine's log differs from the twin's\nconfig %+v\n%s", cfg, firstDifference(got, want))
	}
}

// compareWithTwin compares every fact of the engine with those of its twin in random
// configurations. The function draw returns the configuration for a seed. Each string in facts must
// occur in the logs of at least a sixth of the configurations. A failure names the test and the
// seed. To repeat it, use -run 'TEST/SEED$'.
func compareWithTwin(t *testing.T, seeds uint64, facts []string, draw func(seed uint64) (sim.Config, *sim.Places, []sim.Arrival)) {
	t.Helper()
	if testing.Short() {
		seeds /= 3
	}
	seen := map[string]int{}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			cfg, places, joins := draw(seed)
			want := (&twin{cfg: cfg, places: places, joins: joins}).run()
			got := runVerified(t, cfg, places, joins)
			if got != want {
				t.Fatalf("the engine's log differs from the twin's\nconfig %+v\nrules %+v\n%s", cfg, cfg.Queues[0].InForce(), firstDifference(got, want))
			}
			for _, fact := range facts {
				if strings.Contains(got, fact) {
					seen[fact]++
				}
			}
		})
		if t.Failed() {
			return // one failing configuration is enough
		}
	}
	for _, fact := range facts {
		if seen[fact] < int(seeds)/6 {
			t.Errorf("%d of %d runs contain %q, want at least %d", seen[fact], seeds, fact, seeds/6)
		}
	}
}

// runVerified runs the engine and verifies its state after every instant.
func runVerified(t *testing.T, cfg sim.Config, places *sim.Places, joins []sim.Arrival) string {
	t.Helper()
	arrivals, log := list(joins), &logger{}
	e, err := New(cfg, places, &arrivals, log)
	if err != nil {
		t.Fatal(err)
	}
	for at := e.Now(); at < sim.Instant(cfg.Duration); at++ {
		if err := e.RunUntil(at + 1); err != nil {
			t.Fatal(err)
		}
		if err := e.Verify(); err != nil {
			t.Fatal(err)
		}
	}
	e.Finish()
	return log.String()
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		line := func(l []string) string {
			if i < len(l) {
				return l[i]
			}
			return "(end)"
		}
		if line(a) != line(b) {
			return fmt.Sprintf("line %d:\n got %s\nwant %s", i+1, line(a), line(b))
		}
	}
	return "no difference"
}
