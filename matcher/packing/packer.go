package packing

// MaxMatchSize is the largest match that can be packed, because sums of party sizes are kept
// as the bits of a uint64.
const MaxMatchSize = 64

// Budget is the number of tickets that the search for one leader may try if mayMeet is given.
// A leader whose search exceeds it is skipped.
const Budget = 10_000

// Packer fills matches exactly from a list of tickets, in the order of the list. The first
// ticket leads, joined by the lexicographically first subset of later tickets that fills the
// match. If there is no such subset, the ticket is skipped and the next one leads.
//
// A ticket is added only if the sizes behind it can still add up to the remaining seats.
// Without mayMeet there is therefore no backtracking, and a list whose sizes cannot add up to
// the match is not traversed: the cost is linear for solos, and at worst one traversal of the
// list for each match. The zero Packer is ready for Reset. It does not allocate once its
// slices have grown.
type Packer struct {
	size    int
	sizes   []uint8
	mayMeet func(a, b int) bool
	taken   []bool
	lead    int        // the first position that has not led yet
	later   PartySizes // tickets behind the current position that are not taken
	group   []int32    // leader first
	budget  int
	gaveUp  bool // a leader exceeded the budget
}

// Reset starts a new list of tickets, given by their numbers of players, 1 to MaxMatchSize
// each. mayMeet reports whether the tickets at two positions may be in one match; nil means
// that any two may. The Packer keeps both arguments until the next Reset.
func (p *Packer) Reset(matchSize int, sizes []uint8, mayMeet func(a, b int) bool) {
	p.size, p.sizes, p.mayMeet, p.lead, p.gaveUp = matchSize, sizes, mayMeet, 0, false
	p.taken = append(p.taken[:0], make([]bool, len(sizes))...)
	p.later = PartySizes{}
	for _, n := range sizes {
		p.later[n]++
	}
}

// Next returns the positions of the next group in ascending order, the leader first, or nil
// if there is none. Only the first leads tickets of the list may lead. The slice stays valid
// until the next call.
func (p *Packer) Next(leads int) []int32 {
	if !p.later.CanFill(p.size) { // later counts all tickets from lead that are not taken
		return nil
	}
	for ; p.lead < leads; p.lead++ {
		if p.taken[p.lead] {
			continue
		}
		n := int(p.sizes[p.lead])
		p.later[n]--
		p.group = append(p.group[:0], int32(p.lead))
		p.budget = Budget
		if room := p.size - n; room >= 0 && p.later.CanFill(room) && p.fill(p.lead+1, room) {
			p.take()
			p.lead++
			return p.group
		}
	}
	return nil
}

// fill adds later tickets to the group until room is used up. If it fails, it restores later.
func (p *Packer) fill(from, room int) bool {
	if room == 0 {
		return true
	}
	i := from
	for ; i < len(p.sizes) && p.later.CanFill(room); i++ {
		if p.taken[i] {
			continue
		}
		n := int(p.sizes[i])
		p.later[n]--
		if n > room || !p.later.CanFill(room-n) || !p.fits(i) {
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
			p.later[p.sizes[i]]++
		}
	}
	return false
}

// take marks the group as taken and counts the skipped tickets as later again.
func (p *Packer) take() {
	for _, i := range p.group {
		p.taken[i] = true
	}
	for i := p.group[0]; i < p.group[len(p.group)-1]; i++ {
		if !p.taken[i] {
			p.later[p.sizes[i]]++
		}
	}
}

// GaveUp reports whether a leader has been skipped since Reset because its search exceeded
// Budget. If not, and Next has returned nil, the remaining tickets form no group in any other
// order either, because all groups were tried.
func (p *Packer) GaveUp() bool { return p.gaveUp }

// fits reports whether a ticket may be in one match with all tickets of the group.
func (p *Packer) fits(i int) bool {
	if p.mayMeet == nil {
		return true
	}
	if p.budget--; p.budget < 0 {
		p.gaveUp = true
		return false
	}
	for _, j := range p.group {
		if !p.mayMeet(i, int(j)) {
			return false
		}
	}
	return true
}
