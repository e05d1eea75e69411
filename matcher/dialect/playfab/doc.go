// Package playfab compiles PlayFab matchmaking queues, exactly as the service
// exports them or its documentation prints them, into rulesets of the engine.
//
// [Read] takes the text of a file, [Compile] a tree that was read already. Both
// accept the bare queue, the bodies of SetMatchmakingQueue and
// GetMatchmakingQueue, the result of ListMatchmakingQueues, and each of them
// inside the HTTP response that carried it. Rules may stand in typed lists, as
// exports have them, or in one list with a Type each, as the documentation has
// them, or in both; overrides may be numbers or objects with a Value.
//
// What the service would refuse is an error that names rule and member; all of
// them are found in one go. What it would ignore, or what cannot be meant, is a
// warning. [Queue.Lint] looks for rules that load and yet cannot do what they
// were written for.
//
// A [Queue] also knows how to read the attributes that its rules look at out of
// a player's JSON, which tickets the service refuses at submission, and what its
// statistics show.
//
// Where the documentation is silent or contradicts itself, the reading chosen is
// said at the place that chooses it.
package playfab
