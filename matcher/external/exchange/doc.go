// Package exchange defines the messages between mmsim and a matchmaker outside of it, as Go
// types and as lines of JSON.
//
// mmsim opens the exchange with a Hello, and the matchmaker answers it. Then mmsim sends one Pass
// for each matching pass, with the changes since the last one, and the matchmaker sends one Answer
// with the matches that it proposes. The next Pass contains the results of these proposals. The
// package does no input or output: package external checks answers, and the packages below
// cmd/mmsim/matchmaker carry messages.
package exchange
