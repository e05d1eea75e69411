// Package playfab compiles PlayFab matchmaking queues into rulesets of the engine. It accepts the
// JSON that the service exports or that its documentation shows.
//
// A document may be a single
// queue, the body of SetMatchmakingQueue or GetMatchmakingQueue, or the result of
// ListMatchmakingQueues. Each of these may be inside an HTTP response. Rules may be in one list per
// type, as in exports, or in a single list where each rule has a Type, as in the documentation, or
// in both. Overrides may be numbers or objects with a Value.
//
// If the service would refuse the input, the result is an error that names the rule and the JSON
// member. All errors are reported together. If the service would ignore a part of the input, or if
// that part is probably not intended, the result is a warning. [Queue.Lint] finds rules that are
// valid but cannot have the intended effect.
//
// A [Queue] also converts a player's JSON to the values that its rules read, knows which tickets
// the service refuses, and computes the queue's statistics.
//
// Where the documentation is silent or contradicts itself, a comment in the code states how it is
// interpreted.
package playfab
