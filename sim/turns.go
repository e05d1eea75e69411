package sim

// turns is how the groups of a stateQueue are formed, and what has to be known of
// who waits for that.
type turns interface {
	// enters takes in a ticket in state NEW. It returns false when it refused it:
	// then the search has ended.
	enters(t ticketID) bool
	// admits tells that a ticket waits for some datacenters from now on, none for a
	// warm body.
	admits(t ticketID, datacenters uint64)
	// leaves tells that a ticket has stopped searching without a match.
	leaves(t ticketID)
	// turn lets one datacenter form its matches: full groups of regular tickets,
	// then one partial group completed with warm bodies.
	turn(at Instant, dc int)
	// matchWarmBodies lets the warm bodies that are left play each other.
	matchWarmBodies()
}

// packedTurns is turns without a ruleset: matches of an exact size, by counting.
type packedTurns struct{ *stateQueue }

func (q packedTurns) enters(t ticketID) bool {
	p := q.players.of(t)
	if int(p.size) > q.own.MatchSize {
		q.end(t, StateRejected)
		return false
	}
	if p.size > 1 && q.waiting.sizes == nil {
		q.waiting.countSizes(&q.players, q.places.Datacenters)
	}
	if q.own.PartnerCooldown > 0 && q.cools(t) {
		q.failed.coolDownEnds(q.cooledAt(t))
	}
	return true
}

func (q packedTurns) admits(_ ticketID, datacenters uint64) { q.failed.invalidate(datacenters) }

func (packedTurns) leaves(ticketID) {}
