package sim

import "slices"

// attendance is the players of a match that is being made, in the order of its tickets.
// Most who are looked for are not in it, which one of attendanceBits bits tells.
type attendance struct {
	ids  []uint32
	bits [attendanceBits / 64]uint64
}

// attendanceBits is a power of two: of a match of ten one in fifty who is not there
// shares the bit of somebody who is.
const attendanceBits = 512

func (a *attendance) reset() { a.ids, a.bits = a.ids[:0], [attendanceBits / 64]uint64{} }

func (a *attendance) add(id uint32) {
	a.ids = append(a.ids, id)
	a.bits[id%attendanceBits/64] |= 1 << (id % 64)
}

// hasOneOf tells whether one of ids is there, but for n of them from first on.
func (a *attendance) hasOneOf(ids []uint32, first, n uint32) bool {
	for _, id := range ids {
		if id-first >= n && a.bits[id%attendanceBits/64]>>(id%64)&1 != 0 && slices.Contains(a.ids, id) {
			return true
		}
	}
	return false
}
