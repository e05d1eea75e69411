// Package judge draws conclusions from the metrics of runs: how two samples of runs differ and
// how certain that is, whether a gate holds, and the results of every point of a sweep and of
// every trial of a tuning. It holds numbers, verdicts and the sentence that summarises them;
// packages figure/decision and present show them.
package judge
