package season

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"mmsim/sim"
)

// TestCrowd compares a crowd with a list of persons, day after day, while some are forgotten.
func TestCrowd(t *testing.T) {
	type entry struct {
		number, replica uint32
		rating          Rating
	}
	for _, first := range []Rating{{Value: 1500}, {Value: 25, Deviation: 8}, {Value: 1500, Deviation: 350, Volatility: .06}} {
		random := rand.New(rand.NewPCG(1, 2))
		c := crowd{first: first}
		var want []entry
		for day, n := range []int{1, blockSize, 3 * blockSize, 0, 70, 2 * blockSize, 5, 0, 0} {
			var replicas uint32
			if day > 1 {
				replicas = 3 // only then do blocks have replicas
			}
			for range n {
				e := entry{c.made, random.Uint32N(replicas + 1), first}
				c.add(person{row: e.number}, float64(e.number), e.rating, e.replica)
				want = append(want, e)
			}
			for range n / 2 {
				e := &want[random.IntN(len(want))]
				e.rating.Value = random.Float64()
				if first.Deviation != 0 {
					e.rating.Deviation = random.Float64()
				}
				if first.Volatility != 0 {
					e.rating.Volatility = random.Float64()
				}
				c.find(e.number).rate(&e.rating)
			}
			var got []entry
			for number, at := range c.all() {
				got = append(got, entry{number, at.replica(), at.rating()})
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v: day %d: got other persons", first, day)
			}
			for _, e := range want {
				if at := c.find(e.number); at.person().row != e.number || at.skill() != float64(e.number) || at.rating() != e.rating {
					t.Fatalf("%v: day %d: person %d is not found", first, day, e.number)
				}
			}
			if int(c.held) != len(want) || len(c.blocks) != (len(want)+blockSize-1)/blockSize {
				t.Fatalf("%v: day %d: %d persons in %d blocks, want %d persons", first, day, c.held, len(c.blocks), len(want))
			}
			share := []float64{.3, 0, .9, .5, 1}[day%5]
			gone := map[uint32]bool{}
			want = slices.DeleteFunc(want, func(e entry) bool {
				gone[e.number] = random.Float64() < share
				return gone[e.number]
			})
			c.forget(func(p *person) bool { return gone[p.row] })
		}
	}
}

// allDay yields one row for each number, evenly over the day.
type allDay struct {
	day        int32
	rows, next int
	person     [1]sim.Person
}

func (a *allDay) Next(to *sim.Arrival) bool {
	if a.next == a.rows {
		return false
	}
	entity := sim.Entity(uint32(a.next), 0, a.day, 0)
	a.person[0] = sim.Person{Entity: entity, Row: uint32(a.next), Party: entity}
	to.At = sim.Instant(a.day)*sim.Instant(sim.Day) + sim.Instant(int64(a.next)*int64(sim.Day)/int64(a.rows))
	to.Members = a.person[:]
	a.next++
	return true
}

// TestMemory plays 28 days with 3 % of the persons quitting on each, and new ones for them. At the end of
// every day, a season holds at most 40 bytes for each person of the season.
func TestMemory(t *testing.T) {
	const rows, days = 60_000, 28
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	for _, c := range []struct {
		system System
		first  Rating
	}{{&Elo{K: 32}, Rating{Value: 1500}}, {&Glicko2{Tau: .5}, Rating{Value: 1500, Deviation: 350, Volatility: .06}}} {
		before := heap()
		s := New(Config{
			Days: days, Visit: 1, Shift: sim.Hour, Quit: .03, Newcomers: .03, System: c.system, First: c.first, Contest: Contest{Scale: 400},
			Day:    func(day int32) sim.Arrivals { return &allDay{day: day, rows: rows} },
			CopyOf: func(uint32, int32) uint32 { return 0 },
			Skill:  func(*sim.Person) float64 { return 0 },
		})
		var a sim.Arrival
		most := 0
		for day := 0; s.Next(&a); {
			if a.At >= sim.Instant(day+1)*sim.Instant(sim.Day) {
				most, day = max(most, heap()-before), day+1
			}
			if s.Arrives(&a) {
				s.Left(&sim.Left{At: a.At, Players: []sim.Player{{Person: a.Members[0]}}})
			}
		}
		f := s.Finish(days * sim.Instant(sim.Day))
		persons := f.Start + f.New
		if want := rows + rows*.03*(days-1); persons < int(.98*want) || persons > int(1.02*want) {
			t.Errorf("%d persons, want about %v", persons, want)
		}
		t.Logf("%.1f bytes a person", float64(most)/float64(persons))
		if most > 40*persons {
			t.Errorf("%d bytes for %d persons, want at most 40 for each", most, persons)
		}
	}
}

// TestTied lets one of two persons leave a match and quit. It is remembered on the next day, when the
// match ends, and forgotten on the day after.
func TestTied(t *testing.T) {
	s := New(Config{
		Days: 3, Visit: 1, Quit: 1, System: &Elo{K: 32}, First: Rating{Value: 1500}, Contest: Contest{Scale: 400},
		Day:    func(day int32) sim.Arrivals { return &allDay{day: day, rows: 2} },
		CopyOf: func(uint32, int32) uint32 { return 0 },
		Skill:  func(*sim.Person) float64 { return 0 },
	})
	var a sim.Arrival
	var both []sim.Person
	for len(both) < 2 && s.Next(&a) && s.Arrives(&a) {
		both = append(both, a.Members[0])
	}
	const ends = sim.Instant(sim.Day + 11*sim.Hour)
	s.Started(&sim.Match{At: a.At, Ends: ends, Players: []sim.Matched{{Player: sim.Player{Person: both[0]}}, {Player: sim.Player{Person: both[1]}}}, Seats: []sim.Seat{{Leaves: true}, {}}})
	s.Left(&sim.Left{At: a.At, Players: []sim.Player{{Person: both[0]}}})
	if !s.Next(&a) || a.Members[0].Number != 1 || s.crowd.held != 2 {
		t.Fatalf("on the second day: got a join of person %d, and %d persons, want person 1, and both persons", a.Members[0].Number, s.crowd.held)
	}
	m := sim.Finished{At: ends, Players: []sim.Finisher{{Person: both[0], Ticket: 0, Team: 0, Left: true}, {Person: both[1], Ticket: 1, Team: 1}}}
	s.Finished(&m)
	s.Searches(&both[1]) // which shows the new rating
	for i := range m.Players {
		want := 1484.0
		if m.Players[i].Won {
			want = 1516
		}
		if got := s.Rating(uint32(i)); got != want {
			t.Errorf("person %d has the rating %v, want %v", i, got, want)
		}
	}
	if s.Arrives(&a) || !s.Next(&a) || a.Members[0].Number != 1 || s.crowd.held != 1 {
		t.Errorf("person 1, who is still online, joins, or on the third day, there are %d persons, want 1", s.crowd.held)
	}
	if f := s.Finish(3 * sim.Instant(sim.Day)); f.Stay[0] != .5 || f.Quit != 1 {
		t.Errorf("%v stay for a day and %d quit, want one of two", f.Stay[0], f.Quit)
	}
}
