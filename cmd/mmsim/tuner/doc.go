// Package tuner searches settings that make some figures as small as possible under
// constraints. It knows nothing of matchmaking: it proposes points, somebody tries them
// and tells what came out.
//
// A search goes through three phases. A Latin hypercube spreads points over the whole
// range; successive halving tries them cheaply first (on a share of the day) and only
// the better half at more cost; then the best are refined at full cost, numbers by
// CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016), choices by trying
// each other word. With several figures the refinement aims at one place of their
// trade-off after another.
//
// It is for functions of a few settings that cost seconds a point and whose noise is
// the same for all points. Many points at no cost each want another method; so do more
// than some twenty settings.
//
// The same problem with the same draws proposes the same points, however many of a
// batch are tried at a time.
package tuner
