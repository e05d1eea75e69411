// Package roblox compiles Roblox matchmaking configurations into scorings of the
// engine, and reads players and servers as such a configuration looks at them.
//
// [Read] takes the text of a file, [Compile] a tree that was read already. Both
// accept two formats:
//
//   - Ours, a list of signals with weights, custom attributes, the settings of the
//     place and the revision of the service:
//     {"signals": [{"signal": "Friends", "weight": 5}, …]}. An entry without type is
//     one of Roblox's signals, under its dashboard or its API name; one with a type
//     is a custom signal. {} is the default configuration.
//   - The service's own, as its API returns or takes it: a scoring configuration,
//     bare or as {"scoringConfiguration": …} beside the schemas of attributes, or the
//     request that creates one.
//
// What Roblox calls by one name has changed over time: the default weights and the
// meaning of Latency depend on the revision ("2025-04", the default, "2025-12" or
// "2026-08").
//
// Weights that nothing can be computed with, names that nobody declared, and what
// the service would not deploy are errors that name the entry and the member; all of
// them are found in one go. In our format an unknown member is an error too; in the
// service's it is a warning, for the service adds some now and then. [Config.Lint]
// looks for what loads and yet cannot be meant.
//
// Where the documentation is silent or contradicts itself, the reading chosen is
// said at the place that chooses it. Every signal is from 0 to 1, and what is not
// known of a player or server speaks for nothing: it gives 0. Three readings matter
// most:
//
//   - Play History and a server's number against a constant are printed without the
//     bounds or the "1 −" that their prose asks for; the prose is followed.
//   - Diversify is one less the share of equals, as its formula says, not its example.
//   - No lowest score is documented, so the best server is taken even at 0; minScore,
//     our own member, sets one.
package roblox
