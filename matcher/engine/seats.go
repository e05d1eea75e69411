package engine

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/seating"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// seats forms matches by seating tickets in named teams.
type seats struct {
	pool   *Pool
	rules  *seating.Rules
	search seating.Search
	seated map[Row][][]int32 // indexed by session and team: the session's players, as numbers returned by seating.Rules.Seat

	window  *window          // the current seed, for More and ByKey
	byAge   candidate.ByAge  // the candidates that More has not listed yet
	byKey   []Row            // scratch space for list
	besides []Row            // scratch space for try
	news    []Row            // scratch space for try
	members []teamMember     // scratch space for propose
	choices []matcher.Region // scratch space for propose
}

func newSeats(p *Pool) *seats {
	v := &seats{pool: p, rules: seating.Compile(p.rules, p.schema), seated: map[Row][][]int32{}}
	p.rows, p.index, p.largest, p.teams = store.New(v.rules.StageAt), &v.rules.Index, 0, len(p.rules.Seats.Teams)
	for i := range p.rules.Seats.Teams {
		p.largest = max(p.largest, int(ranges.Of(p.rules.Seats.Teams[i].Max).High))
	}
	v.rules.Begin(p.rows)
	v.search.Begin(v.rules, p.budget)
	p.invalidate, p.evaluations, p.split, p.partSize, p.ownObstacle = v.invalidate, v.rules.Evaluations, v.split, p.rules.Batch, v.ownObstacle
	return v
}

// begin implements method.begin.
func (v *seats) begin() (changed bool) { return v.rules.Late }

func (v *seats) load(row Row, t *matcher.Ticket) { v.rules.Load(row, t) }

func (v *seats) loadSession(row Row, s *matcher.Session) {
	seated := make([][]int32, len(v.pool.rules.Seats.Teams))
	for i := range s.Members {
		m := &s.Members[i]
		seated[m.Team] = append(seated[m.Team], v.rules.Enter(m.Player, s.Region))
	}
	v.seated[row] = seated
}

func (v *seats) clear(row Row) {
	for _, players := range v.seated[row] {
		for _, entry := range players {
			v.rules.Leave(entry)
		}
	}
	delete(v.seated, row)
}

func (v *seats) addPlace(rttMS []float64) matcher.Place { return v.rules.AddPlace(rttMS) }

// room returns the number of players for whom there is room in a match around a seed.
func (v *seats) room(seed Row) int32 {
	if s := v.pool.details[seed]; s != nil {
		return int32(s.Capacity - len(s.Members))
	}
	return int32(v.pool.rules.MaxPlayers) - v.pool.rows.Players[seed]
}

// invalidate implements optionalFuncs.invalidate. It marks as stale every ticket that may be in a match
// that was impossible in the subset's last pass. Searches around all other tickets would fail
// again, so the pass may skip them. The parameter since is the value of Rows.Changes at the last
// pass. If the index cannot find these tickets, invalidate marks nothing and returns false.
func (v *seats) invalidate(s *Subset, since uint64) bool {
	if !s.index.Invalidates() || v.pool.Unfiltered || v.rules.Late {
		return false
	}
	for i := range s.members {
		if m := &s.members[i]; s.index.Fresh(m.Row) {
			s.index.Invalidate(m.Row, m.Joined > since, v.room(m.Row), v.rules.Least(m.Row)-v.pool.rows.Players[m.Row])
		}
	}
	return true
}

// try implements method.try.
func (v *seats) try(w *window) verdict {
	p, q := v.pool, w.query
	seed := w.seed
	if w.session {
		q.AroundIn(w.subset.index, w.seed, &v.rules.Last, v.room(w.seed), false)
		if !p.Unfiltered {
			v.besides = v.besides[:0]
			for _, players := range v.seated[w.seed] {
				for _, player := range players {
					v.besides = append(v.besides, Row(player))
				}
			}
			q.Beside(v.besides)
		}
		v.search.Seated, v.search.Free, seed = v.seated[w.seed], v.room(w.seed), -1
	} else if v.search.Seated, v.search.Free = nil, math.MaxInt32; w.reserve == nil && !p.Unfiltered {
		q.Demand(v.search.Demands(seed))
		if need := v.rules.Least(seed) - p.rows.Players[seed]; !q.EnoughByNewest(need) {
			return failed
		}
	}
	v.search.Unfiltered, v.search.Anchored = p.Unfiltered, v.pool.rules.Seats.Oldest && !w.session && w.reserve == nil
	if w.again && !p.Unfiltered {
		if v.news = p.samePart(q.AppendNews(v.news[:0]), seed); !v.search.MayMeet(seed, v.news) {
			return failed
		}
	}
	v.list(w)
	switch v.search.Run(seed) {
	case seating.Exhausted:
		return p.exhaust(w.seed, matcher.GroupSearch)
	case seating.Nothing:
		return failed
	}
	v.members, v.choices = v.members[:0], v.search.AppendRegions(v.choices[:0])
	for k, row := range v.search.Group {
		v.members = append(v.members, teamMember{row, -1, v.search.Team[k]})
	}
	return p.propose(w, v.search.Group, v.members, v.search.Teams(), v.choices)
}

