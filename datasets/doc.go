// Package datasets reads and generates joins. A join is the time and the place at which a player
// starts to play.
//
// A Day contains the joins of one or several days in memory, with 12 bytes per join. These packages
// create and use it:
//
//	joinfile ── files of joins ──────────┐
//	                                     ├──► Day ──► Replay ──► arrivals in order of time
//	builtin  ── cities × local hours ────┘     └────► Describe, WriteDay
//	ticketlog ── logs of a production matchmaker; their joins are a Day, too
//	population ── attributes and friends of the players
//	atlas ── embedded cities, countries, coastlines, time zones and regions of providers
//
// A Day never changes. A Replay derives the arrivals of a simulated day from it. It can keep a part
// of the rows of several merged days, scale the number of joins up or down, spread joins within
// their second, and group them into parties. The caller supplies random draws that are keyed by
// row, day and copy. So the same seed gives the same draws for a join, regardless of other
// settings.
//
// Package latencymap provides RTTs between places and datacenters, and package sim has the clock.
package datasets

import "embed"

// Sources are the source files of this room and their data, see sim.Sources.
//
//go:embed [a-z]*[^t].go */[a-z]*[^t].go */*/[a-z]*[^t].go data */data
//go:embed */[a-z]*[^s]t.go */*/[a-z]*[^s]t.go */*/[a-z]*[^e]st.go
var Sources embed.FS
