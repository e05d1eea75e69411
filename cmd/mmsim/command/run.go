package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/live"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
)

// runCommand holds the flags of "mmsim run".
type runCommand struct {
	cli.Simulating // Runs is 0 for a single run, whose number is the setting run
	captures       binding.CaptureFlag
	live           string  // address of a page that shows the run; if empty, there is no page
	liveSpeed      float64 // simulated seconds per real second; used only with that page
	paced          bool    // --live-speed is given
	watchers       []results.Watcher
	times          binding.MatchmakerTimes
	record         string // file for the messages of the matchmaker; if empty, they are not recorded
}

const runHelp = `Simulate a day: let players join as in the data, make matches as configured, print a summary, and
write a result directory with report.html, summary.json, CSV files and plots.

Without flags, run uses the built-in day, datacenters and latency model. "mmsim dataset --help"
describes files of joins, and "mmsim help config" lists all settings. The same inputs give the
same result, byte for byte, on any number of cores.

NEXT. The last line of the summary names a command that answers the next question about the result.

REPLICATIONS. --runs N simulates the day N times, each time with different random numbers. Each
simulation is a replication, and its result is in runs/<n>. The summary combines all replications,
and report.html shows how much the replications differ. Replications of a file have the same joins,
so they do not show how another day would differ. With the key dataset.resample, each replication
takes the parties of the file a random number of times, so that they do.

WARM-UP. A run begins with a warm-up, which is simulated but not measured, so that players are
already online when measuring begins. The key clock.warmup sets the length of the warm-up. If you
interrupt a run during the warm-up, all counts in the result are 0.

RESULT DIRECTORY. --out DIR may be new or empty, or contain an earlier result of run. That result is
replaced, but files that mmsim did not write are kept. run refuses a directory that has other files
but no such result, and a directory that contains one of the input files.

INTERRUPTION. Ctrl-C, SIGTERM and the end of the terminal (not after nohup) end the run with exit
code 130. run writes the results so far, with "complete": false in summary.json. If DIR contains a
complete result, that result is kept, and the new one goes to DIR.partial. With --runs, the results
have only the finished replications. Before the simulation begins, there are no results to write. A
second Ctrl-C ends run at once, without results.

CASE FILES. --capture TIME=FILE writes a case file, which "mmsim match" and "mmsim test" can run.
--capture needs a ruleset that makes matches. The case file has this ruleset and the waiting tickets
(players or parties that search for a match) of one matching pass, the first one at or after TIME
(HH:MM:SS). If tickets wait in a queue for each datacenter, write TIME@DATACENTER, because each
datacenter has passes of its own. If the configuration has several queues, write QUEUE/TIME.`

func newRunCommand(s *terminal.Streams) *cobra.Command {
	c, _ := newRun(s)
	return c
}

// newRun returns "mmsim run" and the values of its flags.
func newRun(s *terminal.Streams) (*cobra.Command, *runCommand) {
	r := &runCommand{Simulating: cli.Simulating{Streams: s}}
	c := &cobra.Command{
		Use:   "run [flags]",
		Short: "Simulate a day and write a result directory",
		Long:  runHelp,
		Example: `  mmsim run
  mmsim run --dataset day.csv.gz --datacenters datacenters.csv --latency-maps maps/
  mmsim run --config mmsim.yaml --seed 2 --out results/seed-2
  mmsim run --set match.size=10 --set states.ideal='{rtt: 40ms, for: 5s}'
  mmsim run --set dataset.builtin.preset=eu --scale 0.1 --json
  mmsim run --rules queue.json --capture 20:15:00=case.json
  mmsim run --matcher 'exec:python3 mm.py'    # an external matchmaker
  mmsim run --runs 8                          # replications in runs/0 to runs/7
  mmsim run --live 8080 --live-speed 600      # a day in 144 s, on a map`,
		Args:        datasetIsAFlag,
		Annotations: map[string]string{cli.OwnsSignals: ""},
		RunE: func(c *cobra.Command, _ []string) error {
			if err := r.check(); err != nil {
				return err
			}
			r.paced = c.Flags().Changed("live-speed")
			return cli.UntilInterrupted(c, func(ctx context.Context) error { return r.run(ctx) })
		},
	}
	r.Config.Add(c, slices.Concat(cli.SimulationFlags, []string{"out", "records"})...)
	out := cli.Under(c, cli.GroupOutput)
	r.AddRuns(c, 0, "number of replications, whose results are in runs/<n> (default: a single simulation, without runs/)")
	for _, name := range []string{"serve", "nats"} {
		c.Flags().Lookup(name).Usage += "; only with --runs"
	}
	out.Value(&r.captures, "capture", "", cli.WritesFile, "write a matching pass as a case file, such as 20:15:00=case.json; repeatable; not with --runs")
	out.Text(&r.live, "live", "ADDRESS", "", "show the run in a browser while it is simulated; the page has this address on this machine, such as 8080 or localhost:8080; not with --runs")
	c.Flags().Float64Var(&r.liveSpeed, "live-speed", 3600, fmt.Sprintf("number of simulated seconds per second of real time, from %g to %d; only with --live", live.SpeedMin, live.SpeedMax))
	out.Place("live-speed", "N", cli.Neither)
	out.Bool(&r.Quiet, "quiet", "print no progress and no summary")
	out.Bool(&r.JSON, "json", "print the summary as JSON (summary.json) instead of text")
	cli.AddNoColour(c, s)
	return c, r
}

