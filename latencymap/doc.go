// Package latencymap estimates round-trip times (RTTs) between a position on the Earth and up to 64
// datacenters.
//
// An RTT comes from the first of these sources that has a value:
//
//  1. a measurement for the player (see Table);
//  2. the cell in the datacenter's latency map, a grid with one-degree cells (see Grid and Open),
//     unless cleaning has dropped its value as impossible (see Cleaned);
//  3. a fallback that needs only the two positions (see Fallback).
//
// Set.Lookup returns a single RTT. A run needs the RTTs of the same places millions of times. It
// therefore computes a Table once, with RTTs in steps of 1/16 ms, and then compares integers. Atlas
// finds the city nearest to a place.
//
// Builder builds maps from measured samples, and Compare compares two maps.
//
// # The model
//
// The default fallback is a model of cable routes. Its estimate is
//
//	13 ms + 10 ms per 1,000 km x stretch x path
//
// The 13 ms are the player's access network. The path is the great circle for distances up to 1,500
// km. From 2,500 km, it is the shortest route over 43 hubs and 73 cable corridors. In between, it
// is a blend of both. The stretch, at least 1, is the length of the route that packets actually
// take divided by the length of the path. Script scripts/data/stretch.go fitted it to 28 real
// maps, for each cluster of datacenters and each area of players, and smoothed it across the
// borders of areas. A datacenter has the stretch of the nearest city with fitted stretches within
// 800 km, whatever its name. For other datacenters, and in areas without measurements, the stretch
// is 1.3. Estimates change gradually with the position, and no estimate is faster than light in
// fibre.
//
// The tests measure the absolute error of the model. The limits that they enforce are in
// parentheses.
//
//	21,512 clean cells of 28 real maps     median 4.3 ms (4.9), p90 14.1 ms (14.9)
//	cells that the model was not fitted to median 4.7 ms, p90 16.1 ms
//	201 pairs of cloud regions             mean 9.9 ms (11)
//	120 pairs in South America and Oceania 117 pairs within 15 ms or 25 % (114)
//
// For the second row, the model was fitted to every second cell only. For the third row, one
// constant replaces the access networks, because cloud regions have none. The first region of a
// pair is the player. With the second region as the player, the mean error is 10.3 ms. With the
// mean of both directions, it is 9.7 ms. For comparison, the fallback Line has a median error of
// 6.1 ms and a p90 of 21.5 ms on the real maps.
//
// Options.Fudge multiplies the estimates of every fallback, for example to see how a result changes
// if the model is 10 % too low. The default 1 changes nothing.
//
// The package does not simulate anything: it has no clock and no randomness. The simulator adds
// access delays and jitter. Stored RTTs are capped at 4,095.94 ms, which stands for that value or
// more. Only RTTs with a large Fudge, access delays or jitter can reach this cap.
package latencymap

import "embed"

// Sources are the source files of this room and their data, see sim.Sources.
//
//go:embed [a-z]*[^t].go [a-z]*[^s]t.go data
var Sources embed.FS
