// Package search explores the settings of a configuration. A sweep simulates every combination
// of given values. A tuning searches for values that improve given metrics. Both read a YAML
// file, run experiments and write a result directory.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/filenames"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/judge"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
	"mmsim/sim"
)

// Options are the command-line options that sweeps and tunings share.
type Options struct {
	*terminal.Streams
	Dir   string // result directory
	Quiet bool   // print neither progress nor a table
	JSON  bool   // print JSON instead of a table

	Config    string            // configuration file that replaces the one in the sweep or tuning file, or ""
	Command   string            // command line that repeats the search, for the page
	Overrides []config.Override // settings that replace those in the configuration
	Runs      int               // replications per combination or trial; 0 takes the file's number
	Workers   workers.Options   // remote workers; without them, this process simulates
}

// with opens a pool of remote workers and calls the function work with it. If the options name
// no workers, work gets nil.
func (o *Options) with(ctx context.Context, p *terminal.Progress, work func(*workers.Pool) error) error {
	return o.workers(p).With(ctx, work)
}

func (o *Options) workers(p *terminal.Progress) workers.Options {
	w := o.Workers
	w.Dir, w.Err, w.Progress = o.Dir, o.Err, p
	return w
}

// Sweep is the command `mmsim sweep`.
type Sweep struct {
	Options
	Vary    []string // KEY=VALUE,... instead of a sweep file
	Metrics string   // metrics to show, separated by commas; "" takes those of the file
	Shard   string   // I/N; "" uses the batch system's variables or, without them, does all jobs
}

// read returns the sweep that the file or, if file is empty, the flags describe.
func (w *Sweep) read(file string) (*sweepSpec, error) {
	read := func() (*sweepSpec, error) { return readSweep(file, w.Overrides) }
	if file == "" {
		read = func() (*sweepSpec, error) { return varied(w.Vary, w.Overrides) }
	}
	spec, err := read()
	if err != nil {
		return nil, err
	}
	if w.Metrics != "" {
		list, err := listOfFlag("metrics", "metrics", w.Metrics, w.Metrics)
		if err != nil {
			return nil, err
		}
		if err := spec.setMetrics(list); err != nil {
			return nil, err
		}
	}
	own, err := absolute(w.Config)
	if err != nil {
		return nil, err
	}
	spec.config = cmp.Or(own, spec.config)
	spec.dir = w.Dir
	spec.runs = cmp.Or(w.Runs, spec.runs)
	return spec, nil
}

// Run does the remaining jobs of a sweep. If this completes all jobs, it writes the results. If file
// is empty, the flags describe the sweep.
func (w *Sweep) Run(ctx context.Context, file string) error {
	part, err := shardOf(w.Shard, os.Getenv)
	if err != nil {
		return err
	}
	spec, err := w.read(file)
	if err != nil {
		return err
	}
	cache := experiment.NewCache(1)
	plan, base, err := spec.plan(cache)
	if err != nil {
		return err
	}
	if err := gate.CheckMetrics(base.Metrics(), "metrics", spec.metrics); err != nil {
		return err
	}
	if plan.Guard, err = spec.guard.Limits(base.Metrics(), true); err != nil {
		return err
	}
	plan.Matters, plan.Command = base.Config.Matters.List(), w.Command
	if plan.unrepeatable && part.of > 1 {
		return input.Badf("%s: the matchmaker gave no version in its hello, so finished jobs of different versions cannot be distinguished; expected a version, or no --shard", spec.name)
	}
	if file == "" {
		plan.spec = spec
	}
	out, err := w.open(ctx, plan, file, input.Shown(spec.config))
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
		return experiment.Interruptedf("interrupted: %d of %d jobs are done, the same command continues", all-missing, all)
	case missing > 0:
		terminal.PrintTo(w.Err, "part %d of %d is done; %d of %d jobs are in %s\n", part.number, part.of, all-missing, all, w.Dir)
		return nil
	}
	return w.conclude(plan, out)
}

// claim claims the result directory, which must not contain any file that the sweep reads.
func (w *Sweep) claim(plan *plan, files ...string) (*resultdir.Dir, error) {
	for _, c := range plan.configs {
		files = append(files, filenames.Of(c)...)
	}
	slices.Sort(files)
	return SweepKind.Claim(w.Dir, slices.Compact(files)...)
}

// open creates the result directory and writes the plan. If the directory has a complete sweep,
// that sweep remains valid until the new one is complete. The new plan is therefore first
// written to a separate file.
func (w *Sweep) open(ctx context.Context, plan *plan, files ...string) (*resultdir.Dir, error) {
	out, err := w.claim(plan, files...)
	if err != nil {
		return nil, err
	}
	out.Attend(ctx, w.Err)
	if plan.spec != nil {
		if err := out.Expect(specFile, baseFile); err != nil {
			return nil, err
		}
	}
	name := PlanFile
	if complete, err := out.IsComplete(); err != nil {
		return nil, err
	} else if complete {
		name = nextPlanFile
	}
	if err := out.Keep(name, plan.write); err != nil {
		return nil, err
	}
	return out, w.jobs().Open()
}

