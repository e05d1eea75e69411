// Package search explores the settings of a configuration. A sweep simulates every combination of
// given values. A site search is a sweep over sets of datacenters, which pMedian finds, with
// goals and limits. Both read a YAML file, run experiments and write a result directory. Package tuning
// shares how settings and their values are written (language.go).
package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/result"
	"mmsim/sim"
)

// Sweep is the command `mmsim sweep`.
type Sweep struct {
	cli.Simulating
	Vary    []string // KEY=VALUE,... instead of a sweep file
	Metrics string   // metrics to show, separated by commas; "" takes those of the file
	IsSite  bool     // whether the file is a site file, see Site
	Shard   string   // I/N; "" uses the batch system's variables or, without them, does all jobs
}

// read returns the sweep that the file or, if file is empty, the flags describe.
func (w *Sweep) read(file string) (*sweepSpec, error) {
	read := func() (*sweepSpec, error) { return readSweep(file, w.Config.Overrides) }
	switch {
	case w.IsSite:
		read = func() (*sweepSpec, error) { return readSite(file, w.Config.Overrides) }
	case file == "":
		read = func() (*sweepSpec, error) { return varied(w.Vary, w.Config.Overrides) }
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
		if err := MetricsOf(&spec.metrics).ReadAt("metrics", list); err != nil {
			return nil, err
		}
	}
	own, err := Absolute(w.Config.File)
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
	cache := experiment.NewCache(1)
	plan, err := terminal.Await(ctx, func() (*plan, error) { return w.planned(file, cache) })
	if err != nil {
		return err
	}
	out, err := w.claim(plan, file, input.Shown(plan.spec.config))
	if err != nil {
		return err
	}
	out.Attend(ctx, w.Err)
	todo, err := w.todo(plan)
	if err != nil {
		return err
	}
	if len(todo) == 0 && w.isCurrent(plan) {
		w.Dismiss(ctx)
		err := w.show(ctx, plan)
		broken := (*brokenJobs)(nil)
		if !errors.As(err, &broken) {
			return err
		}
		todo = broken.of(plan)
	}
	if err := w.open(plan, out); err != nil {
		return err
	}
	found, err := w.work(ctx, plan, cache, todo)
	if err == nil && found != nil && found.site != nil {
		found.cells, err = w.mapOf(ctx, plan, found.site.Cheapest(), cache)
	}
	if err != nil || found == nil {
		return err
	}
	return w.conclude(ctx, plan, found, out)
}

// work does jobs of a plan and, if that completes a site search, those of its removals. It returns the
// results of the plan, or nil if the jobs of other processes are not all done.
func (w *Sweep) work(ctx context.Context, plan *plan, cache *experiment.Cache, todo map[job]bool) (all *found, err error) {
	span, jobs := plan.span(todo)
	p := terminal.NewProgress(w.Streams, w.Quiet, span, jobs)
	defer p.Finish()
	do := func(coordinator *workers.Coordinator) error {
		s := &session{w, cache, coordinator, p}
		sweep, err := s.finish(ctx, plan, todo)
		if err != nil || sweep == nil {
			return err
		}
		if all = (&found{Sweep: sweep}); plan.Site != nil {
			all.site, err = s.remove(ctx, plan, sweep)
		}
		return err
	}
	if len(todo) == 0 && plan.Site == nil {
		w.Dismiss(ctx)
		err = do(nil)
	} else {
		err = w.With(ctx, p, do)
	}
	return all, err
}

// isWhole reports whether all jobs of a plan are done. The error says why some are not, unless they are
// those of other processes.
func (w *Sweep) isWhole(ctx context.Context, plan *plan) (bool, error) {
	missing, all, err := plan.missing(w.jobs())
	switch {
	case err != nil:
		return false, err
	case ctx.Err() != nil && missing > 0:
		return false, terminal.Interruptedf("interrupted: %d of %d jobs%s are done, the same command continues", all-missing, all, plan.without)
	case missing > 0 && plan.part.of == 1: // the jobs that were done are others than those that were planned
		return false, input.Badf("%s: %d of %d jobs are missing, because a matchmaker reported another version than at the start; expected the same until the sweep ends", plan.spec.name, missing, all)
	case missing > 0:
		terminal.PrintTo(w.Err, "part %d of %d is done; %d of %d jobs are in %s\n", plan.part.number, plan.part.of, all-missing, all, w.Dir)
		return false, nil
	}
	return true, nil
}

