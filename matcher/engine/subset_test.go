package engine

import (
	"fmt"
	"mmsim/matcher"
	"slices"
	"testing"
)

// life is a pool with subsets. Tickets are added and leave, and the test keeps its own record of
// them.
type life struct {
	w       *randomCase
	pool    *Pool
	rules   *matcher.Ruleset
	subsets []*Subset
	members [][]*twinEntry // members of each subset
	waiting []*twinEntry
	nowMS   int64
}

func newLife(t *testing.T, seed uint64, subsets int) *life {
	w := newRandomCase(seed)
	rules := w.ruleset()
	if rules.Budget > 0 {
		rules.Budget = 0 // without a budget, only the set of candidates affects the decisions
	}
	pool, err := NewPool(rules, w.schema)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	l := &life{w: w, pool: pool, rules: rules, members: make([][]*twinEntry, subsets), nowMS: 10_000}
	for range subsets {
		l.subsets = append(l.subsets, pool.NewSubset())
	}
	return l
}

// change adds tickets to the pool and to subsets, and removes some of both.
func (l *life) change() {
	l.nowMS += int64(l.w.IntN(4)) * 1000
	for range l.w.IntN(3) {
		ticket := l.w.ticket(l.nowMS, 3)
		if len(l.waiting) > 10 {
			break
		}
		ticket.GiveUpMS = 0
		if row, err := l.pool.Add(ticket); err == nil {
			l.waiting = append(l.waiting, &twinEntry{row: row, createdMS: ticket.CreatedMS, players: ticket.Players})
		}
	}
	for i, s := range l.subsets {
		for _, w := range l.waiting {
			member := slices.Contains(l.members[i], w)
			switch {
			case !member && l.w.one(0.5):
				s.Add(w.row)
				s.Add(w.row)
				l.members[i] = append(l.members[i], w)
			case member && l.w.one(0.05):
				s.Remove(w.row)
				l.members[i] = slices.Delete(l.members[i], slices.Index(l.members[i], w), slices.Index(l.members[i], w)+1)
			}
		}
	}
	if n := len(l.waiting); n > 0 && l.w.one(0.2) {
		gone := l.waiting[l.w.IntN(n)]
		l.pool.Remove(gone.row)
		l.leave(gone)
	}
}

func (l *life) leave(gone *twinEntry) {
	is := func(w *twinEntry) bool { return w == gone }
	l.waiting = slices.DeleteFunc(l.waiting, is)
	for i := range l.members {
		l.members[i] = slices.DeleteFunc(l.members[i], is)
	}
}

// byAge returns the members of a subset for a twin, the oldest first.
func (l *life) byAge(i int) []*twinEntry {
	list := make([]*twinEntry, 0, len(l.members[i]))
	for _, w := range l.waiting { // in the order in which they were added
		if slices.Contains(l.members[i], w) {
			list = append(list, w)
		}
	}
	slices.SortStableFunc(list, older)
	return list
}

// twin returns a twin whose seeds are the tickets in all. Its matches contain only tickets in all
// or reserve.
func (l *life) twin(all, reserve []*twinEntry) *twin {
	t := &twin{rules: l.rules, schema: l.w.schema, all: all, pool: slices.Clone(l.waiting), reserve: reserve}
	return t
}

// check compares the decision of a subset with the decision of its twin.
func (l *life) check(t *testing.T, out matcher.Outcome, want twinOutcome) {
	t.Helper()
	var groups, wanted [][]Row
	for _, match := range out.Matches {
		groups = append(groups, match.Tickets)
	}
	for _, group := range want.groups {
		wanted = append(wanted, rowsOf(group))
		for _, w := range group {
			l.leave(w)
		}
	}
	if fmt.Sprint(groups) != fmt.Sprint(wanted) {
		t.Errorf("at %d ms: got matches %v, want %v", l.nowMS, groups, wanted)
	}
	for i, s := range l.subsets {
		if rows := s.AppendRows(nil); fmt.Sprint(rows) != fmt.Sprint(rowsOf(l.byAge(i))) || s.Len() != len(rows) || s.Players() != players(l.byAge(i)) {
			t.Errorf("at %d ms, subset %d: got rows %v, want %v", l.nowMS, i, rows, rowsOf(l.byAge(i)))
		}
	}
}

// againstTwin runs many passes in each of 600 pools with three subsets. The function decide
// compares one pass with the twin and returns the number of matches.
func againstTwin(t *testing.T, firstSeed uint64, decide func(l *life) (matches int)) {
	t.Helper()
	matches := 0
	for seed := firstSeed; seed < firstSeed+600; seed++ {
		l := newLife(t, seed, 3)
		for pass := 0; pass < 12 && !t.Failed(); pass++ {
			l.change()
			matches += decide(l)
		}
		if t.Failed() {
			t.Fatalf("failed for seed %d with rules %+v", seed, l.rules)
		}
	}
	if matches < 500 {
		t.Errorf("got %d matches, want at least 500", matches)
	}
}

// Each subset of a pool that is kept for many passes must make the same decisions as a twin that
// knows only the subset's members.
func TestSubsetsAgainstTwin(t *testing.T) {
	againstTwin(t, 3<<32, func(l *life) (matches int) {
		for i, s := range l.subsets {
			want := l.twin(l.byAge(i), nil).pass(l.nowMS)
			out := s.Match(l.nowMS, 0)
			matches += len(out.Matches)
			l.check(t, out, want)
		}
		return matches
	})
}

// In a pass with a reserve, the seeds must be members of the subset, and younger members must rank
// before the reserve. The number of matches may be limited.
func TestSubsetsWithReserveAgainstTwin(t *testing.T) {
	againstTwin(t, 5<<32, func(l *life) (matches int) {
		for i, s := range l.subsets[:2] {
			l.keepOutOfReserve(i)
			reserve, want := l.byAge(2), twinOutcome{}
			if len(reserve) > 0 {
				want = l.twin(l.byAge(i), reserve).pass(l.nowMS)
			}
			limit := l.w.IntN(2)
			if limit > 0 && len(want.groups) > limit {
				want.groups = want.groups[:limit]
			}
			out := s.MatchWith(l.nowMS, l.subsets[2], limit)
			matches += len(out.Matches)
			l.check(t, out, want)
		}
		return matches
	})
}

// keepOutOfReserve removes the members of subset i from the reserve, which is the third subset.
func (l *life) keepOutOfReserve(i int) {
	for _, w := range l.waiting {
		if slices.Contains(l.members[i], w) && slices.Contains(l.members[2], w) {
			l.subsets[2].Remove(w.row)
			l.members[2] = slices.DeleteFunc(l.members[2], func(other *twinEntry) bool { return other == w })
		}
	}
}

// AppendOldest must return the tickets that were created at an instant or before, the oldest first.
func TestAppendOldest(t *testing.T) {
	for seed := range uint64(100) {
		l := newLife(t, 9<<32+seed, 1)
		for range 12 {
			l.change()
			since := l.nowMS - int64(l.w.IntN(8))*1000
			var want []Row
			all := slices.Clone(l.waiting)
			slices.SortStableFunc(all, older)
			for _, w := range all {
				if w.createdMS <= since {
					want = append(want, w.row)
				}
			}
			if got := l.pool.AppendOldest(nil, since); !slices.Equal(got, want) {
				t.Fatalf("seed %d: AppendOldest(%d): got %v, want %v", seed, since, got, want)
			}
		}
	}
}
