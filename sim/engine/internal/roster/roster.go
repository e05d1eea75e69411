// Package roster remembers which players were in a match together.
package roster

import (
	"slices"

	"mmsim/sim/engine/internal/freelist"
)

// ID is the handle of a roster.
type ID uint32

// None is the roster of a ticket that was in no match. It has no players.
const None ID = 0

// Rosters remembers the players of the last match of every ticket online. The ids of a match
// are stored once, for as long as it is the last match of one of its tickets.
type Rosters struct {
	stride int      // the most players of a match
	ids    []uint32 // roster r holds ids[r*stride:][:count[r]]
	count  []uint16
	users  []uint32 // tickets that remember it; None has one more, and is never free
	free   freelist.List[ID]
}

// New returns rosters of matches of at most size players.
func New(size int) Rosters {
	return Rosters{stride: size, ids: make([]uint32, size), count: make([]uint16, 1), users: []uint32{1}}
}

// Alloc returns a roster of players, which a number of tickets remember.
func (r *Rosters) Alloc(ids []uint32, users int) ID {
	roster, ok := r.free.Take()
	if !ok {
		roster = ID(len(r.count))
		r.count, r.users = append(r.count, 0), append(r.users, 0)
		r.ids = slices.Grow(r.ids, r.stride)[:len(r.ids)+r.stride]
	}
	r.count[roster], r.users[roster] = uint16(len(ids)), uint32(users)
	copy(r.ids[int(roster)*r.stride:], ids)
	return roster
}

// Hold notes that one more ticket remembers a roster.
func (r *Rosters) Hold(roster ID) { r.users[roster]++ }

// Drop notes that a ticket remembers a roster no more.
func (r *Rosters) Drop(roster ID) {
	if r.users[roster]--; r.users[roster] == 0 {
		r.free.Put(roster)
	}
}

// Of returns the ids of a roster.
func (r *Rosters) Of(roster ID) []uint32 {
	i := int(roster) * r.stride
	return r.ids[i : i+int(r.count[roster])]
}

// Users returns by roster how many tickets remember it.
func (r *Rosters) Users() []uint32 { return r.users }
