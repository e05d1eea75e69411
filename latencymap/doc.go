// Package latencymap turns a place into milliseconds: the round-trip time (RTT)
// between a position on the Earth and each of up to 64 datacenters.
//
// An RTT comes from the first of these that has one:
//
//  1. a measurement for the very player (see Table);
//  2. the cell of the datacenter's latency map, a grid of one degree (see Grid
//     and Open), unless cleaning found that sample impossible (see Cleaned);
//  3. a fallback that needs nothing but the two positions (see Fallback).
//
// A Set answers single questions with Lookup. A run asks millions of them about
// the same places: it computes a Table once, in 1/16 ms, and then compares
// integers. Atlas tells which city is nearest to a place.
//
// Maps are made of measured samples by a Builder, and compared by Compare.
//
// # The model
//
// The default fallback knows cables. Estimates are
//
//	13 ms + 10 ms per 1,000 km x stretch x path
//
// where 13 ms is the player's own access, the path is the great circle up to
// 1,500 km and from 2,500 km the shortest way over 43 hubs and 73 corridors
// (moving from one to the other in between), and the stretch, at least 1, says
// how much longer than the cable the way of the packets is. It was fitted per
// cluster of datacenters and area of players on 28 real maps by
// scripts/data/fitstretch and smoothed over the edges of areas. Datacenters take
// the stretch of the nearest fitted city within 800 km, whatever their name; any
// other datacenter, and any area without measurements, has the usual stretch of
// 1.3. Neighbouring positions get neighbouring values, and no estimate is faster
// than light in fibre.
//
// Absolute errors, measured by the tests (required in brackets):
//
//	21,512 clean cells of 28 real maps    median 4.3 (6.0), p90 14.1 ms (18)
//	the same, fitted on every second      median 4.7, p90 16.1 ms on the others
//	201 pairs of cloud regions            mean 9.9 ms (12), constant fitted
//	120 pairs of South America, Oceania   117 within max(15 ms, 25 %) (108)
//
// The 9.9 ms take the first region of a pair as the player; taking the second
// gives 10.3 ms, the mean of both directions 9.7 ms. For comparison, Line has a
// median error of 6.1 and p90 of 21.5 ms on the maps.
//
// The package has no notion of player, clock or randomness; delays of a player's
// own access network and jitter belong to the simulator. Only with those can an RTT
// reach the highest that is stored, 4,095.94 ms, which stands for that or more.
package latencymap
