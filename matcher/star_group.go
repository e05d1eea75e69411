package matcher

import (
	"math"
	"slices"
)

// starMember is a ticket in the group, or the session.
type starMember struct {
	row  Row
	team int // of a session none: its players stay where they are
	size int
}

// starTeam is a team as it grows.
type starTeam struct {
	size  int
	fixed []Text // names of a session's players in it
}

// starSearch grows groups around a seed and fills teams with them.
type starSearch struct {
	pool     *Pool
	rules    *Star
	rows     []starRow
	kinds    map[string]int32
	alike    []string      // by kind: what its tickets have alike
	recent   int32         // the kind of the ticket read last
	same     Text          // its starRow.same
	key      []byte        // scratch of kindOf
	lanes    [][]*starLane // by kind, then by nearest region plus 1
	ranker   starRanker
	alone    [1]Region    // scratch of reached
	probe    *measurement // the last
	surveyed surveys
	reaches  []float64 // see starReach

	list     []Row  // candidates in rank, as far as they were asked for
	used     []bool // by place in the list
	ended    bool   // the ranker has no more
	members  []starMember
	teams    []starTeam
	shared   [][][]Text // by depth, then option: see admits
	plain    bool       // nothing but sizes depends on who is in the group
	steps    int
	hit      bool // the budget ended a search
	balancer balancer

	sides     []int // scratch of propose
	distincts []int // by option: see distinct; -1: not counted in this pass
	seen      []uint64
	vain      bool // the last seed found nothing: the next one is likely to
}

func (s *starSearch) init(p *Pool) {
	s.pool, s.rules, s.ranker.search = p, p.rules.Star, s
	s.kinds = make(map[string]int32)
	s.reaches, s.probe = []float64{math.Inf(1)}, new(measurement)
}

// begin starts a group of a seed alone, in the first team, and returns how many players
// may join it at most.
func (s *starSearch) begin(c *circle, region Region, room int, indexed bool) (players int) {
	players = s.ranker.begin(c, region, room, indexed)
	s.list, s.used, s.ended, s.hit = s.list[:0], s.used[:0], false, false
	s.restart(c.seed)
	return players
}

// restart empties the group but for the seed.
func (s *starSearch) restart(seed Row) {
	clear(s.used)
	s.members, s.teams = s.members[:0], s.teams[:0]
	s.share(seed)
	s.members = append(s.members, starMember{seed, 0, int(s.pool.size[seed])})
	if s.pool.details[seed] == nil {
		s.teams = append(s.teams, starTeam{size: int(s.pool.size[seed])})
	}
}

// have makes sure that there is a k-th candidate, if there is.
func (s *starSearch) have(k int) bool {
	for len(s.list) <= k && !s.ended {
		if row, ok := s.ranker.next(); ok {
			s.list, s.used = append(s.list, row), append(s.used, false)
		} else {
			s.ended = true
		}
	}
	return k < len(s.list)
}

// share computes what the group has in common with one more ticket: of SharedValue
// the intersection, of NoRepeat the union.
func (s *starSearch) share(row Row) {
	depth := len(s.members)
	if depth == len(s.shared) {
		s.shared = append(s.shared, make([][]Text, len(s.rules.Options)))
	}
	for i := range s.rules.Options {
		set, mine := s.shared[depth][i][:0], s.rows[row].options[i]
		switch {
		case depth == 0:
			set = append(set, mine...)
		case s.rules.Options[i].Kind == SharedValue:
			set = intersect(set, s.shared[depth-1][i], mine)
		case s.rules.Options[i].Kind == NoRepeat:
			set = append(append(set, s.shared[depth-1][i]...), mine...)
			slices.Sort(set)
		}
		s.shared[depth][i] = set
	}
}

