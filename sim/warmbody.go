package sim

import "slices"

// completeGroup forms one group of the regular tickets that a datacenter's turn
// left over and of warm bodies, lowest RTT to the datacenter first. Nobody moves
// unless the match is filled exactly. It may use a ticket that a later
// datacenter could have used: that is meant.
func (q *stateQueue) completeGroup(dc int) {
	w, s := &q.waiting, &q.pad
	s.rest = s.rest[:0]
	s.walk = s.walk[:0]
	for _, i := range s.queue {
		if w.admits[i] != 0 {
			s.rest = append(s.rest, i)
			s.walk = append(s.walk, w.ticket[i])
		}
	}
	regular := len(s.rest)
	if regular == 0 {
		return
	}
	useful := len(w.warm)
	if w.parties == 0 && q.own.PartnerCooldown == 0 {
		useful = q.own.MatchSize - regular
		if useful > len(w.warm) {
			return
		}
	}
	group := q.walkOver(q.appendNearestWarm(s.walk, dc, useful)).Next(regular)
	if group == nil {
		return
	}
	for _, i := range group {
		if int(i) < regular {
			w.admits[s.rest[i]] = 0
		}
	}
	q.pack(dc, q.tickets(group))
	w.removeMatchedWarm(&q.players)
}

// appendNearestWarm appends the n warm bodies with the lowest RTT to a
// datacenter, in that order, ties by age of the search.
func (q *stateQueue) appendNearestWarm(list []ticketID, dc, n int) []ticketID {
	warm := q.waiting.warm
	keys := q.pad.keys[:0]
	for i, body := range warm { // warm bodies stand by age, so the index breaks ties
		keys = append(keys, uint64(q.rtt(body.ticket, dc))<<32|uint64(i))
	}
	q.pad.keys = keys
	smallestFirst(keys, n)
	for _, key := range keys[:n] {
		list = append(list, warm[uint32(key)].ticket)
	}
	return list
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

// matchWarmBodies lets the warm bodies that are left play each other, the
// oldest that fill a match exactly, at the datacenter that is best for the worst
// off among them.
func (q *stateQueue) matchWarmBodies() {
	w, s := &q.waiting, &q.pad
	if len(w.warm) == 0 {
		return
	}
	s.walk = s.walk[:0]
	for _, body := range w.warm {
		s.walk = append(s.walk, body.ticket)
	}
	p := q.walkOver(s.walk)
	matched := false
	for group := p.Next(len(s.walk)); group != nil; group = p.Next(len(s.walk)) {
		tickets := q.tickets(group)
		q.pack(q.fairestDatacenter(tickets), tickets)
		matched = true
	}
	if matched {
		w.removeMatchedWarm(&q.players)
	}
}
