package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
	"slices"
	"testing"
)

// geography is a made-up world: cities in clusters on a sphere, the continents, and
// datacenters in the largest of them. Players live in cities.
type geography struct {
	rttMS  [][]float64 // by city, then Region
	people []float64   // by city: share of the joins up to and with it
}

// Sizes of the made-up world.
const (
	continents  = 6
	cities      = 240
	datacenters = 29
)

// newGeography draws the world. Round-trip times are those of light in fibre, twice
// the great circle, and an access of 4 to 20 ms.
func newGeography(schema *matcher.Schema) *geography {
	r := rand.New(rand.NewPCG(5, 6))
	type place [3]float64
	point := func(around place, spread float64) place {
		var p place
		length := 0.0
		for i := range p {
			p[i] = around[i] + spread*r.NormFloat64()
			length += p[i] * p[i]
		}
		for i := range p {
			p[i] /= math.Sqrt(length)
		}
		return p
	}
	var centers [continents]place
	for i := range centers {
		centers[i] = point(place{}, 1)
	}
	at := make([]place, cities)
	g := &geography{rttMS: make([][]float64, cities), people: make([]float64, cities)}
	total := 0.0
	for i := range at {
		at[i] = point(centers[i%continents], 0.25)
		total += 1 / float64(1+i/continents)
		g.people[i] = total
	}
	for i := range g.rttMS {
		g.people[i] /= total
		access := 4 + 16*r.Float64()
		for k := range datacenters {
			region, err := schema.Region(fmt.Sprintf("dc%02d", k))
			if err != nil || int(region) != k {
				panic("the schema has other regions already")
			}
			cosine := at[i][0]*at[k][0] + at[i][1]*at[k][1] + at[i][2]*at[k][2]
			km := 6371 * math.Acos(max(-1, min(1, cosine)))
			g.rttMS[i] = append(g.rttMS[i], math.Round(16*(access+km/50))/16)
		}
	}
	return g
}

// home draws the city of a player.
func (g *geography) home(r *rand.Rand) int {
	city, _ := slices.BinarySearch(g.people, r.Float64())
	return min(city, cities-1)
}

// poisson draws how many come in an interval that has so many on average.
func poisson(r *rand.Rand, mean float64) int {
	count := 0
	for left := r.ExpFloat64(); left < mean; left += r.ExpFloat64() {
		count++
	}
	return count
}

// dayPool is one queue in the middle of a simulated day: solos come, wait and leave
// in matches or after 120 s, and a pass is made every second.
type dayPool struct {
	*Pool
	world *geography
	rand  *rand.Rand
	rate  float64
	nowMS int64

	joins, matched, expired, hits int
	waitMS                        int64
}

const dayPatienceMS = 120_000

// second lets one second pass.
func (d *dayPool) second() {
	var values [1]matcher.Value
	var player [1]matcher.Player
	for range poisson(d.rand, d.rate) {
		values[0] = matcher.NumberValue(math.Round(1500 + 300*d.rand.NormFloat64()))
		player[0] = matcher.Player{Values: values[:], RTTMS: d.world.rttMS[d.world.home(d.rand)]}
		_, err := d.Add(matcher.Ticket{CreatedMS: d.nowMS + int64(d.rand.IntN(1000)), GiveUpMS: dayPatienceMS, Players: player[:]})
		if err != nil {
			panic(err)
		}
		d.joins++
	}
	d.nowMS += 1000
	out := d.Pass(d.nowMS)
	for i := range out.Matches {
		for _, row := range out.Matches[i].Tickets {
			d.matched++
			d.waitMS += d.nowMS - d.rows.CreatedMS[row]
		}
	}
	d.expired += len(out.Expired)
	d.hits += len(out.BudgetHits)
}

// daySkill is 5v5 with skill within 200 that widens by 50 every 5 s up to 500.
func daySkill() *matcher.Ruleset {
	return &matcher.Ruleset{
		MinPlayers: 10, MaxPlayers: 10, Teams: []matcher.Team{{Name: "red", Min: 5, Max: 5}, {Name: "blue", Min: 5, Max: 5}},
		Rules: []matcher.Rule{&matcher.NumberDistance{Common: matcher.Common{Name: "skill", Weight: 1, OptionalAfterMS: matcher.Never}, Max: matcher.Linear(200, 50, 500, 5000), Default: 1500}},
	}
}

