package sim

// packBudget bounds the tickets that one leader may try while partner
// cool-downs are in force, where finding a group is a search. A leader that
// exceeds it is passed over until the next pass.
const packBudget = 10_000

// packer fills matches exactly from a list of tickets in walking order: the
// first ticket leads, with the lexicographically first subset of later tickets
// that fills the match; a ticket for which there is none is passed over and the
// next one leads.
//
// A party size fits if the rest of the match can still be filled from the sizes
// that follow, so without cool-downs no choice is ever taken back and the walk
// is linear for solos.
type packer struct {
	engine *Engine
	size   int // of a match
	list   []ticketID
	taken  []bool
	lead   int                     // the first position that has not led yet
	later  [MaxMatchSize + 1]int32 // untaken tickets behind the position looked at, by size
	group  []int32                 // positions, leader first
	chosen []ticketID
	budget int
}

// reset starts on a new list.
func (p *packer) reset(e *Engine, list []ticketID) {
	p.engine, p.size, p.list, p.lead = e, e.cfg.MatchSize, list, 0
	p.taken = append(p.taken[:0], make([]bool, len(list))...)
	p.later = [MaxMatchSize + 1]int32{}
	for _, t := range list {
		p.later[e.players.of(t).size]++
	}
}

// next finds the next group among those led by one of the first leads tickets.
// The group stays valid until the next call.
func (p *packer) next(leads int) bool {
	for ; p.lead < leads; p.lead++ {
		if p.taken[p.lead] {
			continue
		}
		n := p.sizeAt(p.lead)
		p.later[n]--
		p.group = append(p.group[:0], int32(p.lead))
		p.budget = packBudget
		if p.reaches(p.size-n) && p.fill(p.lead+1, p.size-n) {
			p.take()
			p.lead++
			return true
		}
	}
	return false
}

// fill extends the group by later tickets until room is used up. It leaves
// later as it found it, counting what follows the leader, unless it succeeds.
func (p *packer) fill(from, room int) bool {
	if room == 0 {
		return true
	}
	i := from
	for ; i < len(p.list) && p.reaches(room); i++ {
		if p.taken[i] {
			continue
		}
		n := p.sizeAt(i)
		p.later[n]--
		if n > room || !p.reaches(room-n) || !p.compatible(i) {
			continue
		}
		p.group = append(p.group, int32(i))
		if p.fill(i+1, room-n) {
			return true
		}
		p.group = p.group[:len(p.group)-1]
	}
	for i--; i >= from; i-- {
		if !p.taken[i] {
			p.later[p.sizeAt(i)]++
		}
	}
	return false
}

// take marks the group as taken and counts those it skipped as later again.
func (p *packer) take() {
	for _, i := range p.group {
		p.taken[i] = true
	}
	for i := p.group[0]; i < p.group[len(p.group)-1]; i++ {
		if !p.taken[i] {
			p.later[p.sizeAt(int(i))]++
		}
	}
}

// reaches tells whether some of the later tickets add up to exactly room.
func (p *packer) reaches(room int) bool {
	if int(p.later[1]) >= room {
		return true
	}
	sums := uint64(1) // bit s: s players can be had; room is below MaxMatchSize
	for n := 1; n <= room; n++ {
		for range min(int(p.later[n]), room/n) {
			sums |= sums << n
		}
	}
	return sums>>room&1 != 0
}

func (p *packer) sizeAt(i int) int { return int(p.engine.players.of(p.list[i]).size) }

// tickets returns the tickets of the group.
func (p *packer) tickets() []ticketID {
	p.chosen = p.chosen[:0]
	for _, i := range p.group {
		p.chosen = append(p.chosen, p.list[i])
	}
	return p.chosen
}

// compatible tells whether a ticket may meet everybody in the group.
func (p *packer) compatible(i int) bool {
	if p.engine.cfg.PartnerCooldown == 0 {
		return true
	}
	if p.budget--; p.budget < 0 {
		return false
	}
	for _, j := range p.group {
		if p.engine.coolingDown(p.list[i], p.list[j]) {
			return false
		}
	}
	return true
}

// coolingDown tells whether two tickets met in the last match of one of them,
// less than the cool-down ago. Warm bodies meet anybody.
func (e *Engine) coolingDown(a, b ticketID) bool {
	if e.players.of(a).state == StateWarmBody || e.players.of(b).state == StateWarmBody {
		return false
	}
	return e.cools(a) && e.metAny(a, b) || e.cools(b) && e.metAny(b, a)
}

// cools tells whether the ticket's last match ended less than the cool-down ago.
func (e *Engine) cools(t ticketID) bool {
	p := e.players.of(t)
	return p.searches > 0 && e.now.Sub(p.lastEnd) < e.cfg.PartnerCooldown
}

// metAny tells whether a player of a had one of b as a partner.
func (e *Engine) metAny(a, b ticketID) bool {
	for i := range e.players.members(a) {
		for _, other := range e.players.members(b) {
			if e.players.met(a+uint32(i), other.id) {
				return true
			}
		}
	}
	return false
}
