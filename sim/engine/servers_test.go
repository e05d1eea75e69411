package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
	"mmsim/sim"
)

// Columns of the attributes that testPeople sets.
const (
	ageColumn matcher.Column = iota
	languageColumn
)

// testPeople is a sim.People whose values are functions of the persons' keys.
type testPeople struct {
	rows      uint32  // number of rows in the dataset
	ownLength float64 // share of persons with their own session length
	refused   uint64  // one person in this many cannot be placed; 0 if all can
	fewValues bool    // use few different values, so that scores tie
	children  uint64  // one person in this many has another class; 0 for none
}

// drawsOf returns draws that do not depend on those of the run.
func drawsOf(seed uint64) sim.Stream { return sim.NewStream(seed, 0, sim.PurposeAttributes) }

func (f *testPeople) Describe(p *sim.Person, player *matcher.Player) (matcher.Text, bool) {
	s := drawsOf(7)
	steps := uint64(50)
	if f.fewValues {
		steps = 2
	}
	player.Values = append(player.Values[:0],
		matcher.NumberValue(float64(s.Bits(p.Entity, 0)%steps)/3),
		matcher.TextValue(matcher.Text(s.Bits(p.Entity, 1)%3)))
	if s.Bits(p.Entity, 2)%4 == 0 {
		player.Values = player.Values[:1]
	}
	class := matcher.Text(0)
	if f.children > 0 && s.Bits(p.Entity, 3)%f.children == 0 {
		class = 1
	}
	return class, f.refused == 0 || s.Bits(p.Entity, 4)%f.refused > 0
}

