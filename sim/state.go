package sim

import "fmt"

// State is the state of a ticket in the article's state machine.
type State uint8

// States. The searching states come first, in the order in which a search passes through them.
const (
	StateNew      State = iota // changes at once to the first state below that admits the ticket
	StateIdeal                 // waits in the queues of the datacenters within the ideal threshold
	StateExpand                // waits in the queues of the datacenters within the expand threshold
	StateWarmBody              // can join any match, whatever the RTT
	StateWaiting               // waits in a pool, or for a server to start
	StatePlaying
	StateBots      // plays a match against bots
	StateBetween   // pauses after a match
	StateFailed    // final: found no match
	StateExpired   // final: gave up waiting in a pool
	StateRejected  // final: the party is larger than a match, the rules refuse it, or a player cannot be scored for a server
	StateDeclined  // final: a player of the ticket did not accept a proposed match
	StateCancelled // final: its players cancelled the search
	StateClosed    // final: a maintenance began
	StateLost      // final: a production log does not tell how the search ended; no simulated search ends like this
	StateLeft      // final: does not play again
	StateCount     // the number of states
)

var stateNames = [StateCount]string{
	"NEW", "IDEAL", "EXPAND", "WARMBODY", "WAITING", "PLAYING", "BOTS", "BETWEEN", "FAILED", "EXPIRED", "REJECTED", "DECLINED", "CANCELLED", "CLOSED", "LOST", "LEFT",
}

// String returns the name of the state, in capitals as in the article.
func (s State) String() string {
	if s < StateCount {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}
