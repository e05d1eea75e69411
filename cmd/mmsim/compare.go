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
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/figure"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/sim"
)

// compareCommand is `mmsim compare`.
type compareCommand struct {
	*terminal.Streams
	both, a, b           configFlags // --set and its short forms, --set-a, --set-b
	replications         int
	workers              workers.Options
	dir                  string // "": no files
	quiet, json, tabular bool
}

// replicationsUsual is how many replications are compared by default: enough for
// intervals twice as narrow as those of three.
const replicationsUsual = 8

// Files of a comparison.
const (
	comparisonFile = "comparison.json"
	comparisonPage = "comparison.md"
)

func newCompareCommand(s *terminal.Streams) *cobra.Command {
	r := &compareCommand{Streams: s}
	c := &cobra.Command{
		Use:   "compare [flags] [A [B]]",
		Short: "Compare two configurations, or two result directories",
		Long: `Compare two configurations number by number, with a confidence interval of every
difference and a verdict in words.

Configurations are simulated here, in replications 0 to N-1 (--runs), on common
random numbers: both see the same players with the same luck, so that a few pairs of
runs show what independent ones would need dozens for. --set and its short forms
change both configurations, --set-a and --set-b one of them. B may be left out: it is
A then, and without A both are the defaults. What equals in both is loaded once.

Result directories are those of "mmsim run --runs N", made with the same seed. Runs of
different seeds, and directories of which only summary.json was kept, are compared as
independent samples.

What differs between the configurations is listed first: settings, and of rulesets of one
vendor every value by the names in its file. Differences of results are B less A. A total
differs when its 95 % interval leaves out 0; groups (hours, continents, datacenters) are
many, and their verdicts are corrected after Holm.
Interrupted, it compares the pairs that are finished and exits with 130.`,
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
			return untilInterrupted(c, func(ctx context.Context) error { return r.compare(ctx, args, c.Flags().Changed("runs")) })
		},
	}
	r.both.addSet(c, "set", "set one key of both configurations; repeatable")
	r.a.addSet(c, "set-a", "set one key of A; repeatable")
	r.b.addSet(c, "set-b", "set one key of B; repeatable")
	r.both.addShort(c, slices.Concat(joinFlags, []string{"dataset", "days", "scale", "datacenters", "latency-maps", "seed", "duration", "placement", "matcher"})...)
	c.Flags().IntVar(&r.replications, "runs", replicationsUsual, "simulate replications 0 to `N`-1 of both")
	addWorkers(c, &r.workers)
	c.Flags().Var((*fileFlag)(&r.dir), "out", "write the comparison and a plot of the differences into `DIR`")
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
	// What would spoil the end is found before the work is done.
	var out *resultdir.Dir
	if r.dir != "" {
		var err error
		if out, err = resultdir.Claim(r.dir, comparisonKind, r.files(args)...); err != nil {
			return err
		}
	}
	comparison, err := r.comparison(ctx, args, runsGiven)
	if err != nil {
		return err
	}
	where := ""
	if out != nil {
		if where, err = writeComparison(comparison, out); err != nil {
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

// comparison compares what the arguments name: directories or configurations.
func (r *compareCommand) comparison(ctx context.Context, args []string, runsGiven bool) (*judge.Comparison, error) {
	folders := 0
	for _, arg := range args {
		if results.IsFolder(arg) {
			folders++
		}
	}
	switch {
	case folders == 0:
		if err := checkReplications(r.replications); err != nil {
			return nil, err
		}
		return r.simulate(ctx, args)
	case len(args) == 1:
		return nil, input.Badf("%s: a result directory, expected a second one to compare it with", args[0])
	case folders == 1:
		return nil, input.Badf("%s and %s: expected two configurations or two result directories; the configuration of a result is in its %s",
			args[0], args[1], results.ConfigFile)
	case runsGiven || r.workers.Given() || len(r.both.overrides)+len(r.a.overrides)+len(r.b.overrides) > 0:
		return nil, input.Badf("%s and %s are results: nothing is simulated, expected no flags that change it", args[0], args[1])
	}
	return r.compareFolders(args[0], args[1])
}

// folder is where the comparison is written, else the working directory: files are named
// from there.
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

// simulate runs both configurations and compares the pairs that are finished.
func (r *compareCommand) simulate(ctx context.Context, args []string) (*judge.Comparison, error) {
	names, configs, err := r.configs(args)
	if err != nil {
		return nil, err
	}
	if configs[0].Seed != configs[1].Seed {
		return nil, input.Badf("the seeds are %d and %d, expected one: pairs of runs share their draws", configs[0].Seed, configs[1].Seed)
	}
	cache := experiment.NewCache(1)
	arms, err := loadArms(cache, configs...)
	if err != nil {
		return nil, err
	}
	var span sim.Duration
	for _, arm := range arms {
		span += arm.Config.Simulated(r.replications)
	}
	p := terminal.NewProgress(r.Streams, r.quiet, span, len(configs)*r.replications)
	var whole [][]*outcome.Summary
	r.workers.Dir, r.workers.Err, r.workers.Progress = r.dir, r.Err, p
	err = r.workers.With(ctx, func(pool *workers.Pool) (err error) {
		whole, err = measureAll(ctx, arms, r.replications, experiment.Options{Executor: pool.Executor(), Cache: cache, Progress: p, Messages: r.Err})
		return err
	})
	p.Finish()
	if err != nil {
		return nil, err
	}
	if len(whole[0]) == 0 {
		return nil, experiment.Interruptedf("interrupted before any pair was finished")
	}
	c := judge.Compare(&judge.Sample{Name: names[0], Runs: whole[0]}, &judge.Sample{Name: names[1], Runs: whole[1]},
		experiment.Differences(arms[0].Inputs, arms[1].Inputs, r.folder()))
	c.Complete = len(whole[0]) == r.replications
	return c, nil
}

// configs resolves both configurations, and says how they are called.
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

// files lists what is compared and what it reads. What is wrong with a configuration is
// said when it is loaded in earnest.
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
		_, err = io.WriteString(r.Out, present.ComparisonMarkdown(c))
	default:
		_, err = io.WriteString(r.Out, present.ComparisonText(c, r.Colour()))
	}
	return err
}

