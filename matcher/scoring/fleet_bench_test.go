package scoring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/heap"
)

// defaultSignals returns a Scorer with the default weights and scales of a service.
func defaultSignals() *Scorer {
	w := func(name string, weight float64) Weighted { return Weighted{Name: name, Weight: weight} }
	return &Scorer{Signals: []Signal{
		&Acquaintance{Weighted: w("friends", 10)},
		&NearRTT{Weighted: w("rtt", 3), ScaleMS: 250},
		&Occupancy{Weighted: w("occupancy", 2)},
		&PlayersNumber{Weighted: w("history", 2), Column: skillColumn, To: Reference{Column: skillColumn}, Scale: 4.6},
		&PlayersShare{Weighted: w("language", 1), Column: classColumn},
		&PlayersNumber{Weighted: w("age", 1), Column: levelColumn, To: Reference{Column: levelColumn}, Scale: 25},
		&PlayersShare{Weighted: w("voice", 1), Column: modeColumn},
	}}
}

// population draws the players of a day with 29 regions on five continents.
type population struct {
	*rand.Rand
	attributes bool
	sites      [29][2]float64
}

func newPopulation(seed uint64, attributes bool) *population {
	c := &population{Rand: rand.New(rand.NewPCG(8, seed)), attributes: attributes}
	for i := range c.sites {
		c.sites[i] = [2]float64{float64(i%5)*70 + c.Float64()*30, c.Float64() * 40}
	}
	return c
}

func (c *population) player() matcher.Player {
	continent := c.IntN(5)
	lon, lat := float64(continent)*70+c.Float64()*30, c.Float64()*40
	p := matcher.Player{RTTMS: make([]float64, len(c.sites)), Values: make([]matcher.Value, columnsOfTests)}
	for i, site := range c.sites {
		p.RTTMS[i] = math.Round(16*(8+1.7*math.Hypot(site[0]-lon, site[1]-lat))) / 16
	}
	if c.attributes {
		p.Values[skillColumn] = matcher.NumberValue(min(4.6, max(0, 2+c.NormFloat64())))
		p.Values[levelColumn] = matcher.NumberValue(math.Round(13 + 9*c.ExpFloat64()))
		p.Values[classColumn] = matcher.TextValue(matcher.Text(continent*8 + int(c.ExpFloat64()*2)%8))
		p.Values[modeColumn] = matcher.TextValue(matcher.Text(60 + c.IntN(2)))
	}
	return p
}

// day simulates the joins of one day on servers with four seats. The length of a session is
// exponentially distributed with a mean of 90 minutes.
type day struct {
	*population
	*Fleet
	servers  float64 // number of servers at the peak, if all are full
	now      float64 // current time in s
	sessions heap.Heap[session]
}

type session struct {
	player matcher.Player
	server *Server
	ends   float64
}

func endsEarlier(a, b *session) bool { return a.ends < b.ends }

// join lets the next player join, after removing the players whose sessions are over.
func (d *day) join() {
	const length = 5400
	peak := d.servers * 4 / length // joins per second
	d.now += d.ExpFloat64() / (peak * (0.7 - 0.3*math.Cos(2*math.Pi*d.now/86400)))
	for len(d.sessions) > 0 && d.sessions[0].ends <= d.now {
		s := d.sessions.Pop(endsEarlier)
		d.Leave(s.server, &s.player)
		if s.server.Players() == 0 {
			d.Close(s.server)
		}
	}
	j := NewJoiner(d.player(), 0, nil)
	if n := len(d.sessions); n > 0 { // most players have a friend on some server
		for range d.IntN(3) {
			j.Known = append(j.Known, d.sessions[d.IntN(n)].server.Sequence)
		}
	}
	s, _ := d.Best(&j)
	if s == nil {
		s = d.Open(Server{CreatedMS: int64(d.now * 1000), Region: j.BestRegion(), Capacity: 4})
	}
	d.Join(s, &j.Player)
	d.sessions.Push(session{j.Player, s, d.now + length*d.ExpFloat64()}, endsEarlier)
}

// joinable counts the servers with a free seat.
func (d *day) joinable() (n int) {
	for _, t := range d.trees {
		n += t.size
	}
	return n
}

// BenchmarkFleetDay measures a join and the matching leave in the evening. A third of the servers
// have free seats then, which is the largest share of the day. With -benchtime 5000x, the benchmark
// does not run past the evening.
func BenchmarkFleetDay(b *testing.B) {
	for _, attributes := range []bool{false, true} {
		for _, servers := range []int{2_000, 20_000} {
			b.Run(fmt.Sprintf("attributes=%v/servers=%d", attributes, servers), func(b *testing.B) {
				d := &day{population: newPopulation(1, attributes), Fleet: NewFleet(defaultSignals()), servers: float64(servers)}
				for d.now = 86400 / 4; d.now < 86400*9/10; {
					d.join()
				}
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					d.join()
				}
				b.ReportMetric(float64(d.Running()), "running")
				b.ReportMetric(float64(d.joinable()), "joinable")
			})
		}
	}
}
