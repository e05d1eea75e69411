package sim

// acquaintances finds the players online whom a person knows: friends, whoever of
// the two lists the other, and who lives in the same household. Its maps are looked
// into and never walked.
type acquaintances struct {
	people      People
	byRow       registry // the persons of a row
	byListed    registry // who lists the persons of a row
	byHousehold registry
	rows        []uint32 // scratch
}

func newAcquaintances(people People) acquaintances {
	return acquaintances{people: people, byRow: newRegistry(), byListed: newRegistry(), byHousehold: newRegistry()}
}

// key names what belongs to a copy of the day's people.
func key(of, copyNumber uint32) uint64 { return uint64(copyNumber)<<32 | uint64(of) }

// of appends the slots of the players whom a person knows. One may stand there
// twice.
func (a *acquaintances) of(p *Person, slots []uint32) []uint32 {
	slots = a.byListed.appendTo(slots, key(p.Row, p.Copy))
	if household := a.people.Household(p); household != 0 {
		slots = a.byHousehold.appendTo(slots, key(household, p.Copy))
	}
	a.rows = a.people.Friends(p, a.rows[:0])
	for _, row := range a.rows {
		slots = a.byRow.appendTo(slots, key(row, p.Copy))
	}
	return slots
}

// enter notes that a person is online in a slot.
func (a *acquaintances) enter(p *Person, slot uint32) { a.change(p, slot, (*registry).add) }

// leave notes that a person is online no more.
func (a *acquaintances) leave(p *Person, slot uint32) { a.change(p, slot, (*registry).remove) }

func (a *acquaintances) change(p *Person, slot uint32, do func(*registry, uint64, uint32)) {
	do(&a.byRow, key(p.Row, p.Copy), slot)
	if household := a.people.Household(p); household != 0 {
		do(&a.byHousehold, key(household, p.Copy), slot)
	}
	a.rows = a.people.Friends(p, a.rows[:0])
	for _, row := range a.rows {
		do(&a.byListed, key(row, p.Copy), slot)
	}
}

// registry lists slots by key. Lists are short and linked through one slice, so that
// nothing is allocated while players come and go.
type registry struct {
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

func newRegistry() registry { return registry{heads: map[uint64]int32{}, free: noEntry} }

func (r *registry) add(key uint64, slot uint32) {
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

// remove removes an entry that was added.
func (r *registry) remove(key uint64, slot uint32) {
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

func (r *registry) appendTo(slots []uint32, key uint64) []uint32 {
	at, has := r.heads[key]
	for has && at != noEntry {
		slots = append(slots, r.entries[at].slot)
		at = r.entries[at].next
	}
	return slots
}
