package roster

import "slices"

// Membership is the players of a match that is being made, in the order of its tickets.
// It looks players up in a one-hash Bloom filter: most lookups miss, and one bit says so.
type Membership struct {
	IDs  []uint32
	bits [membershipBits / 64]uint64
}

// membershipBits is a power of two. In a match of ten, one lookup in fifty of an absent player
// finds the bit of a present one.
const membershipBits = 512

// Reset forgets all players.
func (a *Membership) Reset() { a.IDs, a.bits = a.IDs[:0], [membershipBits / 64]uint64{} }

// Add adds a player.
func (a *Membership) Add(id uint32) {
	a.IDs = append(a.IDs, id)
	a.bits[id%membershipBits/64] |= 1 << (id % 64)
}

// HasOneOf reports whether one of ids is present, except the n ids from first on.
func (a *Membership) HasOneOf(ids []uint32, first, n uint32) bool {
	for _, id := range ids {
		if id-first >= n && a.bits[id%membershipBits/64]>>(id%64)&1 != 0 && slices.Contains(a.IDs, id) {
			return true
		}
	}
	return false
}
