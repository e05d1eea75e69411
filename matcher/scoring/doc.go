// Package scoring chooses a running server for a player. It is for services without a queue:
// a player is assigned at once, on the best server with a free seat or on a new one.
//
// # Scores
//
// A [Scorer] rates a server for a joining player, the [Joiner]. A [Signal] is a value from 0 to 1,
// such as how full the server is, how near it is, or how similar its players are to the joining
// player. The score is the sum of the signals, each times its weight. The server with the highest
// score wins, and of equal scores the oldest server. [Scorer.Obstruction] returns why a player
// may not join a server. All code of a signal is in signals.go.
//
// A [Server] keeps running totals over its players, so a score costs a few operations for each
// signal, however many players there are. The totals are exact: two servers with the same players
// have the same score, even if other players were on them before.
//
// [Scorer.Explain] returns the terms of the sum. [Decide] returns what decided between two
// servers. [Scorer.Measure] returns the value of a signal before it is scaled and weighted.
//
// # Fleets
//
// Scorer.Scores and Scorer.Best score every server. A [Fleet] contains the running servers of a
// whole day. Fleet.Best returns the same server, and the runner-up, without scoring most of the
// others:
//
//   - Every server that any player may join has an outline. This is a row of numbers from which
//     an upper bound of the server's score for any player can be computed (outline.go).
//   - The servers of a class and region are in a tree. Each node has an outline that bounds the
//     scores of all servers below it (tree.go).
//   - A search expands the node with the highest bound, until no bound exceeds the second highest
//     score found. Then it expands the nodes that may contain an older server with an equal score
//     (fleet.go).
//
// For the README's day with servers, a run that scores all servers takes 32 s of CPU. With a fleet
// it takes 15 to 21 s (two measurements).
package scoring
