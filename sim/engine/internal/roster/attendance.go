package roster

import "slices"

// Attendance is the players of a match that is being made, in the order of its tickets.
// A one-hash Bloom filter: most lookups miss, and one bit says so.
type Attendance struct {
	IDs  []uint32
	bits [attendanceBits / 64]uint64
}

// attendanceBits is a power of two. In a match of ten, one lookup in fifty of a player who
// is absent finds the bit of another one set.
const attendanceBits = 512

// Reset forgets all players.
func (a *Attendance) Reset() { a.IDs, a.bits = a.IDs[:0], [attendanceBits / 64]uint64{} }

// Add adds a player.
func (a *Attendance) Add(id uint32) {
	a.IDs = append(a.IDs, id)
	a.bits[id%attendanceBits/64] |= 1 << (id % 64)
}

// HasOneOf tells whether one of ids is there, but for n of them from first on.
func (a *Attendance) HasOneOf(ids []uint32, first, n uint32) bool {
	for _, id := range ids {
		if id-first >= n && a.bits[id%attendanceBits/64]>>(id%64)&1 != 0 && slices.Contains(a.IDs, id) {
			return true
		}
	}
	return false
}
