package engine

import (
	"fmt"
	"math/rand/v2"
	"mmsim/matcher"
	"slices"
	"testing"
)

// keptPool keeps a pool for many passes, and adds and removes tickets and sessions. It records what a
// new pool must contain to make the same decisions.
type keptPool struct {
	rules    *matcher.Ruleset
	schema   *matcher.Schema
	kept     *Pool
	assigner *placeAssigner
	subsets  []*Subset
	tickets  map[Row]matcher.Ticket
	sessions map[Row]matcher.Session
	order    []Row          // rows in the order in which they were added
	joined   []map[Row]bool // members of each subset
	nowMS    int64
}

func newKeptPool(t *testing.T, rules *matcher.Ruleset, schema *matcher.Schema, subsets int) *keptPool {
	k := &keptPool{rules: rules, schema: schema, tickets: make(map[Row]matcher.Ticket), sessions: make(map[Row]matcher.Session)}
	var err error
	if k.kept, err = NewPool(rules, schema); err != nil {
		t.Fatal(err)
	}
	k.assigner = newPlaceAssigner(k.kept) // only the kept pool uses places; new pools get the round-trip times of each ticket
	for range subsets {
		k.subsets, k.joined = append(k.subsets, k.kept.NewSubset()), append(k.joined, make(map[Row]bool))
	}
	return k
}

func (k *keptPool) add(ticket matcher.Ticket) {
	if row, err := k.kept.Add(k.assigner.place(ticket)); err == nil {
		k.tickets[row], k.order = ticket, append(k.order, row)
	}
}

func (k *keptPool) addSession(session matcher.Session) {
	if row, err := k.kept.AddSession(session); err == nil {
		k.sessions[row], k.order = session, append(k.order, row)
	}
}

func (k *keptPool) join(i int, row Row) {
	k.subsets[i].Add(row)
	k.joined[i][row] = true
}

// forget records that a row has left the pool.
func (k *keptPool) forget(row Row) {
	delete(k.tickets, row)
	delete(k.sessions, row)
	for _, joined := range k.joined {
		delete(joined, row)
	}
	k.order = slices.DeleteFunc(k.order, func(other Row) bool { return other == row })
}

// fresh returns a new pool with the same tickets, sessions and subsets. The returned map has, for
// each row of the new pool, the row in the kept pool.
func (k *keptPool) fresh(t *testing.T) (pool *Pool, subsets []*Subset, name map[Row]Row) {
	pool, err := NewPool(k.rules, k.schema)
	if err != nil {
		t.Fatal(err)
	}
	for range k.subsets {
		subsets = append(subsets, pool.NewSubset())
	}
	name = make(map[Row]Row)
	for _, row := range k.order {
		var same Row
		if session, open := k.sessions[row]; open {
			same, err = pool.AddSession(session)
		} else {
			same, err = pool.Add(k.tickets[row])
		}
		if err != nil {
			t.Fatal(err)
		}
		name[same] = row
		for i := range subsets {
			if k.joined[i][row] {
				subsets[i].Add(same)
			}
		}
	}
	return pool, subsets, name
}

// outcomeText returns an outcome as text. The parameter name maps each row to the row that is
// printed instead. If it is nil, rows are printed unchanged.
func outcomeText(out matcher.Outcome, name map[Row]Row) (text string) {
	printed := func(row Row) Row {
		if name == nil {
			return row
		}
		return name[row]
	}
	proposal := func(p *matcher.Proposal) {
		for _, row := range p.Tickets {
			text += fmt.Sprint(printed(row), " ")
		}
		text += fmt.Sprint("in ", p.Region, p.Regions, " ")
		for _, side := range p.Teams {
			for _, row := range side.Tickets {
				text += fmt.Sprint(printed(row), " ")
			}
			text += fmt.Sprint(side.Members, "; ")
		}
	}
	for _, row := range out.Expired {
		text += fmt.Sprint("expired ", printed(row), "\n")
	}
	for i := range out.Backfills {
		text += fmt.Sprint("session ", printed(out.Backfills[i].Session), ": ")
		proposal(&out.Backfills[i].Proposal)
		text += "\n"
	}
	for i := range out.Matches {
		proposal(&out.Matches[i])
		text += "\n"
	}
	return text
}

// compare compares the decisions of both pools and forgets the rows that have left.
func (k *keptPool) compare(t *testing.T, label string, got, want matcher.Outcome, name map[Row]Row) (matches int) {
	t.Helper()
	if a, b := outcomeText(got, nil), outcomeText(want, name); a != b {
		t.Fatalf("at %d ms, %s: got outcome\n%swant as from a new pool\n%s", k.nowMS, label, a, b)
	}
	for _, row := range got.Expired {
		k.forget(row)
	}
	for i := range got.Backfills {
		k.forget(got.Backfills[i].Session)
		for _, row := range got.Backfills[i].Tickets {
			k.forget(row)
		}
	}
	for i := range got.Matches {
		for _, row := range got.Matches[i].Tickets {
			k.forget(row)
		}
	}
	return len(got.Matches) + len(got.Backfills)
}

