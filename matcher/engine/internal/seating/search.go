package seating

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/quick"
)

// Verdict is the result of a search.
type Verdict uint8

// The results of a search.
const (
	Nothing   Verdict = iota // there is no match
	Found                    // the match is in Search.Group and Search.Team
	Exhausted                // the budget ended the search
)

// looksPerStep bounds the number of attempts to seat a ticket: this many per step of the budget.
// Most attempts fail at once and are not counted as steps, but they take time too. With the default
// budget, a search therefore ends after 50,000 attempts, also if it cannot succeed.
const looksPerStep = 5

// fewCandidates is the largest number of candidates for which Run calls quick.State.Enough before it
// seats any ticket. Run does so only if the index has not checked whether there are enough
// candidates. This made a simulated day with queues 1.8 times as fast.
const fewCandidates = 128

// Search looks for matches by seating tickets around a seed.
//
// It first goes through the candidates once, by age or by the sort rules, and seats each one that
// may join. It chooses the team as FlexMatch's guide describes: teams below their minimum come
// first, and among them the team with the most free seats. If the result is a match, trying all
// groups would find the same one. If not, the search tries all groups, but skips candidates that
// can no longer join.
//
// Only this second part has steps. Each ticket that it seats, and each check of a complete group, is
// one step. Both parts count how often they try whether a ticket may join, see looksPerStep.
type Search struct {
	Rules  *Rules
	Budget int
	Group  []Row // the tickets of the match, or those that join the session
	Team   []int // the team of each ticket in Group
	// Seated contains, for each team, the entries of the players whom the session already has. It
	// is nil for a new match.
	Seated [][]int32
	Free   int32 // free seats in the session; for a new match, any number that is large enough
	// Unfiltered makes Run search even if quick.State.Enough would rule out a match.
	Unfiltered bool
	// Anchored is set if the seed decides the stage of every group around it. That is the case if
	// the oldest ticket decides the stage and no candidate is older than the seed.
	Anchored bool

	evaluator  evaluator
	quick      quick.State
	pace       []Row // pace[d] is the ticket that decides the stage once Group[d] has joined
	candidates []Row
	source     Source             // has the candidates that are not in candidates yet, or nil if all are
	byKey      []Row              // see the method Listed
	listed     bool               // quick has received the candidates
	uncounted  bool               // the index has not checked whether there are enough candidates
	batch      []Row              // scratch space for diveByRegion
	there      []int32            // scratch space for filter
	demand     []candidate.Demand // scratch space for Demands
	any, kept  quick.Options      // scratch space for search
	left       quick.Set          // scratch space for filter
	frames     []*frame           // scratch space for the method extend, indexed by the number of tickets in the group
	alike      bool               // see Rules.teamsAlike
	closes     bool               // quick.State.Open may exclude teams
	plain      bool               // quick checks all rules, and team sizes do not change with the wait
	steps      int
	looks      int
	joined     int32 // number of players in Group
}

// Begin prepares a new Search. It is called once.
func (s *Search) Begin(rules *Rules, budget int) {
	s.Rules, s.Budget = rules, budget
	s.alike = rules.teamsAlike()
	s.evaluator = rules.evaluator()
	s.there = make([]int32, len(rules.teams))
	s.quick.Begin(&rules.checks, len(rules.teams))
}

// List returns an empty slice. The caller may append candidates to it and pass it to Listed.
func (s *Search) List() []Row { return s.candidates[:0] }

// Listed sets the candidates, which must be in order of age. If sorts is set, it reorders them by
// the sort rules. byKey contains the same candidates in the order of the index. It is nil if some
// of them are not in the index.
func (s *Search) Listed(list, byKey []Row, seed Row, sorts bool) {
	s.candidates, s.byKey, s.listed, s.source = list, byKey, false, nil
	s.uncounted = byKey == nil
	if sorts && len(s.Rules.sorts) > 0 {
		s.Rules.order(list, seed)
	}
}

