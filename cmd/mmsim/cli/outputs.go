package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/input"
)

// outputAnnotation annotates a command with the flag or argument that names its output.
const outputAnnotation = "mmsim_output"

// Writes notes that a command writes one file or folder. from is the name of the flag, or the number
// of the argument, that names it. If the command is interrupted, a message says what became of it.
func Writes(c *cobra.Command, from string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[outputAnnotation] = from
}

// An Output is what a command writes, with its state before the command.
type Output struct{ name, before string }

// OutputOf returns the output of a command with these arguments, or nil if it has none.
func OutputOf(c *cobra.Command, args []string) *Output {
	from := c.Annotations[outputAnnotation]
	if from == "" {
		return nil
	}
	o := &Output{}
	if flag := c.Flags().Lookup(from); flag != nil {
		o.name = flag.Value.String()
	} else if i, err := strconv.Atoi(from); err == nil && i < len(args) {
		o.name = args[i]
	}
	o.before = stateOf(o.name)
	return o
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
