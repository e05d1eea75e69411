// Package roblox compiles Roblox matchmaking configurations into scorers of package scoring,
// and reads the data of players and servers for them.
//
// [Read] takes the text of a file, [Compile] a parsed tree. Both accept two formats:
//
//   - Our own: a list of signals with weights, custom attributes, the settings of the place and
//     the revision of the service: {"signals": [{"signal": "Friends", "weight": 5}, …]}. An
//     entry without a type is one of Roblox's signals, under its dashboard name or its API
//     name; an entry with a type is a custom signal. {} is the default configuration.
//   - The service's own, as its API returns or accepts it: a scoring configuration, alone or
//     as {"scoringConfiguration": …} beside the schemas of attributes, or the request that
//     creates one.
//
// The default weights and the meaning of Latency have changed over time. They depend on the
// revision ("2025-04", the default, "2025-12" or "2026-08").
//
// Invalid weights, undeclared names, and configurations that the service would not deploy are
// errors that name the entry and the member; all errors are reported together. An unknown
// member is an error in our format and a warning in the service's, because the service adds
// members from time to time. [Config.Lint] finds settings that are valid but probably not
// intended.
//
// If the documentation is silent or contradicts itself, a comment in the code states the
// interpretation. The value of a signal is from 0 to 1, and 0 if the data for it is missing. The
// three most important interpretations:
//
//   - The printed formulas of Play History and of a server's number against a constant lack
//     the bounds or the "1 −" that the text describes; the text is followed.
//   - Diversify is one minus the share of players with the same value, as in the formula of the
//     documentation; its example differs.
//   - No minimum score is documented, so the best server is chosen even at score 0; our own
//     member minScore sets a minimum.
package roblox