// Source lists the candidates of a seed piece by piece. Of thousands, a match often needs only the
// first few dozen.
type Source interface {
	// More appends further candidates, in order of age. It appends nothing if there are no more.
	More(dst []Row) []Row
	// ByKey returns all candidates in the order of the index.
	ByKey() []Row
}

// ListedBy sets the candidates to those of a source.
func (s *Search) ListedBy(source Source) {
	s.candidates, s.byKey, s.listed, s.source, s.uncounted = s.candidates[:0], nil, false, source, false
}

// more gets further candidates. It returns false if there are no more.
func (s *Search) more() bool {
	n := len(s.candidates)
	if s.source != nil {
		s.candidates = s.source.More(s.candidates)
	}
	return len(s.candidates) > n
}

// list passes the candidates to quick unless that has been done.
func (s *Search) list() {
	if s.source != nil {
		for s.more() {
		}
		s.byKey, s.source = s.source.ByKey(), nil
	}
	if !s.listed {
		s.quick.List(&s.evaluator.Group, s.candidates, s.byKey)
	}
	s.listed = true
}

// Run looks for a match around a ticket. If seed is negative, it looks for tickets that join the
// session whose players are in Seated.
func (s *Search) Run(seed Row) Verdict {
	s.prepare()
	for _, team := range s.starts(seed) {
		if !s.start(seed, team) {
			continue
		}
		if seed >= 0 && s.uncounted && !s.Unfiltered && len(s.candidates) <= fewCandidates {
			s.list()
			if !s.quick.Enough(&s.evaluator.Group, len(s.Group), s.quick.All(), s.Rules.Least(seed)-s.Rules.rows.Players[seed]) {
				continue
			}
		}
		if s.Rules.Set.Large != nil {
			if s.diveByRegion(seed, team) {
				return Found
			}
			if s.spent() {
				return Exhausted
			}
			continue
		}
		if s.dive(math.MaxInt32); s.check() {
			return Found
		}
		if s.spent() {
			return Exhausted
		}
		s.start(seed, team)
		if v := s.search(); v != Nothing {
			return v
		}
	}
	return Nothing
}

// prepare starts a new search.
func (s *Search) prepare() {
	s.steps, s.looks = 0, 0
	s.evaluator.Anchored = s.Anchored
	s.evaluator.Complete = false
	s.evaluator.Seated = len(s.Seated) > 0
	s.closes = s.quick.Closes() && !s.Unfiltered // an Unfiltered search counts all evaluations
	unsettled := func(r *rule) bool { return !s.evaluator.settled(r) }
	s.plain = s.Rules.fixedSizes && !slices.ContainsFunc(s.Rules.enforced, unsettled)
}

// MayMeet reports whether the rules may allow any of the tickets in a match with the seed. If the
// last search around the seed failed, it is enough to ask for the tickets that are new since then:
// without one of them, the search would fail again. Otherwise, a seed that few others can play with
// is the seed of a search through all tickets whenever a ticket joins: 20 minutes of a day of hunters
// against a boss whom they choose by skill took 8.3 s of CPU time instead of 5.9 s.
func (s *Search) MayMeet(seed Row, rows []Row) bool {
	s.prepare()
	var few [8]int
	for _, team := range s.starts(seed) {
		if !s.start(seed, team) {
			continue
		}
		for _, row := range rows {
			for _, team := range s.seats(few[:0], s.Rules.rows.Players[row]) {
				if s.may(row, team) {
					return true
				}
			}
		}
	}
	return false
}

// spent reports whether the budget is used up.
func (s *Search) spent() bool { return s.steps > s.Budget || s.looks > looksPerStep*s.Budget }

// starts returns the teams in which to try the seed. For a session, it returns -1 as the only
// element.
func (s *Search) starts(seed Row) []int {
	if seed < 0 {
		return []int{-1}
	}
	s.reset()
	s.evaluator.Stage = s.Rules.rows.Stage[seed]
	return s.seats(nil, s.Rules.rows.Players[seed])
}

