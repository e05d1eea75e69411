// Package season computes what happens to persons between their matches: which team wins, how
// ratings change, and how likely a person is to play again or to quit.
//
// A [System] is a rating system: [Elo], [Glicko2], [OpenSkill] or [TrueSkill]. It changes the
// [Rating] of every player after a match and predicts who wins the next one. [Contest] draws the
// order in which teams finish from their hidden skill. [Effects] change a chance by what a person
// has experienced.
//
// All functions are pure, and equal inputs give equal bits on every processor: products are rounded
// before they are added, and exp, log and the normal distribution are this package's own, because
// those of package math use instructions that round differently on amd64 and arm64. That is also
// why no public library computes the ratings. Those for Go differ in their last digits between
// processors, and none has all four systems with teams.
package season
