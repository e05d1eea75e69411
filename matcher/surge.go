package matcher

import (
	"cmp"
	"math"
	"slices"
)

// surgePlanes is enough for more players than memory holds.
const surgePlanes = 32

// surge counts players in all regions at once, as headcount does, without a number
// that is looked for.
type surge struct {
	planes [surgePlanes]uint64
	used   int
}

func (s *surge) add(regions uint64, players int32) {
	for k := 0; players != 0; k, players = k+1, players>>1 {
		if players&1 == 0 {
			continue
		}
		carry, i := regions, k
		for ; carry != 0; i++ {
			s.planes[i], carry = s.planes[i]^carry, s.planes[i]&carry
		}
		s.used = max(s.used, i)
	}
}

// most returns the players in the fullest of some regions.
func (s *surge) most(regions uint64) int32 {
	most := int32(0)
	for k := s.used - 1; k >= 0; k-- {
		if in := regions & s.planes[k]; in != 0 {
			regions, most = in, most|1<<k
		}
	}
	return most
}

// sweep counts those who came for all sleepers. With patience each of them does so only
// when it is its turn as a seed.
func (s *Subset) sweep(r *recall, patience bool) {
	if s.pool.star != nil {
		s.sweepRegions(r)
		return
	}
	s.arrive(r)
	if s.listening = patience; !patience {
		s.listenFrom(r, 0)
	}
}

// listenFrom lets all members from one on listen.
func (s *Subset) listenFrom(r *recall, at int) {
	for i := range s.members[at:] {
		s.listen(r, s.members[at+i].row)
	}
}

// listen counts those who came, and are still here, for one member if it sleeps.
func (s *Subset) listen(r *recall, row Row) {
	if memory := &r.memory[row]; memory.missing > 0 {
		x := &s.gathered.stands[s.gathered.at[row]]
		memory.missing -= min(memory.missing, s.company(x, memory.missing))
	}
}

// arrival is somebody who came since the last pass.
type arrival struct {
	number   float64 // on the axis
	row      Row
	at, size int32 // see stand
}

// arrive lists those who came by their numbers, those without one first.
func (s *Subset) arrive(r *recall) {
	s.came, s.numberless = s.came[:0], 0
	for i := range s.members {
		m := &s.members[i]
		if m.joined <= r.seen {
			continue
		}
		x := &s.gathered.stands[s.gathered.at[m.row]]
		s.came = append(s.came, arrival{x.number, m.row, int32(i), x.size})
		s.numberless += one(math.IsNaN(x.number))
	}
	slices.SortFunc(s.came, func(a, b arrival) int { return cmp.Compare(a.number, b.number) })
}

// depart drops those who came and were matched.
func (s *Subset) depart() {
	s.came = slices.DeleteFunc(s.came, func(a arrival) bool { return s.pool.state[a.row] != rowTicket })
	for s.numberless > 0 && (s.numberless > len(s.came) || !math.IsNaN(s.came[s.numberless-1].number)) {
		s.numberless--
	}
}

// company counts players who came and whom a sleeper may meet, no further than they
// are enough.
func (s *Subset) company(x *stand, enough int32) (players int32) {
	if math.IsNaN(x.number) || math.IsInf(x.width, 1) {
		return s.among(s.came, x, enough)
	}
	from, to := s.numberless, len(s.came)
	for from < to { // the first who is not too far below
		if middle := int(uint(from+to) / 2); x.number-s.came[middle].number > x.width {
			from = middle + 1
		} else {
			to = middle
		}
	}
	for to < len(s.came) && !(s.came[to].number-x.number > x.width) {
		to++
	}
	if players = s.among(s.came[from:to], x, enough); players < enough && s.numberless > 0 {
		players += s.among(s.came[:s.numberless], x, enough-players)
	}
	return players
}

// among counts the players of those of a list who have waited less than a sleeper and
// share a region with it.
func (s *Subset) among(list []arrival, x *stand, enough int32) (players int32) {
	masks, stride := s.pool.reach.masks[x.level:], s.pool.reach.stride()
	for i := range list {
		y := &list[i]
		fits := one(x.near&masks[int(y.row)*stride] != 0) & one(y.at > x.at)
		if players += y.size * int32(fits); players >= enough {
			break
		}
	}
	return players
}

// sweepRegions counts, under a star, those who came or changed by regions alone: it
// walks over the members from the youngest on and keeps how many there were in each
// region within each level. To wake costs a look at everybody there, so to look closer
// first gains nothing.
func (s *Subset) sweepRegions(r *recall) {
	p := s.pool
	stride := p.reach.stride()
	clear(s.surges)
	for len(s.surges) < stride {
		s.surges = append(s.surges, surge{})
	}
	all := int32(0) // wherever they are
	for i := len(s.members) - 1; i >= 0; i-- {
		m := &s.members[i]
		x := &s.gathered.stands[s.gathered.at[m.row]]
		if memory := &r.memory[m.row]; memory.missing > 0 {
			came := all
			if p.star.rows[m.row].measured {
				came = s.surges[x.level].most(x.near)
			}
			memory.missing -= min(memory.missing, came)
		}
		if m.joined <= r.seen && p.touched[m.row] <= r.seen || x.size == nobody {
			continue
		}
		all += x.size
		for level, mask := range p.reach.masks[int(m.row)*stride : (int(m.row)+1)*stride] {
			s.surges[level].add(mask, x.size)
		}
	}
}

// sweeps tells whether regions tell most about who may meet whom.
func (p *Pool) sweeps() bool {
	if p.star != nil {
		return len(p.star.lanes) <= 1 && len(p.star.rules.Options) == 0
	}
	return p.decisive
}
