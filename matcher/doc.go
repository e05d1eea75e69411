// Package matcher decides who goes with whom: given a frozen list of tickets it
// proposes groups. It is pure. It never moves a clock, remembers nothing from
// one call to the next, and knows neither players nor datacenters; whoever calls
// it applies the proposals.
package matcher
