package sim

import "slices"

// rosterID names the players of a match, for those who remember it.
type rosterID uint32

// noRoster is that of a ticket which was in no match: nobody is in it.
const noRoster rosterID = 0

// rosters remembers who was in the last match of every ticket online: the ids of a match
// once for all, as long as one of its tickets was in no other since.
type rosters struct {
	stride int      // the most players of a match
	ids    []uint32 // roster r holds ids[r*stride:][:count[r]]
	count  []uint16
	users  []uint32 // tickets that remember it; noRoster has one more, and is never free
	free   freeList[rosterID]
}

func newRosters(size int) rosters {
	return rosters{stride: size, ids: make([]uint32, size), count: make([]uint16, 1), users: []uint32{1}}
}

// alloc returns a roster of players, which so many tickets remember.
func (r *rosters) alloc(ids []uint32, users int) rosterID {
	roster, ok := r.free.take()
	if !ok {
		roster = rosterID(len(r.count))
		r.count, r.users = append(r.count, 0), append(r.users, 0)
		r.ids = slices.Grow(r.ids, r.stride)[:len(r.ids)+r.stride]
	}
	r.count[roster], r.users[roster] = uint16(len(ids)), uint32(users)
	copy(r.ids[int(roster)*r.stride:], ids)
	return roster
}

// hold notes that one more ticket remembers a roster.
func (r *rosters) hold(roster rosterID) { r.users[roster]++ }

// drop notes that a ticket remembers a roster no more.
func (r *rosters) drop(roster rosterID) {
	if r.users[roster]--; r.users[roster] == 0 {
		r.free.put(roster)
	}
}

// of returns the ids of a roster.
func (r *rosters) of(roster rosterID) []uint32 {
	i := int(roster) * r.stride
	return r.ids[i : i+int(r.count[roster])]
}
