// Package estimate says how certain numbers are: shares, means, medians and differences between means,
// with their intervals, and the waits after which players cancel. It knows numbers only; package judge
// draws conclusions about metrics from them.
package estimate
