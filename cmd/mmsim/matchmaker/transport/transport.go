// Package transport is the common part of all transports to a matchmaker outside mmsim. Each
// transport is a package beside this one, with a Kind and a line in the table of package
// matchmaker.
package transport

import (
	"context"
	"io"

	"mmsim/matcher/external/exchange"
)

// Kind is one transport to a matchmaker: the part of --matcher before the colon.
type Kind struct {
	Name   string // "exec"
	Target string // the part after the colon, as help shows it: "COMMAND"
	About  string // one line, for help
	Help   string // paragraphs of "mmsim help matcher"; "": none
	// IsFile is set if the target is a file whose content determines the answers. Its hash is
	// part of the hash of results, which can then be reused by later runs. Results of other
	// kinds are reused only if the matchmaker reports a version.
	IsFile bool
	// Profiles is set if Options.Profiles must name a file.
	Profiles bool
	// Check returns an error if a target is not valid, as far as that can be checked without
	// opening it; nil: every target is valid.
	Check func(target string) error
	// Open starts an exchange. It does not wait for an answer, but Hello does. The context is
	// that of the whole exchange: when it is done, the matchmaker is ended at once.
	Open func(context.Context, Options) (exchange.Matcher, error)
}

// MemoryUsual is the default memory limit of a module.
const MemoryUsual = 1 << 30

// Options are the matchmaker to open and its exchange.
type Options struct {
	Target string // after the colon; an absolute path if Kind.IsFile
	Folder string // in which a program runs
	Label  string // queue and replication, for messages: "queue ranked, run 0"
	// Stderr receives what the matchmaker writes to its standard error.
	Stderr io.Writer
	Memory int64 // memory limit of a module in bytes; 0: MemoryUsual
	// Profiles is the file with the profiles of Open Match, "" if there is none.
	Profiles string
}
