package main

import (
	"context"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
)

func newSweepCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Options: search.Options{Streams: s}}
	c := &cobra.Command{
		Use:   "sweep [flags] SPEC.yaml",
		Short: "Simulate every combination of some settings",
		Long: `Simulate every combination of the values of some settings, each in several replications
with the same players, and write a table and plots: curves for one setting, heat maps for
two, and the trade-off between two metrics. report.html shows all of them, and the command
that simulates each combination.

  config: mmsim.yaml                 # the configuration to change; omitted: the defaults
  runs: 4                            # replications of every combination
  settings:
    players.play_again: {from: 0.6, to: 0.9, step: 0.05}
    states.ideal.rtt: [30ms, 50ms, 70ms]
    states.ideal.for: {from: 1s, to: 30s, steps: 4, scale: log}
    rules.DifferenceRules.Skill.Difference: [80, 200]    # inside the vendor's file
  metrics: [ccu.peak, wait_s.p95]    # keys of summary.json; omitted: the usual ones

A job is one replication of one combination. Every finished job is kept in the folder jobs/
of the results. To resume a sweep that was interrupted or killed, repeat the command; if you
add values, only the new combinations are simulated. The complete results of an earlier
sweep stay in the folder until all jobs are done.

--shard 2/3 does every third job, starting with the second. In a job array of Slurm or Grid
Engine, --shard is set from the task's number unless you give it. If the parts share a folder,
the process that finishes the last job writes the results; otherwise "mmsim sweep merge"
combines their folders.`,
		Example: `  mmsim sweep play-again.yaml
  mmsim sweep grid.yaml --shard 2/3 --out shards/2
  mmsim sweep grid.yaml --set match.size=8 --scale 0.1 --runs 2
  mmsim sweep merge shards/1 shards/2 shards/3`,
	}
	asSearch(c, &w.Options, "combination", "print JSON, with every number of the table; nothing while jobs are missing", w.Run)
	c.Flags().StringVar(&w.Shard, "shard", "", "do the jobs of part `I/N` of the sweep")
	grouped(c.Flags(), groupSimulation, "shard")
	c.AddCommand(newMergeCommand(s))
	return c
}

// asSearch gives a command the flags of a search over the settings of a file, and sets its
// run function. each is the word for one simulated configuration, such as trial.
func asSearch(c *cobra.Command, o *search.Options, each, json string, run func(ctx context.Context, file string) error) {
	var flags configFlags
	flags.addSet(c, "set", "set one key of the configuration; repeatable")
	flags.addShort(c, "dataset", "days", "scale", "datacenters", "latency-maps", "seed", "duration", "placement", "rules", "matcher")
	c.Flags().IntVar(&o.Runs, "runs", 0, "simulate replications 0 to `N`-1 of every "+each+", instead of the number in the file")
	addWorkers(c, &o.Workers)
	c.Flags().StringVar(&o.Dir, "out", "mmsim-"+c.Name(), "write into `DIR`")
	c.Flags().BoolVar(&o.Quiet, "quiet", false, "no progress and no table")
	c.Flags().BoolVar(&o.JSON, "json", false, json)
	must(c.MarkFlagDirname("out"))
	grouped(c.Flags(), groupSimulation, "runs")
	grouped(c.Flags(), groupOutput, "out", "quiet", "json")
	c.Args = exactArgs("SPEC.yaml")
	c.Annotations = map[string]string{ownsSignals: ""}
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("runs") {
			if err := checkReplications(o.Runs); err != nil {
				return err
			}
		}
		if err := o.Workers.Check(); err != nil {
			return err
		}
		o.Overrides, o.Command = flags.overrides, commandLine(c, args, flags)
		return untilInterrupted(c, func(ctx context.Context) error { return run(ctx, args[0]) })
	}
}

func newMergeCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Options: search.Options{Streams: s}}
	c := &cobra.Command{
		Use:   "merge [flags] DIR [DIR...]",
		Short: "Combine the parts of a sweep",
		Long: `Copy the jobs of all folders into the first one, and write the results of its sweep
there. Exit code 2 while jobs are missing.`,
		Example: "  mmsim sweep merge shards/1 shards/2 shards/3",
		Args:    atLeastOne("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			w.Dir = args[0]
			return w.Merge(args[1:])
		},
	}
	c.Flags().BoolVar(&w.JSON, "json", false, "print JSON, with every number of the table")
	grouped(c.Flags(), groupOutput, "json")
	return c
}
