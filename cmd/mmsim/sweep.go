package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/reports"
	"mmsim/sim"
)

// sweepCommand is `mmsim sweep`.
type sweepCommand struct {
	*terminal.Streams
	dir, shard string
	quiet      bool
}

func newSweepCommand(s *terminal.Streams) *cobra.Command {
	w := &sweepCommand{Streams: s}
	c := &cobra.Command{
		Use:   "sweep [flags] SPEC.yaml",
		Short: "Simulate every combination of some settings",
		Long: `Simulate every combination of values of some settings, each in several replications
on the same players, and write a table and plots: curves over one setting, heat maps
over two, and how two metrics trade off.

  config: mmsim.yaml                 # what is changed; omitted: the defaults
  runs: 4                            # replications of every combination
  settings:
    players.play_again: {from: 0.6, to: 0.9, step: 0.05}
    states.ideal.rtt: [30ms, 50ms, 70ms]
    states.ideal.for: {from: 1s, to: 30s, steps: 4, scale: log}
  metrics: [ccu.peak, wait_s.p95]    # keys of summary.json; omitted: the usual ones

A job is one replication of one combination. Each is written when it is finished, into
jobs/ of the result folder, under a name that says what was simulated: a sweep that was
interrupted or killed goes on where it was, and one that is extended simulates what is
new. Until all its jobs are done, the complete results of an earlier sweep stay in the folder.
--shard 2/8 does every eighth job, beginning with the second; in an array of Slurm
or Grid Engine that is the default. Whoever finishes the last job of a shared folder
writes the results; "mmsim sweep merge" puts folders together.`,
		Example: `  mmsim sweep play-again.yaml
  mmsim sweep grid.yaml --shard 2/8 --out shards/2
  mmsim sweep merge shards/1 shards/2 shards/3`,
		Args:        exactArgs("SPEC.yaml"),
		Annotations: map[string]string{ownsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			return untilInterrupted(c, func(ctx context.Context) error { return w.sweep(ctx, args[0]) })
		},
	}
	c.Flags().StringVar(&w.shard, "shard", "", "do the jobs of part `I/N` of the sweep")
	c.Flags().StringVar(&w.dir, "out", "mmsim-sweep", "write into `DIR`")
	must(c.MarkFlagDirname("out"))
	c.Flags().BoolVar(&w.quiet, "quiet", false, "no progress and no table")
	grouped(c.Flags(), groupSimulation, "shard")
	grouped(c.Flags(), groupOutput, "out", "quiet")
	c.AddCommand(newMergeCommand(s))
	return c
}

func newMergeCommand(s *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "merge DIR [DIR...]",
		Short: "Put the parts of a sweep together",
		Long: `Copy the jobs of all folders into the first one, and write the results of its sweep
there. Exit code 2 while jobs are missing.`,
		Example: "  mmsim sweep merge shards/1 shards/2 shards/3",
		Args:    atLeastOne("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			return (&sweepCommand{Streams: s, dir: args[0]}).merge(args[1:])
		},
	}
}

func (w *sweepCommand) sweep(ctx context.Context, file string) error {
	part, err := shardOf(w.shard, os.Getenv)
	if err != nil {
		return err
	}
	spec, err := readSweep(file)
	if err != nil {
		return err
	}
	cache := newCache(1)
	plan, base, err := spec.plan(cache)
	if err != nil {
		return err
	}
	names, err := numberNames(base)
	if err != nil {
		return err
	}
	if err := checkMetrics(names, "metrics", spec.metrics); err != nil {
		return err
	}
	out, err := w.open(plan, file, input.Shown(spec.config))
	if err != nil {
		return err
	}
	if err := w.simulate(ctx, plan, cache, part); err != nil {
		return err
	}
	missing, all, err := plan.missing(w.jobs())
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil && missing > 0:
		return &codedError{exitInterrupted, fmt.Errorf("interrupted: %d of %d jobs are done, the same command goes on", all-missing, all)}
	case missing > 0:
		terminal.PrintTo(w.Err, "part %d of %d is done; %d of %d jobs are in %s\n", part.number, part.of, all-missing, all, w.dir)
		return nil
	}
	return w.conclude(plan, out)
}

// claim checks the folder, which may hold none of the files that the sweep reads.
func (w *sweepCommand) claim(plan *sweepPlan, files ...string) (*resultdir.Dir, error) {
	for _, c := range plan.configs {
		files = append(files, c.Files()...)
	}
	slices.Sort(files)
	return resultdir.Claim(w.dir, sweepKind, slices.Compact(files)...)
}

// open makes the folder and writes the plan into it. A complete sweep that is there stays
// complete until this one is: its plan stands beside it until then.
func (w *sweepCommand) open(plan *sweepPlan, files ...string) (*resultdir.Dir, error) {
	out, err := w.claim(plan, files...)
	if err != nil {
		return nil, err
	}
	if err := out.Open(planFile, nextPlanFile); err != nil {
		return nil, err
	}
	if err := w.jobs().Open(); err != nil {
		return nil, err
	}
	name := planFile
	if complete, err := out.IsComplete(); err != nil {
		return nil, err
	} else if complete {
		name = nextPlanFile
	}
	return out, resultdir.WriteFile(filepath.Join(w.dir, name), plan.write)
}

