package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
)

// The columns of a benchCrowd.
const (
	skillColumn matcher.Column = iota // normally distributed with mean 1500 and standard deviation 300
	nameColumn
	buildColumn // "new" for four of five tickets, otherwise "old"
	mapsColumn  // one to three of the four maps
	modeColumn  // one of three modes
	benchColumns
)

// The players of a benchCrowd live in benchPlaces places. The first places are the largest and have
// the datacenters.
const (
	benchPlaces      = 240
	benchDatacenters = 29
	benchContinents  = 6
)

var benchMaps = []string{"canyon", "dust", "harbour", "mill"}

// benchCrowd contains the tickets of a benchmark in the order in which they arrive.
type benchCrowd struct {
	schema  *matcher.Schema
	tickets []benchTicket
	rttMS   [][]float64 // indexed by place, then by Region
}

// benchTicket is a ticket whose players live at a place.
type benchTicket struct {
	matcher.Ticket
	place int
}

// newBenchCrowd draws n tickets for a ruleset. All are solo tickets unless the ruleset has parties.
// A quarter of the tickets are then parties of two or three. If stuck is set, consecutive tickets
// form clusters that share a value of set.apart, and no cluster has enough players for a match.
func newBenchCrowd(set *benchRuleset, stuck bool, n int) *benchCrowd {
	r := rand.New(rand.NewPCG(1, 2))
	c := &benchCrowd{schema: new(matcher.Schema)}
	for i := range benchColumns {
		c.schema.Column(fmt.Sprint("column", i))
	}
	for _, name := range benchMaps { // maps are interned first, so that the Text of a map is its index in benchMaps
		c.schema.Intern(name)
	}
	upTo := c.drawPlaces(r)
	alike, cluster := 0, 0
	for number := range n {
		size := 1
		if set.parties && r.IntN(4) == 0 {
			size = 2 + r.IntN(2)
		}
		place, _ := slices.BinarySearch(upTo, r.Float64()*upTo[benchPlaces-1])
		ticket := c.ticket(r, place, number, size)
		if stuck {
			if alike += size; alike >= set.rules.MinPlayers {
				alike, cluster = size, cluster+1
			}
			c.separate(&ticket, set.apart, cluster)
		}
		c.tickets = append(c.tickets, ticket)
	}
	return c
}

// drawPlaces places six continents on a circle and distributes the places over them. Each degree
// between a place and a datacenter adds 2 ms to the round-trip time. It returns, for each place,
// the population of this and all earlier places together.
func (c *benchCrowd) drawPlaces(r *rand.Rand) (upTo []float64) {
	degrees := make([]float64, benchPlaces)
	total := 0.0
	for i := range degrees {
		degrees[i] = float64(360/benchContinents*(i%benchContinents)) + 8*r.NormFloat64()
		total += 1 / float64(1+i/benchContinents)
		upTo = append(upTo, total)
	}
	for _, from := range degrees {
		access := 4 + 16*r.Float64()
		var rttMS []float64
		for k := range benchDatacenters {
			way := math.Mod(math.Abs(from-degrees[k]), 360)
			rttMS = append(rttMS, math.Round(access+2*min(way, 360-way)))
		}
		c.rttMS = append(c.rttMS, rttMS)
	}
	for k := range benchDatacenters {
		c.schema.Region(fmt.Sprintf("dc%02d", k))
	}
	return upTo
}

// ticket draws a ticket. The parameter size is its number of players, who all have the same build
// and maps.
func (c *benchCrowd) ticket(r *rand.Rand, place, number, size int) benchTicket {
	values := make([]matcher.Value, benchColumns)
	values[buildColumn] = matcher.TextValue(c.schema.Intern([]string{"new", "new", "new", "new", "old"}[r.IntN(5)]))
	maps := slices.Clone(benchMaps)
	r.Shuffle(len(maps), func(i, k int) { maps[i], maps[k] = maps[k], maps[i] })
	values[mapsColumn] = matcher.SetValue(c.schema.Set(maps[:1+r.IntN(3)]))
	values[modeColumn] = matcher.SetValue(c.schema.Set([]string{[]string{"duel", "rush", "siege"}[r.IntN(3)]}))
	made := benchTicket{Ticket: matcher.Ticket{Values: values}, place: place}
	for member := range size {
		player := matcher.Player{Values: slices.Clone(values)}
		player.Values[skillColumn] = matcher.NumberValue(math.Round(1500 + 300*r.NormFloat64()))
		player.Values[nameColumn] = matcher.TextValue(c.schema.Intern(fmt.Sprint("p", number, "/", member)))
		if size > 1 {
			player.RTTMS = c.rttMS[place]
		}
		made.Players = append(made.Players, player)
	}
	return made
}

// separate gives a ticket the value of its cluster. The values of different clusters are far apart.
func (c *benchCrowd) separate(t *benchTicket, column matcher.Column, cluster int) {
	name := fmt.Sprint("cluster", cluster)
	value := map[matcher.Column]matcher.Value{
		skillColumn: matcher.NumberValue(float64(10_000 * cluster)),
		buildColumn: matcher.TextValue(c.schema.Intern(name)),
		mapsColumn:  matcher.SetValue(c.schema.Set([]string{name})),
		modeColumn:  matcher.SetValue(c.schema.Set([]string{name})),
	}[column]
	t.Values[column] = value
	for i := range t.Players {
		t.Players[i].Values[column] = value
	}
}

// places adds all places of the crowd to a pool.
func (c *benchCrowd) places(tb testing.TB, pool *Pool) (from []matcher.Place) {
	for _, rttMS := range c.rttMS {
		place, err := pool.AddPlace(rttMS)
		if err != nil {
			tb.Fatal(err)
		}
		from = append(from, place)
	}
	return from
}

// crowdedPool returns a pool with n tickets. At 60 s, these tickets have waited for up to a minute.
// A ticket's row is its index in the crowd.
func crowdedPool(t *testing.T, rules *matcher.Ruleset, n int) (*Pool, *benchCrowd) {
	t.Helper()
	c := newBenchCrowd(&benchRuleset{rules: rules}, false, n)
	pool, err := NewPool(rules, c.schema)
	if err != nil {
		t.Fatal(err)
	}
	places := c.places(t, pool)
	for i := range c.tickets {
		ticket := &c.tickets[i]
		ticket.CreatedMS, ticket.From = int64(i)*60_000/int64(n), places[ticket.place]
		if row, err := pool.Add(ticket.Ticket); err != nil || int(row) != i {
			t.Fatalf("ticket %d: got row %d (error %v), want the ticket's index", i, row, err)
		}
	}
	return pool, c
}
