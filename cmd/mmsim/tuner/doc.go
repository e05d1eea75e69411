// Package tuner searches for settings that minimise one or more goals under constraints. It is
// independent of matchmaking: it proposes points, and the caller tries them and returns the
// results.
//
// A search has three phases. First, a Latin hypercube spreads points over the whole range.
// Second, successive halving tries all of these points at a low cost (on a share of the day),
// and repeatedly tries the better half at a higher cost. Third, the best points are refined at
// full cost. For numbers, the refinement uses CMA-ES (Hansen, "The CMA Evolution Strategy: A
// Tutorial", 2016). For settings whose values are words without an order, it tries all words.
// With several goals, it aims at one region of the trade-off after another.
//
// The search suits functions of a few settings that take seconds to evaluate and have the same
// noise at all points. Other methods are better for cheap functions or for more than about
// twenty settings.
//
// The same problem with the same random draws gives the same points, no matter how many
// candidates are tried in parallel.
package tuner
