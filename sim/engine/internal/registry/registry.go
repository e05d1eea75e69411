// Package registry lists the players who are registered under a key.
package registry

// Registry lists slots by key. Lists are short and linked through one slice, so that
// nothing is allocated while players come and go.
type Registry struct {
	heads   map[uint64]int32 // first entry
	entries []entry
	free    int32
	len     int
}

type entry struct {
	slot uint32
	next int32
}

const noEntry = -1

// New returns an empty registry.
func New() Registry { return Registry{heads: map[uint64]int32{}, free: noEntry} }

// Add adds an entry.
func (r *Registry) Add(key uint64, slot uint32) {
	at := r.free
	if at == noEntry {
		at = int32(len(r.entries))
		r.entries = append(r.entries, entry{})
	} else {
		r.free = r.entries[at].next
	}
	next, has := r.heads[key]
	if !has {
		next = noEntry
	}
	r.entries[at] = entry{slot, next}
	r.heads[key] = at
	r.len++
}

// Remove removes an entry that was added.
func (r *Registry) Remove(key uint64, slot uint32) {
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

// AppendTo appends the slots of a key.
func (r *Registry) AppendTo(slots []uint32, key uint64) []uint32 {
	at, has := r.heads[key]
	for has && at != noEntry {
		slots = append(slots, r.entries[at].slot)
		at = r.entries[at].next
	}
	return slots
}

// Len returns the number of entries.
func (r *Registry) Len() int { return r.len }
