// Package estimate estimates the parameters of players from what was seen of them: shares, means and
// the waits after which they cancel. Every estimate has a 95 % interval.
package estimate
