package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"mmsim/matcher"
	"testing"
)

// arena is the workload that the vendors' engines are compared on: 5 against 5, a
// skill distance of 200 that widens to 300, 400 and 500 at 15, 30 and 45 s, four
// regions reached within 50 ms and 50 more every 10 s up to 350.
func arena() *matcher.Ruleset {
	return &matcher.Ruleset{MinPlayers: 10, MaxPlayers: 10, Pivot: &matcher.PivotRules{
		Sizes: []matcher.TeamSizes{{MinTeams: 2, MaxTeams: 2, MinPlayers: 5, MaxPlayers: 5}},
		Distances: []matcher.PivotDistance{{Name: "skill", Column: 0, Scale: 500, Weight: 1, Balanced: true,
			Max: []matcher.Stage{{Value: 200}, {AfterMS: 15_000, Value: 300}, {AfterMS: 30_000, Value: 400}, {AfterMS: 45_000, Value: 500}}}},
		Region: matcher.PivotRegion{ReachMS: matcher.Linear(50, 50, math.Inf(1), 10_000), MaxMS: 350, Weight: 1, OneWayAfterMS: matcher.Never},
		Same:   matcher.NoColumn, People: 1, Blocked: matcher.NoColumn, NewOnly: matcher.NoColumn, Balance: true,
	}}
}

// arenaTickets draws solos: skill normal(1500, 300), a home region at 15 to 59 ms,
// the others at 70 to 269, waits of 0 to 60 s.
func arenaTickets(schema *matcher.Schema, n int) []matcher.Ticket {
	schema.Column("skill")
	schema.Column("name")
	for _, region := range []string{"ap", "eu", "sa", "us"} {
		schema.Region(region)
	}
	r := rand.New(rand.NewPCG(1, 2))
	tickets := make([]matcher.Ticket, n)
	for i := range tickets {
		rtt := make([]float64, 4)
		for k := range rtt {
			rtt[k] = 70 + math.Floor(r.Float64()*200)
		}
		rtt[r.IntN(4)] = 15 + math.Floor(r.Float64()*45)
		tickets[i] = matcher.Ticket{CreatedMS: int64(r.IntN(60_000)), Players: []matcher.Player{{RTTMS: rtt, Values: []matcher.Value{
			matcher.NumberValue(math.Round(r.NormFloat64()*300 + 1500)), matcher.TextValue(schema.Intern(fmt.Sprint("p", i)))}}}}
	}
	return tickets
}

func BenchmarkPivot(b *testing.B) {
	for _, n := range []int{100, 1000, 5000, 10_000} {
		b.Run(fmt.Sprint("tickets=", n), func(b *testing.B) {
			schema := new(matcher.Schema)
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

// Ten thousand wait who can never be matched: ten must have different values and
// there are three; or all want to share one and nobody's is anybody else's. The
// first pass looks at all; the next ones, with a hundred newcomers each, at what
// changed.
func BenchmarkPivotStuckCrowd(b *testing.B) {
	for _, kind := range []struct {
		name   string
		option matcher.OptionKind
		values int
	}{{"no-repeat", matcher.NoRepeat, 3}, {"shared", matcher.SharedValue, 100_000}, {"same", matcher.SameSet, 100_000}} {
		b.Run(kind.name, func(b *testing.B) {
			schema := new(matcher.Schema)
			tickets := arenaTickets(schema, 10_000)
			rules := arena()
			rules.Pivot.Options = []matcher.PivotOption{{Name: "mode", Column: 2, Kind: kind.option, Own: matcher.NoColumn}}
			schema.Column("mode")
			next := 0
			pool, err := NewPool(rules, schema)
			if err != nil {
				b.Fatal(err)
			}
			add := func(nowMS int64) {
				ticket := tickets[next%len(tickets)]
				ticket.CreatedMS, ticket.GiveUpMS = nowMS, 100_000
				set := schema.Set([]string{fmt.Sprint("mode", next%kind.values)})
				ticket.Values = []matcher.Value{{}, {}, matcher.SetValue(set)}
				if _, err := pool.Add(ticket); err != nil {
					b.Fatal(err)
				}
				next++
			}
			now := int64(100_000)
			for i := range 10_000 {
				add(now - 99_000 + 10*int64(i))
			}
			pool.Pass(now)

			for b.Loop() {
				now += 1000
				for range 100 {
					add(now)
				}
				pool.Pass(now)
			}
			b.ReportMetric(float64(pool.Waiting()), "waiting")
		})
	}
}
