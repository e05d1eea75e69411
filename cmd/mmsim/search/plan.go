package search

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/result"
)

// MaxPlanBytes is the maximum size of a sweep's plan. A plan with the maximum of 100,000 jobs
// has about 8 MB.
const MaxPlanBytes = 64 << 20

// planLimit is MaxPlanBytes in the form that input.ReadRegular takes.
var planLimit = input.Limit{Name: "MaxPlanBytes", Bytes: MaxPlanBytes, Expected: "the plan of a sweep"}

// plan lists every point of a sweep's grid with the hashes of its jobs. It is stored as
// sweep.json, so that results can be merged without the sweep file.
type plan struct {
	Schema   int               `json:"schema"`
	Complete bool              `json:"complete"` // whether all jobs are done and in the results
	Settings []string          `json:"settings"`
	Metrics  []string          `json:"metrics,omitempty"` // empty for the default metrics
	Guard    []judge.Limit     `json:"guard,omitempty"`
	Matters  judge.MattersList `json:"matters,omitempty"`
	Points   []planPoint       `json:"points"`
	Dropped  []string          `json:"dropped,omitempty"` // sets of datacenters that are not simulated, with the reason
	Site     *siteSection      `json:"site,omitempty"`    // of a site search
	Command  string            `json:"command,omitempty"` // command line that repeats the sweep
	Config   string            `json:"config,omitempty"`  // configuration of the first point, as text

	// The other fields are zero when results are merged or drawn.
	spec         *sweepSpec
	part         shard            // which jobs this process does
	writesSpec   bool             // whether the results include a sweep file, because the sweep had none
	configs      []*config.Config // configurations of the points
	unrepeatable bool             // results of earlier jobs cannot be reused
	without      string           // what the points of removals are without, for messages
}

// job is one replication of one point.
type job struct {
	point int
	run   uint64
}

// jobs yields all jobs in order: those of all points for one run before the next run.
func (p *plan) jobs() iter.Seq[job] {
	return func(yield func(job) bool) {
		for run := range p.Points[0].Jobs {
			for point := range p.Points {
				if !yield(job{point, uint64(run)}) {
					return
				}
			}
		}
	}
}

// hash returns the hash of a job.
func (p *plan) hash(j job) string { return p.Points[j.point].Jobs[j.run] }

// planPoint is one combination of setting values.
type planPoint struct {
	Values []string       `json:"values"`        // value of each setting
	Jobs   []string       `json:"jobs"`          // job hashes by run
	Set    *judge.SiteSet `json:"set,omitempty"` // the set of datacenters among Values, if mmsim chose it
}

// Files of a sweep. In addition, each job's result is a file that is named after the job's
// hash. The hash depends on the configuration, the seed, the run and the content of files, so
// a sweep that is extended or restarted finds its earlier results.
const (
	PlanFile     = "sweep.json"
	pointsFile   = "results.csv"     // a row for each point
	nextPlanFile = "sweep.next.json" // plan of an unfinished sweep, if the directory has a complete one
	planSchema   = 1
)

