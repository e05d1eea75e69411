package sim

import "slices"

// completeGroup forms one group of the regular tickets that a datacenter's turn
// left over and of warm bodies, lowest RTT to the datacenter first. Nobody moves
// unless the match is filled exactly. It may use a ticket that a later
// datacenter could have used: that is meant.
func (e *Engine) completeGroup(dc int) {
	w, s := &e.waiting, &e.scratch
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
	if w.parties == 0 && e.cfg.PartnerCooldown == 0 {
		useful = e.cfg.MatchSize - regular
		if useful > len(w.warm) {
			return
		}
	}
	group := e.walkOver(e.appendNearestWarm(s.walk, dc, useful)).Next(regular)
	if group == nil {
		return
	}
	for _, i := range group {
		if int(i) < regular {
			w.admits[s.rest[i]] = 0
		}
	}
	e.startMatch(dc, e.tickets(group))
	w.removeMatchedWarm(&e.players)
}

// appendNearestWarm appends the n warm bodies with the lowest RTT to a
// datacenter, in that order, ties by age of the search.
func (e *Engine) appendNearestWarm(list []ticketID, dc, n int) []ticketID {
	warm := e.waiting.warm
	keys := e.scratch.keys[:0]
	for i, body := range warm { // warm bodies stand by age, so the index breaks ties
		keys = append(keys, uint64(e.rtt(body.ticket, dc))<<32|uint64(i))
	}
	e.scratch.keys = keys
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
func (e *Engine) matchWarmBodies() {
	w, s := &e.waiting, &e.scratch
	if len(w.warm) == 0 {
		return
	}
	s.walk = s.walk[:0]
	for _, body := range w.warm {
		s.walk = append(s.walk, body.ticket)
	}
	p := e.walkOver(s.walk)
	matched := false
	for group := p.Next(len(s.walk)); group != nil; group = p.Next(len(s.walk)) {
		tickets := e.tickets(group)
		e.startMatch(e.fairestDatacenter(tickets), tickets)
		matched = true
	}
	if matched {
		w.removeMatchedWarm(&e.players)
	}
}

// fairestDatacenter returns the datacenter with the lowest worst RTT, the first
// such.
func (e *Engine) fairestDatacenter(tickets []ticketID) int {
	best, bestRTT := 0, ^RTT(0)
	for dc := range e.places.Datacenters {
		var worst RTT
		for _, t := range tickets {
			worst = max(worst, e.rtt(t, dc))
		}
		if worst < bestRTT {
			best, bestRTT = dc, worst
		}
	}
	return best
}
