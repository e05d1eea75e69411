package candidate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// crowd is a random pool with the rules that the index uses.
type crowd struct {
	*rand.Rand
	solid   bool // every row has two players and a key
	rows    *store.Rows
	rules   candidate.IndexRules
	keys    keys
	values  []values // indexed by rule
	members []candidate.Member
	open    map[store.Row]bool
	fresh   map[store.Row]bool
	query   candidate.Query
}

// keys implements candidate.Keyed with a given key for each row. The Bound of a limit is the
// width, and its Least is the spread.
type keys struct{ byRow []float64 }

func (k *keys) Key(row store.Row) float64     { return k.byRow[row] }
func (k *keys) Width(l *store.Limit) float64  { return l.Bound }
func (k *keys) Spread(l *store.Limit) float64 { return l.Least }
func (k *keys) Certain(l *store.Limit) bool   { return l.Active }

// values implements candidate.Valued with a given mask for each row. The Bound of a limit is the
// number of values that count, starting with the lowest bit.
type values struct{ byRow []uint64 }

func (v *values) Mask(l *store.Limit, row store.Row) uint64 {
	return v.byRow[row] & (1<<uint(l.Bound) - 1)
}
func (v *values) Filters(*store.Limit) bool   { return true }
func (v *values) Certain(l *store.Limit) bool { return l.Active }

// newCrowd returns a crowd with a key and two rules about values, but without rows. All rows have
// the same limits. With OwnWidths, however, the width and the spread grow by 1 for every ms of a
// row's wait.
func newCrowd(seed uint64) *crowd {
	c := &crowd{Rand: rand.New(rand.NewPCG(seed, 3)), solid: seed%5 == 0, open: make(map[store.Row]bool), fresh: make(map[store.Row]bool)}
	stage := store.Stage{UntilMS: matcher.Never, Limits: []store.Limit{
		{Bound: float64(c.IntN(30)), Least: math.Inf(1), Active: c.IntN(5) > 0},
		{Bound: float64(1 + c.IntN(5)), Active: c.IntN(5) > 0},
		{Bound: float64(1 + c.IntN(60)), Active: c.IntN(2) > 0},
	}}
	if c.IntN(2) == 0 {
		stage.Limits[0].Least = stage.Limits[0].Bound + float64(c.IntN(10))
	}
	c.rows = store.New(func(waitMS int64) store.Stage {
		if !c.rules.OwnWidths {
			return stage
		}
		own := store.Stage{UntilMS: waitMS + 1, Limits: slices.Clone(stage.Limits)}
		own.Limits[0].Bound += float64(waitMS)
		own.Limits[0].Least += float64(waitMS)
		return own
	})
	c.values = make([]values, 2)
	c.rules = candidate.IndexRules{Key: &c.keys, OwnWidths: seed%3 == 0, Pairwise: seed%2 == 0 && seed%5 == 0, Valued: []candidate.Valued{&c.values[0], &c.values[1]}, At: []int{1, 2}}
	return c
}

// add adds a row of one to three players.
func (c *crowd) add() {
	players := 1 + c.IntN(3)*c.IntN(2)
	if c.solid {
		players = 2
	}
	row := c.rows.Add(store.Ticket, -int64(3*c.IntN(12)), matcher.Never, players)
	for int(row) >= len(c.keys.byRow) {
		c.keys.byRow = append(c.keys.byRow, 0)
		for i := range c.values {
			c.values[i].byRow = append(c.values[i].byRow, 0)
		}
	}
	if c.keys.byRow[row] = math.Round(100 + 30*c.NormFloat64()); c.IntN(12) == 0 && !c.solid {
		c.keys.byRow[row] = math.NaN()
	}
	for i := range c.values {
		c.values[i].byRow[row] = c.Uint64() & c.Uint64()
	}
	c.rows.Changes++
	c.members = append(c.members, candidate.Member{Row: row, Joined: c.rows.Changes})
}

// around returns the open rows that a seed may meet. beyond contains the rows that only their
// keys exclude. An index may return a few of these at the ends of the window.
func (c *crowd) around(seed store.Row, room int32) (near, beyond []store.Row) {
	stage := c.rows.Stage[seed]
	for _, m := range c.members {
		row := m.Row
		shares := true
		for i := range c.values {
			l := &stage.Limits[1+i]
			shares = shares && (!l.Active || c.values[i].Mask(l, seed)&c.values[i].Mask(l, row) != 0)
		}
		switch {
		case !c.open[row] || !shares || c.rows.Players[row] > room:
		case stage.Limits[0].Active && math.Abs(c.keys.byRow[row]-c.keys.byRow[seed]) > min(stage.Limits[0].Bound, c.ownWidth(row)):
			beyond = append(beyond, row)
		default:
			near = append(near, row)
		}
	}
	return near, beyond
}