func (f *testPeople) Friends(p *sim.Person, rows []uint32) []uint32 {
	for k := range drawsOf(8).Bits(p.Entity, 0) % 3 {
		if row := uint32(drawsOf(8).Bits(p.Entity, 1+k)) % f.rows; row != p.Row && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

func (f *testPeople) Household(p *sim.Person) uint32 {
	return uint32(drawsOf(9).Bits(p.Entity, 0) % 40 / 30 * (uint64(p.Row) % 5))
}

func (f *testPeople) Session(p *sim.Person) sim.Duration {
	if drawsOf(10).Uniform(p.Entity, 0) < f.ownLength {
		return sim.Duration(1 + drawsOf(10).Bits(p.Entity, 1)%200)
	}
	return 0
}

func testScoring() *scoring.Scorer {
	w := func(name string, weight float64) scoring.Weighted {
		return scoring.Weighted{Name: name, Weight: weight}
	}
	return &scoring.Scorer{Measured: true, Signals: []scoring.Signal{
		&scoring.Acquaintance{Weighted: w("friends", 10)},
		&scoring.NearRTT{Weighted: w("rtt", 3), ScaleMS: 250},
		&scoring.Occupancy{Weighted: w("occupancy", 2)},
		&scoring.PlayersShare{Weighted: w("language", 1), Column: languageColumn},
		&scoring.PlayersNumber{Weighted: w("age", 1), Column: ageColumn, To: scoring.Reference{Column: ageColumn}, Scale: 25},
	}}
}

// serversConfig returns the configuration of a run with servers only, each with the given seats.
func serversConfig(people sim.People, seats int) sim.Config {
	cfg := articleConfig()
	cfg.Queues = []sim.Queue{{Servers: &sim.Servers{
		Scoring: testScoring(), People: people,
		Measures: []scoring.Measure{{Name: "friends", Signal: 0}, {Name: "rtt", Signal: 1}, {Name: "occupancy", Signal: 2}, {Name: "age", Signal: 4}},
		New:      func(first *scoring.Joiner) scoring.Server { return scoring.Server{Capacity: seats, Class: first.Class} },
		Session:  sim.SessionLength{Kind: sim.SessionConstant, Scale: sim.Minute},
	}}}
	return cfg
}

// randomServers draws a small configuration from a seed.
func randomServers(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	_, p, _ := randomSetup(seed)
	r := rand.New(rand.NewPCG(seed, 2))
	people := &testPeople{rows: 60, ownLength: float64(r.IntN(2)) * 0.5, fewValues: r.IntN(2) == 0, refused: []uint64{0, 0, 9}[r.IntN(3)], children: []uint64{0, 0, 4}[r.IntN(3)]}
	cfg := serversConfig(people, 1+r.IntN(6))
	cfg.Seed, cfg.Use, cfg.Duration = seed, randomUse(seed, p.Datacenters), sim.Duration(400+r.IntN(600))
	cfg.WarmUp = []sim.Duration{0, 0, 150}[r.IntN(3)]
	randomEvents(seed, &cfg, p.Datacenters, len(p.Reach))
	if r.IntN(4) == 0 {
		cfg.LastMileMedian, cfg.LastMileSigma, cfg.JitterSD = 0.5, 1, 1
	}
	own := cfg.Queues[0].Servers
	own.Start = []sim.Duration{0, 0, 1, 30}[r.IntN(4)]
	own.Scoring.KeptSeats = []int{0, 0, 1}[r.IntN(3)]
	own.Scoring.MinScore = []float64{0, 0, 4}[r.IntN(3)]
	own.Session = sim.SessionLength{Kind: sim.SessionKind(r.IntN(4)), Scale: sim.Duration(20 + r.IntN(100)), SD: sim.Duration(r.IntN(40)), Shape: 0.5}
	var joins []sim.Arrival
	at := sim.Instant(-cfg.WarmUp)
	for row := uint32(0); row < people.rows; row++ {
		at += sim.Instant(r.IntN(15))
		a := sim.Arrival{At: at}
		for member := range uint32(1 + max(0, r.IntN(6)-3)) {
			a.Members = append(a.Members, sim.Person{
				Entity: sim.Entity(row, 0, 0, member), Row: row, Place: uint32(r.IntN(len(p.Reach))), Copy: row % 2,
			})
		}
		joins = append(joins, a)
	}
	return cfg, p, joins
}

// placements is an observer that logs which player was placed on which server.
type placements struct{ strings.Builder }

func (l *placements) Entered(s *sim.Search) { fmt.Fprintf(l, "%d enters %v\n", s.Began, ids(s)) }

func (l *placements) Ended(e *sim.Ended) { fmt.Fprintf(l, "%d %v %v\n", e.At, e.Into, ids(&e.Search)) }

func (l *placements) Sampled(c *sim.Census) {
	fmt.Fprintf(l, "%d playing %d waiting %d servers %+v\n", c.At, c.Playing, c.Waiting, c.Servers)
}

func (l *placements) Matched(m *sim.Match) {
	p := &m.Players[0]
	fmt.Fprintf(l, "%d player %d of %d plays on %d at %d until %d backfill %v rtt %d began %d\n", m.At, p.ID, p.Party, m.ID, m.Datacenter, m.Ends, m.Backfill, p.Estimate, p.Began)
}

func (l *placements) Placed(p *sim.Placed) {
	fmt.Fprintf(l, "%d player %d placed at %d opened %v score %.6f runner-up %v by %v %.6f\n",
		p.At, p.ID, p.Datacenter, p.Opened, p.Score, p.RunnerUp, p.Decision.Reason, p.Decision.Margin)
}

// In random configurations, the engine places every player like the twin, which looks at all
// servers and players for each placement. The engine's state is verified every 7 ms.
func TestTwinServers(t *testing.T) {
	for seed := range uint64(300) {
		cfg, p, joins := randomServers(seed)
		got := &placements{}
		arrivals := list(joins)
		e, err := New(cfg, p, &arrivals, got)
		if err != nil {
			t.Fatal(err)
		}
		for at := sim.Instant(-cfg.WarmUp) + 1; at <= sim.Instant(cfg.Duration); at += 7 {
			if err := e.RunUntil(at); err != nil {
				t.Fatal(err)
			}
			if err := e.Verify(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
			t.Fatal(err)
		}
		if want := twinServers(cfg, p, joins); got.String() != want {
			t.Fatalf("seed %d: the engine's log differs from the twin's: %s", seed, firstDifference(got.String(), want))
		}
	}
}

// Little's law: the number of players online equals the number who join during one session. If
// sessions have constant length and joins are steady, most seats are taken.
func TestLittlesLawOnServers(t *testing.T) {
	cfg := serversConfig(&testPeople{rows: 1 << 20}, 4)
	cfg.Duration, cfg.WarmUp, cfg.Queues[0].Servers.Session.Scale = 4*sim.Hour, 30*sim.Minute, 20*sim.Minute
	joins := &poissonArrivals{stream: sim.NewStream(1, 0, sim.PurposeArrivals), places: 50, gap: 500, at: -float64(cfg.WarmUp)}
	e, err := New(cfg, clusters(cfg, 5, 10), joins)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
		t.Fatal(err)
	}
	totals := e.Finish()
	window := float64(cfg.Duration)
	if online, want := float64(totals.PlayingTime)/window, 2.*20*60; math.Abs(online-want) > 0.02*want {
		t.Errorf("got a mean of %.1f players online, want %.0f (2 arrivals per second, 20 minutes each)", online, want)
	}
	if totals.PlayingTime != totals.Servers.TakenTime {
		t.Errorf("got %d ms of playing time, want the %d ms for which seats were taken", totals.PlayingTime, totals.Servers.TakenTime)
	}
	if running := float64(totals.Servers.Time) / window; running < 600 || running > 720 {
		t.Errorf("got a mean of %.1f running servers, want 600 to 720 (2400 players, 4 seats)", running)
	}
}
