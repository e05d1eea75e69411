package seating

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Verdict is what a search came to.
type Verdict uint8

// The verdicts.
const (
	Nothing   Verdict = iota // there is no match
	Found                    // see Search.Group
	Exhausted                // the budget ended the search
)

// looksPerStep is how many tries to seat a ticket a step of the budget allows: most tries
// fail at once, and a search over many candidates must end too.
const looksPerStep = 5

// fewCandidates is up to how many it pays to ask whether they are enough before the first
// try: it made a day 1.4 times as fast, and halved the speed where thousands wait.
const fewCandidates = 128

// Search seats tickets around a seed.
//
// First every candidate is seated that may be, in the order of age or of the rules that
// sort; each in the team that the guide's order names first: of teams below their minimum
// the one with most open seats, then of all teams. Where that makes a match it is the one
// that going through all groups would find. Otherwise the search goes through them, and
// keeps only candidates that may still join. A step is a ticket seated or a complete group
// that is checked.
type Search struct {
	Rules  *Rules
	Budget int
	Group  []Row // of the last match found, but for a session
	Team   []int // of each of Group
	// Seated are the players of the session at hand, by team.
	Seated [][]int32

	evaluator  evaluator
	quick      quick
	stage      *store.Stage // by which the group goes; nil: nobody's wait counts yet
	pace       []Row        // by depth: the ticket whose wait counts
	candidates []Row
	source     candidate.Outward
	lazy       bool
	held       Row // drawn, but of another age; -1: none
	all, kept  []option
	byNumber   []option
	frames     [][]option // by depth
	alike      bool
	steps      int
	looks      int
}

// option is a candidate with the teams that it may still come into.
type option struct {
	row   Row
	teams []bool
}

// Begin makes a search ready.
func (s *Search) Begin(rules *Rules, budget int) {
	s.Rules, s.Budget = rules, budget
	s.alike = rules.teamsAlike()
	e := &s.evaluator
	e.set, e.schema, e.columns = rules.Set, rules.schema, &rules.columns
	e.sides, e.counts, e.room = make([][]entry, len(rules.teams)), make([]int32, len(rules.teams)), make([]int32, len(rules.teams))
	e.needs = make([]bool, len(rules.teams))
	s.quick.begin(rules.enforced)
	e.limits = func(l limit) span { return rules.limitsAt(s.stage, e.complete, l) }
}