// plan returns the plan of the sweep and the inputs of its first point. From one point to the
// next, the last setting changes fastest. All values are checked before anything is simulated.
func (s *sweepSpec) plan(cache *experiment.Cache) (p *plan, base *experiment.Inputs, err error) {
	from, err := s.base()
	if err != nil {
		return nil, nil, err
	}
	if err := s.choose(from, cache); err != nil {
		return nil, nil, err
	}
	points := 1
	for _, a := range s.axes {
		if points *= len(a.values); points > PointsMax {
			return nil, nil, a.key.Errorf("more than %d combinations of values, expected fewer", PointsMax)
		}
	}
	if points*s.runs > JobsMax {
		return nil, nil, s.tooMany(points)
	}
	p = &plan{Schema: planSchema}
	for _, a := range s.axes {
		p.Settings, p.Dropped = append(p.Settings, a.key.Text), append(p.Dropped, a.dropped...)
	}
	for _, metric := range s.metrics {
		p.Metrics = append(p.Metrics, metric.Text)
	}
	known := make(map[string]int, points) // index of a point by the hash of its first job
	for i := range points {
		keys, nodes := s.pointSettings(i, points)
		c, values, err := from.LoadWith(s.dir, keys, nodes)
		if err != nil {
			return nil, nil, err
		}
		in, err := experiment.Load(c, cache)
		if err != nil {
			return nil, nil, err
		}
		if base == nil {
			base = in
		}
		p.unrepeatable = p.unrepeatable || in.Unrepeatable
		point := planPoint{Values: values, Set: s.setAt(i, points)}
		for run := range s.runs {
			hash, err := in.JobHash(uint64(run))
			if err != nil {
				return nil, nil, err
			}
			point.Jobs = append(point.Jobs, hash)
		}
		if same, isKnown := known[point.Jobs[0]]; isKnown {
			return nil, nil, s.repeated(same, i, points)
		}
		known[point.Jobs[0]] = i
		p.Points, p.configs = append(p.Points, point), append(p.configs, in.Config)
	}
	text, err := base.Config.Resolved(s.dir)
	p.Config = string(text)
	return p, base, err
}

// tooMany returns the error of more than JobsMax jobs, at what the file says about their number.
func (s *sweepSpec) tooMany(points int) error {
	at, combinations := s.runsAt, "combinations"
	if at.From == nil {
		at = s.axes[len(s.axes)-1].key
	}
	if s.site != nil {
		at, combinations = s.axes[0].best.countAt, "sets"
	}
	return at.Errorf("%d %s times %d runs, expected at most %d in all", points, combinations, s.runs, JobsMax)
}

// base reads the configuration from which all points start.
func (s *sweepSpec) base() (*config.Base, error) {
	return config.ReadBase(s.configAt, input.Shown(s.config), s.overrides)
}

// pointSettings returns the settings of the i-th of n points.
func (s *sweepSpec) pointSettings(i, n int) (keys, values []yamltree.Node) {
	for _, a := range s.axes {
		n /= len(a.values)
		keys, values = append(keys, a.key), append(values, a.values[i/n%len(a.values)])
	}
	return keys, values
}

// setAt returns the set of datacenters of the i-th of n points if mmsim chose it, or nil.
func (s *sweepSpec) setAt(i, n int) *judge.SiteSet {
	for _, a := range s.axes {
		n /= len(a.values)
		if a.sets != nil {
			return a.sets[i/n%len(a.values)]
		}
	}
	return nil
}

// judged returns the point without its runs.
func (p *planPoint) judged(settings []string) judge.SweepPoint {
	point := judge.SweepPoint{Values: slices.Clone(p.Values), Set: p.Set}
	if p.Set != nil {
		point.Values[slices.Index(settings, judge.UseKey)] = p.Set.Name
	}
	return point
}

// repeated returns the error for two points with the same resolved configuration. It points to
// the first setting in which they differ.
func (s *sweepSpec) repeated(first, second, n int) error {
	for _, a := range s.axes {
		n /= len(a.values)
		one, other := a.values[first/n%len(a.values)], a.values[second/n%len(a.values)]
		if first/n%len(a.values) != second/n%len(a.values) {
			return other.Errorf("%s: %s simulates the same as %s, expected values that differ", a.key.Text, other, one)
		}
	}
	return input.Badf("%s: the same combination twice", s.name) // unreachable: the points differ in a value
}

// write writes the plan as JSON.
func (p *plan) write(w io.Writer) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// readPlan reads the plan in a result directory. An unfinished sweep takes precedence over a
// complete one. Every error is a bad input error.
func readPlan(folder string) (*plan, error) {
	file := filepath.Join(folder, nextPlanFile)
	if _, err := os.Stat(file); err != nil {
		file = filepath.Join(folder, PlanFile)
	}
	return readPlanFile(file)
}

