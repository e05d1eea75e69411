// Package playfab compiles PlayFab matchmaking queues, exactly as the service
// exports them or its documentation prints them, into rulesets of the engine.
//
// [Read] takes the text of a file, [Compile] a parsed tree. Both accept a single queue, the
// bodies of SetMatchmakingQueue and GetMatchmakingQueue, the result of ListMatchmakingQueues,
// and each of them inside an HTTP response. Rules may be in typed lists, as in exports, or in
// one list where each has a Type, as in the documentation, or in both; overrides may be
// numbers or objects with a Value.
//
// Input that the service would refuse is an error that names the rule and the member; all
// errors are reported together. Input that the service would ignore, or that is probably not
// intended, is a warning. [Queue.Lint] finds rules that are valid but cannot have the intended
// effect.
//
// A [Queue] also reads the attributes for its rules from a player's JSON, knows which tickets
// the service refuses at submission, and computes the queue's statistics.
//
// If the documentation is silent or contradicts itself, a comment in the code states the
// interpretation.
package playfab