// start begins a new group with the seed in the given team. It reports whether the rules allow
// that.
func (s *Search) start(seed Row, team int) bool {
	s.reset()
	if seed < 0 {
		return true
	}
	return s.push(seed, team)
}

// reset removes all tickets from the group. Session players keep their seats.
func (s *Search) reset() {
	e := &s.evaluator
	s.Group, s.Team, s.pace, e.Stage, e.Complete, s.joined = s.Group[:0], s.Team[:0], s.pace[:0], &s.Rules.anyWait, false, 0
	for team := range e.Sides {
		e.Sides[team], e.Counts[team] = e.Sides[team][:0], 0
		if len(s.Seated) > 0 {
			for _, member := range s.Seated[team] {
				e.Sides[team] = append(e.Sides[team], entry(member))
				e.Counts[team]++
			}
		}
	}
	s.quick.Reset(&e.Group)
}

// seat adds a ticket to a team without any check.
func (s *Search) seat(row Row, team int) {
	e, rows := &s.evaluator, s.Rules.rows
	pace := s.decidingTicket(row)
	s.Group, s.Team, s.pace = append(s.Group, row), append(s.Team, team), append(s.pace, pace)
	e.Stage = rows.Stage[pace]
	e.Sides[team] = append(e.Sides[team], entry(row))
	e.Counts[team] += rows.Players[row]
	s.joined += rows.Players[row]
	e.Complete = false
}

// push adds a ticket to a team and reports whether the group may still become a match. The caller
// must call pop to remove the ticket, even if push returned false.
func (s *Search) push(row Row, team int) bool {
	return s.tryTeam(row, team) && s.allowed()
}

// allowed reports whether the rules that quick does not decide allow the group.
func (s *Search) allowed() bool {
	for _, r := range s.Rules.enforced {
		if !s.evaluator.settled(r) && s.evaluator.verdict(r) == fails {
			return false
		}
	}
	return true
}

// tryTeam adds a ticket to a team. It reports whether the team has room for it and the rules of
// quick allow it.
func (s *Search) tryTeam(row Row, team int) bool {
	s.seat(row, team)
	return s.evaluator.Measure() && s.quick.Push(&s.evaluator.Group, row, team, len(s.Group))
}

// pop removes the ticket that was added last.
func (s *Search) pop() {
	e, d := &s.evaluator, len(s.Group)-1
	team := s.Team[d]
	e.Counts[team] -= s.Rules.rows.Players[s.Group[d]]
	s.joined -= s.Rules.rows.Players[s.Group[d]]
	e.Sides[team] = e.Sides[team][:len(e.Sides[team])-1]
	s.Group, s.Team, s.pace = s.Group[:d], s.Team[:d], s.pace[:d]
	if e.Stage = &s.Rules.anyWait; d > 0 {
		e.Stage = s.Rules.rows.Stage[s.pace[d-1]]
	}
}

// seats appends the teams with room for the given number of players, in the order in which to try
// them. If several teams are equivalent, it appends only the first.
func (s *Search) seats(dst []int, players int32) []int {
	from := len(dst)
	for team := range s.evaluator.Counts {
		if s.free(team) < players || s.twin(dst[from:], team) {
			continue
		}
		at := len(dst)
		dst = append(dst, team)
		for ; at > from && s.before(team, dst[at-1]); at-- {
			dst[at], dst[at-1] = dst[at-1], team
		}
	}
	return dst
}

