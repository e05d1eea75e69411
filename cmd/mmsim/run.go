package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/capture"
	"mmsim/cmd/mmsim/experiment/outside"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/live"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
)

// checkReplications refuses a number of replications outside the limits.
func checkReplications(n int) error {
	if n < 1 || n > experiment.ReplicationsMax {
		return input.Badf("--runs %d: expected a whole number from 1 to %d", n, experiment.ReplicationsMax)
	}
	return nil
}

// runCommand is `mmsim run`.
type runCommand struct {
	*terminal.Streams
	flags        configFlags
	replications int // 0: one run, with the number in the configuration
	workers      workers.Options
	captures     capture.Flag
	quiet, json  bool
	live         string  // address of a page that shows the run; "": none
	liveSpeed    float64 // simulated seconds per second with that page
	paced        bool    // --live-speed is given
	watchers     []results.Watcher
	record       string // file for the recorded exchange with a matchmaker outside; "": none
}

func newRunCommand(s *terminal.Streams) *cobra.Command {
	c, _ := newRun(s)
	return c
}

// newRun returns the command, and the values of its flags.
func newRun(s *terminal.Streams) (*cobra.Command, *runCommand) {
	r := &runCommand{Streams: s}
	c := &cobra.Command{
		Use:   "run [flags]",
		Short: "Simulate and write a result directory",
		Long: `Replay the joins of a day through a matchmaking configuration, print a summary, and
write a result directory with summary.json, CSV files, plots and a page.

Without arguments, run uses the built-in day, datacenters and latency model. "mmsim
dataset --help" describes files of joins.

The same inputs give the same bytes on any number of cores. An interrupted run writes its
results so far, marked "complete": false, and exits with code 130; during the warm-up
nothing has been measured yet. With --runs N, the finished replications are kept and
aggregated, and report.html shows how much they differ.

The directory may be new, empty or an earlier result. In an earlier result, run replaces the
files that mmsim wrote and keeps yours. An interrupted run never replaces a complete result;
it goes to DIR.partial. A directory that contains an input of the run is refused.

--capture writes one matching pass as a case file, for "mmsim match --explain" and "mmsim
test". TIME selects the first tick at or after it. With rules in a pool, it is the pass over
the pool; where tickets wait at datacenters, @DATACENTER names the one whose pass is written.
QUEUE/ selects one of several queues.`,
		Example: `  mmsim run
  mmsim run --dataset day.csv.gz --datacenters datacenters.csv --latency-maps maps/
  mmsim run --config mmsim.yaml --seed 2 --out results/seed-2
  mmsim run --set match.size=10 --set states.ideal='{rtt: 40ms, for: 5s}'
  mmsim run --set dataset.builtin.preset=eu --scale 0.1 --json
  mmsim run --rules queue.json --capture 20:15:00=scene.json
  mmsim run --matcher 'exec:python3 mm.py'    # a matchmaker of your own
  mmsim run --runs 8                          # replications in runs/0 to runs/7
  mmsim run --live 8080 --live-speed 600      # a day in 144 s, on a map`,
		Args:        datasetIsAFlag,
		Annotations: map[string]string{ownsSignals: ""},
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("runs") {
				if err := checkReplications(r.replications); err != nil {
					return err
				}
				if len(r.captures.List) > 0 {
					return input.Badf("--capture with --runs: a scene is one of a single run, expected one of the two flags")
				}
			}
			if err := r.checkWorkers(); err != nil {
				return err
			}
			r.paced = c.Flags().Changed("live-speed")
			return untilInterrupted(c, func(ctx context.Context) error { return r.run(ctx) })
		},
	}
	r.flags.add(c, append(joinFlags, "dataset", "days", "scale", "datacenters", "latency-maps",
		"seed", "duration", "placement", "rules", "matcher", "profiles", "out", "records")...)
	c.Flags().IntVar(&r.replications, "runs", 0, "simulate replications 0 to `N`-1, concurrently, into runs/<n>")
	addWorkers(c, &r.workers)
	c.Flags().Var(&r.captures, "capture", "write the pass at this time as a case file; repeatable")
	c.Flags().StringVar(&r.live, "live", "", "show the run on a page at `ADDRESS` of this machine while it is simulated, such as 8080 or localhost:8080")
	c.Flags().Float64Var(&r.liveSpeed, "live-speed", 3600, fmt.Sprintf("simulate `N` seconds in a second, from %g to %d, with --live", live.SpeedMin, live.SpeedMax))
	c.Flags().BoolVar(&r.quiet, "quiet", false, "no progress and no summary; errors only")
	c.Flags().BoolVar(&r.json, "json", false, "print summary.json instead of the summary in words")
	grouped(c.Flags(), groupSimulation, "runs")
	grouped(c.Flags(), groupOutput, "capture", "live", "live-speed", "quiet", "json")
	addNoColour(c, s)
	return c, r
}