// conclude writes the results of a sweep whose jobs are all done.
func (w *sweepCommand) conclude(plan *sweepPlan, out *resultdir.Dir) error {
	results, err := plan.results(w.jobs())
	if err != nil {
		return err
	}
	if err := out.Begin(); err != nil {
		return err
	}
	defer out.Discard()
	plan.Complete = true
	create := reports.Create(resultdir.In(out.Temp()))
	if err := cmp.Or(create.File("results.csv", results.WriteCSV), results.WritePlots(create), create.File(planFile, plan.write)); err != nil {
		return out.Fail(err)
	}
	if _, err := out.Commit(true); err != nil || w.quiet {
		return err
	}
	if _, err := io.WriteString(w.Out, results.Text()); err != nil {
		return err
	}
	terminal.PrintTo(w.Err, "results in %s\n", w.dir)
	return nil
}

// merge copies jobs of other folders and concludes.
func (w *sweepCommand) merge(others []string) error {
	plan, err := readPlan(w.dir)
	if err != nil {
		return err
	}
	out, err := w.claim(plan)
	if err != nil {
		return err
	}
	if err := w.jobs().Open(); err != nil {
		return err
	}
	for _, other := range others {
		if _, err := readPlan(other); err != nil {
			return err
		}
		for _, point := range plan.Points {
			for _, hash := range point.Jobs {
				if err := w.adopt(other, hash); err != nil {
					return err
				}
			}
		}
	}
	missing, all, err := plan.missing(w.jobs())
	if err != nil {
		return err
	}
	if missing > 0 {
		return input.Badf("%s: %d of %d jobs are missing, expected all; mmsim sweep does them", w.dir, missing, all)
	}
	return w.conclude(plan, out)
}

// adopt copies a job from another folder, if it is done there and not here.
func (w *sweepCommand) adopt(other, hash string) error {
	if here, err := w.jobs().Get(hash); err != nil || here != nil {
		return err
	}
	summary, err := jobsIn(w.Streams, other).Get(hash)
	if err != nil || summary == nil {
		return err
	}
	return w.jobs().Put(hash, summary)
}

// jobs is where the jobs of the sweep are kept.
func (w *sweepCommand) jobs() experiment.Folder { return jobsIn(w.Streams, w.dir) }

// jobsIn are the jobs below a result folder.
func jobsIn(s *terminal.Streams, folder string) experiment.Folder {
	return experiment.Folder{Dir: folder, Warn: func(message string) { terminal.PrintTo(s.Err, "%s\n", message) }}
}

// job is one replication of one point.
type job struct {
	point int
	run   uint64
}

// simulate does the jobs of a part that are not done.
func (w *sweepCommand) simulate(ctx context.Context, plan *sweepPlan, cache *experiment.Cache, part shard) error {
	todo, err := w.todo(plan, part)
	if err != nil || len(todo) == 0 {
		return err
	}
	var span sim.Duration
	for j := range todo {
		span += plan.configs[j.point].Simulated(1)
	}
	p := terminal.NewProgress(w.Streams, w.quiet, span)
	defer p.Finish()
	e := experiment.Experiment{
		Runs: firstRuns(len(plan.Points[0].Jobs)),
		Skip: func(arm int, run uint64) bool { return !todo[job{arm, run}] },
	}
	for _, c := range plan.configs {
		e.Arms = append(e.Arms, experiment.Arm{Config: c})
	}
	// What is wrong with files of the store was said when the jobs were listed.
	return e.Run(ctx, experiment.Options{Store: experiment.Folder{Dir: w.dir}, Cache: cache, Progress: p})
}

// todo are the jobs of a part that are not done.
func (w *sweepCommand) todo(plan *sweepPlan, part shard) (map[job]bool, error) {
	todo := map[job]bool{}
	n := 0
	for run := range plan.Points[0].Jobs {
		for point := range plan.Points {
			n++
			if (n-1)%part.of != part.number-1 {
				continue
			}
			done, err := w.jobs().Get(plan.Points[point].Jobs[run])
			if err != nil {
				return nil, err
			}
			if done == nil {
				todo[job{point, uint64(run)}] = true
			}
		}
	}
	return todo, nil
}

// shard is a part of the jobs: every of-th one, the number-th first.
type shard struct{ number, of int }

// shardOf reads --shard, or what a batch system says in its variables: of the array
// that this process is a member of, all members share the jobs.
func shardOf(flag string, env func(string) string) (shard, error) {
	if flag != "" {
		var s shard
		if n, err := fmt.Sscanf(flag, "%d/%d", &s.number, &s.of); n != 2 || err != nil || s.number < 1 || s.number > s.of ||
			flag != strconv.Itoa(s.number)+"/"+strconv.Itoa(s.of) {
			return s, input.Badf("--shard %s: expected I/N, such as 2/8 for the second of eight parts", flag)
		}
		return s, nil
	}
	for _, system := range []struct{ id, first, last, step string }{
		{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"},
		{"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"},
	} {
		var values []int
		for _, name := range []string{system.id, system.first, system.last, system.step} {
			if n, err := strconv.Atoi(env(name)); err == nil {
				values = append(values, n)
			}
		}
		if len(values) == 4 && values[3] > 0 && values[1] <= values[0] && values[0] <= values[2] {
			return shard{(values[0]-values[1])/values[3] + 1, (values[2]-values[1])/values[3] + 1}, nil
		}
		if id := env(system.id); id != "" && id != "undefined" {
			return shard{}, input.Bad(errors.New(system.id + " is set, but not what the array is: expected --shard I/N, or --shard 1/1 for all jobs"))
		}
	}
	return shard{1, 1}, nil
}