// twin reports whether a team is equivalent to one of the earlier teams: they have the same
// number of players and the same bounds, and no rule distinguishes them.
//
// If every rule reads all teams, empty teams are also equivalent. An Unfiltered search tries such
// teams anyway, because it counts the evaluations.
func (s *Search) twin(earlier []int, team int) bool {
	e := &s.evaluator
	alike := s.alike || e.Counts[team] == 0 && s.Rules.symmetric && (e.Explains || !s.Unfiltered)
	return alike && slices.ContainsFunc(earlier, func(other int) bool {
		least, most, a, b := e.Least(team), e.Most(team), &s.Rules.Set.Teams[team], &s.Rules.Set.Teams[other]
		return e.Counts[other] == e.Counts[team] && e.Absent(other) == e.Absent(team) && e.Least(other) == least && e.Most(other) == most &&
			(least.Exact() && most.Exact() || slices.Equal(a.Min, b.Min) && slices.Equal(a.Max, b.Max))
	})
}

// free returns the number of free seats in a team.
func (s *Search) free(team int) int32 {
	return min(s.Free-s.joined, int32(s.evaluator.Most(team).High)-s.evaluator.Counts[team])
}

// before reports whether team a is filled before team b. Teams below their minimum come first, and
// absent teams last. Otherwise, the team with more free seats comes first.
func (s *Search) before(a, b int) bool {
	e := &s.evaluator
	short := func(team int) bool { return float64(e.Counts[team]) < e.Requires(team).High }
	if short(a) != short(b) {
		return short(a)
	}
	if e.Absent(a) != e.Absent(b) {
		return e.Absent(b)
	}
	return s.free(a) > s.free(b)
}

// full reports whether no team has room.
func (s *Search) full() bool {
	for team := range s.evaluator.Counts {
		if s.free(team) > 0 {
			return false
		}
	}
	return true
}

// dive seats each candidate that may join. left is the number of players of all candidates
// together. dive stops when the remaining candidates have too few players for a match, or when the
// budget is used up.
func (s *Search) dive(left int32) {
	var few [8]int
	teams, all, tickets, players := few[:0], uint64(0), -1, int32(0)
	full, missing, filled := s.full(), s.missing(), s.quick.Filled(&s.evaluator.Group, len(s.Group))
	for k := 0; !full && !s.spent() && (k < len(s.candidates) || s.more()); k++ {
		row := s.candidates[k]
		n := s.Rules.rows.Players[row]
		seated := false
		if !s.plain || !s.alike || s.may(row, 0) { // if teams are alike, checking team 0 is enough
			if tickets != len(s.Group) || players != n {
				teams, tickets, players = s.seats(teams[:0], n), len(s.Group), n
				all = mask(teams)
			}
			open := all
			if s.closes {
				end := min(len(s.candidates), k+1+looksPerStep*s.Budget-s.looks, k+1+int(max(0, left-missing)/n)) // dive ends there
				if shut := s.quick.Shut(&s.evaluator.Group, &filled, s.candidates[k:end], n, all); shut > 0 {
					k, s.looks, left, open = k+shut-1, s.looks+shut-1, left-int32(shut-1)*n, 0
				} else {
					open = s.quick.Open(&s.evaluator.Group, &filled, row, all)
				}
			}
			seated = open != 0 && s.join(row, teams, open)
		}
		left -= n
		if s.looks++; seated {
			full, missing, filled = s.full(), s.missing(), s.quick.Filled(&s.evaluator.Group, len(s.Group))
		} else if missing > left {
			return
		}
	}
}

// join seats a ticket in the first of the given teams that it may join. It tries only teams
// in the mask open.
func (s *Search) join(row Row, teams []int, open uint64) bool {
	for _, team := range teams {
		switch {
		case open>>team&1 == 0:
		case !s.plain:
			if s.push(row, team) {
				return true
			}
			s.pop()
		case s.alike || s.may(row, team): // if teams are alike, dive has already called may
			s.seat(row, team)
			s.evaluator.Measure()
			s.quick.Take(&s.evaluator.Group, row, team, len(s.Group))
			return true
		}
	}
	return false
}

// mask returns a mask of teams.
func mask(teams []int) (mask uint64) {
	for _, team := range teams {
		mask |= 1 << team
	}
	return mask
}

