package matcher

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// throng is a pool of tickets with a skill, or none, that reach some of ten regions.
type throng struct {
	*rand.Rand
	*Pool
	nowMS int64
}

func newThrong(t *testing.T, seed uint64, largest int) *throng {
	c := &throng{Rand: rand.New(rand.NewPCG(seed, 3))}
	schema := new(Schema)
	schema.Column("skill")
	for _, name := range []string{"f", "b", "j", "c", "a", "h", "i", "d", "e", "g"} {
		schema.Region(name)
	}
	var err error
	c.Pool, err = NewPool(&Ruleset{
		MinPlayers: 8, MaxPlayers: 10, MaxTicket: largest, Budget: 9, ExpansionBasis: LongestWait,
		Teams: []Team{{"red", 0, 5}, {"blue", 0, 5}},
		Rules: []Rule{
			skillRule(Linear(20, 15, 200, 3000)),
			&ReachRegion{Common{"region", 1, Never}, Linear(40, 20, 120, 4000)},
		},
	}, schema)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// come lets some tickets come. Skills are few where so many are alike.
func (c *throng) come(n int) {
	for range n {
		players := make([]Player, 1+c.IntN(c.rules.MaxTicket)*c.IntN(2))
		for i := range players {
			skill := math.Round(300 * c.NormFloat64())
			if c.IntN(40) == 0 {
				skill *= 50
			}
			players[i].Values = []Value{NumberValue(skill)}
			if c.IntN(10) == 0 {
				players[i].Values = nil
			}
			for range 10 {
				players[i].RTTMS = append(players[i].RTTMS, float64(20+c.IntN(200)))
			}
		}
		if _, err := c.Add(Ticket{CreatedMS: c.nowMS - int64(c.IntN(2000)), Players: players}); err != nil {
			panic(err)
		}
	}
}

// A gathering that lives on finds whom a plain list finds, by windows, regions and
// sizes; who came is counted at least, and with who is near, at most a few more.
func TestGatheringIsAPlainList(t *testing.T) {
	for seed := range uint64(60) {
		c := newThrong(t, seed, 1+int(seed%3))
		c.nowMS = 10_000
		var here, before []Row
		for range 12 {
			for _, row := range slices.Clone(here) {
				if c.IntN(3) == 0 {
					c.Remove(row)
				}
			}
			c.come(c.IntN(90))
			c.nowMS += 1000
			c.begin(c.nowMS)
			c.all.settle()
			c.all.gather()
			before, here = here, c.all.AppendRows(nil)
			g := &c.all.gathered
			for i, row := range here {
				g.turn(row)
				f, room := &c.fronts[row], int32(1+c.IntN(10))
				near, arrived := plainly(c.Pool, row, here[i+1:], room), int32(0)
				for _, other := range here {
					if inWidth(c.Pool, row, other) && g.presence[other].since == g.count {
						arrived += c.size[other]
					}
				}
				if got := g.came(row); got < arrived {
					t.Fatalf("seed %d: %d came around %d of %v, at least %d did", seed, got, row, before, arrived)
				}
				var got []Row
				for _, n := range g.neighbours(row, room) {
					got = append(got, n.row)
					if n.size != c.size[n.row] || n.common != c.near(row)&c.reach.mask(n.row, f.level) {
						t.Fatalf("seed %d: %+v beside %d", seed, n, row)
					}
				}
				slices.Sort(got)
				if !slices.Equal(got, near) {
					t.Fatalf("seed %d: %v are around %d, want %v", seed, got, row, near)
				}
				if got, want := g.fullest(row, c.near(row), room), plainlyFullest(c.Pool, row, near); got < want {
					t.Fatalf("seed %d: %d in the fullest region of %d, want at least %d", seed, got, row, want)
				}
			}
		}
	}
}

// inWidth tells whether an axis lets a seed meet somebody who has waited less.
func inWidth(p *Pool, seed, other Row) bool {
	f := &p.fronts[seed]
	return !(math.Abs(f.number-p.fronts[other].number) > f.width)
}

// plainly lists those of some whom a seed may meet, by row.
func plainly(p *Pool, seed Row, others []Row, room int32) (near []Row) {
	for _, other := range others {
		if inWidth(p, seed, other) && p.size[other] <= room && p.near(seed)&p.reach.mask(other, p.fronts[seed].level) != 0 {
			near = append(near, other)
		}
	}
	slices.Sort(near)
	return near
}

// plainlyFullest counts players region by region.
func plainlyFullest(p *Pool, seed Row, near []Row) (most int32) {
	for region := range MaxRegions {
		players := int32(0)
		for _, other := range near {
			players += p.size[other] * int32(p.near(seed)&p.reach.mask(other, p.fronts[seed].level)>>region&1)
		}
		most = max(most, players)
	}
	return most
}

// Those who came stand in the order of their numbers, whatever cells they are in.
func TestRulerSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for range 300 {
		var came []stand
		var line ruler
		for row := range Row(r.IntN(80)) {
			number := r.NormFloat64()
			switch r.IntN(8) {
			case 0:
				number = math.NaN()
			case 1:
				number = math.Round(number)
			}
			came = append(came, stand{number: number, row: row})
		}
		line.stretch(nil, came[:len(came)/2]) // some are beyond
		sorted := line.sort(slices.Clone(came))
		if !slices.IsSortedFunc(sorted, func(a, b stand) int { return cmp.Compare(a.number, b.number) }) {
			t.Fatalf("%v is not sorted", sorted)
		}
		slices.SortFunc(sorted, func(a, b stand) int { return cmp.Compare(a.row, b.row) })
		for i := range came {
			if sorted[i].row != came[i].row {
				t.Fatalf("%v of %v came", sorted, came)
			}
		}
	}
}

