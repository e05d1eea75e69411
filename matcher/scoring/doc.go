// Package scoring chooses a running server for a player who asks for one. It is
// for services in which nobody waits in a queue: a player is placed at once, on the
// best server that has a seat or on a new one.
//
// A [Scorer] rates a server for a joining player: the sum of [Signal] values from 0
// to 1 (how full the server is, how near, how alike its players are to the one who
// joins), each times its weight. The higher score wins; of equal scores the oldest
// server wins. [Scorer.Obstruction] says why a player may not join a server, and
// [Scorer.Explain] gives the sum line by line.
//
// A [Server] keeps running totals over its players, so a score costs a few
// operations for each signal, however many players there are. The totals are exact:
// two servers with the same players have the same score, whatever happened on them
// before.
//
// A [Fleet] holds the running servers of a whole day. [Fleet.Best] returns the
// server that a scan over all of them would choose, and the runner-up, but skips
// groups of servers that cannot be good enough: among 20,000 servers it looks at a
// few dozen.
//
// [Measure] reports what a placement looks like before it is scaled and weighted,
// for reports.
package scoring