// admits tells whether a ticket may join the group: nobody twice, nobody whom
// somebody blocks, and what options want of all.
func (s *starSearch) admits(row Row) bool {
	r := &s.rows[row]
	for i := 0; r.named && i < len(s.members); i++ {
		m := &s.rows[s.members[i].row]
		if common(m.people, r.people) {
			return false
		}
		if s.rules.Blocking == KeepApart && (common(m.blocked, r.people) || common(r.blocked, m.people)) {
			return false
		}
	}
	for i := range s.rules.Options {
		if !s.optionAdmits(i, r) {
			return false
		}
	}
	return true
}

// optionAdmits tells whether one option lets a ticket join the group.
func (s *starSearch) optionAdmits(i int, r *starRow) bool {
	mine, seed := r.options[i], s.rows[s.members[0].row].options[i]
	group := s.shared[len(s.members)-1][i]
	switch s.rules.Options[i].Kind {
	case SameSet:
		return true // all candidates have the seed's set, see allows
	case NoRepeat:
		return !common(group, mine)
	}
	if len(mine) == 0 || len(seed) == 0 {
		return len(mine) == len(seed)
	}
	own := len(r.own[i]) > 0
	for j := range s.members {
		m := &s.rows[s.members[j].row]
		if !within(m.own[i], mine) || !within(r.own[i], m.options[i]) {
			return false
		}
		own = own && len(m.own[i]) > 0
	}
	return own || common(group, mine)
}

// keepsApart tells whether a seed and a candidate of the same kind are kept apart
// whatever their waits, and by what.
func (s *starSearch) keepsApart(a, b *starRow) (by string, apart bool) {
	switch {
	case !a.named || !b.named:
	case common(a.people, b.people):
		return samePlayer, true
	case s.rules.Blocking == KeepApart && (common(a.blocked, b.people) || common(b.blocked, a.people)):
		return blockedPlayer, true
	}
	for i := range s.rules.Options {
		if o := &s.rules.Options[i]; !o.allows(a.options[i], b.options[i], a.own[i], b.own[i]) {
			return o.Name, true
		}
	}
	return "", false
}

// allows tells whether an option lets two sets of it meet, that of a seed and that
// of a candidate.
func (o *StarOption) allows(a, b, ownA, ownB []Text) bool {
	switch {
	case o.Kind == SameSet:
		return slices.Equal(a, b)
	case o.Kind == NoRepeat:
		return !common(a, b) && (len(a) == 0 || len(b) > 0)
	case len(a) == 0 || len(b) == 0:
		return len(a) == len(b)
	case !within(ownA, b) || !within(ownB, a):
		return false
	}
	return len(ownA) > 0 && len(ownB) > 0 || common(a, b)
}

// mayTeam tells whether nobody in a team blocks a ticket, or is blocked by it.
func (s *starSearch) mayTeam(team int, row Row) bool {
	if s.rules.Blocking != OtherTeams {
		return true
	}
	r := &s.rows[row]
	if common(r.blocked, s.teams[team].fixed) {
		return false
	}
	for _, m := range s.members {
		if s.isSession(m.row) || m.team != team {
			continue
		}
		other := &s.rows[m.row]
		if common(r.blocked, other.people) || common(other.blocked, r.people) {
			return false
		}
	}
	return true
}

func (s *starSearch) isSession(row Row) bool { return s.pool.state[row] == rowSession }

// join adds the k-th candidate to a team.
func (s *starSearch) join(k, team int) {
	row := s.list[k]
	size := int(s.pool.size[row])
	s.share(row)
	s.members = append(s.members, starMember{row, team, size})
	s.teams[team].size += size
	s.used[k] = true
}

// leave takes the last ticket out, the k-th candidate.
func (s *starSearch) leave(k int) {
	last := s.members[len(s.members)-1]
	s.members = s.members[:len(s.members)-1]
	s.teams[last.team].size -= last.size
	s.used[k] = false
}

// common tells whether two sorted sets have something in common.
func common(a, b []Text) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			return true
		}
	}
	return false
}

// within tells whether a sorted set is part of another.
func within(part, all []Text) bool { return shared(part, all) == len(part) }