// CheckSweep checks a sweep file, everything that it names and all of its combinations, and describes it.
func CheckSweep(file string, overrides []config.Override) (string, error) {
	plan, err := checked(file, overrides, false)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("a sweep, %s of %s, %s of each", input.Counted(len(plan.Points), "combination"),
		input.Counted(len(plan.Settings), "setting"), input.Counted(plan.spec.runs, "replication")), nil
}

func checked(file string, overrides []config.Override, isSite bool) (*plan, error) {
	w := &Sweep{IsSite: isSite, Simulating: cli.Simulating{Config: cli.ConfigFlags{Overrides: overrides}}}
	return w.planned(file, experiment.NewCache(1))
}

// CheckSite checks a site file like CheckSweep.
func CheckSite(file string, overrides []config.Override) (string, error) {
	plan, err := checked(file, overrides, true)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("a site search, %s of datacenters, %s of each", input.Counted(len(plan.Points), "set"), input.Counted(plan.spec.runs, "replication")), nil
}

// planned reads and checks the sweep that the file or the flags describe, and plans it.
func (w *Sweep) planned(file string, cache *experiment.Cache) (*plan, error) {
	part, err := shardOf(w.Shard, os.Getenv)
	if err != nil {
		return nil, err
	}
	spec, err := w.read(file)
	if err != nil {
		return nil, err
	}
	plan, base, err := spec.plan(cache)
	if err != nil {
		return nil, err
	}
	if err := gate.CheckMetrics(base.Metrics(), "metrics", spec.metrics); err != nil {
		return nil, err
	}
	if spec.site != nil {
		if plan.Site, err = spec.site.section(base); err != nil {
			return nil, err
		}
		plan.Metrics = plan.Site.metrics()
	}
	if plan.Guard, err = spec.guard.Limits(base.Metrics(), true); err != nil {
		return nil, err
	}
	if plan.unrepeatable && part.of > 1 {
		return nil, input.Badf("%s: the matchmaker gave no version in its hello, so finished jobs of different versions cannot be distinguished; expected a version, or no --shard", spec.name)
	}
	plan.Matters, plan.Command = base.Config.Matters.List(), w.Command
	plan.spec, plan.part, plan.writesSpec = spec, part, file == ""
	return plan, nil
}

// claim claims the result directory, which must not contain any file that the sweep reads.
func (w *Sweep) claim(plan *plan, files ...string) (*resultdir.Dir, error) {
	for _, c := range plan.configs {
		files = append(files, config.FileNames(c)...)
	}
	slices.Sort(files)
	return SweepKind.Claim(w.Dir, slices.Compact(files)...)
}

// open creates the result directory and writes the plan. If the directory has a complete sweep,
// that sweep remains valid until the new one is complete. The new plan is therefore first
// written to a separate file.
func (w *Sweep) open(plan *plan, out *resultdir.Dir) error {
	if err := out.Expect(plan.files()...); err != nil {
		return err
	}
	name := PlanFile
	if complete, err := out.IsComplete(); err != nil {
		return err
	} else if complete {
		name = nextPlanFile
	}
	if err := out.Keep(name, plan.write); err != nil {
		return err
	}
	return w.jobs().Open()
}

