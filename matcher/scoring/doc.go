// Package scoring chooses a running server for a player who asks for one. It is
// for services in which nobody waits in a queue: a player is placed at once, on the
// best server that has a seat or on a new one.
//
// # Scores
//
// A [Scorer] rates a server for a joining player, the [Joiner]: the sum of [Signal]
// values from 0 to 1 (how full the server is, how near, how alike its players are to
// the one who joins), each times its weight. The higher score wins; of equal scores the
// oldest server wins. [Scorer.Obstruction] says why a player may not join a server.
// Everything about one signal is in one place of signals.go.
//
// A [Server] keeps running totals over its players, so a score costs a few
// operations for each signal, however many players there are. The totals are exact:
// two servers with the same players have the same score, whatever happened on them
// before.
//
// [Scorer.Explain] gives the sum line by line, [Decide] says what decided between two
// servers, and [Scorer.Measure] reports what a placement looks like before it is scaled
// and weighted.
//
// # Fleets
//
// Scorer.Scores and Scorer.Best look at every server. A [Fleet] holds the running
// servers of a whole day, and Fleet.Best returns the server that they would choose, and
// the runner-up, without a look at most of the others:
//
//   - every server that strangers may join has an outline, a row of numbers that bounds
//     what it is worth to any player (outline.go);
//   - the servers of a class and region are in a tree, whose nodes have the outlines of
//     the servers below (tree.go);
//   - a search opens the node with the highest bound until no bound exceeds the second
//     highest score found, and then those that may hold an older server of equal score
//     (fleet.go).
//
// A scan of all servers takes 32 s of CPU for the README's day with servers, which takes
// 15 to 21 s with a fleet (two measurements). Figures of the parts stand beside the code.
package scoring
