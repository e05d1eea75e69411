package states

import "slices"

// completeGroup tries to make a match from the regular tickets that remain after the full groups of
// a datacenter's turn, and from warm bodies, lowest RTT first. It reports whether it made the
// match. No ticket is taken unless the match is filled exactly. The group may deliberately use a
// ticket that a later datacenter could have used.
func (q *exactTurns) completeGroup(dc int) bool {
	w := q.waiting
	if !w.CanFill(dc, q.Own.MatchSize) {
		return false
	}
	q.rest = q.rest[:0]
	q.clearWalk()
	for _, i := range q.queue {
		if w.Admits[i] != 0 {
			q.rest = append(q.rest, i)
			q.addToWalk(w.Tickets[i], q.Players.Of(w.Tickets[i]).Size)
		}
	}
	regular := len(q.rest)
	if regular == 0 || w.OnlySolos() && regular+len(w.Warm) < q.Own.MatchSize {
		return false
	}
	nearest := q.nearestWarm(dc)
	for _, key := range nearest {
		body := w.Warm[uint32(key)]
		q.addToWalk(body.Ticket, body.Size)
	}
	group := q.pack().Next(regular)
	if group == nil {
		return false
	}
	for _, i := range group {
		if int(i) < regular {
			w.Take(q.rest[i], q.sizes[i])
		} else {
			w.TakeWarm(int32(uint32(nearest[int(i)-regular])))
		}
	}
	q.start(dc, q.ticketsAt(group))
	w.CompactWarm()
	return true
}

// nearestWarm returns the warm bodies that a datacenter may use, as keys of warmKey in ascending
// order. The index in a key is an index into waiting.Warm. For each size, nearestWarm returns no
// more warm bodies than fit into a match together with a regular ticket. A group needs no more:
// warm bodies may meet any ticket, so it uses the nearest ones of a size first.
func (q *exactTurns) nearestWarm(dc int) []uint64 {
	w, most := q.waiting, q.Own.MatchSize-1
	keys := q.keys[:0]
	if w.OnlySolos() {
		for i, body := range w.Warm {
			keys = append(keys, q.warmKey(dc, i, body))
		}
		n := min(len(keys), most)
		smallestFirst(keys, n)
		q.keys = keys
		return keys[:n]
	}
	for size := 1; size <= most; size++ {
		q.nearest[size] = q.nearest[size][:0]
	}
	for i, body := range w.Warm {
		if int(body.Size) <= most {
			q.nearest[body.Size] = keepSmallest(q.nearest[body.Size], q.warmKey(dc, i, body), most/int(body.Size))
		}
	}
	for size := 1; size <= most; size++ {
		keys = append(keys, q.nearest[size]...)
	}
	slices.Sort(keys)
	q.keys = keys
	return keys
}

// warmKey returns a key that sorts warm bodies by RTT to a datacenter and then by age of the
// search. The key is RTT<<32 | index, where index is the warm body's index in waiting.Warm, which
// is sorted by age.
func (q *exactTurns) warmKey(dc, i int, body warmBody) uint64 {
	return uint64(q.RTT(body.Ticket, dc))<<32 | uint64(i)
}

// keepSmallest inserts a key into list, which has the smallest keys so far in ascending order, n at
// most. If the list has n keys and the new key is larger than all of them, the list does not
// change.
func keepSmallest(list []uint64, key uint64, n int) []uint64 {
	if len(list) == n {
		if key > list[n-1] {
			return list
		}
		list = list[:n-1]
	}
	at, _ := slices.BinarySearch(list, key)
	return slices.Insert(list, at, key)
}

// smallestFirst moves the n smallest keys to the front, in order. If matches are small or warm
// bodies are few, n is small, and n scans are cheaper than sorting.
func smallestFirst(keys []uint64, n int) {
	if n > 8 {
		slices.Sort(keys)
		return
	}
	for i := range n {
		least := i
		for j := i + 1; j < len(keys); j++ {
			if keys[j] < keys[least] {
				least = j
			}
		}
		keys[i], keys[least] = keys[least], keys[i]
	}
}

// MatchWarmBodies lets the remaining warm bodies play each other. The oldest ones that fill a match
// exactly play in the datacenter where their highest RTT is lowest.
func (q *exactTurns) MatchWarmBodies() {
	w := q.waiting
	if !w.CanFillWarm(q.Own.MatchSize) {
		return
	}
	q.clearWalk()
	for _, body := range w.Warm {
		q.addToWalk(body.Ticket, body.Size)
	}
	p := q.pack()
	for group := p.Next(len(q.walk)); group != nil; group = p.Next(len(q.walk)) {
		for _, i := range group {
			w.TakeWarm(i)
		}
		tickets := q.ticketsAt(group)
		q.start(q.FairestDatacenter(tickets), tickets)
	}
	w.CompactWarm()
}