func (c *crowd) ownWidth(row store.Row) float64 {
	if !c.rules.OwnWidths {
		return math.Inf(1)
	}
	return c.rows.Stage[row].Limits[0].Bound
}

// most returns the largest number of players among rows that share one of the seed's values under
// each rule and are within the spread, together with the seed.
func (c *crowd) most(seed store.Row, rows []store.Row, stage *store.Stage, rule int) (players int32) {
	if rule < len(c.values) {
		l := &stage.Limits[1+rule]
		if !l.Active {
			return c.most(seed, rows, stage, rule+1)
		}
		for value := range 64 {
			bit := uint64(1) << value
			if c.values[rule].Mask(l, seed)&bit == 0 {
				continue
			}
			var have []store.Row
			for _, row := range rows {
				if c.values[rule].Mask(l, row)&bit != 0 {
					have = append(have, row)
				}
			}
			players = max(players, c.most(seed, have, stage, rule+1))
		}
		return players
	}
	if c.rules.Pairwise {
		return c.mostPairwise(seed, rows, stage)
	}
	from := []float64{c.keys.byRow[seed], math.Inf(-1)} // the possible lowest keys of rows within the spread
	for _, row := range rows {
		from = append(from, c.keys.byRow[row])
	}
	for _, low := range from {
		high, inside := low+stage.Limits[0].Least, int32(0)
		if own := c.keys.byRow[seed]; math.IsNaN(low) || own < low || own > high {
			continue
		}
		for _, row := range rows {
			if key := c.keys.byRow[row]; !(key < low || key > high) {
				inside += c.rows.Players[row]
			}
		}
		players = max(players, inside)
	}
	return players
}

// mostPairwise is a version of the method most for rows that must also be within each other's
// spread. It is enough if the row with the lowest key and the row with the highest are within the
// spread of either of them.
func (c *crowd) mostPairwise(seed store.Row, rows []store.Row, stage *store.Stage) (players int32) {
	own, spread := c.keys.byRow[seed], func(row store.Row) float64 { return c.rows.Stage[row].Limits[0].Least }
	for _, a := range rows {
		for _, b := range rows {
			low, high, inside := c.keys.byRow[a], c.keys.byRow[b], int32(0)
			if low > high || high-low > max(spread(a), spread(b)) || max(high, own)-min(low, own) > stage.Limits[0].Least {
				continue
			}
			for _, row := range rows {
				if key := c.keys.byRow[row]; low <= key && key <= high {
					inside += c.rows.Players[row]
				}
			}
			players = max(players, inside)
		}
	}
	return players
}

// check compares the index with a search through all rows, for one seed.
func (c *crowd) check(t *testing.T, x *candidate.Index, seed store.Row) {
	t.Helper()
	room, q := int32(1+c.IntN(3)), &c.query
	stage := c.rows.Stage[seed]
	q.Around(x, seed, room, true)
	near, beyond := c.around(seed, room)
	got := q.Append(nil)
	for _, row := range near {
		if !slices.Contains(got, row) {
			t.Errorf("candidates of row %d: row %d is missing", seed, row)
		}
	}
	for _, row := range got {
		if !slices.Contains(near, row) && !slices.Contains(beyond, row) {
			t.Errorf("candidates of row %d: got row %d, which the rules exclude", seed, row)
		}
	}
	var byAge []store.Row
	for pieces, n := q.ByAge(), -1; n < len(byAge); {
		n = len(byAge)
		byAge = pieces.Append(byAge, 1+c.IntN(5))
	}
	if want := x.AppendByAge(nil, got); !slices.Equal(byAge, want) {
		t.Errorf("ByAge of row %d: got rows %v, want %v", seed, byAge, want)
	}
	// Shortfall must be exact if the index returned no rows beyond the window and the window was
	// limited.
	exact := len(got) == len(near) && stage.Limits[0].Active && !math.IsNaN(c.keys.byRow[seed])
	most := c.most(seed, near, stage, 0)
	for need := int32(1); need <= most+3; need++ {
		if missing := q.Shortfall(need); missing > max(0, need-most) || need > most && missing == 0 && exact {
			t.Errorf("Shortfall of row %d: got %d missing of %d players, but %d are within reach", seed, missing, need, most)
		}
	}
	news := int32(0)
	for _, row := range got {
		if c.fresh[row] {
			news += c.rows.Players[row]
		}
	}
	if q.News() < news {
		t.Errorf("News of row %d: got %d new players, want at least %d", seed, q.News(), news)
	}
	if !math.IsNaN(c.keys.byRow[seed]) {
		c.checkOutward(t, seed, got)
	}
}

