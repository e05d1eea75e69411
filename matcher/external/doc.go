// Package external is the pool of a queue for which a matchmaker outside of mmsim proposes the
// matches. It sends the waiting tickets to the matchmaker, checks its proposals, and sends the
// result of each proposal with the next pass.
//
// The proposals of an answer are checked one by one, in order. A proposal is accepted if all its
// tickets are waiting and in no proposal accepted earlier in the pass, the match and its teams
// have allowed sizes, the teams contain exactly the players of the tickets, and the datacenter is
// known. Any other proposal is dropped as a whole, and its tickets continue to wait. [Report]
// counts accepted and dropped proposals.
//
// The pool does no input or output: [Options.Exchange] carries the messages of package
// exchange.
package external