func (r *runCommand) run(ctx context.Context) error {
	c, err := terminal.Await(ctx, r.Config.Load)
	if err != nil {
		return err
	}
	// Check first whether the result can be written: a simulation can take long.
	out, err := resultdir.Claim(input.Shown(c.Output.Dir), results.Kind, r.Config.Files(c)...)
	if err != nil {
		return err
	}
	out.Attend(ctx, r.Err)
	livePage, err := r.openLive(ctx)
	if err != nil {
		return err
	}
	if livePage != nil {
		defer livePage.Stop()
	}
	cache := experiment.NewCache(1) // of inputs, shared by all replications
	in, err := terminal.Await(ctx, func() (*experiment.Inputs, error) { return experiment.Load(c, cache) })
	if err != nil {
		return err
	}
	if err := in.CheckCaptures(r.captures.List); err != nil {
		return err
	}
	var summary *outcome.Summary
	var fault error // of an external matchmaker, after which the partial result is kept
	name, err := out.Write(func(folder string) (bool, error) {
		summary, fault = r.replicate(ctx, in, cache, folder)
		if summary == nil {
			return false, fault
		}
		return summary.Complete, nil
	})
	name, unpublished, err := resultdir.Published(name, err)
	if err != nil {
		return err
	}
	complete := summary.Complete
	if livePage != nil {
		if err := livePage.Conclude(name, complete); err != nil {
			return input.Error(name, err)
		}
	}
	if err := r.print(summary, results.Next(summary, in.Config, input.Shown(name), r.Config.File)); err != nil {
		return err
	}
	if !r.Quiet {
		fmt.Fprint(r.Err, r.times.String())
	}
	if err := r.writeCaptures(r.captures.List); err != nil && complete {
		return input.Bad(err)
	} else if err != nil {
		fmt.Fprintln(r.Err, terminal.ErrorText(err))
	}
	switch {
	case unpublished != nil:
		return errors.Join(fault, unpublished)
	case fault != nil:
		return terminal.Hinted(fault, "partial results in %s", input.Shown(name))
	case !complete:
		return terminal.Interruptedf("interrupted: partial results in %s", input.Shown(name))
	case ctx.Err() != nil: // interrupted after the simulation
		return terminal.Interruptedf("interrupted: complete results in %s", input.Shown(name))
	case !r.Quiet:
		terminal.PrintTo(r.Err, "results in %s\n", input.Shown(name))
	}
	return nil
}

// datasetIsAFlag refuses arguments, and suggests the flag that takes the file.
func datasetIsAFlag(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	flag := "--dataset"
	if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(args[0])) {
		flag = "--config"
	}
	return terminal.Hinted(input.Badf("%s: unexpected argument %q; did you mean %s %s?", c.CommandPath(), args[0], flag, args[0]),
		cli.HelpForExamples, c.CommandPath())
}

