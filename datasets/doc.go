// Package datasets holds joins: the time and place at which each player starts to play.
//
// A Day is the joins of 24 hours, in memory at 12 bytes each:
//
//	joinfile ── files of joins ──────────┐
//	                                     ├──► Day ──► Replay ──► arrivals in order of time
//	builtin  ── cities × local hours ────┘     └────► Describe, joinfile.WriteCSV
//	population ── attributes and friends of the players
//	atlas ── embedded cities, countries, coastlines and time zones
//
// A Day never changes. A Replay derives the arrivals of a simulated day from it: it thins a
// file of several days, scales the number of joins up or down, spreads joins inside their
// second and groups them into parties. The caller supplies random draws that are keyed by
// row, day and copy, so the same seed gives the same arrivals whatever else changes.
//
// RTTs between places and datacenters are in package latencymap, the clock is in package
// sim.
package datasets