// writeComparison writes the files of a comparison and returns where they are.
func writeComparison(c *judge.Comparison, out *resultdir.Dir) (string, error) {
	if err := out.Begin(); err != nil {
		return "", err
	}
	defer out.Discard()
	create := result.Create(resultdir.In(out.Temp()))
	err := create.File(comparisonFile, c.Write)
	if err == nil {
		err = create.File(comparisonPage, func(w io.Writer) error {
			_, err := io.WriteString(w, present.ComparisonMarkdown(c))
			return err
		})
	}
	if err == nil {
		err = figure.PlotComparison(c, create)
	}
	if err != nil {
		return "", out.Fail(err)
	}
	return out.Commit(c.Complete)
}

// comparisonKind is the kind of directory that a comparison writes.
var comparisonKind = resultdir.Kind{
	Command: "compare", Marker: comparisonFile, Keys: []string{"a", "b", "pairs", "settings", "metrics"},
	Unlisted: resultdir.Unlisted("", `comparison\.(json|md)`, `differences\.(png|svg)`),
}

// loadArms loads the inputs of configurations that are measured on the same players.
func loadArms(cache *experiment.Cache, configs ...*config.Config) ([]experiment.Arm, error) {
	arms := make([]experiment.Arm, len(configs))
	for i, c := range configs {
		in, err := experiment.Load(c, cache)
		if err != nil {
			return nil, err
		}
		arms[i] = experiment.Arm{Config: in.Config, Inputs: in}
	}
	return arms, nil
}

// measureAll simulates replications 0 to n-1 of every arm, and returns those that every
// arm finished, by arm.
func measureAll(ctx context.Context, arms []experiment.Arm, n int, o experiment.Options) ([][]*outcome.Summary, error) {
	whole := finishedReplications{byArm: make([][]*outcome.Summary, len(arms))}
	o.Keep = whole.keep
	err := (&experiment.Experiment{Arms: arms, Runs: experiment.FirstRuns(n)}).Run(ctx, o)
	return whole.byArm, err
}

// finishedReplications collects the replications that every arm finished. One that was interrupted
// would pull its arm towards what happens early in a day.
type finishedReplications struct {
	byArm [][]*outcome.Summary
	run   uint64 // that was kept last
	part  []*outcome.Summary
}

// keep takes outcomes in the order of an experiment.
func (w *finishedReplications) keep(o experiment.Outcome) error {
	if o.Run != w.run {
		w.run, w.part = o.Run, nil
	}
	if !o.Summary.Complete {
		return nil
	}
	if w.part = append(w.part, o.Summary); len(w.part) == len(w.byArm) {
		for i, s := range w.part {
			w.byArm[i] = append(w.byArm[i], s)
		}
	}
	return nil
}