func (r *runCommand) run(ctx context.Context) error {
	c, err := r.flags.load()
	if err != nil {
		return err
	}
	// Errors that would make the result useless are found before the simulation.
	out, err := resultdir.Claim(input.Shown(c.Output.Dir), results.Kind, r.flags.files(c)...)
	if err != nil {
		return err
	}
	livePage, err := r.openLive(ctx)
	if err != nil {
		return err
	}
	if livePage != nil {
		defer livePage.Stop()
	}
	cache := experiment.NewCache(1) // of inputs, shared by all replications
	in, err := experiment.Load(c, cache)
	if err != nil {
		return err
	}
	if err := in.CheckCaptures(r.captures.List); err != nil {
		return err
	}
	if err := out.Begin(); err != nil {
		return err
	}
	defer out.Discard()

	// A summary with an error: a matchmaker outside failed, and the partial result is worth
	// keeping.
	summary, err := r.replicate(ctx, in, cache, out.Temp())
	fault := err
	if err != nil && summary == nil {
		return out.Fail(err)
	}
	complete := summary.Complete
	name, err := out.Commit(complete)
	if err != nil {
		return err
	}
	if livePage != nil {
		if err := livePage.Conclude(name, complete); err != nil {
			return input.Error(name, err)
		}
	}
	if err := r.print(summary); err != nil {
		return err
	}
	if err := r.writeCaptures(r.captures.List); err != nil && complete {
		return input.Bad(err)
	} else if err != nil {
		fmt.Fprintln(r.Err, terminal.ErrorText(err))
	}
	switch {
	case fault != nil:
		return terminal.Hinted(fault, "partial results in %s", input.Shown(name))
	case !complete:
		return experiment.Interruptedf("interrupted: partial results in %s", input.Shown(name))
	case ctx.Err() != nil: // the interruption came too late to stop any work
		return experiment.Interruptedf("interrupted: complete results in %s", input.Shown(name))
	case !r.quiet:
		terminal.PrintTo(r.Err, "results in %s\n", input.Shown(name))
	}
	return nil
}

// datasetIsAFlag refuses arguments: the names of files are values of flags.
func datasetIsAFlag(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	flag := "--dataset"
	if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(args[0])) {
		flag = "--config"
	}
	return terminal.Hinted(input.Badf("%s: unexpected argument %q; did you mean %s %s?", c.CommandPath(), args[0], flag, args[0]),
		helpForExamples, c.CommandPath())
}

// replicate simulates one replication or all, and writes the files into a folder. It returns
// the summary to print: with several replications, their aggregate.
func (r *runCommand) replicate(ctx context.Context, in *experiment.Inputs, cache *experiment.Cache, folder string) (*outcome.Summary, error) {
	c := in.Config
	e := experiment.Experiment{Arms: []experiment.Arm{{Config: c, Inputs: in}}, Runs: []uint64{uint64(c.Run)}}
	w := results.Writer{Folder: folder, Captures: r.captures.List, Watchers: r.watchers}
	if r.replications > 0 {
		e.Runs, w.Several = experiment.FirstRuns(r.replications), true
	}
	p := terminal.NewProgress(r.Streams, r.quiet, c.Simulated(len(e.Runs)), len(e.Runs))
	defer p.Finish()
	var found []*outcome.Summary
	o := experiment.Options{Cache: cache, Progress: p, Measure: w.Measure, Messages: r.Err,
		Keep: func(o experiment.Outcome) error {
			found = append(found, o.Summary)
			return nil
		},
	}
	recorded, err := r.recording(in, &o) // for "mmsim matcher record"; otherwise it does nothing
	if err != nil {
		return nil, err
	}
	r.workers.Dir, r.workers.Err, r.workers.Progress = c.Output.Dir, r.Err, p
	err = r.workers.With(ctx, func(pool *workers.Pool) error {
		if pool != nil {
			o.Measure, o.Executor = nil, pool.Files(&w)
		}
		return e.Run(ctx, o)
	})
	err = recorded(err)
	fault := err
	switch {
	case err != nil && (len(found) == 0 || !errors.As(err, new(*outside.Error))):
		return nil, err
	case r.replications == 0:
		return found[0], fault // the only job of an experiment always has an outcome
	}
	summary, err := results.Aggregate(c, found, r.replications, resultdir.In(folder))
	return summary, cmp.Or(err, fault)
}

// checkWorkers checks the flags about workers, which need several replications.
func (r *runCommand) checkWorkers() error {
	switch {
	case r.workers.Given() && r.record != "":
		return input.Badf("with --serve and --nats, workers call the matchmaker, and this process cannot record it: expected neither of them")
	case r.workers.Given() && r.replications == 0:
		return input.Badf("with --serve and --nats, workers share replications: expected --runs N with them")
	}
	return r.workers.Check()
}

// openLive reserves the address of the page that shows the run, if it is wanted.
func (r *runCommand) openLive(ctx context.Context) (*live.Server, error) {
	switch {
	case r.live == "" && r.paced:
		return nil, input.Badf("--live-speed is the speed of a run with a live page: expected --live ADDRESS with it")
	case r.live == "":
		return nil, nil
	}
	if r.replications != 0 {
		return nil, input.Badf("--live shows one run, and --runs makes %d: expected only one of the two", r.replications)
	}
	page, err := live.Listen(ctx, r.live, r.liveSpeed, results.Coast)
	if err != nil {
		return nil, err
	}
	if !r.quiet {
		terminal.PrintTo(r.Err, "watch it at %s\n", page.Address())
	}
	r.watchers = append(r.watchers, page.Watch)
	return page, nil
}

// print writes the summary to standard output.
func (r *runCommand) print(s *outcome.Summary) error {
	if r.json {
		return s.Write(r.Out)
	}
	if r.quiet {
		return nil
	}
	_, err := io.WriteString(r.Out, present.Text(s, r.Colour()))
	return err
}

// writeCaptures writes all scenes that were reached, and returns the errors of the others.
func (r *runCommand) writeCaptures(list []*capture.Request) error {
	var faults []error
	for _, s := range list {
		err := s.Write()
		if faults = append(faults, err); err == nil && !r.quiet {
			terminal.PrintTo(r.Err, "%s in %s: %s\n", s.Draft.Name, input.Shown(s.File), s.Summary())
		}
	}
	return errors.Join(faults...)
}
