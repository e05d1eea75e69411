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
		x := &p.fronts[m.row]
		if memory := &r.memory[m.row]; memory.missing > 0 {
			came := all
			if p.star.rows[m.row].measured {
				came = s.surges[x.level].most(p.near(m.row))
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

// sweeps tells whether, under a star, regions tell most about who may meet whom.
func (s *starSearch) sweeps() bool { return len(s.lanes) <= 1 && len(s.rules.Options) == 0 }
