package matcher

import "slices"

// verdict is what a search came to.
type verdict uint8

const (
	nothing verdict = iota
	found
	exhausted
)

// candidate is a ticket that the seed may meet, in rank. What was found out about
// it and the group is kept by depth: it holds while the frame there is the same.
type candidate struct {
	row   Row
	size  int32
	reach uint64 // see search.reach
	meets depthMark
	apart depthMark
	numbers
}

// depthMark names a frame: the one at a depth, as long as it has this mark.
type depthMark struct{ depth, mark int32 }

// frame is the group up to one of its tickets.
type frame struct {
	row        Row
	mark       int32
	players    int32
	spot       int32  // in the lineup
	in         uint64 // spots of the group
	openMark   int32  // open is known while this is the frame's mark
	open       uint64
	low, high  float64 // who stands between them, in a lineup, may meet the whole group
	old, young Row
	reach      uint64
	within     uint64    // regions that all reach, by the rule as it holds for them
	withinMS   float64   // its threshold
	sums       []float64 // by group rule: MatchTotal
	sets       [][]Text  // by group rule: SetOverlap, what is in common; nil while nobody has a set
	holders    []int32   // by group rule: SetOverlap, tickets with a set
	numbers    numbers
}

// search grows a group around a seed: depth first through the ranked candidates,
// each added when nothing forbids it, until none is left that can be added; then
// the group is validated, and if it is no match its last ticket makes room for the
// next candidate. A group is validated after all groups that it can grow to.
//
// A step is one ticket added or one validation of a group that is large enough.
// Rejections cost nothing; a ticket is also rejected when the group cannot become
// a match any more, as far as hopeful can tell. Without that a seed with too few
// around it would go through all subsets of them.
type search struct {
	pool     *Pool
	ranker   ranker
	list     []candidate
	ended    bool // the ranker has no more
	frames   []frame
	depth    int
	mark     int32
	seats    int32
	smallest int32 // size of the smallest waiting ticket
	steps    int
	teamHit  bool
	// bindings: rules that hold for every group of this seed
	bindRegion bool
	exact      bool  // the seed has waited longest: the rules hold for every group as they do for it
	level      uint8 // of the regions that the group could be in at any stage; free: not known
	limitMS    float64
	bindTotal  []bool // by group rule
	rest       []float64
	helpers    []helper  // of hopeful
	count      headcount // of hopeful
	lineup     lineup
}

func (s *search) init(p *Pool) {
	s.pool = p
	s.ranker.init(p)
	s.bindTotal, s.rest = make([]bool, len(p.groups)), make([]float64, len(p.groups))
}

// seats returns the number of players that a match around a seed may have.
func (p *Pool) seats(seed Row) int {
	if p.state[seed] == rowSession {
		return p.details[seed].Capacity
	}
	return p.rules.MaxPlayers
}

// run looks for a match around a seed; the group is then in the frames. Where it
// finds nothing it tells how many players must at least come until it may, and
// whether it counted them without looking at who may meet whom.
func (s *search) run(c *circle) (v verdict, missing int, counted bool) {
	p, seed := s.pool, c.seed
	s.mark++
	s.lineup.on = false
	s.list, s.ended, s.depth, s.steps, s.teamHit = s.list[:0], false, 0, 0, false
	p.teamer.left = TeamBudget
	s.seats = int32(p.seats(seed))
	s.smallest = 1
	for int(s.smallest) < len(p.sizes) && p.sizes[s.smallest] == 0 {
		s.smallest++
	}
	s.exact = p.ordered && c.at >= 0 && c.reserve == nil && !c.subset.unsettled
	if s.bindRegion = p.region != nil && p.binds(p.region, seed); s.bindRegion {
		s.limitMS = p.region.largest
		if s.exact {
			s.limitMS = p.region.force[seed].bound
		}
		s.level = p.reach.level(s.limitMS)
	}
	for i, c := range p.groups {
		s.bindTotal[i] = c.kind == matchTotal && p.binds(c, seed)
	}
	indexed := c.subset == &p.all && p.index.on
	switch {
	case !indexed && s.exact && p.lined && !p.partitioned:
		if missing = s.lineUp(c); missing > 0 {
			return nothing, missing, true
		}
	case indexed:
		s.ranker.begin(seed, c.at >= 0)
		if p.ordered && c.at >= 0 {
			s.ranker.subset = c.subset
		}
	default:
		if missing, counted = s.ranker.scan(c); missing > 0 {
			return nothing, missing, counted
		}
	}
	first := s.candidate(seed)
	s.push(&first)
	if s.dive() {
		return found, 0, false
	}
	s.depth, s.steps, s.teamHit = 1, 0, false
	p.teamer.left = TeamBudget
	if (indexed || slices.Contains(s.bindTotal, true)) && !s.hopeful(0) { // else the scan has asked
		return nothing, 1, false
	}
	return s.extend(0), 1, false
}

