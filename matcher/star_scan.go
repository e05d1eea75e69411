package matcher

import (
	"cmp"
	"math"
	"slices"
)

// Levels of the masks of regions of a star.
const (
	ownReach  = 0 // by the ticket's own wait
	onlyMax   = 1 // within StarRegion.MaxMS alone
	starMasks = 2
)

// face computes the front of a row in a stage, and tells whether it differs.
func (s *starSearch) face(row Row, stage *stage) (differs bool) {
	p, r := s.pool, s.row(row)
	f := &p.fronts[row]
	level, width := f.level, f.width
	*f = stage.front
	f.kind = r.kind
	if p.state[row] == rowTicket {
		f.size = p.size[row]
	}
	if len(r.numbers) > 0 {
		f.number = r.numbers[0]
	}
	masks := p.reach.masks[int(row)*starMasks:]
	own := s.within(r.measurement, stage.star.reach)
	differs = own != masks[ownReach] || f.level != level || f.width != width || r.steps != stage.star.steps
	masks[ownReach], r.starStage = own, stage.star
	if f.need = 0; !r.sizes.single() && int(p.size[row]) <= r.sizes.MaxPlayers {
		f.need = max(0, int32(r.sizes.MinTeams*r.sizes.MinPlayers)-p.size[row])
	}
	if s.rules.Region.OneWayAfterMS < Never {
		masks[onlyMax] = s.within(r.measurement, starReach{ms: math.Inf(1)})
	}
	return differs
}

// meets tells whether a seed and a candidate let each other be in some region.
func (s *starSearch) meets(seed, candidate Row) bool {
	p := s.pool
	a, b := &p.fronts[seed], &p.fronts[candidate]
	difference := math.Abs(a.number - b.number)
	if difference > a.width || difference > b.narrow || p.reach.mask(seed, ownReach)&p.reach.mask(candidate, a.level) == 0 {
		return false
	}
	return s.agree(seed, candidate)
}

// agree is meets but for the first distance and the region.
func (s *starSearch) agree(seed, candidate Row) bool {
	x, y := &s.rows[seed], &s.rows[candidate]
	if x.kind != y.kind {
		return false
	}
	for i := 1; i < len(s.rules.Distances); i++ {
		if difference := math.Abs(x.numbers[i] - y.numbers[i]); difference > x.held[i].most || difference > y.held[i].most {
			return false
		}
	}
	_, apart := s.keepsApart(x, y)
	return !apart
}

// rankMax bounds the candidates that are all compared with a seed at once; of more the
// nearest are enough, most often.
const rankMax = 24

// rank gives those who may meet the seed in its region to the ranker, of those behind it
// in age and of the reserve; where they are many, from its own number outwards. It returns
// how many players they are, at most.
func (r *starRanker) rank(c *circle) (players int) {
	p, rows := r.search.pool, c.subset.gathered.reachers(c.seed, r.region)
	if len(r.search.lanes) > 1 {
		rows = slices.DeleteFunc(rows, func(row Row) bool { return r.search.rows[row].kind != r.self.kind })
	}
	if len(r.self.numbers) == 0 || len(rows) <= rankMax {
		players = r.offer(rows, false)
	} else {
		players = MaxGroupPlayers
		from, _ := slices.BinarySearchFunc(rows, r.self.numbers[0], func(row Row, number float64) int {
			return cmp.Compare(p.fronts[row].number, number)
		})
		r.add(starStream{rows: rows[from:], upwards: true})
		r.add(starStream{rows: rows[:from]})
	}
	if c.reserve != nil {
		for i := range c.reserve.members {
			players += r.offer([]Row{c.reserve.members[i].row}, true)
		}
	}
	if len(r.streams) == 0 && len(r.heap) <= rankMax && c.reserve == nil {
		r.lineUp()
	} else {
		r.heap.init(r.before)
	}
	return players
}

// offer compares the seed with rows, takes those into the heap that it meets, and returns
// their players.
func (r *starRanker) offer(rows []Row, reserve bool) (players int) {
	for _, row := range rows {
		if total, tieMS, meet := r.compare(row); meet {
			r.heap = append(r.heap, starRated{total, tieMS, row, reserve})
			players += int(r.search.pool.size[row])
		}
	}
	return players
}

// rankOpen does the same for a session, of all who wait.
func (r *starRanker) rankOpen() {
	for i := range r.search.pool.all.members {
		r.offer([]Row{r.search.pool.all.members[i].row}, false)
	}
	r.heap.init(r.before)
}

// exhaustible tells whether options alone forbid a match around a seed: those who
// may not repeat a value are as many as there are values at most. It counts the
// values of all who wait, once in a pass.
func (s *starSearch) exhaustible(seed Row, sizes *TeamSizes) bool {
	for i := range s.rules.Options {
		if s.rules.Options[i].Kind != NoRepeat || len(s.rows[seed].options[i]) == 0 {
			continue
		}
		others := s.distinct(i) - len(s.rows[seed].options[i])
		if int(s.pool.size[seed])+others*s.largest(sizes) < sizes.MinTeams*sizes.MinPlayers {
			return true
		}
	}
	return false
}

// largest returns the players of the largest ticket that waits and fits.
func (s *starSearch) largest(sizes *TeamSizes) int {
	n := min(sizes.MaxPlayers, len(s.pool.sizes)-1)
	for n > 1 && s.pool.sizes[n] == 0 {
		n--
	}
	return n
}

// recount forgets how many values there are.
func (s *starSearch) recount() {
	s.distincts = s.distincts[:0]
	for range s.rules.Options {
		s.distincts = append(s.distincts, -1)
	}
}

// distinct returns how many values of an option all who wait have.
func (s *starSearch) distinct(option int) int {
	if s.distincts[option] >= 0 {
		return s.distincts[option]
	}
	seen := s.seen
	clear(seen)
	count := 0
	for i := range s.pool.all.members {
		row := s.pool.all.members[i].row
		if s.pool.state[row] != rowTicket {
			continue
		}
		for _, text := range s.rows[row].options[option] {
			for int(text)/64 >= len(seen) {
				seen = append(seen, 0)
			}
			if bit := uint64(1) << (text % 64); seen[text/64]&bit == 0 {
				seen[text/64] |= bit
				count++
			}
		}
	}
	s.seen, s.distincts[option] = seen, count
	return count
}
