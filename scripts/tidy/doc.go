// Package tidy tests the structure of the repository: imports between packages, what the
// simulator's core must not use, and limits on the sizes of functions, files and packages that
// keep them readable. It has no code of its own.
package tidy
