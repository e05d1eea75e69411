// Package transport is what all ways to reach a matchmaker outside of mmsim have in common.
// Each way is a package beside this one, with a Kind and a line in the table of package
// matchmaker.
package transport

import (
	"context"
	"io"

	"mmsim/matcher/external/exchange"
)

// Kind is one way to reach a matchmaker: what stands before the colon of --matcher.
type Kind struct {
	Name   string // "exec"
	Target string // what stands behind the colon, as help shows it: "COMMAND"
	About  string // one line, for help
	Help   string // paragraphs of "mmsim help matcher"; "": none
	// IsFile tells that the target is a file whose content decides what is answered. Its
	// hash is part of what names a result, and results may be taken over from one run to
	// the next; those of other kinds only if the matchmaker says its version.
	IsFile bool
	// Profiles tells that Options.Profiles has to name a file.
	Profiles bool
	// Check returns what is wrong with a target, as far as that can be told without
	// opening it; nil: nothing can be wrong.
	Check func(target string) error
	// Open begins an exchange. It does not wait for an answer; Hello does. The context is
	// that of the whole exchange: once it is done, the matchmaker is ended at once.
	Open func(context.Context, Options) (exchange.Matcher, error)
}

// MemoryUsual is the memory that a module has at most by default.
const MemoryUsual = 1 << 30

// Options say which matchmaker, and for whom.
type Options struct {
	Target string // behind the colon; an absolute name where Kind.IsFile
	Folder string // in which a program is run
	Label  string // of queue and replication, for messages: "queue ranked, run 0"
	// Stderr takes what the matchmaker writes on its standard error.
	Stderr io.Writer
	Memory int64 // bytes that a module has at most; 0: MemoryUsual
	// Profiles is the file with the profiles of Open Match, "" where there is none.
	Profiles string
}
