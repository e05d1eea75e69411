package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

// FileFlag is a flag whose value is a file name.
type FileFlag string

// String returns the file name.
func (f *FileFlag) String() string { return string(*f) }

// Type returns the placeholder in the help.
func (*FileFlag) Type() string { return "FILE" }

// Set sets the file name, which must not be empty.
func (f *FileFlag) Set(text string) error {
	if text == "" {
		return input.ErrNoName
	}
	*f = FileFlag(text)
	return nil
}

// ListFlag is a repeatable flag that keeps its texts as they are.
type ListFlag []string

// String returns nothing, because the flag has no default.
func (*ListFlag) String() string { return "" }

// Type returns the placeholder in the help.
func (*ListFlag) Type() string { return "KEY=VALUE,..." }

// Set adds a text.
func (f *ListFlag) Set(text string) error {
	*f = append(*f, text)
	return nil
}

// Placeholders sets the placeholders that the help shows for the values of flags, such as N or FILE.
// The keys of the map are names of flags.
func Placeholders(flags *pflag.FlagSet, placeholders map[string]string) {
	for name, placeholder := range placeholders {
		f := flags.Lookup(name)
		f.Value = &namedValue{f.Value, placeholder}
	}
}

// namedValue is the value of a flag with a placeholder of its own.
type namedValue struct {
	pflag.Value
	placeholder string
}

// Type returns the placeholder in the help.
func (v *namedValue) Type() string { return v.placeholder }

// AddNoColour registers --no-color for a command that colours its output.
func AddNoColour(c *cobra.Command, s *terminal.Streams) {
	c.Flags().BoolVar(&s.NoColour, "no-color", false, "turn off colours (already off for files and pipes, and if NO_COLOR is set)")
	Grouped(c.Flags(), GroupOutput, "no-color")
}

// Complete offers words as completions of a flag's value.
func Complete(c *cobra.Command, flag string, words []string) {
	Must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
}

// Must panics on errors that only a programming error in a command can cause.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
