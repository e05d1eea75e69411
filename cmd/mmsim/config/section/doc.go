// Package section has the parts of a configuration that are more than keys: the section datacenters with
// its list, match.leave, the generators of players.attributes, and how long clock.warmup: auto takes until the
// population of players is stationary.
package section
