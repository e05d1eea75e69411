package clique

import (
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/engine/internal/store"
)

// Verdict is the result of a search.
type Verdict uint8

// The results of a search.
const (
	Nothing   Verdict = iota // no group is a match
	Found                    // the match is in Search.Group
	Exhausted                // the budget ended the search
)

// Divider divides groups into teams.
type Divider interface {
	// Begin resets the budget for a new search.
	Begin()
	// Divide reports whether a group can be divided into teams. old and young are the tickets of
	// the group that have waited longest and shortest.
	Divide(group []Row, old, young Row) bool
}

// Search looks for a match by adding tickets to the group of a seed.
//
// Adding a ticket is one step of the budget, and so is validating a group that is large enough. A
// candidate that a rule rejects costs no step. Neither does a candidate that makes the group
// infeasible (see feasibility). If it did, a seed with too few candidates would use up its budget
// on all their subsets.
//
// The caller calls Begin, then Meeting and Core, which drop candidates. It then calls Reserve and
// Outward if there are such candidates, then Rank with the others, and then Run.
type Search struct {
	candidate.Ranker
	Rules  *Rules
	Rows   *store.Rows
	Budget int     // largest number of steps in each of the two parts of Run
	Teams  Divider // nil if the ruleset has no teams
	Group  []Row   // the last match found, starting with the seed
	Old    Row     // the ticket of Group that has waited longest
	Young  Row     // the ticket of Group that has waited shortest
	Runs   int     // number of calls of Begin

	// Missing is set by Core: the number of players that are missing among the tickets that may meet
	// the seed. It is 0 or less if there are enough.
	Missing int32

	LazyAbove int32 // largest number of candidates for which Lazy returns false; lower in tests

	seed     Row
	seats    int32
	exact    bool // no candidate has waited longer than the seed
	core     core
	listed   []Row // scratch space for restrict
	steps    int
	nearest  []float64 // for each rule: lower bound of any row's weighted distance
	frames   []frame   // indexed like Group
	feasible feasibility
}

// NewSearch returns a Search. budget is the largest number of steps in each of the two parts of Run.
func NewSearch(rules *Rules, rows *store.Rows, budget int) *Search {
	s := &Search{Rules: rules, Rows: rows, Budget: budget, LazyAbove: LazyAbove}
	s.Ranker = candidate.NewRanker(rows, s)
	return s
}

// frame describes the group up to one of its tickets.
type frame struct {
	index      int // index of the ticket among the candidates, or -1 for the seed
	players    int32
	old, young Row
	left       []uint64 // set of candidates ranked after this ticket that may meet all tickets so far
}

// Begin sets the seed and the number of seats in a match, including the seed's. exact is set if
// no candidate has waited longer than the seed, so that the seed's limits apply to every group.
func (s *Search) Begin(seed Row, seats int32, exact bool) {
	s.Runs++
	s.seed, s.seats, s.exact, s.core.done, s.core.known, s.Missing = seed, seats, exact, false, false, 0
	s.Reset()
}

// Run looks for a match around the seed.
//
// Run first goes through the candidates once and adds every one that the rules allow. If the result
// is a match, trying all groups would find the same one. Otherwise, it tries all groups that can
// still become a match. The budget starts again for this second part.
func (s *Search) Run() Verdict {
	s.steps, s.Group = 0, s.Group[:0]
	s.begin()
	s.push(s.seed, -1)
	if s.addGreedily() {
		return Found
	}
	s.begin()
	s.truncate(1)
	for k := len(s.List); s.Have(k); k++ {
	}
	if !s.core.done {
		s.restrict()
	}
	s.feasible.begin(s)
	top := s.top()
	top.left = s.feasible.allCandidates(top.left)
	if !s.feasible.holds() {
		return Nothing
	}
	return s.extend()
}

// begin resets the budgets of the search and of the Divider.
func (s *Search) begin() {
	if s.steps = 0; s.Teams != nil {
		s.Teams.Begin()
	}
}

func (s *Search) top() *frame { return &s.frames[len(s.Group)-1] }

