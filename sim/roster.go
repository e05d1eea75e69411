package sim

import "slices"

// roster is the players of a match, in the order of its tickets. Most who are looked for
// are not in it, which one of rosterBits bits tells.
type roster struct {
	slots []uint32
	ids   []uint32
	bits  [rosterBits / 64]uint64
}

// rosterBits is a power of two: of a match of ten one in fifty who is not there shares
// the bit of somebody who is.
const rosterBits = 512

func (r *roster) reset() {
	r.slots, r.ids, r.bits = r.slots[:0], r.ids[:0], [rosterBits / 64]uint64{}
}

func (r *roster) add(slot, id uint32) {
	r.slots, r.ids = append(r.slots, slot), append(r.ids, id)
	r.bits[id%rosterBits/64] |= 1 << (id % 64)
}

// has tells whether the player of an id is there.
func (r *roster) has(id uint32) bool {
	return r.bits[id%rosterBits/64]>>(id%64)&1 != 0 && slices.Contains(r.ids, id)
}
