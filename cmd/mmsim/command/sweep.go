package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/terminal"
)

func newSweepCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Simulating: cli.Simulating{Streams: s}}
	c := &cobra.Command{
		Use:   "sweep [flags] [SPEC.yaml]",
		Short: "Simulate every combination of some settings",
		Long:  search.SweepHelp,
		Example: `  mmsim sweep --vary states.ideal.rtt=30ms,50ms,70ms
  mmsim sweep --config mmsim.yaml --vary match.size=4,8 --vary match.order=shuffle,oldest --runs 2
  mmsim sweep play-again.yaml
  mmsim sweep grid.yaml --shard 2/3 --out shards/2
  mmsim sweep grid.yaml --set match.size=8 --scale 0.1 --runs 2
  mmsim sweep merge shards/1 shards/2 shards/3`,
	}
	asSearch(c, &w.Simulating, "combination", search.DefaultSweepRuns, "print JSON instead of a table; with --shard, only the process that finishes the last job prints it", w.Run)
	addShard(c, &w.Shard)
	cli.Under(c, cli.GroupSimulation).Value((*cli.ListFlag)(&w.Vary), "vary", "", cli.Neither, "give a setting several values, such as match.size=2,4,8, instead of a file; repeatable")
	cli.Under(c, cli.GroupOutput).Text(&w.Metrics, "metrics", "NAME,...", "", "metrics to show, such as wait_s.p95,rtt_ms.mean (default: the key metrics of SPEC.yaml, or some that fit)")
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(w.Vary) > 0 && len(args) > 0:
			return input.Badf("%s: got %s and --vary, expected only one of them: list the setting in the file", c.CommandPath(), args[0])
		case len(w.Vary) == 0 && len(args) == 0:
			return terminal.Hinted(input.Badf("%s: missing argument SPEC.yaml, or --vary KEY=VALUE,...", c.CommandPath()), cli.HelpForExamples, c.CommandPath())
		}
		return cli.CheckArgs(c, args)
	}
	c.AddCommand(newMergeCommand(s))
	return c
}

// addShard adds --shard.
func addShard(c *cobra.Command, p *string) {
	cli.Under(c, cli.GroupSimulation).Text(p, "shard", "I/N", "", "do only part I of N of the jobs, such as 2/3 (default: all jobs or, in a job array, this task's part)")
}

// asSearch adds the flags that sweep and tune share to a command, and makes the command call run.
// each is the command's word for one simulated configuration, such as "trial". usual is its number
// of replications if neither --runs nor SPEC.yaml sets it. json is the help of --json.
func asSearch(c *cobra.Command, o *cli.Simulating, each string, usual int, json string, run func(ctx context.Context, file string) error) {
	o.Config.Add(c, cli.SimulationFlags...)
	c.Flags().Lookup("config").Usage = "configuration file (YAML), instead of the one that SPEC.yaml names; see \"mmsim help config\""
	o.AddRuns(c, 0, fmt.Sprintf("number of replications of each %s (default: the key runs of SPEC.yaml, or %d)", each, usual))
	out := cli.Under(c, cli.GroupOutput)
	out.File(&o.Dir, cli.WritesFolder, "out", "mmsim-"+c.Name(), "result directory", "/")
	out.Bool(&o.Quiet, "quiet", "print no progress and no table")
	out.Bool(&o.JSON, "json", json)
	c.Annotations = map[string]string{cli.OwnsSignals: ""}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := o.Check(); err != nil {
			return err
		}
		// The result directory is claimed with all inputs, but that is after planning, which reads them.
		if own, err := config.Read("", o.Config.Overrides); err == nil {
			if err := cli.CheckConfigs(c, own); err != nil {
				return err
			}
		}
		o.Command = cli.CommandLine(c, args, o.Config)
		file := strings.Join(args, "") // there is at most one
		return cli.UntilInterrupted(c, func(ctx context.Context) error { return run(ctx, file) })
	}
}

func newMergeCommand(s *terminal.Streams) *cobra.Command {
	w := &search.Sweep{Simulating: cli.Simulating{Streams: s}}
	c := &cobra.Command{
		Use:   "merge [flags] DIR [DIR...]",
		Short: "Combine the parts of a divided sweep",
		Long: `Combine the result directories of a sweep that was divided with --shard: copy all jobs into the
first directory, and write the results of the sweep there. The exit code is 2 if jobs are missing.`,
		Example:     "  mmsim sweep merge shards/1 shards/2 shards/3",
		Annotations: map[string]string{cli.OwnsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			w.Dir = args[0]
			return cli.UntilInterrupted(c, func(ctx context.Context) error { return w.Merge(ctx, args[1:]) })
		},
	}
	cli.Under(c, cli.GroupOutput).Bool(&w.JSON, "json", "print JSON instead of a table")
	return c
}
