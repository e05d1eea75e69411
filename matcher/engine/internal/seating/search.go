package seating

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Verdict is the result of a search.
type Verdict uint8

// The verdicts.
const (
	Nothing   Verdict = iota // there is no match
	Found                    // see Search.Group
	Exhausted                // the budget ended the search
)

// looksPerStep is the number of attempts to seat a ticket that a step of the budget allows.
// Most attempts fail at once, but a search over many candidates must end too.
const looksPerStep = 5

// fewCandidates is the largest number of candidates for which it pays to call enough before the
// first attempt, if the index has not counted them. This made a day in queues 1.8 times as
// fast.
const fewCandidates = 128

// Search seats tickets around a seed.
//
// First it seats every candidate that may be seated, in the order of age or of the sort rules,
// each in the first team by the guide's order: of the teams below their minimum the one with
// the most open seats, then of all teams. If that makes a match, it is the same match that
// trying all groups would find. Otherwise the search tries all groups, and keeps only
// candidates that may still join. A step is a seated ticket, or a check of a complete group.
type Search struct {
	Rules  *Rules
	Budget int
	Group  []Row // of the last match found, without the session
	Team   []int // team of each ticket of Group
	// Seated are the players of the current session, by team.
	Seated [][]int32
	Free   int32 // free seats of the session; for a new match, more than any match needs
	// Unfiltered makes Run try a seed even if it certainly has too few candidates.
	Unfiltered bool
	// Anchored is set if the seed decides the stage of every group around it: the oldest ticket
	// decides, and no candidate is older than the seed.
	Anchored bool

	evaluator  evaluator
	quick      quick
	pace       []Row // by depth: the ticket whose wait counts
	candidates []Row
	byKey      []Row // see Listed
	listed     bool  // quick has the list of candidates
	uncounted  bool  // the index has not counted the candidates
	source     candidate.Outward
	batch      []Row // scratch of diveByRegion
	lazy       bool
	held       Row // read from source, but not of the same age; -1: none
	sizes      sizes
	there      []int32 // scratch of filter, by team
	kept       []option
	frames     [][]option // by depth
	alike      bool
	plain      bool // all rules are quick, and no sizes change
	steps      int
	looks      int
	joined     int32 // players of Group
}

// sizes are the bounds of the teams in a stage.
type sizes struct {
	stage       *store.Stage
	known       bool
	least, most []span // by team
}

// option is a candidate with the teams that it may still join, as bits.
type option struct {
	row   Row
	teams uint64
}

// Begin prepares a search.
func (s *Search) Begin(rules *Rules, budget int) {
	s.Rules, s.Budget = rules, budget
	s.alike = rules.teamsAlike()
	e, teams := &s.evaluator, len(rules.teams)
	e.rules, e.schema, e.Columns = rules, rules.schema, &rules.columns
	e.Domains = rules.columns.Domains()
	e.Sides, e.Counts, e.Room, e.Needs = make([][]entry, teams), make([]int32, teams), make([]int32, teams), make([]bool, teams)
	s.sizes.least, s.sizes.most, s.there = make([]span, teams), make([]span, teams), make([]int32, teams)
	s.quick.begin(rules)
}

// Lazy makes the candidates come from an index, nearest in age first.
func (s *Search) Lazy(source candidate.Outward) {
	s.source, s.lazy, s.held = source, true, -1
	s.candidates, s.byKey, s.listed, s.uncounted = s.candidates[:0], nil, false, false
}

// Sorted reports whether rules sort the candidates.
func (r *Rules) Sorted() bool { return len(r.sorts) > 0 }

// List returns the memory for a list of candidates, which Listed takes.
func (s *Search) List() []Row { return s.candidates[:0] }

// Listed sets the candidates, given in order of age. They are sorted for a seed unless sorts is
// false, as for a session. byKey are the same in the order of the index, or nil.
func (s *Search) Listed(list, byKey []Row, seed Row, sorts bool) {
	s.candidates, s.byKey, s.lazy, s.listed = list, byKey, false, false
	s.uncounted = byKey == nil
	if sorts && s.Rules.Sorted() {
		s.Rules.order(list, seed)
	}
}

// list passes the candidates to quick.
func (s *Search) list() {
	if !s.listed {
		s.quick.list(&s.evaluator, s.candidates, s.byKey)
	}
	s.listed = true
}

