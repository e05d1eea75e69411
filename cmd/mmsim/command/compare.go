package command

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports/judge"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// compareCommand holds the flags of "mmsim compare".
type compareCommand struct {
	decisionFlags
	a, b cli.ConfigFlags // changes to A and to B; Config has those to both
}

// defaultReplications is the default number of replications. Eight replications give intervals that
// are about a third as wide as those of three.
const defaultReplications = 8

func newCompareCommand(s *terminal.Streams) *cobra.Command {
	r := &compareCommand{decisionFlags: decisionFlags{cli.Simulating{Streams: s}}}
	c := &cobra.Command{
		Use:   "compare [flags] [A [B]]",
		Short: "Compare two configurations or two result directories",
		Long: `Compare two configurations, A and B: simulate both, and print a table of metrics. For each metric,
the table has the difference (B minus A), its confidence interval, and a verdict in words. The first
line says if B leaves more players without a match.

  mmsim compare --set-b KEY=VALUE            # the defaults, without and with a change
  mmsim compare A.yaml --set-b KEY=VALUE     # a file, without and with a change
  mmsim compare A.yaml B.yaml                # two files
  mmsim compare DIR DIR                      # two result directories, without simulating

--set-a changes only A, and --set-b only B. --set and flags such as --scale change both.

--runs N simulates A and B N times. In each of these replications, A and B have the same players and
the same random numbers. compare computes the differences within each such pair of runs.
A few pairs therefore show differences for which unpaired runs would need dozens of simulations.

Result directories of "mmsim run --runs N" that have the same seed are also compared in pairs. If
the seeds differ, or a directory has a summary.json of all replications but no folder runs/, compare
cannot pair the runs, and misses small differences.

A metric of the whole run counts as different if the 95 % confidence interval of its difference
excludes 0. There are many metrics of single hours, continents and datacenters, so their verdicts
are corrected for multiple comparisons (Holm's method). A difference that is too small to matter is
"no difference that matters", however certain it is; the key report.matters sets what matters, also
for result directories (--set report.matters.wait_s.mean=0.5s).

The output begins with the settings that differ, including values inside the rulesets if A and B
use the same vendor's format. If you interrupt compare, it prints the comparison of the finished
pairs, and the exit code is 130.`,
		Example: `  mmsim compare --set-b states.ideal.for=7s
  mmsim compare mmsim.yaml --set-b players.give_up_after=60s --runs 16
  mmsim compare today.yaml proposal.yaml --dataset day.csv.gz --out comparison
  mmsim compare results/before results/after --markdown`,
		Annotations: map[string]string{cli.OwnsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			if err := r.Check(); err != nil {
				return err
			}
			r.Command = cli.CommandLine(c, args, r.Config, r.a, r.b)
			return cli.UntilInterrupted(c, func(ctx context.Context) error { return r.compare(ctx, args, c.Flags().Changed("runs")) })
		},
	}
	r.Config.AddSet(c, "set", "set a key of both configurations; repeatable")
	r.a.AddSet(c, "set-a", "set a key of A; repeatable")
	r.b.AddSet(c, "set-b", "set a key of B; repeatable")
	r.Config.AddShort(c, cli.SimulationFlags...)
	r.add(c, defaultReplications, "number of replications of each configuration")
	c.Flags().Lookup("json").Usage += ", with all metrics"
	return c
}

func (r *compareCommand) compare(ctx context.Context, args []string, runsGiven bool) error {
	in, err := terminal.Await(ctx, func() (*compareInputs, error) { return r.read(args, runsGiven) })
	if err != nil {
		return err
	}
	if in.out != nil {
		in.out.Attend(ctx, r.Err)
		in.sides = &[2]result.Sketch{}
	}
	work := func() (*judge.Comparison, error) {
		return terminal.Await(ctx, func() (*judge.Comparison, error) { return r.load(args, in) })
	}
	if in.configs != nil {
		work = func() (*judge.Comparison, error) { return r.simulate(ctx, in) }
	}
	comparison, err := work()
	if err != nil {
		return err
	}
	comparison.Command = r.Command
	where, err := r.conclude(in.out, func() (string, error) {
		return results.WriteComparison(comparison, in.sides, in.configs, r.Dir, in.out)
	}, func() error { return r.Print(comparison.Write, decision.Comparison(comparison, nil)) })
	if err != nil {
		return err
	}
	if !comparison.Complete {
		return terminal.Interruptedf("interrupted: %s compared", input.Counted(comparison.Pairs, "pair"))
	}
	r.Say("comparison", where)
	return nil
}

