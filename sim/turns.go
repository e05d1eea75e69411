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

// packing is turns without a ruleset: matches of an exact size, by counting.
type packing struct{ *stateQueue }

func (q packing) enters(t ticketID) bool {
	if int(q.players.of(t).size) > q.own.MatchSize {
		q.end(t, StateRejected)
		return false
	}
	return true
}

func (packing) admits(ticketID, uint64) {}
func (packing) leaves(ticketID)         {}
