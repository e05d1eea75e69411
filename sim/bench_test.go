package sim

import (
	"fmt"
	"math"
	"testing"
)

// poisson yields solos at a constant rate from random places.
type poisson struct {
	stream Stream
	places uint64
	gap    float64 // mean ms between arrivals
	at     float64
	n      uint64
	member [1]Person
}

func (p *poisson) Next(a *Arrival) bool {
	p.at += -p.gap * math.Log(1-p.stream.Uniform(p.n, 0))
	p.member[0] = Person{Entity: mix(p.n), Row: uint32(p.n), Place: uint32(p.stream.Bits(p.n, 1) % p.places)}
	p.n++
	a.At, a.Members = Instant(p.at), p.member[:]
	return true
}

// clusters makes places around n datacenters on a line, each within the ideal
// threshold of its neighbours and the expand threshold of theirs.
func clusters(cfg Config, n, placesEach int) *Places {
	s := NewStream(1, 0, PurposeArrivals)
	var rtts [][]int
	for home := range n {
		for i := range placesEach {
			row := make([]int, n)
			for dc := range row {
				away := max(home-dc, dc-home)
				row[dc] = 10 + 22*away + int(s.Bits(uint64(home*placesEach+i), uint64(dc))%15)
			}
			rtts = append(rtts, row)
		}
	}
	return placesOf(cfg, rtts...)
}

// hasher folds the facts into one number: a speed-up that changes the answer is
// visible.
type hasher struct{ hash, players uint64 }

func (h *hasher) Entered(*Search) {}
func (h *hasher) Ended(e *Ended)  { h.hash = mix(h.hash + uint64(e.At)) }
func (h *hasher) Sampled(*Census) {}
func (h *hasher) Matched(m *Match) {
	h.players += uint64(len(m.Players))
	h.hash = mix(h.hash + m.Players[0].ID + uint64(m.Datacenter)<<32)
}

// BenchmarkReplay simulates six hours of the article's matchmaker at several
// rates of arrival. ns/player-match should hardly grow with the rate.
func BenchmarkReplay(b *testing.B) {
	for _, perSecond := range []int{2, 16, 256} {
		b.Run(fmt.Sprintf("%d joins per s", perSecond), func(b *testing.B) {
			cfg := articleConfig()
			cfg.PlayAgain, cfg.Duration = 0.75, 6*Hour
			places := clusters(cfg, 29, 100)
			var h *hasher
			b.ReportAllocs()
			for b.Loop() {
				h = &hasher{}
				joins := &poisson{stream: NewStream(1, 0, PurposeArrivals), places: uint64(len(places.Reach)), gap: 1000 / float64(perSecond)}
				e, err := New(cfg, places, joins, h)
				if err != nil {
					b.Fatal(err)
				}
				if err := e.RunUntil(Instant(cfg.Duration)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(uint64(b.N)*h.players), "ns/player-match")
			b.ReportMetric(float64(h.hash>>40), "hash")
		})
	}
}

// BenchmarkIdleTicks has one player wait through ticks of a millisecond: passes
// that cannot decide anything cost nothing.
func BenchmarkIdleTicks(b *testing.B) {
	cfg := articleConfig()
	cfg.Tick, cfg.Duration = Millisecond, Day
	places := placesOf(cfg, []int{20})
	for b.Loop() {
		joins := list(solos(0, 1, 40_000, 80_000))
		e, err := New(cfg, places, &joins)
		if err != nil {
			b.Fatal(err)
		}
		if err := e.RunUntil(Instant(cfg.Duration)); err != nil {
			b.Fatal(err)
		}
	}
}
