package matcher

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

// sweep counts those who came, or under a star changed, for all sleepers at once: it
// walks over the members from the youngest on and keeps how many there were in each
// region within each level. Only where they might do does it look at each of them,
// and under a star not even then: to wake costs a look at everybody.
func (s *Subset) sweep(r *recall) {
	p := s.pool
	stride := p.reach.stride()
	clear(s.surges)
	for len(s.surges) < stride {
		s.surges = append(s.surges, surge{})
	}
	s.came = s.came[:0]
	all := int32(0) // wherever they are
	for i := len(s.members) - 1; i >= 0; i-- {
		m := &s.members[i]
		x := &s.gathered.stands[s.gathered.at[m.row]]
		if memory := &r.memory[m.row]; memory.missing > 0 {
			came := all
			if p.star == nil || p.star.rows[m.row].measured {
				came = s.surges[x.level].most(x.near)
			}
			if came >= memory.missing && p.star == nil {
				came = s.company(x, memory.missing)
			}
			memory.missing -= min(memory.missing, came)
		}
		if m.joined <= r.seen && (p.star == nil || p.touched[m.row] <= r.seen) || x.size == nobody {
			continue
		}
		all += x.size
		s.came = append(s.came, *x)
		for level, mask := range p.reach.masks[int(m.row)*stride : (int(m.row)+1)*stride] {
			s.surges[level].add(mask, x.size)
		}
	}
}

// company counts players who came and whom a sleeper may meet, no further than they
// are enough.
func (s *Subset) company(x *stand, enough int32) (players int32) {
	reach := &s.pool.reach
	masks, stride, level := reach.masks, reach.stride(), int(x.level)
	for i := range s.came {
		y := &s.came[i]
		fits := one(x.near&masks[int(y.row)*stride+level] != 0) & x.close(y)
		if players += y.size * int32(fits); players >= enough {
			break
		}
	}
	return players
}

// sweeps tells whether regions tell most about who may meet whom.
func (p *Pool) sweeps() bool {
	if p.star != nil {
		return len(p.star.lanes) <= 1 && len(p.star.rules.Options) == 0
	}
	return p.decisive
}
