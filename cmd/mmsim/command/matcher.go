package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gallery"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
)

func newMatcherCommand(s *terminal.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "matcher COMMAND",
		Short: "Use an external matchmaker",
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
		Long: `Write a small matchmaker in Python into DIR. The other files are a configuration that uses this
matchmaker, a case file for "mmsim test", and a configuration that uses mmsim's own matchmaker, for
comparison. init never overwrites a file: if one of the files exists, it writes nothing at all.`,
		Example: "  mmsim matcher init my-matchmaker",
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

// newRecordCommand returns "mmsim matcher record", which is "mmsim run" but also records the
// messages to and from a matchmaker.
func newRecordCommand(s *terminal.Streams) *cobra.Command {
	c, r := newRun(s)
	c.Use = "record [flags] FILE --matcher KIND:TARGET"
	c.Short = "Simulate, and record the messages of a matchmaker"
	c.Long = `Simulate like "mmsim run", and record all messages between mmsim and an external matchmaker in FILE.
--matcher or the configuration sets the matchmaker. Each line of FILE is a message in JSON, with the
number of the replication and the name of the queue. With --runs, FILE has the messages of all
replications.

"mmsim run --matcher replay:FILE" repeats the simulation without the matchmaker, for debugging and
CI. Give that command the same flags and inputs: it fails if a message differs from the recorded
one. If the matchmaker fails while it is recorded, the last line of FILE is the request that it did
not answer.`
	c.Example = `  mmsim matcher record recorded.jsonl --matcher 'exec:python3 mm.py' --duration 1h
  mmsim run --matcher replay:recorded.jsonl --duration 1h    # the same flags, without the program`
	c.Flags().Lookup("matcher").Usage = "external matchmaker, whose messages are recorded; see \"mmsim help matcher\" (default: that of the configuration)"
	for _, name := range []string{"serve", "nats", "creds"} {
		cli.Must(c.Flags().MarkHidden(name)) // refused: workers call the matchmaker, and this process cannot record them
	}
	c.Args = nil
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		r.record = args[0]
		return run(c, nil)
	}
	return c
}

// recording creates the file of "mmsim matcher record" and makes the run write to it. The caller must
// call done with the error of the run. For "mmsim run", which has no such file, recording does nothing.
func (r *runCommand) recording(in *experiment.Inputs, options *experiment.Options) (done func(err error) error, err error) {
	if r.record == "" {
		return func(err error) error { return err }, nil
	}
	asked := false
	for _, q := range in.Config.AllQueues() {
		asked = asked || q.External.Matcher != ""
	}
	if !asked {
		return nil, input.Badf("%s: nothing to record, expected a matchmaker (--matcher)", r.record)
	}
	file, err := resultdir.CreateFile(r.record)
	if err != nil {
		return nil, input.Bad(err)
	}
	recorder := matchmaker.NewRecorder(file)
	options.Wrap = recorder.Wrap
	return func(err error) error {
		if !recorder.HasBegun() {
			file.Discard() // an earlier recording is better than none
			return err
		}
		if failed := errors.Join(recorder.Err(), file.Close()); failed != nil && err == nil {
			return failed
		}
		return err
	}, nil
}

// matcherFlag holds --matcher and --profiles of the commands about case files.
type matcherFlag struct{ text, profiles string }

func (f *matcherFlag) add(c *cobra.Command) {
	rules := cli.Under(c, cli.GroupRules)
	c.Flags().StringVar(&f.text, "matcher", "", cli.SettingUsage("matcher.external"))
	rules.Place("matcher", "KIND:TARGET", cli.Reads)
	rules.File(&f.profiles, cli.Reads, "profiles", "", cli.SettingUsage("matcher.profiles"), "yaml")
}

// takeRules replaces the matchmaker that makes the pass of a case.
type takeRules func(*casefile.Case, *casefile.RunnableRules) error

// take returns a function that replaces the matchmaker by that of --matcher. Without --matcher, the
// function does nothing.
func (f *matcherFlag) take(s *terminal.Streams) takeRules {
	return func(c *casefile.Case, rules *casefile.RunnableRules) error {
		if f.text == "" {
			return nil
		}
		folder, err := input.WorkingFolder()
		if err != nil {
			return err
		}
		return matchmaker.Cases{Context: context.Background(), Matcher: f.text, Profiles: f.profiles, Folder: folder, Messages: s.Err}.Take(c, rules)
	}
}

// runCase compiles the rules of a case and makes its pass. The rules are nil if they are refused.
func runCase(c *casefile.Case, options vendor.CompileOptions, take takeRules) (*casefile.RunnableRules, *casefile.Outcome, error) {
	rules, err := c.Compile(options)
	if err != nil {
		return nil, nil, err
	}
	if err := take(c, rules); err != nil {
		return rules, nil, err
	}
	outcome, err := rules.Run(&c.Scene)
	if err != nil {
		return rules, nil, err
	}
	outcome.Warnings = slices.Concat(rules.Warnings, outcome.Warnings)
	return rules, outcome, nil
}
