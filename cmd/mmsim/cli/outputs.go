package cli

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"

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
type Output struct {
	name   string
	before fs.FileInfo // nil if it did not exist
}

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
	o.before, _ = os.Stat(o.name) // an error is reported when it is written
	return o
}

// Interrupted says what became of the output of a command that was interrupted and changes no file
// any more. A new file or folder takes the place of the old one as a whole, or its files are renamed
// into the old folder without an interruption; both change what Stat sees.
func (o *Output) Interrupted() string {
	if o == nil || o.name == "" {
		return "interrupted"
	}
	now, err := os.Stat(o.name)
	what := "is complete"
	switch {
	case o.name == input.Stdin:
		return "interrupted: the output is not complete"
	case o.before == nil && err != nil:
		what = "was not written"
	case o.before != nil && !o.before.Mode().IsRegular() && !o.before.IsDir():
		what = "is not complete" // a pipe or a device, which is written directly
	case o.before != nil && err == nil && os.SameFile(o.before, now) && o.before.ModTime().Equal(now.ModTime()):
		what = "is unchanged"
	}
	return fmt.Sprintf("interrupted: %s %s", o.name, what)
}