// replicate simulates one or more replications and writes their files into a folder. It returns
// the summary to print; with --runs, that of all replications.
func (r *runCommand) replicate(ctx context.Context, in *experiment.Inputs, cache *experiment.Cache, folder string) (*outcome.Summary, error) {
	c := in.Config
	e := experiment.Experiment{Arms: []experiment.Arm{{Config: c, Inputs: in}}, Runs: []uint64{uint64(c.Run)}}
	w := results.Writer{Folder: folder, Captures: r.captures.List, Watchers: r.watchers}
	if r.Runs > 0 {
		e.Runs, w.Several = experiment.FirstRuns(r.Runs), true
	}
	p := terminal.NewProgress(r.Streams, r.Quiet, c.Simulated(len(e.Runs)), len(e.Runs))
	defer p.Finish()
	var found []*outcome.Summary
	o := experiment.Options{Cache: cache, Progress: p, Measure: w.Measure, Messages: r.Err, Times: &r.times,
		Keep: func(o experiment.Outcome) error {
			found = append(found, &o.Result.Summary)
			return nil
		},
	}
	recorded, err := r.recording(in, &o) // for "mmsim matcher record"; otherwise it does nothing
	if err != nil {
		return nil, err
	}
	r.Dir = c.Output.Dir
	err = r.With(ctx, p, func(coordinator *workers.Coordinator) error {
		if coordinator != nil {
			o.Measure, o.Executor = nil, coordinator.Files(&w)
		}
		return e.Run(ctx, o)
	})
	err = recorded(err)
	fault := err
	switch {
	case err != nil && (len(found) == 0 || !errors.As(err, new(*binding.MatchmakerError))):
		return nil, err
	case r.Runs == 0 && len(found) == 0:
		return nil, ctx.Err() // interrupted before the simulation began
	case r.Runs == 0:
		return found[0], fault
	}
	summary, err := results.Aggregate(c, found, r.Runs, resultdir.In(folder))
	return summary, cmp.Or(err, fault)
}

// check checks the flags. Those about workers need --runs.
func (r *runCommand) check() error {
	switch {
	case r.Workers.Given() && r.record != "":
		return input.Badf("--serve and --nats: workers call the matchmaker, and this process cannot record them; expected neither flag")
	case r.Workers.Given() && r.Runs == 0:
		return input.Badf("--serve and --nats give replications to workers: expected --runs N, too")
	case r.Runs > 0 && len(r.captures.List) > 0:
		return input.Badf("--capture with --runs: a case file captures a single run, expected only one of the two flags")
	}
	return r.Check()
}

// openLive listens at the address of --live and returns the page. It returns nil without that flag.
func (r *runCommand) openLive(ctx context.Context) (*live.Server, error) {
	switch {
	case r.live == "" && r.paced:
		return nil, input.Badf("--live-speed is the speed of a run with --live: expected --live ADDRESS, too")
	case r.live == "":
		return nil, nil
	}
	if r.Runs != 0 {
		return nil, input.Badf("--live shows one run, and --runs makes %d: expected only one of the two flags", r.Runs)
	}
	page, err := live.Listen(ctx, r.live, r.liveSpeed, results.Coast)
	if err != nil {
		return nil, err
	}
	if !r.Quiet {
		terminal.PrintTo(r.Err, "watch it at %s\n", page.Address())
	}
	r.watchers = append(r.watchers, page.Watch)
	return page, nil
}

// print writes the summary and the next step to standard output.
func (r *runCommand) print(s *outcome.Summary, next *results.Step) error {
	if r.JSON {
		return s.Write(r.Out)
	}
	if r.Quiet {
		return nil
	}
	text := present.Text(s, r.Colour())
	if next != nil {
		text += present.Line(r.Colour(), "Next:", next.Question+" "+input.ShellCommand(next.Command))
	}
	_, err := io.WriteString(r.Out, text)
	return err
}

// writeCaptures writes the case files of --capture. If some of them cannot be written, it writes the
// others and returns all errors.
func (r *runCommand) writeCaptures(list []*binding.Capture) error {
	var faults []error
	for _, s := range list {
		err := s.Write()
		if faults = append(faults, err); err == nil && !r.Quiet {
			terminal.PrintTo(r.Err, "%s in %s: %s\n", s.Draft.Name, input.Shown(s.File), s.Summary())
		}
	}
	return errors.Join(faults...)
}
