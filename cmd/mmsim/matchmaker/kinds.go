// Package matchmaker has the table of transports to external matchmakers, which --matcher
// KIND:TARGET selects, and those that exchange lines of JSON: programs, WebAssembly modules and
// recordings. Package service has those that speak gRPC. [Cases] lets a matchmaker decide the cases
// of `mmsim test`.
//
// To add a transport, add a [Kind] to the table.
package matchmaker

import (
	"context"
	"fmt"
	"io"
	"strings"

	"mmsim/cmd/mmsim/matchmaker/service"
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

// Kinds lists the transports.
func Kinds() []Kind {
	return []Kind{
		{
			Name: "exec", Target: "COMMAND",
			About: "a program that speaks the protocol below; it runs without a shell, and quotes keep words together",
			Check: func(target string) error { _, err := splitCommand(target); return err },
			Files: filesIn,
			Open:  openProgram,
		},
		{
			Name: "wasm", Target: "FILE", IsFile: true,
			About: "a WebAssembly module (wasip1) that speaks the same protocol",
			Help:  wasmHelp,
			Open:  openModule,
		},
		{
			Name: "openmatch2", Target: "HOST:PORT", Profiles: true,
			About: "an Open Match 2 match function (gRPC), with the profiles of matcher.profiles (--profiles)",
			Help:  service.OpenMatchHelp,
			Check: service.CheckAddress,
			Open: func(_ context.Context, o Options) (exchange.Matcher, error) {
				return service.OpenOpenMatch(o.Target, o.Profiles)
			},
		},
		{
			Name: "accelbyte", Target: "HOST:PORT",
			About: "an AccelByte match function server (gRPC), with the ruleset of --rules",
			Help:  service.AccelByteHelp,
			Check: service.CheckAddress,
			Open:  func(_ context.Context, o Options) (exchange.Matcher, error) { return service.OpenAccelByte(o.Target) },
		},
		{
			Name: "replay", Target: "FILE", IsFile: true,
			About: "a recording of \"mmsim matcher record\"; fails if the run is not the recorded one",
			Open:  openRecording,
		},
	}
}

// Targets lists the forms of --matcher, such as "exec:COMMAND".
func Targets() []string {
	var list []string
	for _, k := range Kinds() {
		list = append(list, k.Name+":"+k.Target)
	}
	return list
}

// Parse splits a matchmaker such as "exec:python3 mm.py" into its kind and target.
func Parse(text string) (Kind, string, error) {
	name, target, _ := strings.Cut(text, ":")
	for _, k := range Kinds() {
		if k.Name == name && target != "" {
			if k.Check != nil {
				return k, target, k.Check(target)
			}
			return k, target, nil
		}
	}
	return Kind{}, "", fmt.Errorf("%q", text)
}