// checkOutward checks that Outward returns the rows of list that have a key, nearest first.
func (c *crowd) checkOutward(t *testing.T, seed store.Row, list []store.Row) {
	t.Helper()
	outward, last := c.query.Outward(), 0.0
	outwards := c.query.AppendKeyless(nil)
	for _, row := range outwards {
		if !math.IsNaN(c.keys.byRow[row]) {
			t.Errorf("AppendKeyless of row %d: got row %d, which has a key", seed, row)
		}
	}
	for {
		row, difference, ok := outward.Next()
		if !ok {
			break
		}
		if want := math.Abs(c.keys.byRow[row] - c.keys.byRow[seed]); difference != want || want < last {
			t.Errorf("Outward from row %d: got row %d with distance %v after distance %v, want its distance %v and increasing order", seed, row, difference, last, want)
		}
		last, outwards = difference, append(outwards, row)
	}
	slices.Sort(outwards)
	if list = slices.Sorted(slices.Values(list)); !slices.Equal(outwards, list) {
		t.Errorf("row %d: Outward and AppendKeyless: got rows %v, want %v as from Append", seed, outwards, list)
	}
}

// The index must return and count the same rows as a search through all rows, while rows are
// added, removed and closed.
func TestIndexAgainstAllRows(t *testing.T) {
	for seed := range uint64(150) {
		c := newCrowd(seed)
		x := candidate.New(c.rows, &c.rules)
		for range 4 {
			since := c.rows.Changes
			clear(c.open)
			clear(c.fresh)
			c.members = slices.DeleteFunc(c.members, func(m candidate.Member) bool {
				gone := c.IntN(3) == 0
				if gone {
					c.rows.Remove(m.Row)
				}
				return gone
			})
			known := len(c.members)
			for range c.IntN(80) {
				c.add()
			}
			c.rows.Advance(0)
			x.Gather(c.members, since)
			for i, m := range c.members {
				c.open[m.Row], c.fresh[m.Row] = true, i >= known
				if x.Fresh(m.Row) != (i >= known) {
					t.Errorf("Fresh(%d): got %v, want %v", m.Row, x.Fresh(m.Row), i >= known)
				}
			}
			for _, m := range c.members {
				x.Withdraw(m.Row)
				c.open[m.Row] = false
				if c.check(t, x, m.Row); c.IntN(3) == 0 {
					x.Offer(m.Row)
					c.open[m.Row] = true
				}
			}
			if t.Failed() {
				t.Fatalf("failed for seed %d", seed)
			}
		}
	}
}

// The expected results were computed by hand. The keys are 0, 10, 20, …, 90. Every row has one
// player and the first value.
func TestIndexByHand(t *testing.T) {
	c := newCrowd(1)
	c.rows = store.New(func(int64) store.Stage {
		return store.Stage{UntilMS: matcher.Never, Limits: []store.Limit{{Bound: 20, Least: 20, Active: true}, {Bound: 8, Active: true}, {}}}
	})
	for i := range 10 {
		row := c.rows.Add(store.Ticket, 0, matcher.Never, 1)
		c.keys.byRow = append(c.keys.byRow, float64(10*i))
		c.values[0].byRow, c.values[1].byRow = append(c.values[0].byRow, 1), append(c.values[1].byRow, 1)
		c.members = append(c.members, candidate.Member{Row: row, Joined: c.rows.Changes})
	}
	c.rows.Advance(0)
	x := candidate.New(c.rows, &c.rules)
	x.Gather(c.members, 0)
	x.Withdraw(5)
	var q, narrow candidate.Query
	q.Around(x, 5, 1, true)
	if got := q.Append(nil); !slices.Equal(got, []store.Row{3, 4, 6, 7}) {
		t.Errorf("Append: got rows %v, want [3 4 6 7], two on either side of row 5", got)
	}
	if !q.Enough(2) || q.Enough(3) {
		t.Error("want Enough(2) and not Enough(3): of the keys 30, 40, 60 and 70, only two can be within 20 of each other and of 50")
	}
	narrow.Only(&q, 0, 2)
	if got := narrow.Append(nil); len(got) != 0 || narrow.Enough(1) {
		t.Errorf("Append: got rows %v, want none, because none has the second value", got)
	}
	if got := q.Append(nil); len(got) != 4 || !q.Enough(2) {
		t.Errorf("Append: got rows %v, want the same 4 rows as before another query was narrowed", got)
	}
	q.Around(x, 5, 1, false)
	if got := q.Append(nil); len(got) != 9 {
		t.Errorf("Append: got %d rows, want all 9 others", len(got))
	}
	x.Withdraw(9)
	x.Loosen(9, true)
	q.Around(x, 0, 1, true)
	if got := q.Append(nil); !slices.Contains(got, 9) || !x.Tied() || !q.Enough(100) {
		t.Errorf("Append: got rows %v, want row 9, which is loosened; and want Tied and Enough(100), because counting says nothing", got)
	}
}

