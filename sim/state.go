package sim

import "fmt"

// State is the state of a ticket in the article's state machine.
type State uint8

// States. The searching ones come first, in the order in which a search passes
// through them.
const (
	StateNew      State = iota // left at once for the first state below that admits the ticket
	StateIdeal                 // waits in the queues of the datacenters within the ideal threshold
	StateExpand                // waits in the queues of the datacenters within the expand threshold
	StateWarmBody              // can join any match, whatever the RTT
	StateWaiting               // in a pool until it gives up, or until a server starts
	StatePlaying
	StateBots     // plays a match against bots
	StateBetween  // pauses after a match
	StateFailed   // found no match: final
	StateExpired  // gave up waiting in a pool: final
	StateRejected // a party larger than a match, or one that the rules refuse: final
	StateDeclined // a player of the ticket did not accept a proposed match: final
	StateLeft     // does not play again: final
	StateCount    // the number of states
)

var stateNames = [StateCount]string{
	"NEW", "IDEAL", "EXPAND", "WARMBODY", "WAITING", "PLAYING", "BOTS", "BETWEEN", "FAILED", "EXPIRED", "REJECTED", "DECLINED", "LEFT",
}

// String returns the article's name of the state.
func (s State) String() string {
	if s < StateCount {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}
