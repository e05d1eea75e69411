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

// MaxPlanBytes bounds the plan of a sweep. One of a million jobs, which no sweep has,
// takes some 70 MB.
const MaxPlanBytes = 64 << 20

// planLimit is that bound as messages name it.
var planLimit = input.Limit{Name: "MaxPlanBytes", Bytes: MaxPlanBytes, Expected: "the plan of a sweep"}

// plan is a sweep worked out: every point of the grid, and the names of the jobs
// that make it up. It is sweep.json, which is all that merging needs.
type plan struct {
	Schema   int         `json:"schema"`
	Complete bool        `json:"complete"` // every job is done and in the results
	Settings []string    `json:"settings"`
	Metrics  []string    `json:"metrics,omitempty"` // none: the usual ones
	Points   []planPoint `json:"points"`
	Command  string      `json:"command,omitempty"` // that sweeps again
	Config   string      `json:"config,omitempty"`  // the text of the configuration of the first point

	configs      []*config.Config // of the points; not known to a merge
	unrepeatable bool             // jobs that were done before count for nothing
}

// planPoint is one combination of values.
type planPoint struct {
	Values []string `json:"values"` // by setting
	Jobs   []string `json:"jobs"`   // by replication: what is simulated, as a hash
}

// Files of a sweep. A job is a summary under the hash of its configuration (which says
// seed and replication, and counts files by content): a sweep that is extended, or begun
// again after it was killed, finds what it needs by name.
const (
	PlanFile     = "sweep.json"
	nextPlanFile = "sweep.next.json" // of a sweep under way in the folder of a complete one
	planSchema   = 1
)

// plan works out the grid, the last setting changing fastest. All values are checked
// before anything is simulated. base is what the first point names.
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

// repeated is the error of two points of n that are the same simulation. It stands at the
// first setting that is to tell them apart.
func (s *sweepSpec) repeated(first, second, n int) error {
	for _, a := range s.axes {
		n /= len(a.values)
		one, other := a.values[first/n%len(a.values)], a.values[second/n%len(a.values)]
		if first/n%len(a.values) != second/n%len(a.values) {
			return other.Errorf("%s: %s simulates the same as %s, expected values that differ", a.key.Text, other, one)
		}
	}
	return input.Badf("%s: the same combination twice", s.name) // cannot be: the points differ in a value
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

// readPlan reads the plan in a folder: of two that of the sweep under way. Every error is
// bad input.
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

// results collects what the jobs found.
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
