// Package transport has the types that all transports to external matchmakers share. Each
// transport has a Kind in the table of package matchmaker.
package transport

import (
	"context"
	"io"

	"mmsim/matcher/external/exchange"
)

// Kind is one transport to external matchmakers.
type Kind struct {
	Name   string // the part of --matcher before the colon, such as "exec"
	Target string // the part after the colon as help shows it, such as "COMMAND"
	About  string // one line for the help text
	Help   string // paragraphs of "mmsim help matcher", or "" for none
	// IsFile is set if the target is a file whose content determines the answers. JobHash then
	// depends on that content, and results can be reused. Results of other kinds are reused
	// only if the matchmaker reports a version.
	IsFile bool
	// Profiles is set if Options.Profiles must name a file.
	Profiles bool
	// Check returns an error if a target is invalid. It does not open the target. Check may be
	// nil if every target is valid.
	Check func(target string) error
	// Files lists the files that a target names, of a matchmaker that runs in a folder. It is nil for
	// kinds whose targets are addresses, and for those with IsFile.
	Files func(target, folder string) []string
	// Open starts an exchange but does not wait for the matchmaker to answer; the Hello method of
	// the returned Matcher does that. Cancelling the context ends the matchmaker at once, even
	// after Open has returned.
	Open func(context.Context, Options) (exchange.Matcher, error)
}

// DefaultMemory is the default memory limit of a WebAssembly module in bytes.
const DefaultMemory = 1 << 30

// Options describe the matchmaker to open.
type Options struct {
	Target string // after the colon; an absolute path if Kind.IsFile
	Folder string // working directory of a program
	Label  string // names queue and replication in messages, such as "matcher (queue ranked, run 0)"
	// Stderr receives what the matchmaker writes to its standard error.
	Stderr io.Writer
	Memory int64 // memory limit of a module in bytes; 0 for DefaultMemory
	// Profiles is the file with Open Match profiles, or "" for none.
	Profiles string
}