// conclude writes the results after all jobs are done.
func (w *Sweep) conclude(plan *plan, out *resultdir.Dir) error {
	found, err := plan.results(w.jobs())
	if err != nil {
		return err
	}
	_, unpublished, err := resultdir.Published(out.Write(func(folder string) (bool, error) { return true, plan.writeResults(found, folder) }))
	if err != nil {
		return err
	}
	if err := cmp.Or(w.print(found), unpublished); err != nil {
		return err
	}
	if !w.Quiet {
		terminal.PrintTo(w.Err, "results in %s\n", w.Dir)
	}
	return nil
}

// writeResults writes the files of a complete sweep into a folder.
func (p *plan) writeResults(found *judge.Sweep, folder string) error {
	p.Complete = true
	create := result.Create(resultdir.In(folder))
	if err := create.File(pointsFile, found.WriteCSV); err != nil {
		return err
	}
	if err := create.File(results.ConfigFile, func(w io.Writer) error {
		_, err := io.WriteString(w, p.Config)
		return err
	}); err != nil {
		return err
	}
	if p.spec != nil {
		if err := p.spec.writeSpec(p.Points, create.File); err != nil {
			return err
		}
	}
	if err := p.draw(found, create); err != nil {
		return err
	}
	return create.File(PlanFile, p.write)
}

// print writes the results to standard output.
func (w *Sweep) print(found *judge.Sweep) error {
	if w.JSON {
		return found.Write(w.Out)
	}
	if w.Quiet {
		return nil
	}
	_, err := io.WriteString(w.Out, decision.SweepText(found))
	return err
}

// Merge copies jobs from other result directories and writes the results.
func (w *Sweep) Merge(others []string) error {
	plan, err := readPlan(w.Dir)
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
		return input.Badf("%s: %d of %d jobs are missing, expected all; run mmsim sweep to do them", w.Dir, missing, all)
	}
	return w.conclude(plan, out)
}

// adopt copies a job from another directory if this directory does not have it.
func (w *Sweep) adopt(other, hash string) error {
	if here, err := w.jobs().Get(hash); err != nil || here != nil {
		return err
	}
	summary, err := jobsIn(w.Streams, other).Get(hash)
	if err != nil || summary == nil {
		return err
	}
	return w.jobs().Put(hash, summary)
}

// jobs returns the store with the sweep's jobs.
func (w *Sweep) jobs() experiment.Folder { return jobsIn(w.Streams, w.Dir) }

// jobsIn returns the store with the jobs in a result directory.
func jobsIn(s *terminal.Streams, folder string) experiment.Folder {
	return experiment.Folder{Dir: folder, Warn: func(message string) { terminal.PrintTo(s.Err, "%s\n", message) }}
}

// job is one replication of one point.
type job struct {
	point int
	run   uint64
}

// simulate does the remaining jobs of a shard.
func (w *Sweep) simulate(ctx context.Context, plan *plan, cache *experiment.Cache, part shard) error {
	todo, err := w.todo(plan, part)
	if err != nil {
		return err
	}
	if len(todo) == 0 {
		w.workers(nil).Dismiss(ctx)
		return nil
	}
	var span sim.Duration
	for j := range todo {
		span += plan.configs[j.point].Simulated(1)
	}
	p := terminal.NewProgress(w.Streams, w.Quiet, span, len(todo))
	defer p.Finish()
	e := experiment.Experiment{
		Runs: experiment.FirstRuns(len(plan.Points[0].Jobs)),
		Skip: func(arm int, run uint64) bool { return !todo[job{arm, run}] },
	}
	for _, c := range plan.configs {
		e.Arms = append(e.Arms, experiment.Arm{Config: c})
	}
	return w.with(ctx, p, func(pool *workers.Pool) error {
		// This store does not warn: w.todo has already warned about broken files.
		return e.Run(ctx, experiment.Options{Executor: pool.Executor(), Store: experiment.Folder{Dir: w.Dir}, Cache: cache, Progress: p, Messages: w.Err})
	})
}

// todo returns the remaining jobs of a shard.
func (w *Sweep) todo(plan *plan, part shard) (map[job]bool, error) {
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
			if done == nil || plan.unrepeatable {
				todo[job{point, uint64(run)}] = true
			}
		}
	}
	return todo, nil
}

// shard is the value I/N of --shard. It selects job I and every N-th job after it.
type shard struct{ number, of int }

// shardOf parses the value of --shard. Without it, the environment variables of a batch system
// assign one shard to each task of a job array.
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
			return shard{}, input.Bad(errors.New(system.id + " is set, but the other variables of the job array are not: expected --shard I/N, or --shard 1/1 for all jobs"))
		}
	}
	return shard{1, 1}, nil
}
