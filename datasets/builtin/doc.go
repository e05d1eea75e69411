// Package builtin makes the built-in day: joins of cities, weighted by their people
// online, each city by its own local hours.
package builtin
