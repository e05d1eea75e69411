package packing

// MaxMatchSize is the largest match that can be packed. It is the largest match and party of the
// whole program, except that a vendor may allow larger matches. Sizes are stored in a uint8.
const MaxMatchSize = 200

// Budget is the largest number of tickets that the search for one leader's group may try. It
// applies only if Packer.Reset was called with a function mayMeet. A leader (see Packer) is skipped
// if its search exceeds the budget.
const Budget = 10_000

// Packer fills matches exactly from a list of tickets. The first ticket of the list is the leader.
// It is joined by the lexicographically first subset of later tickets that fills the match. If
// there is no such subset, the leader is skipped and the next ticket is the leader.
//
// A ticket is added only if the sizes of the tickets after it can add up to the remaining seats.
// Without mayMeet, there is therefore no backtracking, and a list whose sizes cannot add up to the
// match is not traversed. The cost is then linear for solo players, and at most one traversal of
// the list for each match. The zero Packer is ready for Reset. It does not allocate once its
// slices have grown.
type Packer struct {
	size    int
	sizes   []uint8
	mayMeet func(a, b int) bool
	taken   []bool
	lead    int        // first position that has not been tried as the leader
	later   PartySizes // tickets after the current position that are not taken
	group   []int32    // positions of the current group, the leader first
	budget  int        // tickets that the search for the current leader may still try
	gaveUp  bool       // a leader exceeded the budget
}

// Reset starts a new list of tickets. sizes are their numbers of players, each from 1 to
// MaxMatchSize. mayMeet reports whether the tickets at two positions may be in the same match. It
// is nil if any two tickets may. The Packer keeps sizes and mayMeet until the next Reset.
func (p *Packer) Reset(matchSize int, sizes []uint8, mayMeet func(a, b int) bool) {
	p.size, p.sizes, p.mayMeet, p.lead, p.gaveUp = matchSize, sizes, mayMeet, 0, false
	p.taken = append(p.taken[:0], make([]bool, len(sizes))...)
	clear(p.later[:matchSize+1]) // the numbers of larger tickets are never read
	for _, n := range sizes {
		p.later[n]++
	}
}

// Next returns the positions of the next group in ascending order, or nil if there is none. A
// leader must be at a position below leads. The slice is valid until the next call.
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

// fill adds tickets to the group, starting at position from, until the free seats are filled. The
// parameter room is their number. If the tickets cannot fill them exactly, fill restores p.later
// and returns false.
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

// take marks the tickets of the group as taken, and counts the skipped tickets in p.later again.
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

// GaveUp reports whether any leader has been skipped since Reset because its search exceeded
// Budget. If it returns false after Next has returned nil, all groups were tried, so the remaining
// tickets cannot form a group in any other order.
func (p *Packer) GaveUp() bool { return p.gaveUp }

// fits reports whether a ticket may be in the same match as all tickets of the group.
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
