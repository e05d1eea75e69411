// Package exchange defines the messages between mmsim and an external matchmaker, as Go types and
// as lines of JSON.
//
// mmsim begins with a Hello, and the matchmaker answers it. Then, for each matching pass, mmsim
// sends a Pass with the changes since the last one, and the matchmaker sends an Answer with the
// matches that it proposes. The next Pass contains the results of these proposals. This package
// does no input or output. Package external checks answers, and the packages below
// cmd/mmsim/matchmaker transport messages.
package exchange
