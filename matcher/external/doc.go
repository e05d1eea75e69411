// Package external is the pool of a queue whose matches a matchmaker outside of mmsim
// proposes. It tells the matchmaker who waits, judges what it proposes, and remembers what
// became of that for the next pass.
//
// A proposal is judged by itself, in the order of the answer: its tickets wait and are in
// no proposal that was accepted before it, the sizes fit, teams hold exactly its players,
// and the datacenter is known. One that is wrong is dropped whole, and its tickets go on
// waiting. [Report] counts what was accepted and dropped.
//
// The pool does no input or output: [Options.Exchange] carries the messages of package
// exchange.
package external