// have extends the candidates up to the k-th and reports whether it exists. Candidates of equal
// age are in the order of Add.
func (s *Search) have(k int) bool {
	for s.lazy && k >= len(s.candidates) {
		first := s.held
		if s.held = -1; first < 0 {
			row, _, ok := s.source.Next()
			if !ok {
				s.lazy = false
				break
			}
			first = row
		}
		from := len(s.candidates)
		s.candidates = append(s.candidates, first)
		for {
			row, _, ok := s.source.Next()
			if !ok {
				s.lazy = false
				break
			}
			if s.Rules.rows.CreatedMS[row] != s.Rules.rows.CreatedMS[first] {
				s.held = row
				break
			}
			s.candidates = append(s.candidates, row)
		}
		slices.SortFunc(s.candidates[from:], s.Rules.rows.Compare)
	}
	return k < len(s.candidates)
}

// Run looks for a match around a ticket or, if seed is negative, for tickets that join the
// session whose players are Seated.
func (s *Search) Run(seed Row) Verdict {
	s.steps, s.looks = 0, 0
	s.anchor(s.Anchored)
	s.evaluator.Complete = false
	unsettled := func(r *rule) bool { return !s.evaluator.settled(r) }
	s.plain = s.Rules.fixedSizes && !slices.ContainsFunc(s.Rules.enforced, unsettled)
	for _, team := range s.starts(seed) {
		if !s.start(seed, team) {
			continue
		}
		if seed >= 0 && s.uncounted && !s.Unfiltered && len(s.candidates) <= fewCandidates {
			s.list()
			s.quick.all()
			if !s.quick.enough(&s.evaluator, s.limits(), len(s.Group), s.Rules.Least(seed)-s.Rules.rows.Players[seed]) {
				continue
			}
		}
		if s.Rules.Set.Large != nil {
			if s.diveByRegion(seed, team) {
				return Found
			}
			continue
		}
		if s.dive(math.MaxInt32); s.check() {
			return Found
		}
		s.start(seed, team)
		if v := s.search(); v != Nothing {
			return v
		}
	}
	return Nothing
}

// anchor sets whether all groups are in the stage of their first ticket.
func (s *Search) anchor(anchored bool) {
	if s.evaluator.anchored != anchored {
		s.evaluator.anchored, s.sizes.known = anchored, false
	}
}

// search tries all groups around the seed.
func (s *Search) search() Verdict {
	for s.have(len(s.candidates)) {
	}
	s.list()
	s.kept = s.kept[:0]
	for _, row := range s.candidates {
		s.kept = append(s.kept, option{row, ^uint64(0)})
	}
	var possible bool
	if s.kept, possible = s.filter(s.kept[:0], s.kept); !possible {
		return Nothing
	}
	return s.extend(s.kept)
}

// starts returns the teams that a seed may be seated in; -1 for a session.
func (s *Search) starts(seed Row) []int {
	if seed < 0 {
		return []int{-1}
	}
	s.reset()
	s.evaluator.stage = s.Rules.rows.Stage[seed]
	return s.seats(nil, s.Rules.rows.Players[seed])
}

// start begins a group and reports whether the seed may be seated in a team.
func (s *Search) start(seed Row, team int) bool {
	s.reset()
	if seed < 0 {
		return true
	}
	return s.push(seed, team)
}

// reset removes all tickets from their seats; the players of the session stay.
func (s *Search) reset() {
	e := &s.evaluator
	s.Group, s.Team, s.pace, e.stage, s.joined = s.Group[:0], s.Team[:0], s.pace[:0], nil, 0
	for team := range e.Sides {
		e.Sides[team], e.Counts[team] = e.Sides[team][:0], 0
		if len(s.Seated) > 0 {
			for _, who := range s.Seated[team] {
				e.Sides[team] = append(e.Sides[team], entry(who))
				e.Counts[team]++
			}
		}
	}
	s.quick.reset(e)
}

// seat seats a ticket without any check.
func (s *Search) seat(row Row, team int) {
	e, rows := &s.evaluator, s.Rules.rows
	pace := s.pacer(row)
	s.Group, s.Team, s.pace = append(s.Group, row), append(s.Team, team), append(s.pace, pace)
	e.stage = rows.Stage[pace]
	e.Sides[team] = append(e.Sides[team], entry(row))
	e.Counts[team] += rows.Players[row]
	s.joined += rows.Players[row]
	e.Complete = false
}

