package engine

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"syscall"
	"testing"

	"mmsim/matcher"
)

// cpuSeconds returns the processor time that this process has used.
func cpuSeconds(tb testing.TB) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// skillAndRegion is the queue of the benchmarks: 5v5, skill within 200 expanding
// to 500, a common region within 50 ms expanding to 200.
func skillAndRegion(schema *matcher.Schema) *matcher.Ruleset {
	return &matcher.Ruleset{
		Name: "5v5", MinPlayers: 10, MaxPlayers: 10,
		Teams: []matcher.Team{{Name: "red", Min: 5, Max: 5}, {Name: "blue", Min: 5, Max: 5}},
		Rules: []matcher.Rule{
			&matcher.NumberDistance{
				Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: matcher.Never}, Column: schema.Column("skill"),
				Max: matcher.Linear(200, 50, 500, 5000), Default: 1500,
			},
			&matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Linear(50, 50, 200, 10_000)},
		},
	}
}

// crowd returns n solos with normal skill, in one of four regions (15 to 59 ms
// there, 70 to 269 ms elsewhere), who have waited for up to a minute by nowMS.
func crowd(schema *matcher.Schema, n int, nowMS int64) []matcher.Ticket {
	r := rand.New(rand.NewPCG(1, 2))
	skill := schema.Column("skill")
	regions := make([]matcher.Region, 4)
	for i := range regions {
		regions[i], _ = schema.Region(fmt.Sprint("region", i))
	}
	list := make([]matcher.Ticket, n)
	for i := range list {
		player := matcher.Player{Values: make([]matcher.Value, 1), RTTMS: make([]float64, len(regions))}
		player.Values[skill] = matcher.NumberValue(1500 + 300*r.NormFloat64())
		home := r.IntN(len(regions))
		for k := range player.RTTMS {
			if player.RTTMS[k] = float64(70 + r.IntN(200)); k == home {
				player.RTTMS[k] = float64(15 + r.IntN(45))
			}
		}
		list[i] = matcher.Ticket{CreatedMS: nowMS - int64(r.IntN(60_000)), Players: []matcher.Player{player}}
	}
	return list
}

// hashOf tells outcomes apart, so that a speed-up that changes them is seen.
// ticket numbers the tickets by row.
func hashOf(out matcher.Outcome, ticket []int) float64 {
	h := fnv.New32a()
	for _, match := range out.Matches {
		for _, row := range match.Tickets {
			h.Write(binary.LittleEndian.AppendUint32(nil, uint32(ticket[row])))
		}
		h.Write([]byte{byte(match.Region)})
	}
	return float64(h.Sum32())
}

// A crowd arrives and is matched in one pass.
func BenchmarkPass(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var schema matcher.Schema
			rules, tickets := skillAndRegion(&schema), crowd(&schema, n, 60_000)
			pool, err := NewPool(rules, &schema)
			if err != nil {
				b.Fatal(err)
			}
			var out matcher.Outcome
			left, number := 0, make([]int, n)
			b.ReportAllocs()
			start := cpuSeconds(b)
			for b.Loop() {
				for i, ticket := range tickets {
					row, _ := pool.Add(ticket)
					number[row] = i
				}
				out = pool.Pass(60_000)
				left = pool.Waiting()
				for _, row := range pool.AppendWaiting(nil) {
					pool.Remove(row)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/(cpuSeconds(b)-start), "tickets/cpu-s")
			b.ReportMetric(float64(len(out.Matches)), "matches")
			b.ReportMetric(float64(left), "left")
			b.ReportMetric(hashOf(out, number), "hash")
		})
	}
}

// Ten thousand wait who cannot be matched, because skills that far apart never
// meet; a hundred more come every second and as many give up. A pass costs what
// changed, not who waits: the tickets that reached another stage and those around.
func BenchmarkPassOverStuckCrowd(b *testing.B) {
	var schema matcher.Schema
	rules := skillAndRegion(&schema)
	rules.Rules[0].(*matcher.NumberDistance).Max = matcher.Linear(0.01, 0.01, 0.05, 5000)
	const patience, rate = 100_000, 100
	tickets := crowd(&schema, 20_000, 0)
	pool, err := NewPool(rules, &schema)
	if err != nil {
		b.Fatal(err)
	}
	now, next, matches := int64(0), 0, 0
	second := func() {
		now += 1000
		for range rate {
			ticket := tickets[next%len(tickets)]
			ticket.CreatedMS, ticket.GiveUpMS = now, patience
			pool.Add(ticket)
			next++
		}
		matches += len(pool.Pass(now).Matches)
	}
	for range patience / 1000 {
		second()
	}
	b.ReportAllocs()
	for b.Loop() {
		second()
	}
	b.ReportMetric(float64(pool.Waiting()), "waiting")
	b.ReportMetric(float64(matches), "matches")
}