// truncate removes tickets from the end of the group until depth are left.
func (s *Search) truncate(depth int) { s.Group = s.Group[:depth] }

// addGreedily goes through the candidates once and adds every one that the rules allow. It reports
// whether the result is a match.
func (s *Search) addGreedily() bool {
	may := ^uint64(0) // by index in core: the candidates that may meet the whole group
	for k := 0; s.top().players < s.seats && s.Have(k); k++ {
		c := &s.List[k]
		meets := may>>(c.At%maxCore)&1 != 0
		if !s.core.known {
			meets = s.meetsGroup(c)
		}
		if !meets || s.top().players+c.Players > s.seats || !s.push(c.Row, k) {
			continue
		}
		if !s.spend() {
			return false
		}
		if s.core.known {
			may &= s.core.meets[c.At%maxCore]
		}
	}
	return s.validate() == Found
}

// meetsGroup reports whether the rules about pairs allow a candidate in the group. It does not
// check the seed, because every candidate may meet the seed.
func (s *Search) meetsGroup(c *candidate.Candidate) bool {
	if len(s.Rules.pairs) == 0 {
		return true
	}
	for depth := 1; depth < len(s.Group); depth++ {
		if !s.meet(&s.List[s.frames[depth].index], c) {
			return false
		}
	}
	return true
}

// meet reports whether the rules about pairs allow two candidates in one match.
func (s *Search) meet(a, b *candidate.Candidate) bool {
	if s.core.known {
		return s.core.meets[a.At%maxCore]>>(b.At%maxCore)&1 != 0
	}
	return s.Rules.meet(s.Rows, a.Row, b.Row)
}

// extend tries each of these candidates, in rank order, as the next ticket of the group. If none leads
// to a match, it tries the group itself.
func (s *Search) extend() Verdict {
	depth := len(s.Group)
	top := s.top()
	for k := top.index + 1; top.players < s.seats && k < len(s.List); k++ {
		if !has(top.left, k) {
			continue
		}
		unset(top.left, k)
		c := &s.List[k]
		if top.players+c.Players > s.seats || !s.push(c.Row, k) {
			continue
		}
		next := s.top()
		top = &s.frames[depth-1] // push may have moved the frames in memory
		next.left = s.feasible.meeting(next.left, top.left, k)
		if !s.feasible.holds() {
			s.truncate(depth)
			if !s.feasible.holds() { // without candidate k the group is infeasible, so it is with every later one too
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

// spend counts one step. It returns false if the budget is used up.
func (s *Search) spend() bool {
	s.steps++
	return s.steps <= s.Budget
}

// push adds a row to the group and reports whether the rules about groups allow it. A rule's limit
// depends on the longest and the shortest wait in the group, so push determines it anew. If a rule
// does not allow the row, the group is unchanged. The first row is always allowed.
func (s *Search) push(row Row, index int) bool {
	depth := len(s.Group)
	if depth == len(s.frames) {
		s.frames = append(s.frames, frame{})
	}
	f := &s.frames[depth]
	f.index, f.players, f.old, f.young = index, s.Rows.Players[row], row, row
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
		l, enforced := c.basis.InForce(&oldest[c.at], &newest[c.at])
		if !c.Push(l, s.Group) && enforced && depth > 0 {
			s.truncate(depth)
			return false
		}
	}
	return true
}

// validate checks whether the group is a match. It checks the size, the totals and the teams.
// Rules about pairs and shared values were checked when each ticket was added.
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
		l, enforced := s.Rules.InForce(s.Rows, c.at, top.old, top.young)
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

// Players returns the number of players in the group.
func (s *Search) Players() int { return int(s.top().players) }

func has(set []uint64, k int) bool { return set[uint(k)/64]>>(uint(k)%64)&1 != 0 }
func unset(set []uint64, k int)    { set[uint(k)/64] &^= 1 << (uint(k) % 64) }
func enter(set []uint64, k int)    { set[uint(k)/64] |= 1 << (uint(k) % 64) }