// dive adds every candidate that may be added, in rank, and tells whether that makes
// a match: then it is the one that extend would find, for less. Where it fails the
// search begins anew, with an eye on what can still become a match.
func (s *search) dive() bool {
	for k := 0; s.seats-s.top().players >= s.smallest && s.have(k); k++ {
		if s.admits(k) && !s.spend() {
			return false
		}
	}
	return s.validate() == found
}

// binds tells whether a rule is enforced for every group that a seed may be in.
func (p *Pool) binds(c *column, seed Row) bool {
	if c.any {
		return c.firm()
	}
	return !c.everInactive && !c.force[seed].optional
}

// reach returns the regions that a ticket could be in at any stage that a group of
// this seed may come to, one bit for all where that is open.
func (s *search) reach(row Row) uint64 {
	switch {
	case !s.bindRegion:
		return 1
	case s.level != free:
		return s.pool.reach.mask(row, s.level)
	}
	return s.pool.reach.reachable(row, s.limitMS)
}

// candidate reads what is asked of a ticket again and again.
func (s *search) candidate(row Row) candidate {
	return candidate{row: row, size: s.pool.size[row], reach: s.reach(row), numbers: s.pool.numbersOf(row)}
}

// have makes sure that there is a k-th candidate, if there is.
func (s *search) have(k int) bool {
	if s.lineup.on {
		return k < len(s.lineup.ranked)
	}
	for len(s.list) <= k && !s.ended {
		if next, ok := s.ranker.next(); ok {
			s.list = append(s.list, s.candidate(next.row))
		} else {
			s.ended = true
		}
	}
	return k < len(s.list)
}

// extend tries the candidates from one on, then the group as it is. Where one is
// hopeless it asks whether all that follow are.
func (s *search) extend(from int) verdict {
	for k := from; s.seats-s.top().players >= s.smallest && s.have(k); k++ {
		if !s.admits(k) {
			continue
		}
		if !s.hopeful(k + 1) {
			if s.depth--; !s.hopeful(k + 1) {
				break
			}
			continue
		}
		if !s.spend() {
			return exhausted
		}
		if v := s.extend(k + 1); v != nothing {
			return v
		}
		s.depth--
	}
	return s.validate()
}

// spend takes a step; false when the budget has none left.
func (s *search) spend() bool {
	s.steps++
	return s.steps <= s.pool.budget
}

func (s *search) top() *frame { return &s.frames[s.depth-1] }

// admits adds a candidate to the group unless a rule forbids it.
func (s *search) admits(k int) bool {
	if s.lineup.on {
		return s.admitsLine(s.lineup.ranked[k].spot)
	}
	c := &s.list[k]
	if s.top().players+c.size > s.seats || !s.meetsAll(c) {
		return false
	}
	if s.push(c) {
		return true
	}
	s.depth--
	return false
}

// meetsAll tells whether the rules about pairs let a candidate meet everybody in
// the group; that it may meet the seed is known.
func (s *search) meetsAll(c *candidate) bool {
	if len(s.pool.pairs) == 0 || s.stands(c.meets) && int(c.meets.depth) == s.depth-1 {
		return true
	}
	if s.stands(c.apart) {
		return false
	}
	from := 1
	if s.stands(c.meets) {
		from = int(c.meets.depth) + 1
	}
	for d := from; d < s.depth; d++ {
		if !s.pool.pairMeets(s.frames[d].row, c.row) {
			c.apart = depthMark{int32(d), s.frames[d].mark}
			return false
		}
	}
	c.meets = depthMark{int32(s.depth - 1), s.top().mark}
	return true
}

// stands tells whether a frame is still the one that was marked.
func (s *search) stands(m depthMark) bool {
	return m.mark != 0 && int(m.depth) < s.depth && s.frames[m.depth].mark == m.mark
}

// validate tells whether the group is a match: its size, its totals, its teams.
// What holds for pairs and what it has in common was checked as it grew.
func (s *search) validate() verdict {
	p, top := s.pool, s.top()
	if s.depth < 2 || int(top.players) < p.rules.MinPlayers {
		return nothing
	}
	if !s.spend() {
		return exhausted
	}
	for i, c := range p.groups {
		if c.kind != matchTotal {
			continue
		}
		f, enforced := c.inForce(top.old, top.young)
		if enforced && (top.sums[i] < f.least-tolerance || top.sums[i] > f.bound+tolerance) {
			return nothing
		}
	}
	if len(p.rules.Teams) > 0 {
		valid := p.teamer.assign(s.frames[:s.depth], top)
		s.teamHit = s.teamHit || p.teamer.hit
		if !valid {
			return nothing
		}
	}
	return found
}
