package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/input"
)

// An Output is what a command writes, with its state before the command.
type Output struct{ name, before string }

// OutputOf returns the first file or folder that a command writes, or nil if it writes none.
func OutputOf(c *cobra.Command) *Output {
	for _, file := range namedFiles(c) {
		if file.role == WritesFile || file.role == WritesFolder || file.role == Updates {
			return &Output{file.name, stateOf(file.name)}
		}
	}
	return nil
}

// Interrupted says what became of the output of a command that was interrupted and changes no file
// any more. It must not be called earlier.
func (o *Output) Interrupted() string {
	if o == nil || o.name == "" {
		return "interrupted"
	}
	now, what := stateOf(o.name), "is complete"
	switch {
	case o.name == input.Stdin:
		return "interrupted: the output is not complete"
	case now == direct:
		what = "is not complete"
	case now == absent:
		what = "was not written"
	case now == o.before:
		what = "is unchanged"
	}
	return fmt.Sprintf("interrupted: %s %s", o.name, what)
}

// States that are not the content of a file or folder.
const (
	absent = ""
	direct = "-" // a pipe or a device, which is written directly
)

// stateOf describes the content of a file or folder by names, sizes and times. Hidden files in a
// folder do not count: mmsim's temporary files and lists are hidden.
func stateOf(name string) string {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return absent // if it is there, its error is reported when it is written
	case info.Mode().IsRegular():
		return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	case !info.IsDir():
		return direct
	}
	state := "folder"
	entries, _ := os.ReadDir(name) // an error is reported when it is written
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && !strings.HasPrefix(entry.Name(), ".") {
			state += fmt.Sprintf("\n%q %d %d", entry.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return state
}
