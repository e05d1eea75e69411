// Package judge draws conclusions from the metrics of runs. It compares two samples of runs, and
// says how certain each difference is. It checks the limits of a gate. It evaluates every point
// of a sweep and every trial of a tuning. It produces numbers and verdicts; package
// phrase says them in words, and packages figure/decision and present show them.
package judge
