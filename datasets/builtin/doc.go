// Package builtin generates the built-in day: joins from cities, in proportion to their
// people online, with the hours of each city's local time.
package builtin
