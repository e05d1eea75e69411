package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/disk"
	"mmsim/cmd/mmsim/gallery"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
)

// newCaseCommand holds the flags of "mmsim test new".
type newCaseCommand struct {
	*terminal.Streams
	rules cli.ConfigFlags
	out   string
}

func newNewCaseCommand(s *terminal.Streams) *cobra.Command {
	n := &newCaseCommand{Streams: s}
	c := &cobra.Command{
		Use:   "new [flags] RULES",
		Short: "Write a case file to start from",
		Long: `Write a case file for a vendor's ruleset. Its tickets have the attributes that the rules read, with
values of the right type, and RTTs if the rules read them. The case names the file of the ruleset, so
that it tests the ruleset as it is at the time of the test.

The case expects that its tickets make a match, or, if the rules place players on servers, that the
player joins one of two servers. If the rules need special values for that, the case does not pass
yet, and new says so: change the values until the case shows what the rules should do.

RULES is the file of the ruleset; FILE#NAME selects one of several rulesets in a file. new never
overwrites a file. To test a folder with the name new, write "mmsim test ./new".`,
		Example: `  mmsim test new queue.json
  mmsim test new --out cases/ranked.json queues.json#Ranked`,
		RunE: func(_ *cobra.Command, args []string) error { return n.write(args[0]) },
	}
	c.Flags().SortFlags = false
	cli.Under(c, cli.GroupOutput).File(&n.out, cli.WritesFile, "out", "", "file to write (default: NAME-case.json in the working directory, for the rules NAME.json or FILE#NAME)", "json")
	n.rules.AddShort(c, cli.PassFlags...)
	return c
}

// write writes a case for the rules.
func (n *newCaseCommand) write(rules string) error {
	options, err := n.rules.RulesetOptions()
	if err != nil {
		return err
	}
	file, part := input.SplitPart(rules)
	set, err := (&config.Queue{Rules: file, RulesPart: part}).ReadRuleset(options)
	if err != nil {
		return input.Bad(err)
	}
	out := n.out
	if out == "" {
		out = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + "-case.json"
		if part != "" {
			out = strings.ReplaceAll(part, "/", "_") + "-case.json"
		}
	}
	name, err := nameFrom(out, file, part)
	if err != nil {
		return input.Bad(err)
	}
	text, isMet, err := startingCase(out, name, set, options)
	if err != nil {
		return err
	}
	if err := createNew(out, text); err != nil {
		return input.Bad(err)
	}
	if !isMet {
		if err := terminal.PrintTo(n.Err, "warning: %s: does not pass yet: change the attributes of its tickets; \"mmsim match --explain %s\" says what keeps them apart\n", out, out); err != nil {
			return err
		}
	}
	return terminal.PrintTo(n.Out, "%s\n", out)
}

// nameFrom returns the name of a file of rules, as a case in the file out names it.
func nameFrom(out, rules, part string) ([]byte, error) {
	absolute, err := filepath.Abs(rules)
	if err != nil {
		return nil, err
	}
	return json.Marshal(input.JoinPart(input.Relative(filepath.Dir(out), absolute), part))
}

// createNew writes a file that must not exist.
func createNew(name string, text []byte) error {
	switch err := disk.Write(name, text, 0o666); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: exists, expected the name of a new file (--out)", name)
	case err != nil:
		return input.Error(name, err)
	}
	return nil
}

// unmetWhy is what a case that does not pass yet says about itself.
const unmetWhy = "FILL IN: the rules need special values for this expectation. Change the attributes of the tickets, or what the case expects, and then this text."

// startingCase returns the text of a case for the file out whose tickets make a match. isMet is
// false if no attempt made one; the text is then that of the first attempt, and says so.
func startingCase(out string, name []byte, set *config.Ruleset, options vendor.CompileOptions) (text []byte, isMet bool, err error) {
	var b bytes.Buffer
	write := func(d *casefile.Draft) error {
		b.Reset()
		if err := d.Write(&b); err != nil {
			return input.Badf("%s: %w", out, err)
		}
		return nil
	}
	drafts := gallery.Drafts(set.Rules, set.Dialect)
	for _, d := range drafts {
		d.Name, d.Dialect, d.Rules = strings.TrimSuffix(filepath.Base(out), ".json"), set.Dialect, name
		if err := write(d); err != nil {
			return nil, false, err
		}
		c, err := cli.ParseCase(out, b.Bytes())
		if err != nil {
			return nil, false, fmt.Errorf("the written case cannot be read: %w", err)
		}
		_, outcome, refused := runCase(c, options, func(*casefile.Case, *casefile.RunnableRules) error { return nil })
		if c.Compare(outcome, refused) == nil {
			return b.Bytes(), true, nil
		}
	}
	drafts[0].Why = unmetWhy
	err = write(drafts[0])
	return b.Bytes(), false, err
}
