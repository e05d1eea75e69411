package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
)

func newSweepCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Options: search.Options{Streams: s}}
	c := &cobra.Command{
		Use:   "sweep [flags] [SPEC.yaml]",
		Short: "Simulate every combination of some settings",
		Long:  sweepHelp,
		Example: `  mmsim sweep --vary states.ideal.rtt=30ms,50ms,70ms
  mmsim sweep --config mmsim.yaml --vary match.size=4,8 --vary match.order=shuffle,oldest --runs 2
  mmsim sweep play-again.yaml
  mmsim sweep grid.yaml --shard 2/3 --out shards/2
  mmsim sweep grid.yaml --set match.size=8 --scale 0.1 --runs 2
  mmsim sweep merge shards/1 shards/2 shards/3`,
	}
	asSearch(c, &w.Options, "combination", search.DefaultSweepRuns, "print JSON instead of a table; with --shard, only the process that finishes the last job prints it", w.Run)
	c.Flags().StringVar(&w.Shard, "shard", "", "do only part I of N of the jobs, such as 2/3 (default: all jobs or, in a job array, this task's part)")
	c.Flags().Var((*cli.ListFlag)(&w.Vary), "vary", "give a setting several values, such as match.size=2,4,8, instead of a file; repeatable")
	c.Flags().StringVar(&w.Metrics, "metrics", "", "metrics to show, such as wait_s.p95,rtt_ms.mean (default: the key metrics of SPEC.yaml, or some that fit)")
	cli.Placeholders(c.Flags(), map[string]string{"shard": "I/N", "metrics": "NAME,..."})
	cli.Grouped(c.Flags(), cli.GroupSimulation, "vary", "shard")
	cli.Grouped(c.Flags(), cli.GroupOutput, "metrics")
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(w.Vary) > 0 && len(args) > 0:
			return input.Badf("%s: got %s and --vary, expected only one of them: list the setting in the file", c.CommandPath(), args[0])
		case len(w.Vary) == 0 && len(args) == 0:
			return terminal.Hinted(input.Badf("%s: missing argument SPEC.yaml, or --vary KEY=VALUE,...", c.CommandPath()), cli.HelpForExamples, c.CommandPath())
		}
		return cli.AtMost(1)(c, args)
	}
	c.AddCommand(newMergeCommand(s))
	return c
}

// sweepHelp explains the file of a sweep, the flags that stand for one, and how jobs are divided.
const sweepHelp = `Simulate every combination of the values of some settings. Each combination is simulated in one or
more replications, which have different random numbers. Within a replication, all combinations have
the same players. sweep writes a table, plots and report.html. For every combination, report.html
shows the command that simulates only that one.

--vary KEY=VALUE,... gives a setting the values that would be between the brackets of a list in
YAML. Repeat it for other settings. The result directory then has sweep.yaml, the file that the
flags stand for. To sweep ranges or to set a guard, write such a file. SPEC.yaml lists the settings
and their values:

  config: mmsim.yaml                 # the configuration to start from; optional
  runs: 4                            # replications of each combination
  settings:
    players.play_again: {from: 0.6, to: 0.9, step: 0.05}
    states.ideal.rtt: [30ms, 50ms, 70ms]
    states.ideal.for: {from: 1s, to: 30s, steps: 4, scale: log}    # 4 values
    rules.DifferenceRules.Skill.Difference: [80, 200]    # a value in the ruleset (--rules)
  metrics: [ccu.peak, wait_s.p95]    # metrics of summary.json to show; optional
  guard: {players.unmatched_share: 1pp}    # see below; optional

WHO IS LEFT OUT. Waits and RTTs describe only the players who found a match, so the lowest of them
may be those of a combination that leaves most players without one. Tables and pictures therefore
always show players.unmatched_share, the share of searches that end without a match. The guard says
how much worse than the best combination another may be and still be called good. It is drawn
hollow, marked, and neither the best nor on a front if it is worse by more. The default is one
percentage point (1pp) of players.unmatched_share; guard: none disables it. You can guard other
metrics, too, such as guard: {rtt_ms.share_le_100: 2pp, wait_s.p95: 10%}; 1pp of unmatched searches
remains in force unless you set players.unmatched_share to another amount or to none. Amounts are
written as in a gate file ("mmsim help gate"), and are compared by the means. If a metric has no
value in some runs of a combination, the combination is not comparable: tables say in how many runs
it has one, instead of an interval, and it is never the best.

SETS OF DATACENTERS. mmsim can choose the values of datacenters.use: sets of datacenters near the
players, all datacenters, and the configuration's own datacenters.use. "mmsim site --help" says how
sets are found, and tables call the I-th set of N datacenters N-I:

  datacenters.use: {best: {count: {from: 3, to: 8}, candidates: 4, always: [frankfurt], never: []}}

With by: [rtt_ms.mean, rtt_ms.share_le_100], half of the candidates are those with the most players
within 100 ms.

A job is one replication of one combination. Finished jobs are kept in the folder jobs/ of the
result directory. To resume an interrupted sweep, repeat the command. If you add values to
SPEC.yaml, only the new combinations are simulated. The results of an earlier sweep are replaced
only when all jobs are done.

--shard I/N divides the jobs among N processes. With --shard 2/3, a process does every third job,
starting with the second. In a job array of Slurm or Grid Engine, --shard defaults to the index of
the task and the size of the array. If the processes share a result directory, the process that
finishes the last job writes the results. Otherwise, combine the directories with "mmsim sweep
merge".

Instead of dividing the jobs yourself, you can let workers on other machines take them one by one
(--serve or --nats; see "mmsim worker --help").`

