// Package latencymap turns a place into milliseconds: the round-trip time (RTT)
// between a position on the Earth and each of up to 64 datacenters.
//
// An RTT comes from the first of these that has one:
//
//  1. a measurement for that player (see Table);
//  2. the cell of the datacenter's latency map, a grid of one degree (see Grid
//     and Open), unless cleaning found that sample impossible (see Cleaned);
//  3. a fallback that needs nothing but the two positions (see Fallback).
//
// Set.Lookup returns a single RTT. A run needs millions of RTTs of the same places: it
// computes a Table once, in steps of 1/16 ms, and then compares integers. Atlas finds
// the city that is nearest to a place.
//
// Builder builds maps from measured samples, and Compare compares two maps.
//
// # The model
//
// The default fallback models cable routes. Its estimate is
//
//	13 ms + 10 ms per 1,000 km x stretch x path
//
// where 13 ms is the player's own access network. The path is the great circle up to
// 1,500 km, the shortest route over 43 hubs and 73 cable corridors from 2,500 km, and
// a blend of both in between. The stretch, at least 1, is the ratio of the packets'
// route to the cable. scripts/data/fitstretch fitted it to 28 real maps, for each
// cluster of datacenters and area of players, and smoothed it across the borders of
// areas. A datacenter has the stretch of the nearest fitted city within 800 km,
// whatever its name; other datacenters, and areas without measurements, have a stretch
// of 1.3. Estimates change gradually with the position, and none is faster than light
// in fibre.
//
// Absolute errors, measured by the tests (required in brackets):
//
//	21,512 clean cells of 28 real maps    median 4.3 (6.0), p90 14.1 ms (18)
//	the same, fitted on every second      median 4.7, p90 16.1 ms on the others
//	201 pairs of cloud regions            mean 9.9 ms (12), constant fitted
//	120 pairs of South America, Oceania   117 within max(15 ms, 25 %) (108)
//
// The 9.9 ms treat the first region of a pair as the player. With the second region as
// the player the error is 10.3 ms, and with the mean of both directions 9.7 ms. For
// comparison, Line has a median error of 6.1 and a p90 of 21.5 ms on the maps.
//
// The package knows nothing of players, clocks or randomness: the simulator adds access
// delays and jitter. Only with these can an RTT reach the largest stored value,
// 4,095.94 ms, which means that or more.
package latencymap