// push seats a ticket, and reports whether the group may still become a match. In either case,
// pop removes the ticket.
func (s *Search) push(row Row, team int) bool {
	s.seat(row, team)
	e := &s.evaluator
	if !s.measure() || !s.quick.push(e, row, len(s.Group)) {
		return false
	}
	for _, r := range s.Rules.enforced {
		if !e.settled(r) && e.verdict(r) == fails {
			return false
		}
	}
	return true
}

// measure computes the room in the teams, and reports whether none has too many players.
func (s *Search) measure() bool {
	e := &s.evaluator
	for t, most := range s.limits().most {
		e.Needs[t] = s.sizes.least[t].Low > 0
		if e.Room[t] = int32(most.High) - e.Counts[t]; e.Room[t] < 0 {
			return false
		}
	}
	return true
}

// pop removes the last ticket from its seat.
func (s *Search) pop() {
	e, d := &s.evaluator, len(s.Group)-1
	team := s.Team[d]
	e.Counts[team] -= s.Rules.rows.Players[s.Group[d]]
	s.joined -= s.Rules.rows.Players[s.Group[d]]
	e.Sides[team] = e.Sides[team][:len(e.Sides[team])-1]
	s.Group, s.Team, s.pace = s.Group[:d], s.Team[:d], s.pace[:d]
	if e.stage = nil; d > 0 {
		e.stage = s.Rules.rows.Stage[s.pace[d-1]]
	}
}

// limits returns the bounds of the teams over all waits that the group may still have.
func (s *Search) limits() *sizes {
	x, stage := &s.sizes, s.evaluator.stage
	if x.known && (x.stage == stage || s.Rules.fixedSizes && x.stage != nil && stage != nil) {
		return x
	}
	x.known, x.stage = true, stage
	for team, l := range s.Rules.teams {
		if stage == nil { // only players of the session are seated: the group may have any wait
			t := &s.Rules.Set.Teams[team]
			x.least[team], x.most[team] = rangeOf(t.Min), rangeOf(t.Max)
			continue
		}
		x.least[team], x.most[team] = s.Rules.limitsAt(stage, s.evaluator.anchored, l.least), s.Rules.limitsAt(stage, s.evaluator.anchored, l.most)
	}
	return x
}

// rangeOf returns the range of a number over all waits.
func rangeOf(steps matcher.Steps[float64]) span {
	s := exactly(steps[0].Value)
	for _, step := range steps {
		s.Add(step.Value)
	}
	return s
}

