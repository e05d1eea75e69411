package lifecycle

import (
	"slices"

	"mmsim/sim/engine/internal/world"
)

// RosterID is the handle of a roster.
type RosterID uint32

// NoRoster is the roster of a ticket that has not been in a match. It has no players.
const NoRoster RosterID = 0

// Rosters remembers the players of each online ticket's last match. The tickets of a match share
// one roster, which is freed when it is no longer the last match of any ticket.
type Rosters struct {
	stride int      // largest number of players in a match
	ids    []uint32 // roster r has ids[r*stride:][:count[r]]
	count  []uint16
	users  []uint32 // number of tickets with this roster; NoRoster has one more, so it is never free
	free   world.FreeList[RosterID]
}

// NewRosters returns an empty set of rosters for matches of at most size players.
func NewRosters(size int) Rosters {
	return Rosters{stride: size, ids: make([]uint32, size), count: make([]uint16, 1), users: []uint32{1}}
}

// Alloc returns a new roster with the given players. users is the number of tickets that use it.
func (r *Rosters) Alloc(ids []uint32, users int) RosterID {
	roster, ok := r.free.Take()
	if !ok {
		roster = RosterID(len(r.count))
		r.count, r.users = append(r.count, 0), append(r.users, 0)
		r.ids = slices.Grow(r.ids, r.stride)[:len(r.ids)+r.stride]
	}
	r.count[roster], r.users[roster] = uint16(len(ids)), uint32(users)
	copy(r.ids[int(roster)*r.stride:], ids)
	return roster
}

// Hold counts one more ticket that uses a roster.
func (r *Rosters) Hold(roster RosterID) { r.users[roster]++ }

// Drop counts one ticket fewer that uses a roster, and frees the roster after the last one.
func (r *Rosters) Drop(roster RosterID) {
	if r.users[roster]--; r.users[roster] == 0 {
		r.free.Put(roster)
	}
}

// Of returns the player IDs of a roster.
func (r *Rosters) Of(roster RosterID) []uint32 {
	i := int(roster) * r.stride
	return r.ids[i : i+int(r.count[roster])]
}

// Users returns the number of tickets that use each roster.
func (r *Rosters) Users() []uint32 { return r.users }