// isCurrent reports whether the directory has the complete results of a plan whose jobs are all
// done: the same plan was written, and no job is younger than it.
func (w *Sweep) isCurrent(plan *plan) bool {
	written, err := os.Stat(filepath.Join(w.Dir, PlanFile))
	if err != nil {
		return false
	}
	var want bytes.Buffer
	complete := *plan
	complete.Complete = true
	if plan.Site != nil && !w.takeRemovals(plan, written.ModTime()) {
		return false
	}
	if err := complete.write(&want); err != nil {
		return false
	}
	text, err := input.ReadRegular(filepath.Join(w.Dir, PlanFile), planLimit)
	if err != nil || !bytes.Equal(text, want.Bytes()) {
		return false
	}
	needed := slices.Concat(SweepKind.Files, plan.files())
	if plan.Site != nil && plan.Site.Removals != nil {
		needed = append(needed, result.MapFile)
	}
	for _, name := range needed {
		if _, err := os.Stat(filepath.Join(w.Dir, name)); err != nil {
			return false
		}
	}
	if _, err := os.Stat(filepath.Join(w.Dir, nextPlanFile)); err == nil {
		return false
	}
	if plan.part.of > 1 { // todo has looked at the jobs of one shard
		if missing, _, err := plan.missing(w.jobs()); err != nil || missing > 0 {
			return false
		}
	}
	for j := range plan.jobs() {
		if at, err := w.jobs().Written(plan.hash(j)); err != nil || at.After(written.ModTime()) {
			return false
		}
	}
	return true
}

// show prints the results that the directory has.
func (w *Sweep) show(ctx context.Context, plan *plan) error {
	if w.Quiet && !w.JSON {
		return nil
	}
	found, err := plan.found(ctx, w.jobs())
	if err != nil {
		return err
	}
	return w.print(found, nil)
}

// conclude writes and prints the results.
func (w *Sweep) conclude(ctx context.Context, plan *plan, found *found, out *resultdir.Dir) error {
	_, unpublished, err := resultdir.Published(out.Write(func(folder string) (bool, error) { return true, plan.writeResults(ctx, found, folder) }))
	if err != nil {
		return err
	}
	return w.print(found, unpublished)
}

// writeResults writes the files of a complete sweep into a folder.
func (p *plan) writeResults(ctx context.Context, found *found, folder string) error {
	p.Complete = true
	create := p.until(ctx, resultdir.In(folder))
	if err := create.File(pointsFile, func(w io.Writer) error { return found.results().WriteCSV(w, phrase.Marks) }); err != nil {
		return err
	}
	if err := create.Text(results.ConfigFile, p.Config); err != nil {
		return err
	}
	if p.writesSpec {
		if err := p.spec.writeSpec(p.Points, create); err != nil {
			return err
		}
	}
	if p.Site != nil {
		if err := p.writeConfigs(create); err != nil {
			return err
		}
		if found.cells != nil {
			if err := result.WriteMap(found.cells, create); err != nil {
				return err
			}
		}
	}
	if err := p.draw(found, create); err != nil {
		return err
	}
	return create.File(PlanFile, p.write)
}

// print writes the results to standard output, and their directory to standard error. unpublished is
// an error if they are beside the directory, which print returns.
func (w *Sweep) print(found *found, unpublished error) error {
	if w.JSON || !w.Quiet {
		if err := w.Print(found.results().Write, found.page(nil, nil)); err != nil {
			return err
		}
	}
	if unpublished == nil {
		w.Say("results", w.Dir)
	}
	return unpublished
}

// Merge copies jobs from other result directories and writes the results.
func (w *Sweep) Merge(ctx context.Context, others []string) error {
	plan, err := readPlan(w.Dir)
	if err != nil {
		return err
	}
	out, err := w.claim(plan)
	if err != nil {
		return err
	}
	out.Attend(ctx, w.Err)
	if err := w.jobs().Open(); err != nil {
		return err
	}
	for _, other := range others {
		if _, err := readPlan(other); err != nil {
			return err
		}
		for j := range plan.jobs() {
			if ctx.Err() != nil {
				return terminal.Interruptedf("interrupted: some jobs were copied, the same command continues")
			}
			if err := w.adopt(other, plan.hash(j)); err != nil {
				return err
			}
		}
	}
	missing, all, err := plan.missing(w.jobs())
	if err != nil {
		return err
	}
	if missing > 0 {
		return input.Badf("%s: %d of %d jobs are missing, expected all; run mmsim %s to do them", w.Dir, missing, all, plan.command())
	}
	if plan.Site != nil {
		terminal.PrintTo(w.Err, "all %d jobs are in %s: run mmsim site with --out %s to write the results\n", all, w.Dir, w.Dir)
		return nil
	}
	found, err := plan.found(ctx, w.jobs())
	if broken := (*brokenJobs)(nil); errors.As(err, &broken) {
		return input.Badf("%s: %d of %d jobs are missing, expected all; run mmsim sweep to do them", w.Dir, len(broken.jobs), all)
	}
	if err != nil {
		return err
	}
	return w.conclude(ctx, plan, found, out)
}

