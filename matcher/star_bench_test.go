package matcher

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// arena is the workload that the vendors' engines are compared on: 5 against 5, a
// skill distance of 200 that widens to 300, 400 and 500 at 15, 30 and 45 s, four
// regions reached within 50 ms and 50 more every 10 s up to 350.
func arena() *Ruleset {
	return &Ruleset{MinPlayers: 10, MaxPlayers: 10, Star: &Star{
		Sizes: []TeamSizes{{MinTeams: 2, MaxTeams: 2, MinPlayers: 5, MaxPlayers: 5}},
		Distances: []StarDistance{{Name: "skill", Column: 0, Scale: 500, Weight: 1, Balanced: true,
			Max: []Stage{{Value: 200}, {AfterMS: 15_000, Value: 300}, {AfterMS: 30_000, Value: 400}, {AfterMS: 45_000, Value: 500}}}},
		Region: StarRegion{ReachMS: Linear(50, 50, math.Inf(1), 10_000), MaxMS: 350, Weight: 1, OneWayAfterMS: Never},
		Same:   NoColumn, People: 1, Blocked: NoColumn, NewOnly: NoColumn, Balance: true,
	}}
}

// arenaTickets draws solos: skill normal(1500, 300), a home region at 15 to 59 ms,
// the others at 70 to 269, waits of 0 to 60 s.
func arenaTickets(schema *Schema, n int) []Ticket {
	schema.Column("skill")
	schema.Column("name")
	for _, region := range []string{"ap", "eu", "sa", "us"} {
		schema.Region(region)
	}
	r := rand.New(rand.NewPCG(1, 2))
	tickets := make([]Ticket, n)
	for i := range tickets {
		rtt := make([]float64, 4)
		for k := range rtt {
			rtt[k] = 70 + math.Floor(r.Float64()*200)
		}
		rtt[r.IntN(4)] = 15 + math.Floor(r.Float64()*45)
		tickets[i] = Ticket{CreatedMS: int64(r.IntN(60_000)), Players: []Player{{RTTMS: rtt, Values: []Value{
			NumberValue(math.Round(r.NormFloat64()*300 + 1500)), TextValue(schema.Intern(fmt.Sprint("p", i)))}}}}
	}
	return tickets
}

func BenchmarkStar(b *testing.B) {
	for _, n := range []int{100, 1000, 5000, 10_000} {
		b.Run(fmt.Sprint("tickets=", n), func(b *testing.B) {
			schema := new(Schema)
			tickets := arenaTickets(schema, n)
			matches, spread := 0, 0.0
			for b.Loop() {
				pool, err := NewPool(arena(), schema)
				if err != nil {
					b.Fatal(err)
				}
				rows := make(map[Row]int, n)
				for i := range tickets {
					row, err := pool.Add(tickets[i])
					if err != nil {
						b.Fatal(err)
					}
					rows[row] = i
				}
				out := pool.Pass(60_000)
				matches, spread = len(out.Matches), 0
				for _, m := range out.Matches {
					lowest, highest := math.Inf(1), 0.0
					for _, row := range m.Tickets {
						skill := tickets[rows[row]].Players[0].Values[0].Number
						lowest, highest = min(lowest, skill), max(highest, skill)
					}
					spread += (highest - lowest) / float64(len(out.Matches))
				}
			}
			b.ReportMetric(float64(matches), "matches")
			b.ReportMetric(spread, "skill-spread")
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "tickets/s")
		})
	}
}

func BenchmarkBalance(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, players := range []int{10, 12, 16} {
		b.Run(fmt.Sprint("solos=", players), func(b *testing.B) {
			values := make([]float64, players*64)
			for i := range values {
				values[i] = r.NormFloat64()*300 + 1500
			}
			var s balancer
			gap, k := 0.0, 0
			for b.Loop() {
				s.sizes = TeamSizes{MinTeams: 2, MaxTeams: 2, MinPlayers: players / 2, MaxPlayers: players / 2}
				s.units, s.teams = s.units[:0], append(s.teams[:0], balanceTeam{}, balanceTeam{})
				for i := range players {
					s.units = append(s.units, balanceUnit{member: i, size: 1, value: values[k%64*players+i], team: i % 2})
				}
				s.solve()
				k++
				sums := [2]float64{}
				for _, u := range s.units {
					sums[u.team] += u.value
				}
				gap += math.Abs(sums[0]-sums[1]) / float64(players/2)
			}
			b.ReportMetric(gap/float64(b.N), "gap")
		})
	}
}

// Ten thousand wait who can never be matched: ten must have different values and
// there are three; or all want to share one and nobody's is anybody else's. The
// first pass looks at all; the next ones, with a hundred newcomers each, at what
// changed.
func BenchmarkStarStuckCrowd(b *testing.B) {
	for _, kind := range []struct {
		name   string
		option OptionKind
		values int
	}{{"no-repeat", NoRepeat, 3}, {"shared", SharedValue, 100_000}, {"same", SameSet, 100_000}} {
		b.Run(kind.name, func(b *testing.B) {
			schema := new(Schema)
			tickets := arenaTickets(schema, 10_000)
			rules := arena()
			rules.Star.Options = []StarOption{{Name: "mode", Column: 2, Kind: kind.option, Own: NoColumn}}
			schema.Column("mode")
			next, first := 0, 0.0
			pool, err := NewPool(rules, schema)
			if err != nil {
				b.Fatal(err)
			}
			add := func(nowMS int64) {
				ticket := tickets[next%len(tickets)]
				ticket.CreatedMS, ticket.GiveUpMS = nowMS, 100_000
				set := schema.Set([]string{fmt.Sprint("mode", next%kind.values)})
				ticket.Values = []Value{{}, {}, SetValue(set)}
				if _, err := pool.Add(ticket); err != nil {
					b.Fatal(err)
				}
				next++
			}
			now := int64(100_000)
			for i := range 10_000 {
				add(now - 99_000 + 10*int64(i))
			}
			start := cpuSeconds(b)
			pool.Pass(now)
			first = cpuSeconds(b) - start
			for b.Loop() {
				now += 1000
				for range 100 {
					add(now)
				}
				pool.Pass(now)
			}
			b.ReportMetric(first, "first-pass-s")
			b.ReportMetric(float64(pool.Waiting()), "waiting")
		})
	}
}
