package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
)

// MaxPlanBytes is the largest size of a sweep's plan. A million jobs, more than any sweep has,
// take about 70 MB.
const MaxPlanBytes = 64 << 20

// planLimit is MaxPlanBytes for messages.
var planLimit = input.Limit{Name: "MaxPlanBytes", Bytes: MaxPlanBytes, Expected: "the plan of a sweep"}

// plan is the expansion of a sweep: every point of the grid, with the names of its jobs. It
// is stored as sweep.json, which is all that a merge needs.
type plan struct {
	Schema   int         `json:"schema"`
	Complete bool        `json:"complete"` // every job is done and in the results
	Settings []string    `json:"settings"`
	Metrics  []string    `json:"metrics,omitempty"` // empty: the default metrics
	Points   []planPoint `json:"points"`
	Command  string      `json:"command,omitempty"` // that sweeps again
	Config   string      `json:"config,omitempty"`  // the text of the configuration of the first point

	configs      []*config.Config // of the points; a merge does not have them
	unrepeatable bool             // results of earlier jobs cannot be reused
}

// planPoint is one combination of values.
type planPoint struct {
	Values []string `json:"values"` // by setting
	Jobs   []string `json:"jobs"`   // by replication: a hash of what is simulated
}

// Files of a sweep. The result of a job is stored under the hash of its configuration, which
// includes the seed, the replication and the content of files: a sweep that is extended, or
// restarted after a kill, finds earlier results by name.
const (
	PlanFile     = "sweep.json"
	nextPlanFile = "sweep.next.json" // of an unfinished sweep in the folder of a complete one
	planSchema   = 1
)

// plan expands the grid; the last setting changes fastest. It checks all values before
// anything is simulated. base are the inputs of the first point.
func (s *sweepSpec) plan(cache *experiment.Cache) (p *plan, base *experiment.Inputs, err error) {
	points := 1
	for _, a := range s.axes {
		if points *= len(a.values); points > sweepPointsMax {
			return nil, nil, a.key.Errorf("more than %d combinations of values, expected fewer", sweepPointsMax)
		}
	}
	if points*s.runs > sweepJobsMax {
		return nil, nil, input.Badf("%s: %d combinations times %d runs, expected at most %d in all", s.name, points, s.runs, sweepJobsMax)
	}
	p = &plan{Schema: planSchema}
	for _, a := range s.axes {
		p.Settings = append(p.Settings, a.key.Text)
	}
	for _, metric := range s.metrics {
		p.Metrics = append(p.Metrics, metric.Text)
	}
	known := make(map[string]int, points) // the point whose first job has a name
	for i := range points {
		c, values, err := s.point(i, points)
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
		point := planPoint{Values: values}
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

// point resolves the configuration of the i-th of n points.
func (s *sweepSpec) point(i, n int) (*config.Config, []string, error) {
	var keys, values []yamltree.Node
	for _, a := range s.axes {
		n /= len(a.values)
		keys, values = append(keys, a.key), append(values, a.values[i/n%len(a.values)])
	}
	return config.LoadWith(s.dir, s.config, s.overrides, keys, values)
}

// repeated is the error about two points that are the same simulation. Its position is the
// first setting whose values should distinguish them.
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

// readPlan reads the plan in a folder; an unfinished sweep takes precedence over a complete
// one. Every error is bad input.
func readPlan(folder string) (*plan, error) {
	file := filepath.Join(folder, nextPlanFile)
	if _, err := os.Stat(file); err != nil {
		file = filepath.Join(folder, PlanFile)
	}
	return readPlanFile(file)
}

// readPlanFile reads a plan.
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
		return nil, input.Badf("%s: schema %d with %s, expected schema %d with one point or more", file, p.Schema, input.Counted(len(p.Points), "point"), planSchema)
	}
	for i, point := range p.Points {
		if len(point.Values) != len(p.Settings) || len(point.Jobs) != len(p.Points[0].Jobs) || len(point.Jobs) == 0 {
			return nil, input.Badf("%s: point %d has %s and %s, expected those of all points", file, i,
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

// missing counts the jobs that are not done.
func (p *plan) missing(store experiment.Store) (missing, all int, err error) {
	for _, point := range p.Points {
		for _, hash := range point.Jobs {
			all++
			done, err := store.Get(hash)
			if err != nil {
				return 0, 0, err
			}
			if done == nil {
				missing++
			}
		}
	}
	return missing, all, nil
}

// results collects the results of the jobs.
func (p *plan) results(store experiment.Store) (*judge.Sweep, error) {
	s := &judge.Sweep{Settings: p.Settings, Metrics: p.Metrics}
	for _, point := range p.Points {
		found := judge.SweepPoint{Values: point.Values}
		for _, hash := range point.Jobs {
			summary, err := store.Get(hash)
			if err != nil {
				return nil, err
			}
			if summary == nil {
				return nil, fmt.Errorf("job %s is missing", hash)
			}
			found.Runs = append(found.Runs, summary)
		}
		s.Points = append(s.Points, found)
	}
	return s, nil
}
