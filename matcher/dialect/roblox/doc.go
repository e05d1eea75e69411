// Package roblox compiles Roblox matchmaking configurations into scorers of package scoring, and
// reads the data of players and servers for them.
//
// Both accept two formats:
//
//   - Our own format contains signals with weights, custom attributes, the settings of the place
//     and the revision of the service: {"signals": [{"signal": "Friends", "weight": 5}, …]}. An
//     entry without a type is one of Roblox's signals, named as on the dashboard or in the API. An
//     entry with a type is a custom signal. {} is the default configuration.
//   - The service's format is what its API returns or accepts. It is a scoring configuration, alone or
//     as {"scoringConfiguration": …} beside the schemas of attributes, or the request that creates
//     a configuration.
//
// The default weights and the meaning of Latency have changed over time. They depend on the
// revision, which is "2025-04" (the default), "2025-12" or "2026-08".
//
// Invalid weights, undeclared names and configurations that the service would not deploy cause
// errors that name the entry and the JSON member. All errors are reported together. An unknown JSON
// member is an error in our format. In the service's format it is a warning, because the service
// adds members from time to time. [Config.Lint] finds settings that are valid but probably not
// intended.
//
// Where the documentation is silent or contradicts itself, a comment in the code states how it is
// interpreted. The value of a signal is between 0 and 1. It is 0 if data is missing. The three most
// important interpretations are:
//
//   - The printed formulas for Play History, and for comparing a server's number with a constant, lack
//     the bounds or the "1 −" that the text describes. This package follows the text.
//   - Diversify is one minus the share of players with the same value. This is the formula of the
//     documentation; the example there differs.
//   - The documentation mentions no minimum score, so the best server is chosen even if its score
//     is 0. A minimum can be set with minScore, which only our own format has.
package roblox
