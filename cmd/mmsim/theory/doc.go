// Package theory has tests only. They run mmsim as a user does, and compare its results with queueing
// theory, with simple second implementations, and with its own records.
package theory
