package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gallery"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/matchmaker/replay"
	"mmsim/cmd/mmsim/matchmaker/scene"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
)

func newMatcherCommand(s *terminal.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "matcher COMMAND",
		Short: "Start with a matchmaker of your own, or record one",
		Long:  matchmaker.Help(),
		Example: `  mmsim matcher init another-matchmaker
  mmsim matcher record recorded.jsonl --matcher 'exec:python3 mm.py' --duration 1h`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newMatcherInitCommand(s), newRecordCommand(s))
	return c
}

func newMatcherInitCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a small matchmaker in Python to start from",
		Long: `Write a small matchmaker in Python into a folder, with a configuration that runs it, a
case for "mmsim test" and a configuration to compare it with. If one of the files exists,
nothing is written.`,
		Example: "  mmsim matcher init my-matchmaker",
		Args:    exactArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := starterFiles()
			if err != nil {
				return err
			}
			if err := writeProject(s, args[0], files, ""); err != nil {
				return err
			}
			fmt.Fprint(s.Err, `mmsim test --matcher 'exec:python3 matchmaker.py' cases
mmsim run --config mmsim.yaml
mmsim compare article.yaml mmsim.yaml --runs 3
`)
			return nil
		},
	}
}

// starterFiles lists the files of a project for a new matchmaker.
func starterFiles() ([]gallery.File, error) {
	const root = "starter"
	var files []gallery.File
	err := fs.WalkDir(matchmaker.Starter, root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, filepath.FromSlash(path))
		if err != nil {
			return err
		}
		content, err := matchmaker.Starter.ReadFile(path)
		files = append(files, gallery.File{Name: name, Content: content})
		return err
	})
	return files, err
}

// newRecordCommand is `mmsim run` that also records the exchange with a matchmaker.
func newRecordCommand(s *terminal.Streams) *cobra.Command {
	c, r := newRun(s)
	c.Use = "record [flags] FILE"
	c.Short = "Simulate, and record the exchange with a matchmaker"
	c.Long = `Simulate like "mmsim run", and write the messages to and from the matchmaker of --matcher
into a file, in lines of JSON. With --matcher replay:FILE the same day is simulated without
the program, for debugging and for continuous integration. After a fault the file ends with
the message that had no answer.`
	c.Example = `  mmsim matcher record exchange.jsonl --matcher 'exec:python3 mm.py' --duration 1h
  mmsim run --matcher replay:exchange.jsonl --duration 1h`
	c.Args = exactArgs("FILE")
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		r.record = args[0]
		return run(c, nil)
	}
	return c
}

// recording creates the file of a recording; call done after the run.
func (r *runCommand) recording(in *experiment.Inputs, options *experiment.Options) (done func(err error) error, err error) {
	if r.record == "" {
		return func(err error) error { return err }, nil
	}
	asked := false
	for _, q := range in.Config.AllQueues() {
		asked = asked || q.External.Matcher != ""
		if q.External.File() != "" && isSameFile(q.External.File(), r.record) {
			return nil, input.Badf("%s: is replayed, expected another name for the recording", r.record)
		}
	}
	if !asked {
		return nil, input.Badf("%s: nothing to record, expected a matchmaker (--matcher)", r.record)
	}
	file, err := os.Create(r.record)
	if err != nil {
		return nil, input.Bad(input.Error(r.record, err))
	}
	recorder := replay.NewRecorder(file)
	options.Wrap = recorder.Wrap
	return func(err error) error {
		if failed := errors.Join(recorder.Err(), file.Close()); failed != nil && err == nil {
			return input.Error(r.record, failed)
		}
		return err
	}, nil
}

// isSameFile reports whether two names refer to the same file.
func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// matcherFlag is --matcher for commands about case files.
type matcherFlag struct{ text, profiles string }

func (f *matcherFlag) add(c *cobra.Command) {
	c.Flags().StringVar(&f.text, "matcher", "", "let a matchmaker of your own make the pass, by `KIND:TARGET` (see \"mmsim help matcher\")")
	c.Flags().StringVar(&f.profiles, "profiles", "", "`FILE` (YAML) of Open Match profiles, for a matchmaker openmatch2:...")
	grouped(c.Flags(), groupRules, "matcher", "profiles")
}

// takeRules selects what makes the pass of a case.
type takeRules func(*casefile.Case, *casefile.Rules) error

// take selects the matchmaker of the flag, if it is given.
func (f *matcherFlag) take(s *terminal.Streams) takeRules {
	return func(c *casefile.Case, rules *casefile.Rules) error {
		if f.text == "" {
			return nil
		}
		folder, err := input.WorkingFolder()
		if err != nil {
			return err
		}
		return scene.Matchmaker{Context: context.Background(), Matcher: f.text, Profiles: f.profiles, Folder: folder, Messages: s.Err}.Take(c, rules)
	}
}

// runCase makes the pass of a case.
func runCase(c *casefile.Case, options vendor.Options, take takeRules) (*casefile.Outcome, error) {
	rules, err := c.Compile(options)
	if err == nil {
		err = take(c, rules)
	}
	if err != nil {
		return nil, err
	}
	outcome, err := rules.Run(&c.Scene)
	if err != nil {
		return nil, err
	}
	outcome.Warnings = slices.Concat(rules.Warnings, outcome.Warnings)
	return outcome, nil
}
