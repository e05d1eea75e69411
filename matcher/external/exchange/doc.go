// Package exchange says what mmsim and a matchmaker outside of it tell each other: the
// messages as Go types, and as lines of JSON.
//
// A Hello opens the exchange and is answered. Then every matching pass is one Pass, with
// what changed since the last one, and one Answer, with matches that the matchmaker
// proposes. What became of these is in the next Pass. The package does no input or output
// and decides nothing: package external judges answers, and the packages below
// cmd/mmsim/matchmaker carry messages.
package exchange