// Candidates are listed piece by piece, in pieces of pieceOf, if they are at least pieceOf and one in
// listedShare of all waiting tickets. If they are fewer, it is faster to list them at once. Without
// pieces, and without Query.Beside, a pass with n sessions and 20 n tickets took n² steps: 400 ms for
// 800 sessions by skill and region instead of 98 ms, 350 ms by region instead of 48 ms, and 221 ms
// without rules instead of 32 ms (BenchmarkBackfill, normal priority).
const (
	pieceOf     = 64
	listedShare = 16
)

// list passes the candidates of a seed to the search.
func (v *seats) list(w *window) {
	p, q := v.pool, w.query
	sorts := !w.session && v.rules.Sorts()
	if w.reserve == nil && !sorts && v.rules.Set.Large == nil {
		if n := int(q.Size()); n >= pieceOf && n*listedShare >= p.waiting {
			v.window, v.byAge = w, q.ByAge()
			v.search.ListedBy(v)
			return
		}
	}
	v.byKey = p.samePart(q.Append(v.byKey[:0]), w.seed)
	list := w.subset.index.AppendByAge(v.search.List(), v.byKey)
	byKey := v.byKey
	if w.reserve != nil {
		list = slices.DeleteFunc(w.reserve.AppendRows(list), func(row Row) bool { return row == w.seed })
		slices.SortFunc(list, p.rows.Compare)
		byKey = nil
	}
	v.search.Listed(list, byKey, w.seed, !w.session)
}

// More implements seating.Source.
func (v *seats) More(dst []Row) []Row {
	for n := len(dst); len(dst) == n; {
		if dst = v.byAge.Append(dst, pieceOf); len(dst) == n {
			break
		}
		dst = dst[:n+len(v.pool.samePart(dst[n:], v.window.seed))]
	}
	return dst
}

// ByKey implements seating.Source.
func (v *seats) ByKey() []Row {
	v.byKey = v.pool.samePart(v.window.query.Append(v.byKey[:0]), v.window.seed)
	return v.byKey
}

// split implements optionalFuncs.split. It sorts tickets and sessions and cuts them into batches. If
// SeatRules.SortBy is set, they are sorted by it. Otherwise their order is random, or the order of
// age if Pool.Draw is nil. A ticket's random number depends only on the instant and on the ticket's
// age, so it is the same in every pool.
func (v *seats) split(rows []Row) {
	p := v.pool
	switch {
	case len(p.rules.Seats.SortBy) > 0:
		slices.SortStableFunc(rows, v.rules.CompareSorted)
	case p.Draw != nil:
		draws, ties := make([]uint64, p.rows.Len()), uint64(0)
		for i, row := range rows {
			if ties++; i == 0 || p.rows.CreatedMS[rows[i-1]] != p.rows.CreatedMS[row] {
				ties = 0
			}
			draws[row] = p.Draw(uint64(p.rows.CreatedMS[row])<<16+ties, uint64(p.rows.NowMS))
		}
		slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(draws[a], draws[b]) })
	}
	for i, row := range rows {
		p.parts[row] = int32(i / p.partSize)
	}
}

// ownObstacle implements optionalFuncs.ownObstacle.
func (v *seats) ownObstacle(row Row) (rule int, apart bool) {
	rule, apart = v.search.KeepsOwnApart(row)
	return rule, apart && rule < len(v.pool.names)
}

// obstacle implements method.obstacle. It names a rule only if no match with both tickets can
// satisfy the rule.
func (v *seats) obstacle(a, b Row, full bool) Obstacle {
	o := Obstacle{Other: b, AllowedMS: matcher.Never}
	rows := v.pool.rows
	if rows.Kind[a] != store.Ticket || rows.Kind[b] != store.Ticket {
		return o
	}
	at, words, apart := v.search.KeepsApart(a, b, full)
	if !apart {
		return o
	}
	o.Why, o.Rule, o.Words = ByRule, at, words
	if full {
		o.AllowedMS = rows.FirstLater(a, b, func() bool {
			_, _, apart := v.search.KeepsApart(a, b, false)
			return !apart
		})
	}
	return o
}

// turn implements method.turn.
func (v *seats) turn(waitMS int64) int64 { return v.rules.StageAt(waitMS).UntilMS }
