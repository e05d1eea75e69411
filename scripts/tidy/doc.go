// Package tidy checks the structure of the repository in its tests: who imports
// whom, what the simulator's core may not touch, and sizes of functions, files and
// packages that a reader can hold. It has no code of its own.
package tidy
