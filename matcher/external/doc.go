// Package external provides a pool of tickets for a queue whose matches an external matchmaker
// proposes. The pool sends the waiting tickets to the matchmaker and checks its proposals. With the
// next pass, it sends the result of each proposal.
//
// The proposals of an answer are checked one by one, in order. A proposal is accepted if
//
//   - all its tickets are waiting, none is listed twice, and none is in a proposal that was
//     accepted earlier in the pass,
//   - the match and its teams have allowed sizes; if the number of teams may vary, as in an
//     AccelByte alliance, the ruleset checks the teams of the accepted match instead,
//   - the teams contain exactly the players of the tickets, and the players of a ticket are in the
//     same team,
//   - the datacenter exists and, if datacenters have turns, is the one whose turn it is, and
//   - for a backfill, the session is looking for players.
//
// Otherwise the whole proposal is dropped, and its tickets continue to wait. [Report] counts
// accepted and dropped proposals.
//
// The pool does no input or output. [Config.Exchange] exchanges the messages, which are defined in
// package exchange.
package external