// The expected results were computed by hand. The keys are 0 to 199. Every other row has waited
// for 50 ms, so its width is larger by 50.
func TestOwnWidths(t *testing.T) {
	c := newCrowd(0) // a seed for which rows have their own widths
	c.rows = store.New(func(waitMS int64) store.Stage {
		return store.Stage{UntilMS: waitMS + 1, Limits: []store.Limit{{Bound: float64(5 + waitMS), Least: math.Inf(1), Active: true}, {}, {}}}
	})
	var want []store.Row
	for i := range 200 {
		row := c.rows.Add(store.Ticket, -50*int64(i%2), matcher.Never, 1)
		c.keys.byRow = append(c.keys.byRow, float64(i))
		c.members = append(c.members, candidate.Member{Row: row, Joined: c.rows.Changes})
		if away := max(i-101, 101-i); away <= 5 || i%2 == 1 && away <= 55 {
			want = append(want, row)
		}
	}
	c.rows.Advance(0)
	x := candidate.New(c.rows, &c.rules)
	x.Gather(c.members, 0)
	var q candidate.Query
	if q.Around(x, 101, 1, true); !slices.Equal(q.Append(nil), want) {
		t.Errorf("Append: got rows %v, want %v", q.Append(nil), want)
	}
}

// The expected results were computed by hand. The keys are 0 to 99. Every other row has waited for
// 50 ms, so its width is 30 instead of 10. The players of the session, rows 40 and 45, have the first
// value in common. Rows 41 and 42 have only the second.
func TestBeside(t *testing.T) {
	c := newCrowd(0) // a seed for which rows have their own widths
	last := store.Stage{UntilMS: matcher.Never, Limits: []store.Limit{{Bound: 30, Least: math.Inf(1), Active: true}, {Bound: 8, Active: true}, {Bound: 8}}}
	c.rows = store.New(func(waitMS int64) store.Stage {
		if waitMS >= 50 {
			return last
		}
		return store.Stage{UntilMS: 50, Limits: []store.Limit{{Bound: 10, Least: math.Inf(1), Active: true}, {Bound: 8, Active: true}, {Bound: 8}}}
	})
	var want []store.Row
	for i := range 100 {
		value := uint64(1)
		if i == 41 || i == 42 {
			value = 2
		}
		row := c.rows.Add(store.Ticket, -50*int64(i%2), matcher.Never, 1)
		c.keys.byRow = append(c.keys.byRow, float64(i))
		c.values[0].byRow, c.values[1].byRow = append(c.values[0].byRow, value|uint64(i%3)&2), append(c.values[1].byRow, 1)
		width := 10 + i%2*20
		if c.members = append(c.members, candidate.Member{Row: row, Joined: c.rows.Changes}); value == 1 && i >= 45-width && i <= 40+width {
			want = append(want, row)
		}
	}
	c.rows.Advance(0)
	x := candidate.New(c.rows, &c.rules)
	x.Gather(c.members, 0)
	var q candidate.Query
	q.AroundIn(x, 0, &last, 1, false)
	q.Beside([]store.Row{40, 45})
	if got := q.Append(nil); !slices.Equal(got, want) {
		t.Errorf("Append: got rows %v, want %v", got, want)
	}
}

// A failed row is a candidate only while failed rows are open, and not any more after it was closed.
func TestFailedRows(t *testing.T) {
	c := newCrowd(1)
	for i := range 4 {
		row := c.rows.Add(store.Ticket, 0, matcher.Never, 1)
		c.keys.byRow = append(c.keys.byRow, float64(i))
		c.values[0].byRow, c.values[1].byRow = append(c.values[0].byRow, 1), append(c.values[1].byRow, 1)
		c.members = append(c.members, candidate.Member{Row: row, Joined: c.rows.Changes})
	}
	c.rows.Advance(0)
	x := candidate.New(c.rows, &c.rules)
	x.Gather(c.members, 0)
	check := func(when string, want ...store.Row) {
		t.Helper()
		var q candidate.Query
		q.Around(x, 3, 1, false)
		pieces := q.ByAge()
		if got := pieces.Append(nil, 9); !slices.Equal(got, want) {
			t.Errorf("%s: got rows %v, want %v", when, got, want)
		}
	}
	for row := range store.Row(3) {
		x.Withdraw(row)
	}
	x.Fail(0)
	x.Fail(2)
	check("two rows failed", 3)
	x.OfferFailed()
	check("failed rows are open", 0, 2, 3)
	x.Withdraw(0)
	x.WithdrawFailed()
	check("failed rows are closed", 3)
	x.OfferFailed()
	check("one has left", 2, 3)
}