// A square turned over twice is itself, and once has its bits where they belong.
func TestTransposeMirrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 100 {
		var square [32]uint64
		for i := range square {
			square[i] = r.Uint64()
		}
		turned := square
		transpose(&turned)
		for i := range 32 {
			for k := range 32 {
				if turned[k]>>i&1 != square[i]>>k&1 || turned[k]>>(32+i)&1 != square[i]>>(32+k)&1 {
					t.Fatalf("bit %d of word %d", k, i)
				}
			}
		}
	}
}

// A search among candidates who line up finds the same groups with as many steps as one
// that asks them one by one.
func TestLineupFindsTheSame(t *testing.T) {
	hits, matches := 0, 0
	for seed := range uint64(40) {
		lined, plain := newThrong(t, seed, 1+int(seed%3)), newThrong(t, seed, 1+int(seed%3))
		plain.lined = false
		for range 15 {
			n := 10 + lined.IntN(60)
			if plain.IntN(60) != n-10 {
				t.Fatal("the crowds differ")
			}
			lined.come(n)
			plain.come(n)
			lined.nowMS, plain.nowMS = lined.nowMS+1000, plain.nowMS+1000
			got, want := lined.Pass(lined.nowMS), plain.Pass(plain.nowMS)
			if a, b := told(got, nil), told(want, nil); a != b {
				t.Fatalf("seed %d at %d:\n%swant\n%s", seed, lined.nowMS, a, b)
			}
			if !slices.Equal(got.BudgetHits, want.BudgetHits) {
				t.Fatalf("seed %d at %d: %v, want %v", seed, lined.nowMS, got.BudgetHits, want.BudgetHits)
			}
			hits, matches = hits+len(got.BudgetHits), matches+len(got.Matches)
		}
	}
	if hits == 0 || matches == 0 {
		t.Errorf("%d budgets were hit in %d matches, want some of both", hits, matches)
	}
}

// The stages of all rules are what each rule says of every wait.
func TestStagesAreTheSchedules(t *testing.T) {
	for seed := range uint64(300) {
		w := newWorld(seed)
		pool, err := NewPool(w.ruleset(), w.schema)
		if err != nil {
			continue
		}
		for range 40 {
			wait := int64(w.IntN(1 << (3 + w.IntN(20))))
			stage := pool.stages.at(wait)
			next := Never
			for i, c := range pool.columns {
				want := c.at(wait)
				want.level = stage.forces[i].level
				if stage.forces[i] != want || c.kind == reachRegion && want.level != pool.reach.level(want.bound) {
					t.Fatalf("seed %d: rule %d after %d ms is %+v, want %+v", seed, i, wait, stage.forces[i], want)
				}
				next = min(next, c.nextChange(wait))
			}
			if stage.untilMS != next {
				t.Fatalf("seed %d: the rules change %d ms after %d, want %d", seed, stage.untilMS, wait, next)
			}
		}
	}
}

// Counting by sets of places is counting, whatever the sizes.
func TestPlayersOfSets(t *testing.T) {
	c := newThrong(t, 7, 3)
	c.nowMS = 5000
	c.come(150)
	c.begin(c.nowMS)
	c.all.settle()
	c.all.gather()
	g := &c.all.gathered
	for range 200 {
		a, b, room := make([]uint64, g.words), make([]uint64, g.words), int32(1+c.IntN(3))
		want := int32(0)
		for k := range a {
			a[k], b[k] = c.Uint64()&g.behind[k], c.Uint64()
			for m := a[k] & b[k]; m != 0; m &= m - 1 {
				if size := c.size[g.stands[k*64+bits.TrailingZeros64(m)].row]; size <= room {
					want += size
				}
			}
		}
		if got := g.playersOf(a, b, 0, room); got != want {
			t.Fatalf("%d players, want %d", got, want)
		}
	}
}
