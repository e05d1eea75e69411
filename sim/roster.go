package sim

import "slices"

// roster is the ids of a match's players. Most who are looked for are not in it, which
// one of rosterBits bits tells.
type roster struct {
	ids  []uint32
	bits [rosterBits / 64]uint64
}

// rosterBits is a power of two: of a match of ten one in fifty who is not there shares
// the bit of somebody who is.
const rosterBits = 512

func (r *roster) reset() { r.ids, r.bits = r.ids[:0], [rosterBits / 64]uint64{} }

func (r *roster) add(id uint32) {
	r.ids = append(r.ids, id)
	r.bits[id%rosterBits/64] |= 1 << (id % 64)
}

func (r *roster) has(id uint32) bool {
	return r.bits[id%rosterBits/64]>>(id%64)&1 != 0 && slices.Contains(r.ids, id)
}