// asSearch adds the flags that sweep and tune share to a command, and makes the command call run.
// each is the command's word for one simulated configuration, such as "trial". usual is its number
// of replications if neither --runs nor SPEC.yaml sets it. json is the help of --json.
func asSearch(c *cobra.Command, o *search.Options, each string, usual int, json string, run func(ctx context.Context, file string) error) {
	var flags cli.ConfigFlags
	flags.Add(c, cli.SimulationFlags...)
	c.Flags().Lookup("config").Usage = "configuration file (YAML), instead of the one that SPEC.yaml names; see \"mmsim help config\""
	c.Flags().IntVar(&o.Runs, "runs", 0, fmt.Sprintf("number of replications of each %s (default: the key runs of SPEC.yaml, or %d)", each, usual))
	addWorkers(c, &o.Workers)
	c.Flags().StringVar(&o.Dir, "out", "mmsim-"+c.Name(), "result directory")
	c.Flags().BoolVar(&o.Quiet, "quiet", false, "print no progress and no table")
	c.Flags().BoolVar(&o.JSON, "json", false, json)
	cli.Must(c.MarkFlagDirname("out"))
	cli.Placeholders(c.Flags(), map[string]string{"runs": "N", "out": "DIR"})
	cli.Grouped(c.Flags(), cli.GroupSimulation, "runs")
	cli.Grouped(c.Flags(), cli.GroupOutput, "out", "quiet", "json")
	c.Args = cli.ExactArgs("SPEC.yaml")
	c.Annotations = map[string]string{cli.OwnsSignals: ""}
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("runs") {
			if err := checkReplications(o.Runs); err != nil {
				return err
			}
		}
		if err := o.Workers.Check(); err != nil {
			return err
		}
		// The result directory is claimed with all inputs, but that is after planning, which reads them.
		if own, err := config.Read("", flags.Overrides); err == nil {
			if err := cli.CheckConfigs(c, own); err != nil {
				return err
			}
		}
		o.Config, o.Overrides, o.Command = flags.File, flags.Overrides, cli.CommandLine(c, args, flags)
		file := ""
		if len(args) > 0 {
			file = args[0]
		}
		return cli.UntilInterrupted(c, func(ctx context.Context) error { return run(ctx, file) })
	}
}

func newMergeCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Options: search.Options{Streams: s}}
	c := &cobra.Command{
		Use:   "merge [flags] DIR [DIR...]",
		Short: "Combine the parts of a divided sweep",
		Long: `Combine the result directories of a sweep that was divided with --shard: copy all jobs into the
first directory, and write the results of the sweep there. The exit code is 2 if jobs are missing.`,
		Example:     "  mmsim sweep merge shards/1 shards/2 shards/3",
		Args:        cli.AtLeastOne("DIR"),
		Annotations: map[string]string{cli.OwnsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			w.Dir = args[0]
			return cli.UntilInterrupted(c, func(ctx context.Context) error { return w.Merge(ctx, args[1:]) })
		},
	}
	c.Flags().BoolVar(&w.JSON, "json", false, "print JSON instead of a table")
	cli.Grouped(c.Flags(), cli.GroupOutput, "json")
	return c
}
