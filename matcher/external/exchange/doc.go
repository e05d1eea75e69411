// Package exchange defines the messages between mmsim and a matchmaker outside of it, as Go
// types and as lines of JSON.
//
// A Hello opens the exchange and is answered. Every matching pass is then one Pass, with the
// changes since the last one, and one Answer, with the matches that the matchmaker proposes.
// The next Pass contains the results of these proposals. The package does no input or output
// and makes no decisions: package external judges answers, and the packages below
// cmd/mmsim/matchmaker carry messages.
package exchange