// daySkillAndRegion adds a region within 50 ms that widens to 200.
func daySkillAndRegion() *matcher.Ruleset {
	rules := daySkill()
	rules.Rules = append(rules.Rules, &matcher.ReachRegion{Common: matcher.Common{Name: "region", Weight: 1, OptionalAfterMS: matcher.Never}, MaxRTTMS: matcher.Linear(50, 25, 200, 10_000)})
	return rules
}

// dayPivot is the arena without regions.
func dayPivot() *matcher.Ruleset {
	rules := arena()
	rules.Pivot.People = matcher.NoColumn
	rules.Pivot.Region = matcher.PivotRegion{ReachMS: matcher.Fixed(0), MaxMS: math.Inf(1), OneWayAfterMS: matcher.Never}
	return rules
}

func dayArena() *matcher.Ruleset {
	rules := arena()
	rules.Pivot.People = matcher.NoColumn
	return rules
}

// A queue as it goes through a day of joins: one operation is one second.
func BenchmarkDay(b *testing.B) {
	for _, kind := range []struct {
		name  string
		rules func() *matcher.Ruleset
		blind bool
	}{
		{"rules+region", daySkillAndRegion, false},
		{"rules", daySkill, true},
		{"pivot+region", dayArena, false},
		{"pivot", dayPivot, true},
	} {
		for _, rate := range []float64{20, 63, 126, 1000} {
			b.Run(fmt.Sprintf("%s/rate=%v", kind.name, rate), func(b *testing.B) {
				benchmarkDay(b, kind.rules(), rate, kind.blind)
			})
		}
	}
}

func benchmarkDay(b *testing.B, rules *matcher.Ruleset, rate float64, blind bool) {
	schema := new(matcher.Schema)
	schema.Column("skill")
	world := newGeography(schema)
	if blind {
		schema = new(matcher.Schema)
		schema.Column("skill")
		for i := range world.rttMS {
			world.rttMS[i] = nil
		}
	}
	pool, err := NewPool(rules, schema)
	if err != nil {
		b.Fatal(err)
	}
	d := &dayPool{Pool: pool, world: world, rand: rand.New(rand.NewPCG(7, 8)), rate: rate}
	for range 2 * dayPatienceMS / 1000 {
		d.second()
	}
	d.joins, d.matched, d.expired, d.hits, d.waitMS = 0, 0, 0, 0, 0
	waiting := 0
	b.ReportAllocs()
	start := cpuSeconds(b)
	for b.Loop() {
		d.second()
		waiting += d.Waiting()
	}
	b.ReportMetric(float64(d.joins)/(cpuSeconds(b)-start), "tickets/cpu-s")
	b.ReportMetric(float64(waiting)/float64(b.N), "waiting")
	b.ReportMetric(float64(d.waitMS)/1000/float64(max(1, d.matched)), "wait-s")
	b.ReportMetric(100*float64(d.expired)/float64(max(1, d.joins)), "expired-%")
	b.ReportMetric(float64(d.hits), "budget-hits")
}

// A day in datacenter queues: a ticket waits in the queues of all datacenters within
// 50 ms, after 10 s within 100 ms, after 20 s it is in the reserve, after 30 s it
// has failed. Each second every datacenter matches its queue, then one more with the
// reserve; at last the reserve matches among itself.
func BenchmarkDayDatacenters(b *testing.B) {
	for _, kind := range []struct {
		name  string
		rules func() *matcher.Ruleset
	}{{"rules", daySkillAndRegion}, {"pivot", dayArena}} {
		for _, rate := range []float64{20, 63, 126, 1000} {
			b.Run(fmt.Sprintf("%s/rate=%v", kind.name, rate), func(b *testing.B) {
				benchmarkDatacenters(b, kind.rules().WithoutRegion(), rate)
			})
		}
	}
}

