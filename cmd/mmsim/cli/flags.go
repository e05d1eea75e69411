package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

// A Section is a part of a command's help that lists flags. Its methods declare flags there. Each
// takes the variable that the flag sets, the name of the flag, what the help calls its value, such as
// N, its default, and its help.
type Section struct {
	command *cobra.Command
	heading string
}

// Under returns the section with a heading, such as GroupInput, in the help of a command.
func Under(c *cobra.Command, heading string) Section { return Section{c, heading} }

// Bool declares a flag without a value.
func (s Section) Bool(p *bool, name, usage string) {
	s.command.Flags().BoolVar(p, name, false, usage)
	s.Place(name, "", Neither)
}

// Unlimited is the highest value of a flag without a limit of its own.
const Unlimited = math.MaxInt32

// Whole declares a flag for a whole number from least to most. The default may be another.
func (s Section) Whole(p *int, name, placeholder string, standard, least, most int, usage string) {
	*p = standard
	s.Value(&wholeFlag{p, least, most}, name, placeholder, Neither, usage)
}

// Text declares a flag for a text that is not the name of a file.
func (s Section) Text(p *string, name, placeholder, standard, usage string) {
	s.command.Flags().StringVar(p, name, standard, usage)
	s.Place(name, placeholder, Neither)
}

// Secret declares a flag for a text that is never shown and is not the name of a file.
func (s Section) Secret(p *string, name, placeholder, usage string) {
	s.command.Flags().StringVar(p, name, "", usage)
	s.Place(name, placeholder, Secret)
}

// Word declares a flag for one of several words, which are also its completions.
func (s Section) Word(p *string, name, placeholder, standard, usage string, words []string) {
	*p = standard
	s.Value(&wordFlag{p, words}, name, placeholder, Neither, usage)
	complete(s.command, name, words)
}

// File declares a flag for the name of a file, or of a folder if the only extension is "/". The
// extensions are without dots and for completion.
func (s Section) File(p *string, role Role, name, standard, usage string, extensions ...string) {
	*p = standard
	placeholder := "FILE"
	if slices.Equal(extensions, []string{"/"}) {
		placeholder = "DIR"
	}
	s.Value((*fileFlag)(p), name, placeholder, role, usage)
	completeFiles(s.command, name, extensions)
}

// Value declares a flag of another type.
func (s Section) Value(v pflag.Value, name, placeholder string, role Role, usage string) {
	s.command.Flags().Var(v, name, usage)
	s.Place(name, placeholder, role)
}

// Place puts a declared flag into the section. Without a placeholder, the help shows that of its type.
func (s Section) Place(name, placeholder string, role Role) {
	f := s.command.Flags().Lookup(name)
	f.Annotations = map[string][]string{GroupAnnotation: {s.heading}, roleAnnotation: {string(role)}}
	if placeholder != "" {
		f.Value = &namedValue{f.Value, placeholder}
	}
}

// fileFlag is a flag whose value is the name of a file, which must not be empty.
type fileFlag string

func (f *fileFlag) String() string { return string(*f) }
func (*fileFlag) Type() string     { return "FILE" }

func (f *fileFlag) Set(text string) error {
	if text == "" {
		return input.ErrNoName
	}
	*f = fileFlag(text)
	return nil
}

// wordFlag is a flag whose value is one of several words.
type wordFlag struct {
	word  *string
	words []string
}

func (f *wordFlag) String() string { return *f.word }
func (*wordFlag) Type() string     { return "WORD" }

func (f *wordFlag) Set(text string) error {
	if !slices.Contains(f.words, text) {
		return fmt.Errorf("expected %s%s", input.Either(f.words), input.DidYouMean(text, f.words))
	}
	*f.word = text
	return nil
}

// wholeFlag is a flag whose value is a whole number.
type wholeFlag struct {
	number      *int
	least, most int
}

func (f *wholeFlag) String() string { return strconv.Itoa(*f.number) }
func (*wholeFlag) Type() string     { return "N" }

func (f *wholeFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case (err != nil || n < f.least) && f.most == Unlimited:
		return fmt.Errorf("expected a whole number from %d", f.least)
	case err != nil || n < f.least || n > f.most:
		return fmt.Errorf("expected a whole number from %d to %d", f.least, f.most)
	}
	*f.number = n
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

// namedValue is the value of a flag with a placeholder of its own.
type namedValue struct {
	pflag.Value
	placeholder string
}

// Type returns the placeholder in the help.
func (v *namedValue) Type() string { return v.placeholder }

// AddNoColour registers --no-color for a command that colours its output.
func AddNoColour(c *cobra.Command, s *terminal.Streams) {
	Under(c, GroupOutput).Bool(&s.NoColour, "no-color", "turn off colours (already off for files and pipes, and if NO_COLOR is set)")
}

// complete offers words as completions of a flag's value.
func complete(c *cobra.Command, flag string, words []string) {
	Must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)))
}

// completeFiles offers the files with some extensions, or with "/" the folders.
func completeFiles(c *cobra.Command, flag string, extensions []string) {
	if slices.Equal(extensions, []string{"/"}) {
		Must(c.MarkFlagDirname(flag))
	} else if len(extensions) > 0 {
		Must(c.MarkFlagFilename(flag, extensions...))
	}
}

// Must panics on errors that only a programming error in a command can cause.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
