package clique

import "mmsim/matcher/engine/internal/store"

// Verdict is the result of a search.
type Verdict uint8

// The verdicts.
const (
	Nothing   Verdict = iota // no group is a match
	Found                    // see Search.Group
	Exhausted                // the budget ended the search
)

// Divider divides groups into teams.
type Divider interface {
	// Begin starts the budget of a search.
	Begin()
	// Divide reports whether a group can be divided into teams. old and young are its tickets
	// with the longest and the shortest wait.
	Divide(group []Row, old, young Row) bool
}

// Search grows a group around a seed.
//
// A step is one ticket added, or one validation of a group that is large enough. A candidate
// that a rule rejects costs no step; nor does a candidate that makes the group infeasible (see
// feasibility), because otherwise a seed with too few players around it would try all subsets
// of them.
type Search struct {
	Rules  *Rules
	Rows   *store.Rows
	Budget int     // steps
	Teams  Divider // nil without teams
	Group  []Row   // of the last match found, the seed first
	Old    Row     // ticket of Group that has waited longest
	Young  Row     // ticket of Group that has waited shortest
	Runs   int     // number of searches

	seed     Row
	seats    int32
	exact    bool // no candidate has waited longer than the seed
	core     core
	listed   []Row // scratch of restrict
	steps    int
	ranked   ranked
	frames   []frame // by ticket of the group
	feasible feasibility
}

// frame is the state of the group up to one of its tickets.
type frame struct {
	spot       int // index among the candidates; -1 for the seed
	players    int32
	old, young Row
	open       []uint64 // candidates ranked after spot that may meet the whole group
}

// Begin starts with a seed and a number of seats, including the seed's. exact is set if none of
// its candidates has waited longer, so that the seed's limits apply to every group.
func (s *Search) Begin(seed Row, seats int32, exact bool) {
	s.Runs++
	s.seed, s.seats, s.exact, s.core.done, s.core.known = seed, seats, exact, false, false
}

// Run looks for a match around the seed among ranked candidates.
//
// First it adds every candidate that can be added, in rank. If that makes a match, it is the
// same match that trying all groups would find. Otherwise the search tries all groups, except
// those that can no longer become a match.
func (s *Search) Run(from Source) Verdict {
	s.steps, s.Group = 0, s.Group[:0]
	s.ranked.begin(from)
	s.begin()
	s.push(s.seed, -1)
	if s.dive() {
		return Found
	}
	s.begin()
	s.truncate(1)
	for k := len(s.ranked.list); s.have(k); k++ {
	}
	if !s.core.done {
		s.restrict()
	}
	s.feasible.begin(s)
	top := s.top()
	top.open = s.feasible.everybody(top.open)
	if !s.feasible.holds() {
		return Nothing
	}
	return s.extend()
}

// begin starts the budgets.
func (s *Search) begin() {
	if s.steps = 0; s.Teams != nil {
		s.Teams.Begin()
	}
}

func (s *Search) top() *frame { return &s.frames[len(s.Group)-1] }

// truncate removes tickets from the end of the group.
func (s *Search) truncate(depth int) { s.Group = s.Group[:depth] }

// dive adds every candidate that can be added, in rank, and reports whether that makes a match.
func (s *Search) dive() bool {
	may := ^uint64(0) // by index in core: the candidates that may meet the whole group
	for k := 0; s.top().players < s.seats && s.have(k); k++ {
		c := &s.ranked.list[k]
		meets := may>>(c.inCore%maxCore)&1 != 0
		if !s.core.known {
			meets = s.meetsGroup(c)
		}
		if !meets || s.top().players+c.players > s.seats || !s.push(c.Row, k) {
			continue
		}
		if !s.spend() {
			return false
		}
		if s.core.known {
			may &= s.core.meets[c.inCore%maxCore]
		}
	}
	return s.validate() == Found
}

// meetsGroup reports whether the rules about pairs let a candidate meet every ticket of the
// group. It is already known that the candidate may meet the seed.
func (s *Search) meetsGroup(c *Candidate) bool {
	if len(s.Rules.pairs) == 0 {
		return true
	}
	for depth := 1; depth < len(s.Group); depth++ {
		if !s.meet(&s.ranked.list[s.frames[depth].spot], c) {
			return false
		}
	}
	return true
}

