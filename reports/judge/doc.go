// Package judge concludes from the metrics of runs: how two samples of runs differ and
// how far to trust that, whether a gate holds, what became of every point of a sweep and
// of every trial of a tuning. It holds numbers, verdicts and the sentence that sums them up;
// packages figure/decision and present show them.
package judge
