// Package tuner searches for the settings that minimise one or more goals under constraints.
// It knows nothing of matchmaking: it proposes points, and the caller tries them and returns
// the results.
//
// A search goes through three phases. A Latin hypercube spreads points over the whole
// range; successive halving tries them cheaply first (on a share of the day) and only
// the better half at more cost; then the best are refined at full cost, numbers by
// CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016), choices by trying every
// other word. With several goals the refinement aims at one region of the trade-off after
// another.
//
// It suits functions of a few settings that take seconds to evaluate and whose noise is the
// same for all points. For cheap functions, or more than about twenty settings, other methods
// are better.
//
// The same problem with the same draws proposes the same points, however many of a batch are
// tried in parallel.
package tuner
