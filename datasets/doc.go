// Package datasets holds joins: who starts to play where and when.
//
// Everything ends in a Day, the joins of 24 hours in memory at 12 bytes each:
//
//	joinfile ── files of joins ──────────┐
//	                                     ├──► Day ──► Replay ──► arrivals in order of time
//	builtin  ── cities × local hours ────┘     └────► Describe, joinfile.WriteCSV
//	population ── attributes and friends of those who join
//	atlas ── cities, countries, coastlines and time zones that are in the binary
//
// A Day is a fact and never changes. A Replay is one telling of it: it thins a
// file of several days, scales joins up or down, spreads them inside their
// second and groups them into parties. All of that is decided by draws keyed by
// row, day and copy, which the caller hands in, so the same seed gives the same
// arrivals whatever else changes.
//
// The package is not for deciding how far places are from datacenters (package
// latencymap) nor for moving time (package sim).
package datasets
