package servers

// registry maps a key to the slots of the players who are registered under it. The lists are short,
// and all are linked through one slice, so that players can come and go without allocations.
type registry struct {
	heads   map[uint64]int32 // index of the first entry of each list
	entries []registered
	free    int32
	len     int
}

// registered is a slot in a list.
type registered struct {
	slot uint32
	next int32
}

const noEntry = -1

// newRegistry returns an empty registry.
func newRegistry() registry { return registry{heads: map[uint64]int32{}, free: noEntry} }

// Add registers a slot under a key.
func (r *registry) Add(key uint64, slot uint32) {
	at := r.free
	if at == noEntry {
		at = int32(len(r.entries))
		r.entries = append(r.entries, registered{})
	} else {
		r.free = r.entries[at].next
	}
	next, has := r.heads[key]
	if !has {
		next = noEntry
	}
	r.entries[at] = registered{slot, next}
	r.heads[key] = at
	r.len++
}

// Remove removes a slot that was added under a key.
func (r *registry) Remove(key uint64, slot uint32) {
	at, before := r.heads[key], int32(noEntry)
	for r.entries[at].slot != slot {
		at, before = r.entries[at].next, at
	}
	next := r.entries[at].next
	switch {
	case before != noEntry:
		r.entries[before].next = next
	case next != noEntry:
		r.heads[key] = next
	default:
		delete(r.heads, key)
	}
	r.entries[at].next = r.free
	r.free = at
	r.len--
}

// AppendTo appends the slots that are registered under a key.
func (r *registry) AppendTo(slots []uint32, key uint64) []uint32 {
	at, has := r.heads[key]
	for has && at != noEntry {
		slots = append(slots, r.entries[at].slot)
		at = r.entries[at].next
	}
	return slots
}

// Len returns the number of entries.
func (r *registry) Len() int { return r.len }