// adopt copies a job from another directory if this directory does not have it.
func (w *Sweep) adopt(other, hash string) error {
	if here, err := w.jobs().Get(hash); err != nil || here != nil {
		return err
	}
	summary, err := JobsIn(w.Streams, other).Get(hash)
	if err != nil || summary == nil {
		return err
	}
	return w.jobs().Put(hash, summary)
}

// jobs returns the store with the sweep's jobs.
func (w *Sweep) jobs() experiment.Folder { return JobsIn(w.Streams, w.Dir) }

// JobsIn returns the store with the jobs in a result directory.
func JobsIn(s *terminal.Streams, folder string) experiment.Folder {
	return experiment.Folder{Dir: folder, Warn: func(message string) { terminal.PrintTo(s.Err, "%s\n", message) }}
}

// A session simulates jobs, all in this process or all on the same workers.
type session struct {
	*Sweep
	cache       *experiment.Cache
	coordinator *workers.Coordinator // nil without workers
	progress    *terminal.Progress
}

// finish does jobs of a plan and reads the results of all its jobs, which are nil if those of other
// processes are missing. A file may be broken although it looked finished. Its job is done again, once.
func (s *session) finish(ctx context.Context, p *plan, todo map[job]bool) (*judge.Sweep, error) {
	for repeated := false; ; repeated = true {
		if err := s.simulate(ctx, p, todo); err != nil {
			return nil, err
		}
		if isWhole, err := s.isWhole(ctx, p); err != nil || !isWhole {
			return nil, err
		}
		found, err := p.results(ctx, s.jobs())
		broken := (*brokenJobs)(nil)
		if repeated || !errors.As(err, &broken) {
			return found, err
		}
		todo = broken.jobs
	}
}

// simulate does jobs of a plan.
func (s *session) simulate(ctx context.Context, plan *plan, todo map[job]bool) error {
	if len(todo) == 0 {
		return nil
	}
	e := experiment.Experiment{
		Runs: experiment.FirstRuns(len(plan.Points[0].Jobs)),
		Skip: func(arm int, run uint64) bool { return !todo[job{arm, run}] },
	}
	for _, c := range plan.configs {
		e.Arms = append(e.Arms, experiment.Arm{Config: c})
	}
	// This store does not warn: Has or plan.results has already warned about broken files.
	return e.Run(ctx, experiment.Options{Executor: s.coordinator.Executor(), Store: experiment.Folder{Dir: s.Dir}, Cache: s.cache, Progress: s.progress, Messages: s.Err})
}

// span returns the virtual time of jobs, and their number. For a site search, the number is 0, which
// means unknown, and the time includes as many removals as there may be.
func (p *plan) span(todo map[job]bool) (span sim.Duration, jobs int) {
	for j := range todo {
		span += p.configs[j.point].Simulated(1)
	}
	if p.Site == nil {
		return span, len(todo)
	}
	most := 0
	for _, point := range p.Points {
		most = max(most, len(point.Set.Datacenters))
	}
	return span + sim.Duration(most*len(p.Points[0].Jobs))*p.configs[0].Simulated(1), 0
}

// todo returns the remaining jobs of the plan's shard.
func (w *Sweep) todo(plan *plan) (map[job]bool, error) {
	todo := map[job]bool{}
	n := 0
	for j := range plan.jobs() {
		n++
		if (n-1)%plan.part.of != plan.part.number-1 {
			continue
		}
		done, err := w.jobs().Has(plan.hash(j))
		if err != nil {
			return nil, err
		}
		if !done || plan.unrepeatable {
			todo[j] = true
		}
	}
	return todo, nil
}
