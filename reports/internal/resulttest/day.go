package resulttest

import (
	"fmt"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// The size of the day that Day and DayMatches generate, which is about that of a real one.
const (
	MatchesOfDay = 1_350_000 // of four players
	placesOfDay  = 400_000
)

// Day returns the setup of a day with 29 datacenters, whose players live in 400,000 places.
func Day(draw Draws) setup.Run {
	s := setup.Run{
		Continents: []string{"AF", "AS", "EU", "NA", "OC", "SA"},
		Countries:  []string{"FR"},
		Duration:   sim.Day,
		Queues:     []setup.Queue{{MatchSize: 4}},
		Ideal:      50 * sim.RTTUnit,
		Expand:     100 * sim.RTTUnit,
	}
	for i := range 29 {
		s.Datacenters = append(s.Datacenters, setup.Datacenter{Name: fmt.Sprintf("datacenter%d", i)})
	}
	cities := make([]setup.Place, 211)
	for i := range cities {
		cities[i] = setup.Place{Latitude: int16(draw.IntN(11_000) - 4_500), Longitude: int16(draw.IntN(34_000) - 17_000), Continent: uint8(draw.IntN(6)), Country: 0}
	}
	for range placesOfDay {
		place := cities[min(draw.IntN(211), draw.IntN(211))]
		place.Latitude += int16(100 * draw.NormFloat64())
		place.Longitude += int16(100 * draw.NormFloat64())
		s.Places = append(s.Places, place)
	}
	return s
}

// DayMatches returns n random matches like those of a day. They are made at equal intervals within
// one minute.
func DayMatches(draw Draws, n int) []sim.Match {
	matches := make([]sim.Match, n)
	for i := range matches {
		m := &matches[i]
		m.ID = uint64(i)
		m.At = sim.Instant(i * int(sim.Minute) / n)
		m.Datacenter = min(draw.IntN(29), draw.IntN(29))
		m.Players = make([]sim.Matched, 4)
		for j := range m.Players {
			best := sim.RTT(16 * (15 + float64(20*draw.ExpFloat64())))
			estimate := best + sim.RTT(draw.IntN(3)/2*draw.IntN(400))
			p := &m.Players[j]
			*p = sim.Matched{
				Player:    sim.Player{Person: sim.Person{Place: uint32(draw.IntN(placesOfDay)), Row: uint32(draw.IntN(1_370_000))}},
				PartySize: 1, Return: draw.IntN(4) > 0, Repeat: draw.IntN(3) == 0,
				RTT: estimate, Estimate: estimate, Best: best,
			}
			p.ID, p.Party = uint64(p.Row), uint64(p.Row)
			if wait := draw.ExpFloat64(); draw.IntN(3) == 0 {
				p.Began = -sim.Instant(1000 * wait)
			}
			if p.State = sim.StateIdeal; draw.IntN(5) == 0 {
				p.State = sim.StateExpand + sim.State(draw.IntN(2))
			}
		}
	}
	return matches
}