// missing returns the smallest number of players who must still join to make a match.
func (s *Search) missing() (players int32) {
	for team, n := range s.evaluator.Counts {
		players += max(0, int32(s.evaluator.Requires(team).Low)-n)
	}
	return players
}

// check reports whether the group is a match.
func (s *Search) check() bool {
	s.evaluator.Complete = true
	return len(s.Group) > 0 && s.broken() < 0
}

// broken returns the index of a rule that a complete group breaks, or -1 if the group is a match. If
// the sizes of the teams are wrong, the index is the number of rules.
func (s *Search) broken() int {
	if !s.fits() {
		return len(s.Rules.Set.Rules)
	}
	for _, r := range s.Rules.enforced {
		if s.evaluator.verdict(r) != holds {
			return r.Index
		}
	}
	if latencies := s.Rules.latencies; len(latencies) > 1 && s.evaluator.latency(latencies) != holds {
		return latencies[len(latencies)-1].Index
	}
	return -1
}

// Teams returns the number of teams of a match. All teams after the last one with players are absent, if
// they may be.
func (s *Search) Teams() int {
	n := len(s.Rules.teams)
	for n > 0 && s.evaluator.Absent(n-1) {
		n--
	}
	return n
}

// fits reports whether every team has an allowed size and no absent team precedes another.
func (s *Search) fits() bool {
	e := &s.evaluator
	for team, l := range s.Rules.teams[:s.Teams()] {
		n := float64(e.Counts[team])
		if n < l.Least.At(e.Stage, true).Low || n > l.Most.At(e.Stage, true).High {
			return false
		}
	}
	return true
}

// may reports whether push would allow a ticket in a team. If quick checks all rules, may does
// not seat the ticket. That saves a tenth of the time of a simulated day with skill and region.
func (s *Search) may(row Row, team int) bool {
	if !s.plain {
		s.seat(row, team)
		ok := s.evaluator.Measure() && s.quick.Lets(&s.evaluator.Group, row, team, len(s.Group)-1)
		if ok {
			s.quick.Bound(&s.evaluator.Group, row, len(s.Group)-1)
			ok = s.allowed()
		}
		s.pop()
		return ok
	}
	e := &s.evaluator
	stage := e.Stage
	e.Stage = s.Rules.rows.Stage[s.decidingTicket(row)]
	ok := s.quick.Lets(&e.Group, row, team, len(s.Group))
	e.Stage = stage
	return ok
}

// decidingTicket returns the ticket that would decide the group's stage if row joined.
func (s *Search) decidingTicket(row Row) Row {
	return s.quick.Deciding(&s.evaluator.Group, s.deciding(), row)
}

// deciding returns the ticket that decides the group's stage, or -1 if the group has no tickets.
func (s *Search) deciding() Row {
	if d := len(s.pace); d > 0 {
		return s.pace[d-1]
	}
	return -1
}

// AppendRegions appends the regions in which the match can be played. The first is the one where
// the slowest player has the lowest round-trip time. Without latency rules, it appends nothing.
func (s *Search) AppendRegions(dst []matcher.Region) []matcher.Region {
	if len(s.Rules.latencies) == 0 {
		return dst
	}
	s.evaluator.Complete = true
	return s.evaluator.regions(dst, s.Rules.latencies)
}

// Demands returns what a match around a seed needs of each quota, in addition to the seed, whatever
// the seed's team and the match's stage may be.
func (s *Search) Demands(seed Row) []candidate.Demand {
	q, e := &s.quick, &s.evaluator
	if s.demand = s.demand[:0]; len(q.Quotas) == 0 {
		return nil
	}
	s.reset()
	e.Stage, e.Anchored = s.Rules.rows.Stage[seed], false
	all, own, players := q.Demands(&e.Group), s.Rules.checks.Traits[seed].Has, s.Rules.rows.Players[seed]
	for i := range q.Quotas {
		s.demand = append(s.demand, candidate.Demand{With: all[i].With - own[i], Without: all[i].Without - (players - own[i])})
	}
	return s.demand
}