// readPlanFile reads a plan. Every error is a bad input error.
func readPlanFile(file string) (*plan, error) {
	text, err := input.ReadRegular(file, planLimit)
	if err != nil {
		return nil, input.Bad(err)
	}
	var p plan
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&p); err != nil {
		return nil, input.Badf("%s: %w", file, err)
	}
	if p.Schema != planSchema || len(p.Points) == 0 {
		return nil, input.Badf("%s: schema %d with %s, expected schema %d with at least one point", file, p.Schema, input.Counted(len(p.Points), "point"), planSchema)
	}
	for i, point := range p.Points {
		if len(point.Values) != len(p.Settings) || len(point.Jobs) != len(p.Points[0].Jobs) || len(point.Jobs) == 0 {
			return nil, input.Badf("%s: point %d has %s and %s, expected the same numbers for all points", file, i,
				input.Counted(len(point.Values), "value"), input.Counted(len(point.Jobs), "job"))
		}
		for _, hash := range point.Jobs {
			if !experiment.IsJobHash(hash) {
				return nil, input.Badf("%s: point %d has the job %q, expected 64 hexadecimal digits", file, i, hash)
			}
		}
	}
	return &p, nil
}

// missing returns the number of jobs that are not done, and the number of all jobs.
func (p *plan) missing(jobs experiment.Folder) (missing, all int, err error) {
	for j := range p.jobs() {
		all++
		done, err := jobs.Has(p.hash(j))
		if err != nil {
			return 0, 0, err
		}
		if !done {
			missing++
		}
	}
	return missing, all, nil
}

// brokenJobs is the error for jobs that had to be finished and have no valid file.
type brokenJobs struct {
	plan  *plan
	jobs  map[job]bool
	first string // hash of one of them
}

// of returns the broken jobs of a plan. They may be those of its removals instead, which are done again
// when a session comes to them.
func (e *brokenJobs) of(p *plan) map[job]bool {
	if e.plan != p {
		return nil
	}
	return e.jobs
}

func (e *brokenJobs) Error() string {
	return fmt.Sprintf("%s: not valid, for example job %.12s, expected finished jobs", input.Counted(len(e.jobs), "job file"), e.first)
}

// results reads the results of all jobs.
func (p *plan) results(ctx context.Context, jobs experiment.Folder) (*judge.Sweep, error) {
	s := &judge.Sweep{Settings: p.Settings, Metrics: p.Metrics, Guard: p.Guard, Matters: p.Matters, Dropped: p.Dropped}
	for _, point := range p.Points {
		s.Points = append(s.Points, point.judged(p.Settings))
	}
	broken := &brokenJobs{plan: p, jobs: map[job]bool{}}
	for j := range p.jobs() {
		if ctx.Err() != nil {
			return nil, p.interrupted()
		}
		summary, err := jobs.Get(p.hash(j))
		if err != nil {
			return nil, err
		}
		if summary == nil {
			broken.jobs[j], broken.first = true, cmp.Or(broken.first, p.hash(j))
		}
		s.Points[j.point].Runs = append(s.Points[j.point].Runs, summary)
	}
	if len(broken.jobs) > 0 {
		return nil, broken
	}
	if _, err := terminal.Await(ctx, func() (*judge.SweepTable, error) { return s.Table(), nil }); err != nil {
		return nil, p.interrupted()
	}
	return s, nil
}

// interrupted returns the error of a sweep that is interrupted before its results are written.
func (p *plan) interrupted() error {
	return terminal.Interruptedf("interrupted: all %d jobs are done, the same command writes the results", len(p.Points)*len(p.Points[0].Jobs))
}

// until returns a Create that fails after an interruption.
func (p *plan) until(ctx context.Context, create result.Create) result.Create {
	return func(name string) (io.WriteCloser, error) {
		if ctx.Err() != nil {
			return nil, p.interrupted()
		}
		return create(name)
	}
}
