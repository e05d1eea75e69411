package collect

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// BenchmarkCollector counts a whole day. It reports the time per match (including a share of the
// searches that begin), the bytes that a Collector allocates, and a hash of the result. If an
// optimization changes the result, the hash changes too.
func BenchmarkCollector(b *testing.B) {
	for _, columns := range []int{0, 1} {
		b.Run(fmt.Sprintf("columns=%d", columns), func(b *testing.B) { benchmarkCollector(b, columns, nil, nil) })
	}
	b.Run("rules", func(b *testing.B) {
		rules := []setup.Rule{{Name: "version"}, {Name: "skill"}, {Name: "latency"}}
		maps := [][]uint32{{1, 2}, {0, 2, 5}, {1, 2, 3, 4}, {2}}
		benchmarkCollector(b, 1, &setup.Ruleset{MinPlayers: 4, Rules: rules, Service: &setup.Service{Window: 5 * sim.Minute}},
			[]setup.Texts{{Name: "maps", Of: func(p *sim.Player) []uint32 { return maps[p.Row%4] }}})
	})
}

func benchmarkCollector(b *testing.B, columns int, rules *setup.Ruleset, texts []setup.Texts) {
	run := resulttest.Day(rand.New(rand.NewPCG(1, 2)))
	run.Queues[0].Rules, run.Texts = rules, texts
	for range columns {
		draw := rand.New(rand.NewPCG(5, 6))
		values := make([]float64, 1_370_000)
		for i := range values {
			values[i] = math.Round(1500 + 300*draw.NormFloat64())
		}
		run.Attributes = append(run.Attributes, setup.Attribute{Name: "mmr", Sample: values})
	}
	const perMinute = resulttest.MatchesOfDay / 1440
	stream := resulttest.DayMatches(rand.New(rand.NewPCG(3, 4)), 64*perMinute) // about an hour, repeated
	match := sim.Match{Players: make([]sim.Matched, 4)}
	search := sim.Search{Players: make([]sim.Player, 1)}
	var result *result.Result
	b.ReportAllocs()
	for b.Loop() {
		c := NewCollector(run)
		for minute := range 1440 {
			begin := sim.Instant(minute) * sim.Instant(sim.Minute)
			for i := range perMinute {
				next := &stream[minute%64*perMinute+i]
				match.At, match.Datacenter = begin+sim.Instant(i*int(sim.Minute)/perMinute), next.Datacenter
				match.Ends = match.At.Add(5 * sim.Minute)
				copy(match.Players, next.Players)
				if rules != nil {
					match.Relaxed = append(match.Relaxed[:0], sim.Relaxed{}, sim.Relaxed{Stage: i % 5}, sim.Relaxed{Stage: i % 3, Optional: i%9 == 0})
				}
				for j := range match.Players {
					p := &match.Players[j]
					p.Began += match.At
					if p.Team = sim.NoTeam; rules != nil {
						p.Team = int16(j % 2)
					}
					if search.Began = p.Began; p.Began >= 0 {
						search.Return, search.Players[0] = p.Return, p.Player
						c.Entered(&search)
					}
				}
				c.Matched(&match)
			}
			c.Sampled(&sim.Census{At: begin, Playing: 20_000})
		}
		result = c.Finish(sim.Totals{Reached: sim.Instant(sim.Day)}, Header{Complete: true})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1440*perMinute), "ns/match")
	b.ReportMetric(float64(resultHash(b, result)), "hash")
}

// resultHash returns a 32-bit hash of all files of the result.
func resultHash(t testing.TB, r *result.Result) uint32 {
	hash := fnv.New32a()
	if err := r.Write(func(name string) (io.WriteCloser, error) {
		io.WriteString(hash, name)
		return resulttest.NopCloser{Writer: hash}, nil
	}); err != nil {
		t.Fatal(err)
	}
	return hash.Sum32()
}

func BenchmarkWrite(b *testing.B) {
	setup := resulttest.Day(rand.New(rand.NewPCG(1, 2)))
	c := NewCollector(setup)
	stream := resulttest.DayMatches(rand.New(rand.NewPCG(3, 4)), 10_000)
	for i := range stream {
		c.Matched(&stream[i])
	}
	r := c.Finish(sim.Totals{Reached: sim.Instant(sim.Day)}, Header{})
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := r.Write(func(string) (io.WriteCloser, error) { return resulttest.NopCloser{Writer: &out}, nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}