// meet reports whether the rules about pairs let two candidates meet.
func (s *Search) meet(a, b *Candidate) bool {
	if s.core.known {
		return s.core.meets[a.inCore%maxCore]>>(b.inCore%maxCore)&1 != 0
	}
	return s.Rules.meet(s.Rows, a.Row, b.Row)
}

// extend tries the open candidates in rank, then the group itself.
func (s *Search) extend() Verdict {
	depth := len(s.Group)
	top := s.top()
	for k := top.spot + 1; top.players < s.seats && k < len(s.ranked.list); k++ {
		if !has(top.open, k) {
			continue
		}
		unset(top.open, k)
		c := &s.ranked.list[k]
		if top.players+c.players > s.seats || !s.push(c.Row, k) {
			continue
		}
		next := s.top()
		top = &s.frames[depth-1] // push may have reallocated the frames
		next.open = s.feasible.meeting(next.open, top.open, k)
		if !s.feasible.holds() {
			s.truncate(depth)
			if !s.feasible.holds() { // then it is infeasible with all later candidates too
				break
			}
			continue
		}
		if !s.spend() {
			return Exhausted
		}
		if v := s.extend(); v != Nothing {
			return v
		}
		s.truncate(depth)
		top = &s.frames[depth-1]
	}
	return s.validate()
}

// spend uses a step; it returns false if the budget is used up.
func (s *Search) spend() bool {
	s.steps++
	return s.steps <= s.Budget
}

// push adds a row to the group and reports whether the rules about groups allow it, each with
// its limit for the new group. If a rule does not, the group is unchanged.
func (s *Search) push(row Row, spot int) bool {
	depth := len(s.Group)
	if depth == len(s.frames) {
		s.frames = append(s.frames, frame{})
	}
	f := &s.frames[depth]
	f.spot, f.players, f.old, f.young = spot, s.Rows.Players[row], row, row
	if depth > 0 {
		below := &s.frames[depth-1]
		f.players += below.players
		f.old, _ = s.Rows.ByWait(below.old, row)
		_, f.young = s.Rows.ByWait(below.young, row)
	}
	s.Group = append(s.Group, row)
	oldest, newest := s.Rows.Stage[f.old].Limits, s.Rows.Stage[f.young].Limits
	for i := range s.Rules.groups {
		c := &s.Rules.groups[i]
		l, enforced := s.Rules.Basis.InForce(&oldest[c.at], &newest[c.at])
		if !c.Push(l, s.Group) && enforced && depth > 0 {
			s.truncate(depth)
			return false
		}
	}
	return true
}

// validate checks whether the group is a match: its size, its totals, its teams. Rules about
// pairs and shared values were checked while it grew.
func (s *Search) validate() Verdict {
	top := s.top()
	if len(s.Group) < 2 || int(top.players) < s.Rules.Set.MinPlayers {
		return Nothing
	}
	if !s.spend() {
		return Exhausted
	}
	for i := range s.Rules.groups {
		c := &s.Rules.groups[i]
		l, enforced := s.Rules.Basis.InForce(&s.Rows.Stage[top.old].Limits[c.at], &s.Rows.Stage[top.young].Limits[c.at])
		if enforced && !c.Final(l, len(s.Group)) {
			return Nothing
		}
	}
	if s.Teams != nil && !s.Teams.Divide(s.Group, top.old, top.young) {
		return Nothing
	}
	s.Old, s.Young = top.old, top.young
	return Found
}

// Players returns the players of the group.
func (s *Search) Players() int { return int(s.top().players) }

func has(set []uint64, k int) bool { return set[uint(k)/64]>>(uint(k)%64)&1 != 0 }
func unset(set []uint64, k int)    { set[uint(k)/64] &^= 1 << (uint(k) % 64) }
func enter(set []uint64, k int)    { set[uint(k)/64] |= 1 << (uint(k) % 64) }