// compareInputs are what the command reads before it simulates.
type compareInputs struct {
	names   []string
	configs []*config.Config  // nil for result directories
	out     *resultdir.Dir    // nil if no files are written
	sides   *[2]result.Sketch // what the pictures of both sides show; nil if no files are written
}

// read reads the configurations, and checks that the result can be written: a simulation can take long.
func (r *compareCommand) read(args []string, runsGiven bool) (in *compareInputs, err error) {
	folders := 0
	for _, arg := range args {
		if results.IsFolder(arg) {
			folders++
		}
	}
	in = &compareInputs{}
	switch {
	case folders == 0:
		if in.names, in.configs, err = r.configs(args); err != nil {
			return nil, err
		}
	case len(args) == 1:
		return nil, input.Badf("%s: a result directory, expected a second one to compare it with", args[0])
	case folders == 1:
		return nil, input.Badf("%s and %s: expected two configurations or two result directories; the configuration of a result is in its %s",
			args[0], args[1], results.ConfigFile)
	case runsGiven || r.Workers.Given() || len(r.a.Overrides)+len(r.b.Overrides) > 0 || !config.OnlyMatters(r.Config.Overrides):
		return nil, input.Badf("%s and %s are result directories, which are not simulated again: expected no flags that change the simulation", args[0], args[1])
	}
	if r.Dir != "" {
		files := slices.Clone(args)
		for _, c := range in.configs {
			files = append(files, config.FileNames(c)...)
		}
		in.out, err = results.Comparison.Claim(r.Dir, files...)
	}
	return in, err
}

// load compares two result directories.
func (r *compareCommand) load(args []string, in *compareInputs) (*judge.Comparison, error) {
	c, err := results.CompareFolders(args[0], args[1], r.folder(), r.Config.Overrides)
	if err == nil && in.out != nil {
		in.sides, err = results.LoadSides(args[0], args[1])
	}
	return c, err
}

// folder returns the directory that the comparison names files relative to: the result directory,
// or the working directory if there is none.
func (r *compareCommand) folder() string { return cmp.Or(r.Dir, ".") }

// simulate runs both configurations and compares the pairs of replications that finished.
func (r *compareCommand) simulate(ctx context.Context, in *compareInputs) (*judge.Comparison, error) {
	cache := experiment.NewCache(1)
	arms, err := terminal.Await(ctx, func() ([]experiment.Arm, error) { return experiment.LoadArms(cache, in.configs...) })
	if err != nil {
		return nil, err
	}
	in.configs = []*config.Config{arms[0].Config, arms[1].Config}
	var each func([]*result.Result)
	if in.sides != nil {
		each = func(byArm []*result.Result) {
			for i := range in.sides {
				in.sides[i].AddRun(byArm[i])
			}
		}
	}
	whole, err := r.measure(ctx, arms, r.Runs, cache, each)
	if err != nil {
		return nil, err
	}
	if len(whole[0]) == 0 {
		return nil, terminal.Interruptedf("interrupted: no pair was finished, and no result was changed")
	}
	sample := func(i int) *judge.Sample {
		return &judge.Sample{Name: in.names[i], Runs: whole[i], Matters: in.configs[i].Matters.List()}
	}
	c := judge.Compare(sample(0), sample(1), experiment.Differences(arms[0].Inputs, arms[1].Inputs, r.folder()))
	c.Complete = len(whole[0]) == r.Runs
	return c, nil
}

// configs resolves both configurations, and returns their names.
func (r *compareCommand) configs(args []string) (names []string, configs []*config.Config, err error) {
	if len(args) < 2 && len(r.a.Overrides)+len(r.b.Overrides) == 0 {
		return nil, nil, terminal.Hinted(input.Badf("nothing to compare with: expected a second configuration, or --set-b KEY=VALUE for the difference"), cli.HelpForExamples, "mmsim compare")
	}
	for i, own := range []cli.ConfigFlags{r.a, r.b} {
		file, name := "", "the defaults"
		if len(args) > 0 {
			file = args[min(i, len(args)-1)]
			name = file
		}
		c, err := config.Load(file, append(r.Config.Overrides[:len(r.Config.Overrides):len(r.Config.Overrides)], own.Overrides...))
		if err != nil {
			return nil, nil, err
		}
		for j, o := range own.Overrides {
			name += []string{" with ", ", "}[min(j, 1)] + o.Key + "=" + o.Text
		}
		names, configs = append(names, strings.ReplaceAll(name, "\n", " ")), append(configs, c)
	}
	if configs[0].Seed != configs[1].Seed {
		return nil, nil, input.Badf("A has the seed %d and B has the seed %d, expected the same seed: pairs of runs share their random numbers", configs[0].Seed, configs[1].Seed)
	}
	return names, configs, nil
}
