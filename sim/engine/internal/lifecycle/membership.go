package lifecycle

import "slices"

// Membership lists the players of a match that starts or takes more tickets. Most lookups are for
// players who are not in the match, and a one-hash Bloom filter answers them with a single bit.
type Membership struct {
	IDs  []uint32
	bits [membershipBits / 64]uint64
}

// membershipBits is the size of the filter, a power of two. In a match of ten players, one in fifty
// lookups of an absent player hits the bit of another player.
const membershipBits = 512

// Reset forgets all players.
func (a *Membership) Reset() { a.IDs, a.bits = a.IDs[:0], [membershipBits / 64]uint64{} }

// Add adds a player.
func (a *Membership) Add(id uint32) {
	a.IDs = append(a.IDs, id)
	a.bits[id%membershipBits/64] |= 1 << (id % 64)
}

// HasOneOf reports whether any of ids is in the match. It ignores the IDs from first to first+n-1.
func (a *Membership) HasOneOf(ids []uint32, first, n uint32) bool {
	for _, id := range ids {
		if id-first >= n && a.bits[id%membershipBits/64]>>(id%64)&1 != 0 && slices.Contains(a.IDs, id) {
			return true
		}
	}
	return false
}
