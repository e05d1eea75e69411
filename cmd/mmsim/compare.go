package main

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/filenames"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/verdicts"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present/decision"
	"mmsim/sim"
)

// compareCommand is `mmsim compare`.
type compareCommand struct {
	*terminal.Streams
	both, a, b           configFlags // --set and its short forms, --set-a, --set-b
	replications         int
	workers              workers.Options
	dir                  string // "": write no files
	command              string // see commandLine
	quiet, json, tabular bool
}

// replicationsUsual is the default number of compared replications: its intervals are half as
// wide as those of three replications.
const replicationsUsual = 8

func newCompareCommand(s *terminal.Streams) *cobra.Command {
	r := &compareCommand{Streams: s}
	c := &cobra.Command{
		Use:   "compare [flags] [A [B]]",
		Short: "Compare two configurations, or two result directories",
		Long: `Compare two configurations metric by metric, with a confidence interval for every
difference and a verdict in words.

compare simulates the configurations in replications 0 to N-1 (--runs) with common random
numbers: both simulate the same players with the same random numbers, so a few pairs of
runs show what would take dozens of independent ones. --set, and flags such as --scale or
--seed that set one key, change both configurations; --set-a and --set-b change only one.
Without B, B starts as a copy of A; without A, both start with the defaults.

compare also accepts result directories of "mmsim run --runs N". Directories whose seeds
differ, or that have only a summary.json, are compared as independent samples.

The output begins with the differences between the configurations (settings and, if both
rulesets are of one vendor, values inside them), then shows the results as B minus A. A metric
of the whole run counts as different if its 95 % interval excludes 0. Because there are many
groups (hours, continents, datacenters), their verdicts are corrected for multiple comparisons
(Holm).

If interrupted, compare uses the finished pairs and exits with code 130.`,
		Example: `  mmsim compare --set-b states.ideal.for=7s
  mmsim compare mmsim.yaml --set-b players.give_up_after=60s --runs 16
  mmsim compare today.yaml proposal.yaml --dataset day.csv.gz --out comparison
  mmsim compare results/before results/after --markdown`,
		Args:        atMost(2),
		Annotations: map[string]string{ownsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			if r.json && r.tabular {
				return input.Badf("--json and --markdown: expected one of them")
			}
			if err := r.workers.Check(); err != nil {
				return err
			}
			r.command = commandLine(c, args, r.both, r.a, r.b)
			return untilInterrupted(c, func(ctx context.Context) error { return r.compare(ctx, args, c.Flags().Changed("runs")) })
		},
	}
	r.both.addSet(c, "set", "set one key of both configurations; repeatable")
	r.a.addSet(c, "set-a", "set one key of A; repeatable")
	r.b.addSet(c, "set-b", "set one key of B; repeatable")
	r.both.addShort(c, slices.Concat(joinFlags, []string{"dataset", "days", "scale", "datacenters", "latency-maps", "seed", "duration", "placement", "matcher"})...)
	c.Flags().IntVar(&r.replications, "runs", replicationsUsual, "simulate replications 0 to `N`-1 of both")
	addWorkers(c, &r.workers)
	c.Flags().Var((*fileFlag)(&r.dir), "out", "write the comparison, a page about it and a plot of the differences into `DIR`")
	must(c.MarkFlagDirname("out"))
	c.Flags().BoolVar(&r.quiet, "quiet", false, "no progress")
	c.Flags().BoolVar(&r.json, "json", false, "print JSON, with every number there is")
	c.Flags().BoolVar(&r.tabular, "markdown", false, "print tables in markdown")
	grouped(c.Flags(), groupSimulation, "runs")
	grouped(c.Flags(), groupOutput, "out", "quiet", "json", "markdown")
	addNoColour(c, s)
	return c
}

func (r *compareCommand) compare(ctx context.Context, args []string, runsGiven bool) error {
	// Errors that would make the result useless are found before the simulation.
	var out *resultdir.Dir
	if r.dir != "" {
		var err error
		if out, err = resultdir.Claim(r.dir, verdicts.Comparison, r.files(args)...); err != nil {
			return err
		}
		if err := out.Expect(verdicts.ComparisonFiles...); err != nil {
			return err
		}
	}
	comparison, configs, err := r.comparison(ctx, args, runsGiven)
	if err != nil {
		return err
	}
	comparison.Command = r.command
	where := ""
	if out != nil {
		if where, err = verdicts.WriteComparison(comparison, configs, r.dir, out); err != nil {
			return err
		}
	}
	if err := r.print(comparison); err != nil {
		return err
	}
	if !comparison.Complete {
		return experiment.Interruptedf("interrupted: %s compared", input.Counted(comparison.Pairs, "pair"))
	}
	if where != "" && !r.quiet {
		terminal.PrintTo(r.Err, "comparison in %s\n", input.Shown(where))
	}
	return nil
}