// seats appends the teams with room for a ticket, in the order of the guide. Of equivalent
// empty teams only the first is listed.
func (s *Search) seats(dst []int, players int32) []int {
	from := len(dst)
	s.limits()
	for team := range s.evaluator.Counts {
		if s.open(team) < players || s.twin(dst[from:], team) {
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

// twin reports whether an earlier team has the same players and bounds, and no rule
// distinguishes the two.
func (s *Search) twin(earlier []int, team int) bool {
	if !s.alike {
		return false
	}
	for _, other := range earlier {
		if s.evaluator.Counts[other] == s.evaluator.Counts[team] && s.sizes.least[other] == s.sizes.least[team] && s.sizes.most[other] == s.sizes.most[team] {
			return true
		}
	}
	return false
}

// open returns the open seats of a team.
func (s *Search) open(team int) int32 {
	return min(s.Free-s.joined, int32(s.sizes.most[team].High)-s.evaluator.Counts[team])
}

// before reports whether a team is filled before another: teams below their minimum first, then
// the team with the most open seats.
func (s *Search) before(a, b int) bool {
	short := func(team int) bool { return float64(s.evaluator.Counts[team]) < s.sizes.least[team].High }
	if short(a) != short(b) {
		return short(a)
	}
	return s.open(a) > s.open(b)
}

// full reports whether no team has room.
func (s *Search) full() bool {
	s.limits()
	for team := range s.evaluator.Counts {
		if s.open(team) > 0 {
			return false
		}
	}
	return true
}

// dive seats every candidate that may be seated. left is the number of players of the
// candidates: dive ends when the remaining ones are too few for a match.
func (s *Search) dive(left int32) {
	var few [8]int
	teams, tickets, players := few[:0], -1, int32(0)
	full := s.full()
	for k := 0; !full && s.have(k); k++ {
		row := s.candidates[k]
		n := s.Rules.rows.Players[row]
		left -= n
		seated := false
		if !s.plain || !s.alike || s.may(row, 0) { // a ticket that may not join one team may not join any
			if tickets != len(s.Group) || players != n {
				teams, tickets, players = s.seats(teams[:0], n), len(s.Group), n
			}
			seated = s.join(row, teams)
		}
		if seated {
			full = s.full()
		} else if s.missing() > left {
			return
		}
	}
}

// join seats a ticket in the first of the given teams that it may join.
func (s *Search) join(row Row, teams []int) bool {
	if s.plain && s.alike && len(teams) > 0 { // dive has called may
		s.seat(row, teams[0])
		s.measure()
		s.quick.take(&s.evaluator, row, len(s.Group))
		return true
	}
	for _, team := range teams {
		if s.push(row, team) {
			return true
		}
		s.pop()
	}
	return false
}

// missing returns the number of players that the teams still need for a match, at least.
func (s *Search) missing() (players int32) {
	for team, least := range s.limits().least {
		players += max(0, int32(least.Low)-s.evaluator.Counts[team])
	}
	return players
}

// check reports whether the group is a match.
func (s *Search) check() bool {
	e := &s.evaluator
	if e.Complete = true; e.stage == nil || !s.fits() { // without a stage no ticket has joined the session
		return false
	}
	for _, r := range s.Rules.enforced {
		if e.verdict(r) != holds {
			return false
		}
	}
	return len(s.Rules.latencies) < 2 || e.latency(s.Rules.latencies) == holds
}

// fits reports whether the teams have the sizes of a match.
func (s *Search) fits() bool {
	e := &s.evaluator
	for team, l := range s.Rules.teams {
		n := float64(e.Counts[team])
		if n < s.Rules.limitsAt(e.stage, true, l.least).Low || n > s.Rules.limitsAt(e.stage, true, l.most).High {
			return false
		}
	}
	return true
}

// may reports whether push would allow a ticket. If all rules are quick, it checks only these:
// seating every candidate took a tenth of the time of a day by skill and region.
func (s *Search) may(row Row, team int) bool {
	if !s.plain {
		ok := s.push(row, team)
		s.pop()
		return ok
	}
	e := &s.evaluator
	stage := e.stage
	e.stage = s.Rules.rows.Stage[s.pacer(row)]
	ok := s.quick.lets(e, row, len(s.Group))
	e.stage = stage
	return ok
}

// pacer returns the ticket whose wait counts if a ticket joins the group.
func (s *Search) pacer(row Row) Row {
	d := len(s.pace)
	if d == 0 {
		return row
	}
	old, young := s.Rules.rows.ByWait(s.pace[d-1], row)
	if s.Rules.Set.Oldest {
		return old
	}
	return young
}

// extend tries the options in their order, then the group itself.
func (s *Search) extend(options []option) Verdict {
	var few [8]int
	depth := len(s.Group)
	for len(s.frames) <= depth {
		s.frames = append(s.frames, nil)
	}
	for k, o := range options {
		for _, team := range s.seats(few[:0], s.Rules.rows.Players[o.row]) {
			if o.teams>>team&1 == 0 {
				continue
			}
			s.steps++
			if s.looks++; s.steps > s.Budget || s.looks > looksPerStep*s.Budget {
				return Exhausted
			}
			v := Nothing
			if s.push(o.row, team) {
				next, possible := s.filter(s.frames[depth][:0], options[k+1:])
				if s.frames[depth] = next; possible {
					v = s.extend(next)
				}
			}
			if v != Nothing {
				return v
			}
			s.pop()
		}
	}
	if s.steps++; s.steps > s.Budget {
		return Exhausted
	}
	if s.check() {
		return Found
	}
	return Nothing
}

// AppendRegions appends the regions in which the match can be played, the lowest worst
// round-trip time first. Without rules about regions it appends none.
func (s *Search) AppendRegions(dst []matcher.Region) []matcher.Region {
	if len(s.Rules.latencies) == 0 {
		return dst
	}
	s.evaluator.Complete = true
	return s.evaluator.regions(dst, s.Rules.latencies)
}
