// Package external is the pool of a queue whose matches are proposed by a matchmaker outside of
// mmsim. It sends the matchmaker the waiting tickets, judges its proposals, and reports the
// result of each proposal in the next pass.
//
// The proposals of an answer are judged one by one, in order. A proposal is accepted if its
// tickets are waiting and in no proposal accepted earlier in the pass, its sizes fit, its teams
// hold exactly its players, and its datacenter is known. Any other proposal is dropped whole,
// and its tickets go on waiting. [Report] counts accepted and dropped proposals.
//
// The pool does no input or output: [Options.Exchange] carries the messages of package
// exchange.
package external