// decide makes a pass of a random kind in both pools.
func (k *keptPool) decide(t *testing.T, r *rand.Rand) int {
	pool, subsets, name := k.fresh(t)
	i, limit := r.IntN(3), r.IntN(3)
	switch r.IntN(3) {
	case 0:
		return k.compare(t, "in all", k.kept.Pass(k.nowMS), pool.Pass(k.nowMS), name)
	case 1:
		return k.compare(t, "in a subset", k.subsets[i].Match(k.nowMS, limit), subsets[i].Match(k.nowMS, limit), name)
	}
	i %= 2
	matches := 0
	if r.IntN(2) == 0 { // a pass of a datacenter, which is made in a subset
		got := k.subsets[i].Match(k.nowMS, 0)
		matches = k.compare(t, "in a subset", got, subsets[i].Match(k.nowMS, 0), name)
		if r.IntN(3) == 0 {
			_, subsets, name = k.fresh(t)
		}
	}
	got := k.subsets[i].MatchWith(k.nowMS, k.subsets[2], limit)
	return matches + k.compare(t, "with a reserve", got, subsets[i].MatchWith(k.nowMS, subsets[2], limit), name)
}

// live simulates 25 steps of time. In each, tickets and sessions are added, join subsets, leave,
// and are matched. The functions ticket and session draw a ticket or a session that is created at
// nowMS.
func (k *keptPool) live(t *testing.T, r *rand.Rand, ticket func(nowMS int64) matcher.Ticket, session func(nowMS int64) matcher.Session) (matches int) {
	for range 25 {
		k.nowMS += int64(r.IntN(4)) * 700
		for n := r.IntN(4); n > 0 && len(k.tickets) < 40; n-- {
			k.add(ticket(k.nowMS))
		}
		if session != nil && r.IntN(8) == 0 {
			k.addSession(session(k.nowMS))
		}
		for _, row := range slices.Clone(k.order) {
			_, waits := k.tickets[row]
			switch i := r.IntN(3); {
			case r.IntN(30) == 0:
				k.kept.Remove(row)
				k.forget(row)
			case waits && i < 2 && !k.joined[2][row] && r.IntN(3) == 0, waits && i == 2 && r.IntN(12) == 0 && !k.joined[0][row] && !k.joined[1][row]:
				k.join(i, row)
			case r.IntN(20) == 0 && waits:
				k.subsets[i].Remove(row)
				delete(k.joined[i], row)
			}
		}
		matches += k.decide(t, r)
	}
	return matches
}

// A pool and its subsets must make the same decisions as new ones, although they remember failed
// searches.
func TestKeptPoolAgainstNewPool(t *testing.T) {
	matches := 0
	for seed := range uint64(250) {
		w := newRandomCase(7<<32 + seed)
		k := newKeptPool(t, w.ruleset(), w.schema, 3)
		k.nowMS = 20_000
		matches += k.live(t, w.Rand, func(nowMS int64) matcher.Ticket { return w.ticket(nowMS, 3) }, func(nowMS int64) matcher.Session { return w.session(nowMS, k.rules) })
		if t.Failed() {
			t.Fatalf("failed for seed %d", seed)
		}
	}
	if matches < 800 {
		t.Errorf("got %d matches, want at least 800", matches)
	}
}

// This test does the same as TestKeptPoolAgainstNewPool. All rules are about numbers and regions,
// and budgets end some searches.
func TestKeptPoolOfPlainRulesAgainstNewPool(t *testing.T) {
	matches := 0
	for seed := range uint64(500) {
		w := newRandomCase(9<<32 + seed)
		k := newKeptPool(t, w.plainRules(), w.schema, 3)
		k.nowMS = 20_000
		largest := 1 + w.IntN(3)
		matches += k.live(t, w.Rand, func(nowMS int64) matcher.Ticket { return w.ticket(nowMS, largest) }, nil)
	}
	if matches < 1000 {
		t.Errorf("got %d matches, want at least 1000", matches)
	}
}

func TestKeptPivotPoolAgainstNewPool(t *testing.T) {
	matches := 0
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 11))
		w := drawPivotCase(r, seed%2 == 0)
		if len(w.tickets) == 0 {
			continue
		}
		k := newKeptPool(t, w.rules, w.schema, 3)
		k.nowMS = w.nowMS
		next := 0
		ticket := func(nowMS int64) matcher.Ticket {
			next++
			made := w.tickets[next%len(w.tickets)]
			made.CreatedMS = nowMS - int64(r.IntN(6))*500
			if r.IntN(4) == 0 {
				made.GiveUpMS = 9000
			}
			return made
		}
		session := func(nowMS int64) matcher.Session {
			made := drawPivotCase(rand.New(rand.NewPCG(seed, uint64(nowMS))), false)
			if len(made.sessions) == 0 || made.schema.Regions() > w.schema.Regions() {
				return matcher.Session{Region: matcher.NoRegion}
			}
			return matcher.Session{CreatedMS: nowMS, Region: matcher.NoRegion, Capacity: made.sessions[0].Capacity, Members: made.sessions[0].Members, Values: made.sessions[0].Values}
		}
		matches += k.live(t, r, ticket, session)
		if t.Failed() {
			t.Fatalf("failed for seed %d", seed)
		}
	}
	if matches < 800 {
		t.Errorf("got %d matches, want at least 800", matches)
	}
}
