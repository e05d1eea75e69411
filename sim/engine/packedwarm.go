package engine

import "slices"

// completeGroup forms one group of the regular tickets that a datacenter's turn
// left over and of warm bodies, lowest RTT to the datacenter first, and reports
// whether there is one. No ticket moves unless the match is filled exactly. It may use
// a ticket that a later datacenter could have used: that is meant.
func (q *packedTurns) completeGroup(dc int) bool {
	w := q.waiting
	if !w.canFill(dc, q.own.MatchSize) {
		return false
	}
	q.rest = q.rest[:0]
	q.clearWalk()
	for _, i := range q.queue {
		if w.admits[i] != 0 {
			q.rest = append(q.rest, i)
			q.addToWalk(w.ticket[i], q.players.of(w.ticket[i]).size)
		}
	}
	regular := len(q.rest)
	if regular == 0 || w.onlySolos() && regular+len(w.warm) < q.own.MatchSize {
		return false
	}
	nearest := q.nearestWarm(dc)
	for _, key := range nearest {
		body := w.warm[uint32(key)]
		q.addToWalk(body.ticket, body.size)
	}
	group := q.pack().Next(regular)
	if group == nil {
		return false
	}
	for _, i := range group {
		if int(i) < regular {
			w.take(q.rest[i], q.sizes[i])
		} else {
			w.takeWarm(int32(uint32(nearest[int(i)-regular])))
		}
	}
	q.start(dc, q.tickets(group))
	w.compactWarm()
	return true
}

// nearestWarm returns the warm bodies that a datacenter may use, the one with the lowest
// RTT first, ties by age of the search, as RTT<<32 | position in waiting.warm. Of one size
// it returns no more than fit beside a regular ticket: warm bodies may meet any ticket, so a
// group that uses one of a size uses all nearer ones of that size too.
func (q *packedTurns) nearestWarm(dc int) []uint64 {
	w, most := q.waiting, q.own.MatchSize-1
	keys := q.keys[:0]
	if w.onlySolos() {
		for i, body := range w.warm {
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
	for i, body := range w.warm {
		if int(body.size) <= most {
			q.nearest[body.size] = keepSmallest(q.nearest[body.size], q.warmKey(dc, i, body), most/int(body.size))
		}
	}
	for size := 1; size <= most; size++ {
		keys = append(keys, q.nearest[size]...)
	}
	slices.Sort(keys)
	q.keys = keys
	return keys
}

// warmKey returns a key that sorts warm bodies by RTT to a datacenter. They stand by
// age, so that the position breaks ties.
func (q *packedTurns) warmKey(dc, i int, body warmBody) uint64 {
	return uint64(q.rtt(body.ticket, dc))<<32 | uint64(i)
}

// keepSmallest adds a key to an ascending list of at most so many, if it belongs to
// the smallest.
func keepSmallest(list []uint64, key uint64, most int) []uint64 {
	if len(list) == most {
		if key > list[most-1] {
			return list
		}
		list = list[:most-1]
	}
	at, _ := slices.BinarySearch(list, key)
	return slices.Insert(list, at, key)
}

// smallestFirst sorts the n smallest keys to the front. A match lacks a few
// players only, so mostly a few scans are cheaper than sorting.
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

// matchWarmBodies lets the remaining warm bodies play each other: the oldest that fill a
// match exactly, at the datacenter with the lowest worst RTT among them.
func (q *packedTurns) matchWarmBodies() {
	w := q.waiting
	if !w.canFillWarm(q.own.MatchSize) {
		return
	}
	q.clearWalk()
	for _, body := range w.warm {
		q.addToWalk(body.ticket, body.size)
	}
	p := q.pack()
	for group := p.Next(len(q.walk)); group != nil; group = p.Next(len(q.walk)) {
		for _, i := range group {
			w.takeWarm(i)
		}
		tickets := q.tickets(group)
		q.start(q.fairestDatacenter(tickets), tickets)
	}
	w.compactWarm()
}
