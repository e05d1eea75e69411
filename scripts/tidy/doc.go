// Package tidy tests the structure of the repository: which packages may import which, what the
// core of the simulator must not use, and the maximum sizes of functions, files and packages. It
// has no code except tests.
package tidy
