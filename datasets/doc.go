// Package datasets knows where joins come from: files of real joins, and a
// built-in day made from cities and the hours at which people play. It also has
// the lists that go with them: datacenters, cities, countries and coastlines.
//
// Everything ends in a Day, the joins of 24 hours in memory at 12 bytes each:
//
//	Read     ── a file: CSV, .gz, .zst ──┐
//	                                     ├──► Day ──► Replay ──► arrivals in order of time
//	Builtin  ── cities × local hours ────┘     └────► Describe, WriteCSV
//
// A Day is a fact and never changes. A Replay is one telling of it: it thins a
// file of several days, scales joins up or down, spreads them inside their
// second and groups them into parties. All of that is decided by draws keyed by
// row, day and copy, which the caller hands in, so the same seed gives the same
// arrivals whatever else changes.
//
// A Population is what is known about those who join: the columns of the data, and
// attributes and friends that are drawn for each of them.
//
// # Files of joins
//
// A first row that holds a cell time, latitude or longitude is a header: these
// three in any order, then any of player_id, party_id, continent, country,
// session_length, friends, ip, rtt:<datacenter> and attributes of one's own.
// Without a header a row is HH:MM:SS,lat,long. Where the formats leave room, this
// package decides:
//
//   - Times are HH:MM:SS or seconds since midnight UTC, with any number of
//     decimals; what is finer than a millisecond is cut off.
//   - Positions are rounded down to 0.01° from their digits, not from a float.
//   - An empty attribute is a missing value. A column without any value is text.
//   - A column that was not declared has the type of its first value, and another
//     type later is an error: a number or a list in a column of texts, too. Only a
//     list may be of one item. A column of lists that begins with such a one must
//     be declared.
//   - Rows of one party_id are one party, which joins when its last member does.
//   - Blank lines are no rows. Blanks around a cell are ignored.
//
// What is wrong with a file is an *Error that names the place, the value and what
// was expected. Nothing is skipped in silence; nothing becomes 0.
//
// The package is not for deciding how far places are from datacenters (package
// latencymap) nor for moving time (package sim).
package datasets