// queuesPool is a day of tickets in datacenter queues.
type queuesPool struct {
	dayPool
	queues  []*Subset
	reserve *Subset
	waiting []queued
}

// queued is a ticket with its city, to be moved to other queues as it waits.
type queued struct {
	row      Row
	sequence int64 // of the row: another ticket may have it by now
	city     int
	state    int
}

func (q *queuesPool) second() {
	var values [1]matcher.Value
	var player [1]matcher.Player
	for range poisson(q.rand, q.rate) {
		values[0] = matcher.NumberValue(math.Round(1500 + 300*q.rand.NormFloat64()))
		player[0] = matcher.Player{Values: values[:]}
		city := q.world.home(q.rand)
		row, err := q.Add(matcher.Ticket{CreatedMS: q.nowMS + int64(q.rand.IntN(1000)), Players: player[:]})
		if err != nil {
			panic(err)
		}
		q.waiting = append(q.waiting, queued{row, q.rows.Sequence[row], city, 0})
		q.enter(row, city, 0, 50)
		q.joins++
	}
	q.nowMS += 1000
	q.advanceStates()
	for _, s := range q.queues {
		q.note(s.Match(q.nowMS, 0))
		if s.Len() > 0 {
			q.note(s.MatchWith(q.nowMS, q.reserve, 1))
		}
	}
	q.note(q.reserve.Match(q.nowMS, 0))
}

func (q *queuesPool) enter(row Row, city int, above, within float64) {
	for k, rtt := range q.world.rttMS[city] {
		if rtt > above && rtt <= within {
			q.queues[k].Add(row)
		}
	}
}

func (q *queuesPool) advanceStates() {
	kept := q.waiting[:0]
	for _, w := range q.waiting {
		if q.rows.Kind[w.row] != store.Ticket || q.rows.Sequence[w.row] != w.sequence {
			continue
		}
		switch wait := q.nowMS - q.rows.CreatedMS[w.row]; {
		case wait >= 30_000:
			q.Remove(w.row)
			q.expired++
			continue
		case wait >= 20_000 && w.state < 2:
			for _, s := range q.queues {
				s.Remove(w.row)
			}
			q.reserve.Add(w.row)
			w.state = 2
		case wait >= 10_000 && w.state < 1:
			q.enter(w.row, w.city, 50, 100)
			w.state = 1
		}
		kept = append(kept, w)
	}
	q.waiting = kept
}

func (q *queuesPool) note(out matcher.Outcome) {
	for i := range out.Matches {
		for _, row := range out.Matches[i].Tickets {
			q.matched++
			q.waitMS += q.nowMS - q.rows.CreatedMS[row]
		}
	}
	q.hits += len(out.BudgetHits)
}

func benchmarkDatacenters(b *testing.B, rules *matcher.Ruleset, rate float64) {
	schema := new(matcher.Schema)
	schema.Column("skill")
	pool, err := NewPool(rules, schema)
	if err != nil {
		b.Fatal(err)
	}
	q := &queuesPool{dayPool: dayPool{Pool: pool, world: newGeography(schema), rand: rand.New(rand.NewPCG(7, 8)), rate: rate}}
	for range datacenters {
		q.queues = append(q.queues, pool.NewSubset())
	}
	q.reserve = pool.NewSubset()
	for range 120 {
		q.second()
	}
	q.joins, q.matched, q.expired, q.hits, q.waitMS = 0, 0, 0, 0, 0
	waiting := 0
	b.ReportAllocs()
	start := cpuSeconds(b)
	for b.Loop() {
		q.second()
		waiting += q.Waiting()
	}
	b.ReportMetric(float64(q.joins)/(cpuSeconds(b)-start), "tickets/cpu-s")
	b.ReportMetric(float64(waiting)/float64(b.N), "waiting")
	b.ReportMetric(float64(q.waitMS)/1000/float64(max(1, q.matched)), "wait-s")
	b.ReportMetric(100*float64(q.expired)/float64(max(1, q.joins)), "failed-%")
	b.ReportMetric(float64(q.hits), "budget-hits")
}