// teamsAlike tells whether no rule tells one team from another, so that it does not matter
// to rules in which team a ticket sits.
func (r *Rules) teamsAlike() bool {
	for _, c := range r.enforced {
		switch of := c.of.(type) {
		case *matcher.BatchDistance, *matcher.Latency:
		case *matcher.Comparison:
			if _, ok := sharedText(of, len(r.Set.Teams)); !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Lazy lets the candidates come from an index, nearest in age first.
func (s *Search) Lazy(source candidate.Outward) {
	s.source, s.lazy, s.held = source, true, -1
	s.candidates = s.candidates[:0]
}

// Sorted reports whether rules sort the candidates, which then have to be listed.
func (r *Rules) Sorted() bool { return len(r.sorts) > 0 }

// List returns the memory for a list of candidates, which Listed takes.
func (s *Search) List() []Row { return s.candidates[:0] }

// Listed takes a list of candidates, to be sorted for a seed; sorts is false for a session.
func (s *Search) Listed(list []Row, seed Row, sorts bool) {
	s.candidates, s.lazy = list, false
	if sorts {
		s.Rules.order(list, seed)
	} else {
		slices.SortFunc(list, s.Rules.rows.Compare)
	}
}

// have tells whether there is a k-th candidate. Those of equal age come in the order of Add.
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

// Run looks for a match around a ticket, or, with a seed below 0, for tickets that join the
// session whose players are Seated.
func (s *Search) Run(seed Row) Verdict {
	s.steps, s.looks = 0, 0
	for _, team := range s.starts(seed) {
		if !s.start(seed, team) {
			continue
		}
		if seed >= 0 && !s.lazy && len(s.candidates) <= fewCandidates && !s.enough(s.options(), s.Rules.Least(seed)-s.Rules.rows.Players[seed]) {
			continue
		}
		if s.dive() {
			return Found
		}
		if s.Rules.Set.FirstFit {
			continue
		}
		s.start(seed, team)
		if v := s.search(); v != Nothing {
			return v
		}
	}
	return Nothing
}

// options lists all candidates as options that may come into any team.
func (s *Search) options() []option {
	s.all = s.all[:0]
	for _, row := range s.candidates {
		s.all = append(s.all, option{row: row})
	}
	return s.all
}

// search goes through all groups around the seed.
func (s *Search) search() Verdict {
	for s.have(len(s.candidates)) {
	}
	options, possible := s.filter(s.kept[:0], s.options())
	if s.kept = options; !possible {
		return Nothing
	}
	return s.extend(options)
}

// starts returns the teams that a seed may be seated in; -1 for a session.
func (s *Search) starts(seed Row) []int {
	if seed < 0 {
		return []int{-1}
	}
	s.reset()
	s.stage = s.Rules.rows.Stage[seed]
	return s.seats(nil, s.Rules.columns.players[seed])
}

// start begins a group and tells whether the seed may be seated there.
func (s *Search) start(seed Row, team int) bool {
	s.reset()
	if seed < 0 {
		return true
	}
	return s.push(seed, team)
}

// reset takes everybody but the players of the session from their seats.
func (s *Search) reset() {
	e := &s.evaluator
	s.Group, s.Team, s.pace, s.stage = s.Group[:0], s.Team[:0], s.pace[:0], nil
	for team := range e.sides {
		e.sides[team], e.counts[team] = e.sides[team][:0], 0
		if len(s.Seated) > 0 {
			for _, who := range s.Seated[team] {
				e.sides[team] = append(e.sides[team], entry(who))
				e.counts[team]++
			}
		}
	}
	s.quick.reset(e)
}

// push seats a ticket, and tells whether some match may come of it. If not, pop must follow
// all the same.
func (s *Search) push(row Row, team int) bool {
	e, rows := &s.evaluator, s.Rules.rows
	pace := row
	if d := len(s.pace); d > 0 {
		old, young := rows.ByWait(s.pace[d-1], row)
		if pace = young; s.Rules.Set.Oldest {
			pace = old
		}
	}
	s.Group, s.Team, s.pace = append(s.Group, row), append(s.Team, team), append(s.pace, pace)
	s.stage = rows.Stage[pace]
	e.sides[team] = append(e.sides[team], entry(row))
	e.counts[team] += rows.Players[row]
	e.complete = false
	for t, l := range s.Rules.teams {
		e.needs[t] = s.Rules.limitsAt(s.stage, false, l.least).low > 0
		if e.room[t] = int32(s.Rules.limitsAt(s.stage, false, l.most).high) - e.counts[t]; e.room[t] < 0 {
			return false
		}
	}
	if !s.quick.push(e, row, len(s.Group)) {
		return false
	}
	for _, r := range s.Rules.enforced {
		if !r.quick && e.verdict(r) == fails {
			return false
		}
	}
	return true
}

// pop takes the last ticket from its seat.
func (s *Search) pop() {
	e, d := &s.evaluator, len(s.Group)-1
	team := s.Team[d]
	e.counts[team] -= s.Rules.rows.Players[s.Group[d]]
	e.sides[team] = e.sides[team][:len(e.sides[team])-1]
	s.Group, s.Team, s.pace = s.Group[:d], s.Team[:d], s.pace[:d]
	if s.stage = nil; d > 0 {
		s.stage = s.Rules.rows.Stage[s.pace[d-1]]
	}
}

// seats appends the teams with room for a ticket, in the order of the guide. Teams that are
// empty and alike in every way count once.
func (s *Search) seats(dst []int, players int32) []int {
	from := len(dst)
	for team := range s.evaluator.counts {
		if s.open(team) < players || s.twin(dst[from:], team) {
			continue
		}
		at := len(dst)
		for at > from && s.before(team, dst[at-1]) {
			at--
		}
		dst = slices.Insert(dst, at, team)
	}
	return dst
}

// twin tells whether an earlier team has as many players and seats, and no rule tells it
// from this one.
func (s *Search) twin(earlier []int, team int) bool {
	if !s.alike {
		return false
	}
	return slices.ContainsFunc(earlier, func(other int) bool {
		return s.evaluator.counts[other] == s.evaluator.counts[team] && s.sizes(other, true) == s.sizes(team, true) && s.sizes(other, false) == s.sizes(team, false)
	})
}

// sizes returns the minimum or the maximum of a team, over all waits that may count.
func (s *Search) sizes(team int, least bool) span {
	l := s.Rules.teams[team]
	if s.stage == nil { // only the session's players are there
		return span{0, float64(s.Rules.Largest())}
	}
	if least {
		return s.Rules.limitsAt(s.stage, false, l.least)
	}
	return s.Rules.limitsAt(s.stage, false, l.most)
}

// open returns the open seats of a team.
func (s *Search) open(team int) int32 {
	return int32(s.sizes(team, false).high) - s.evaluator.counts[team]
}

// before tells whether a team is filled before another: those below their minimum first,
// then those with most open seats.
func (s *Search) before(a, b int) bool {
	short := func(team int) bool { return float64(s.evaluator.counts[team]) < s.sizes(team, true).high }
	if short(a) != short(b) {
		return short(a)
	}
	return s.open(a) > s.open(b)
}

// full tells whether no team has room.
func (s *Search) full() bool {
	for team := range s.evaluator.counts {
		if s.open(team) > 0 {
			return false
		}
	}
	return true
}

// dive seats every candidate that may be, and tells whether that makes a match.
func (s *Search) dive() bool {
	var few [8]int
	for k := 0; !s.full() && s.have(k); k++ {
		row := s.candidates[k]
		for _, team := range s.seats(few[:0], s.Rules.rows.Players[row]) {
			if s.push(row, team) {
				break
			}
			s.pop()
		}
	}
	return s.check()
}

// check tells whether the group is a match.
func (s *Search) check() bool {
	if s.stage == nil {
		return false // nobody joined the session
	}
	e := &s.evaluator
	e.complete = true
	for team, l := range s.Rules.teams {
		n := float64(e.counts[team])
		if n < s.Rules.limitsAt(s.stage, true, l.least).low || n > s.Rules.limitsAt(s.stage, true, l.most).high {
			return false
		}
	}
	for _, r := range s.Rules.enforced {
		if e.verdict(r) != holds {
			return false
		}
	}
	return len(s.Rules.latencies) < 2 || e.latency(s.Rules.latencies) == holds
}

// filter keeps of some options those that may come in next, and tells whether every team
// can still reach its minimum.
func (s *Search) filter(dst, from []option) (kept []option, possible bool) {
	e := &s.evaluator
	there, total := make([]int32, len(e.counts)), int32(0)
	for _, o := range from {
		teams := make([]bool, len(e.counts))
		any := false
		players := s.Rules.rows.Players[o.row]
		for team := range teams {
			if o.teams != nil && !o.teams[team] || s.open(team) < players {
				continue
			}
			if !(s.alike && any) {
				s.looks++
				ok := s.push(o.row, team)
				if s.pop(); !ok {
					continue
				}
			}
			any, teams[team] = true, true
			there[team] += players
		}
		if any {
			total += players
			dst = append(dst, option{o.row, teams})
		}
	}
	short := int32(0)
	for team := range there {
		lack := int32(s.sizes(team, true).low) - e.counts[team]
		if lack > there[team] {
			return dst, false
		}
		short += max(0, lack)
	}
	if short > total {
		return dst, false
	}
	s.byNumber = append(s.byNumber[:0], dst...) // enough sorts them
	return dst, s.enough(s.byNumber, short)
}

// extend tries the options in their order, then the group as it is.
func (s *Search) extend(options []option) Verdict {
	var few [8]int
	depth := len(s.Group)
	for len(s.frames) <= depth {
		s.frames = append(s.frames, nil)
	}
	for k, o := range options {
		for _, team := range s.seats(few[:0], s.Rules.rows.Players[o.row]) {
			if !o.teams[team] {
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

// AppendRegions appends where the match that was found can be played, the lowest worst
// round-trip time first. Without rules about regions: nowhere in particular.
func (s *Search) AppendRegions(dst []matcher.Region) []matcher.Region {
	if len(s.Rules.latencies) == 0 {
		return dst
	}
	s.evaluator.complete = true
	return s.evaluator.regions(dst, s.Rules.latencies)
}

// KeepsApart returns the place among the rules of the first that keeps two tickets out of
// every match, in whatever teams they sit: after all rules, that no teams hold both.
func (s *Search) KeepsApart(a, b Row) (rule int, apart bool) {
	s.Seated, s.evaluator.explains = nil, true
	defer func() { s.evaluator.explains = false }()
	rule = len(s.Rules.Set.Rules)
	for _, first := range s.starts(a) {
		s.start(a, first)
		for _, team := range s.seats(nil, s.Rules.rows.Players[b]) {
			s.push(b, team)
			at := s.failing()
			s.pop()
			if at < 0 {
				return 0, false
			}
			rule = min(rule, at)
		}
	}
	return rule, true
}

// failing returns the place of the first rule that fails for the group and all that may
// come of it; -1: none does.
func (s *Search) failing() int {
	for _, r := range s.Rules.enforced {
		if s.evaluator.verdict(r) == fails {
			return r.index
		}
	}
	return -1
}