// comparison compares the arguments, result directories or configurations, and returns the
// configurations.
func (r *compareCommand) comparison(ctx context.Context, args []string, runsGiven bool) (*judge.Comparison, []*config.Config, error) {
	folders := 0
	for _, arg := range args {
		if results.IsFolder(arg) {
			folders++
		}
	}
	switch {
	case folders == 0:
		if err := checkReplications(r.replications); err != nil {
			return nil, nil, err
		}
		return r.simulate(ctx, args)
	case len(args) == 1:
		return nil, nil, input.Badf("%s: a result directory, expected a second one to compare it with", args[0])
	case folders == 1:
		return nil, nil, input.Badf("%s and %s: expected two configurations or two result directories; the configuration of a result is in its %s",
			args[0], args[1], results.ConfigFile)
	case runsGiven || r.workers.Given() || len(r.both.overrides)+len(r.a.overrides)+len(r.b.overrides) > 0:
		return nil, nil, input.Badf("%s and %s are results: nothing is simulated, expected no flags that change it", args[0], args[1])
	}
	c, err := r.compareFolders(args[0], args[1])
	return c, nil, err
}

// folder is the directory of the comparison's files, or else the working directory. Files are
// named relative to it.
func (r *compareCommand) folder() string { return cmp.Or(r.dir, ".") }

// compareFolders compares two result directories.
func (r *compareCommand) compareFolders(a, b string) (*judge.Comparison, error) {
	first, warnings, err := results.LoadSample(a)
	if err != nil {
		return nil, err
	}
	second, more, err := results.LoadSample(b)
	if err != nil {
		return nil, err
	}
	settings, doubts := results.Pairs(a, b, r.folder())
	c := judge.Compare(first, second, settings)
	for _, list := range [][]string{warnings, more, doubts} {
		c.Warnings = append(c.Warnings, list...)
	}
	return c, nil
}

// simulate runs both configurations and compares the pairs of replications that finished.
func (r *compareCommand) simulate(ctx context.Context, args []string) (*judge.Comparison, []*config.Config, error) {
	names, configs, err := r.configs(args)
	if err != nil {
		return nil, nil, err
	}
	if configs[0].Seed != configs[1].Seed {
		return nil, nil, input.Badf("the seeds are %d and %d, expected one: pairs of runs share their draws", configs[0].Seed, configs[1].Seed)
	}
	cache := experiment.NewCache(1)
	arms, err := experiment.LoadArms(cache, configs...)
	if err != nil {
		return nil, nil, err
	}
	var span sim.Duration
	for _, arm := range arms {
		span += arm.Config.Simulated(r.replications)
	}
	p := terminal.NewProgress(r.Streams, r.quiet, span, len(configs)*r.replications)
	var whole [][]*outcome.Summary
	r.workers.Dir, r.workers.Err, r.workers.Progress = r.dir, r.Err, p
	err = r.workers.With(ctx, func(pool *workers.Pool) (err error) {
		whole, err = experiment.MeasureAll(ctx, arms, r.replications, experiment.Options{Executor: pool.Executor(), Cache: cache, Progress: p, Messages: r.Err})
		return err
	})
	p.Finish()
	if err != nil {
		return nil, nil, err
	}
	if len(whole[0]) == 0 {
		return nil, nil, experiment.Interruptedf("interrupted before any pair was finished")
	}
	c := judge.Compare(&judge.Sample{Name: names[0], Runs: whole[0]}, &judge.Sample{Name: names[1], Runs: whole[1]},
		experiment.Differences(arms[0].Inputs, arms[1].Inputs, r.folder()))
	c.Complete = len(whole[0]) == r.replications
	return c, []*config.Config{arms[0].Config, arms[1].Config}, nil
}

// configs resolves both configurations, and returns their names.
func (r *compareCommand) configs(args []string) (names []string, configs []*config.Config, err error) {
	if len(args) < 2 && len(r.a.overrides)+len(r.b.overrides) == 0 {
		return nil, nil, terminal.Hinted(input.Badf("nothing to compare with: expected a second configuration, or --set-b KEY=VALUE for what is different there"), helpForExamples, "mmsim compare")
	}
	for i, own := range []configFlags{r.a, r.b} {
		file, name := "", "the defaults"
		if len(args) > 0 {
			file = args[min(i, len(args)-1)]
			name = file
		}
		c, err := config.Load(file, append(r.both.overrides[:len(r.both.overrides):len(r.both.overrides)], own.overrides...))
		if err != nil {
			return nil, nil, err
		}
		for j, o := range own.overrides {
			name += []string{" with ", ", "}[min(j, 1)] + o.Key + "=" + o.Text
		}
		names, configs = append(names, strings.ReplaceAll(name, "\n", " ")), append(configs, c)
	}
	return names, configs, nil
}

// files lists the arguments and the files that they read. It ignores errors of a
// configuration, which are reported when it is loaded.
func (r *compareCommand) files(args []string) []string {
	list := args
	if _, configs, err := r.configs(args); err == nil {
		for _, c := range configs {
			list = append(list, filenames.Of(c)...)
		}
	}
	return list
}

// print writes the comparison to standard output.
func (r *compareCommand) print(c *judge.Comparison) error {
	var err error
	switch {
	case r.json:
		return c.Write(r.Out)
	case r.tabular:
		_, err = io.WriteString(r.Out, decision.ComparisonMarkdown(c))
	default:
		_, err = io.WriteString(r.Out, decision.ComparisonText(c, r.Colour()))
	}
	return err
}
