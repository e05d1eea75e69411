// Package decide has tests only: scripts about the commands compare, check, sweep and tune, and about
// runs with replications.
package decide
