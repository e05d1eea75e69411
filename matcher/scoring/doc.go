// Package scoring chooses a running server for a player. It is for services without a queue:
// a player is placed at once, on the best server with a free seat or on a new one.
//
// # Scores
//
// A [Scorer] rates a server for a joining player, the [Joiner]: the sum of [Signal] values
// from 0 to 1 (how full the server is, how near, how similar its players are to the joining
// one), each times its weight. The highest score wins; of equal scores the oldest server
// wins. [Scorer.Obstruction] returns why a player may not join a server. All code of a signal
// is in one place of signals.go.
//
// A [Server] keeps running totals over its players, so a score costs a few operations per
// signal, whatever the number of players. The totals are exact: two servers with the same
// players have the same score, whatever players were on them before.
//
// [Scorer.Explain] returns the terms of the sum, [Decide] returns what decided between two
// servers, and [Scorer.Measure] returns the value of a signal before it is scaled and
// weighted.
//
// # Fleets
//
// Scorer.Scores and Scorer.Best score every server. A [Fleet] holds the running servers of a
// whole day. Fleet.Best returns the same server, and the runner-up, without scoring most of
// the others:
//
//   - every server that any player may join has an outline, a row of numbers that bounds its
//     score for any player (outline.go);
//   - the servers of a class and region are in a tree, whose nodes have outlines that bound
//     the servers below (tree.go);
//   - a search opens the node with the highest bound until no bound exceeds the second
//     highest score found, and then the nodes that may contain an older server of equal score
//     (fleet.go).
//
// A scan of all servers takes 32 s of CPU for the README's day with servers, which takes
// 15 to 21 s with a fleet (two measurements). The code has the figures of its parts.
package scoring
