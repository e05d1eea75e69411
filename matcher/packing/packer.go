package packing

// MaxMatchSize is the largest match that can be packed: sums of party sizes are
// kept as the bits of a uint64.
const MaxMatchSize = 64

// Budget bounds how many tickets one leader may try while some tickets may
// not meet, where finding a group is a search. A leader that exceeds it is passed
// over.
const Budget = 10_000

// Packer fills matches exactly from a list of tickets in walking order: the
// first ticket leads, with the lexicographically first subset of later tickets
// that fills the match; a ticket for which there is none is passed over and the
// next one leads.
//
// A ticket is taken only if what is then missing can still be added up from the
// sizes that follow it, so where everybody may meet no choice is ever taken back.
// A list whose sizes cannot add up to the match at all is not walked.
// The cost is then linear for solos, and at worst a walk through the list for
// each match. The zero Packer is ready for Reset; it allocates nothing once its
// slices have grown.
type Packer struct {
	size    int
	sizes   []uint8
	mayMeet func(a, b int) bool
	taken   []bool
	lead    int        // the first position that has not led yet
	later   PartySizes // untaken tickets behind the position looked at
	group   []int32    // leader first
	budget  int
	gaveUp  bool // a leader exceeded the budget
}

// Reset starts on a new list of tickets, given by their numbers of players, 1 to
// MaxMatchSize each. mayMeet tells whether two positions of the list may be in
// one match; nil means that all may. Both are kept until the next Reset.
func (p *Packer) Reset(matchSize int, sizes []uint8, mayMeet func(a, b int) bool) {
	p.size, p.sizes, p.mayMeet, p.lead, p.gaveUp = matchSize, sizes, mayMeet, 0, false
	p.taken = append(p.taken[:0], make([]bool, len(sizes))...)
	p.later = PartySizes{}
	for _, n := range sizes {
		p.later[n]++
	}
}

// Next returns the positions of the next group that one of the first leads
// tickets leads, leader first and ascending, or nil when there is none. The slice
// stays valid until the next call.
func (p *Packer) Next(leads int) []int32 {
	if !p.later.CanFill(p.size) { // of all untaken tickets from lead on
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

// fill extends the group by later tickets until room is used up. Unless it
// succeeds it leaves later as it found it.
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

// take marks the group as taken and counts those that it skipped as later again.
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

// GaveUp reports whether a leader was passed over since Reset because it exceeded
// Budget. If none was and Next has returned nil, the tickets that are left form
// no group in any other order either: all groups were tried.
func (p *Packer) GaveUp() bool { return p.gaveUp }

// fits tells whether a ticket may meet everybody in the group.
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
