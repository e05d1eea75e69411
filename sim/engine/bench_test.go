package engine

import (
	"fmt"
	"math"
	"testing"

	"mmsim/sim"
)

// poissonArrivals yields solo arrivals at a constant mean rate from random places.
type poissonArrivals struct {
	stream sim.Stream
	places uint64
	gap    float64 // mean time between arrivals in ms
	at     float64
	n      uint64
	member [1]sim.Person
}

func (p *poissonArrivals) Next(a *sim.Arrival) bool {
	p.at += -p.gap * math.Log(1-p.stream.Uniform(p.n, 0))
	p.member[0] = sim.Person{Entity: mixed(p.n), Row: uint32(p.n), Place: uint32(p.stream.Bits(p.n, 1) % p.places)}
	p.n++
	a.At, a.Members = sim.Instant(p.at), p.member[:]
	return true
}

// clusters returns places around n datacenters on a line. Each place has its nearest datacenters
// within the ideal threshold and the next ones within the expand threshold.
func clusters(cfg sim.Config, n, placesEach int) *sim.Places {
	s := sim.NewStream(1, 0, sim.PurposeArrivals)
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

// hasher hashes matches and ended searches into one number, so that an optimisation that changes
// results is noticed.
type hasher struct{ hash, players uint64 }

func (h *hasher) Entered(*sim.Search) {}
func (h *hasher) Ended(e *sim.Ended)  { h.hash = mixed(h.hash + uint64(e.At)) }
func (h *hasher) Sampled(*sim.Census) {}
func (h *hasher) Matched(m *sim.Match) {
	h.players += uint64(len(m.Players))
	h.hash = mixed(h.hash + m.Players[0].ID + uint64(m.Datacenter)<<32)
}

// mixed hashes a number.
func mixed(x uint64) uint64 { return sim.Entity(uint32(x), uint32(x>>32), 0, 0) }

// BenchmarkReplay simulates six hours of the article's matchmaker at several arrival rates. The
// ns/player-match metric should hardly grow with the rate.
func BenchmarkReplay(b *testing.B) {
	for _, perSecond := range []int{2, 16, 256} {
		b.Run(fmt.Sprintf("%d joins per s", perSecond), func(b *testing.B) {
			cfg := articleConfig()
			cfg.PlayAgain, cfg.Duration = 0.75, 6*sim.Hour
			places := clusters(cfg, 29, 100)
			var h *hasher
			b.ReportAllocs()
			for b.Loop() {
				h = &hasher{}
				joins := &poissonArrivals{stream: sim.NewStream(1, 0, sim.PurposeArrivals), places: uint64(len(places.Reach)), gap: 1000 / float64(perSecond)}
				e, err := New(cfg, places, joins, h)
				if err != nil {
					b.Fatal(err)
				}
				if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(uint64(b.N)*h.players), "ns/player-match")
			b.ReportMetric(float64(h.hash>>40), "hash")
		})
	}
}

// BenchmarkIdleTicks lets one player at a time wait, with a tick of one millisecond. A pass that
// cannot make a match or change a state should cost nothing.
func BenchmarkIdleTicks(b *testing.B) {
	cfg := articleConfig()
	cfg.Tick, cfg.Duration = sim.Millisecond, sim.Day
	places := placesOf(cfg, []int{20})
	for b.Loop() {
		joins := list(solos(0, 1, 40_000, 80_000))
		e, err := New(cfg, places, &joins)
		if err != nil {
			b.Fatal(err)
		}
		if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
			b.Fatal(err)
		}
	}
}

// stuckArrivals yields parties of three at a constant rate from random places, and a solo now and
// then.
type stuckArrivals struct {
	poissonArrivals
	solos uint64 // one ticket in this many is a solo; 0 for none
	all   [3]sim.Person
}

func (s *stuckArrivals) Next(a *sim.Arrival) bool {
	s.poissonArrivals.Next(a)
	size := len(s.all)
	if s.solos > 0 && s.n%s.solos == 0 {
		size = 1
	}
	for i := range size {
		s.all[i] = s.member[0]
		s.all[i].Entity += uint64(i)
	}
	a.Members = s.all[:size]
	return true
}

// BenchmarkStuckParties simulates six hours in which parties of three wait as warm bodies for
// hours, because they cannot fill matches of four. Without solos, ns/party should hardly grow with
// the rate. Each solo searches for the nearest party among all that wait.
func BenchmarkStuckParties(b *testing.B) {
	for _, c := range []struct {
		perHour, solos uint64
		cooldown       sim.Duration
	}{{perHour: 400}, {perHour: 1600}, {perHour: 6400}, {perHour: 400, solos: 10}, {perHour: 1600, solos: 10}, {perHour: 1600, solos: 10, cooldown: sim.Hour}} {
		b.Run(fmt.Sprintf("%d per hour, one of %d alone, cool-down %g s", c.perHour, c.solos, c.cooldown.Seconds()), func(b *testing.B) {
			cfg := articleConfig()
			cfg.PlayAgain, cfg.Duration, cfg.Queues[0].WarmBodyFor = 0.75, 6*sim.Hour, 4*sim.Hour
			cfg.Queues[0].PartnerCooldown = c.cooldown
			places := clusters(cfg, 29, 100)
			var h *hasher
			for b.Loop() {
				h = &hasher{}
				joins := &stuckArrivals{solos: c.solos, poissonArrivals: poissonArrivals{stream: sim.NewStream(1, 0, sim.PurposeArrivals), places: uint64(len(places.Reach)), gap: float64(sim.Hour) / float64(c.perHour)}}
				e, err := New(cfg, places, joins, h)
				if err != nil {
					b.Fatal(err)
				}
				if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(uint64(b.N)*6*c.perHour), "ns/party")
			b.ReportMetric(float64(h.hash>>40), "hash")
			b.ReportMetric(float64(h.players), "players")
		})
	}
}
