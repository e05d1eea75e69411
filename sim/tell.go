package sim

import "math"

// tellEntered reports the start of a search.
func (e *Engine) tellEntered(t ticketID) {
	if !e.measuring || len(e.observers) == 0 {
		return
	}
	s := e.search(t)
	for _, o := range e.observers {
		o.Entered(s)
	}
}

// tellEnded reports a search that found no match.
func (e *Engine) tellEnded(t ticketID, into State) {
	if !e.measuring || len(e.observers) == 0 {
		return
	}
	e.search(t)
	ended := &e.scratch.ended
	ended.At, ended.Into = e.now, into
	for _, o := range e.observers {
		o.Ended(ended)
	}
}

// search fills in the record of a ticket's search.
func (e *Engine) search(t ticketID) *Search {
	members := e.players.members(t)
	s := &e.scratch.ended.Search
	s.Began, s.Return = members[0].began, members[0].searches > 0
	s.Players = s.Players[:0]
	for i := range members {
		s.Players = append(s.Players, members[i].record())
	}
	return s
}

func (p *player) record() Player { return Player{ID: uint64(p.id), Row: p.row, Place: p.place} }

// tellMatched reports a match, before its tickets change.
func (e *Engine) tellMatched(dc int, tickets []ticketID) {
	match := &e.scratch.match
	matched := match.Players[:0]
	for _, t := range tickets {
		ticket, members := e.players.of(t), e.players.members(t)
		for i := range members {
			p := &members[i]
			estimate := e.playerRTT(p, dc)
			matched = append(matched, Matched{
				Player:    p.record(),
				Began:     ticket.began,
				Party:     uint64(ticket.id),
				PartySize: ticket.size,
				State:     ticket.state,
				Return:    ticket.searches > 0,
				Repeat:    ticket.searches > 0 && e.meetsPartner(t+uint32(i)),
				RTT:       e.reallyGot(estimate, p.entity, ticket.searches),
				Estimate:  estimate,
				Best:      plus(e.places.Reach[p.place].Best, p.lastMile),
			})
		}
	}
	*match = Match{ID: e.made, At: e.now, Datacenter: dc, Players: matched}
	for _, o := range e.observers {
		o.Matched(match)
	}
}

// meetsPartner tells whether a partner of the player's last match is among the
// slots gathered for this one.
func (e *Engine) meetsPartner(slot uint32) bool {
	for _, other := range e.scratch.slots {
		if other != slot && e.players.met(slot, e.players.slots[other].id) {
			return true
		}
	}
	return false
}

// reallyGot returns the RTT that a match turned out to have.
func (e *Engine) reallyGot(estimate RTT, entity uint64, search uint32) RTT {
	if e.cfg.JitterSD == 0 {
		return estimate
	}
	jitter := e.cfg.JitterSD * e.streams.jitter.Normal(entity, uint64(search))
	return toRTT(RTTMillis(estimate) + jitter)
}

// lastMile draws a player's access delay from the log-normal distribution.
func lastMile(median, sigma float64, s Stream, entity uint64) RTT {
	return toRTT(median * math.Exp(sigma*s.Normal(entity, 0)))
}

// toRTT rounds milliseconds to the nearest RTT, within what an RTT can hold.
func toRTT(ms float64) RTT {
	return RTT(math.Round(max(0, min(ms*RTTUnit, math.MaxUint16))))
}
