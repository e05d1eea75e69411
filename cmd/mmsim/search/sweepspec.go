package search

import (
	"errors"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
)

// sweepSpec is a sweep file, which lists settings and their values:
//
//	config: mmsim.yaml
//	runs: 4
//	settings:
//	  players.play_again: {from: 0.6, to: 0.9, step: 0.05}
//	  states.ideal.rtt: [30ms, 50ms, 70ms]
//	metrics: [ccu.peak, wait_s.p95, rtt_ms.mean]
//	guard: {players.unmatched_share: 1pp}
type sweepSpec struct {
	name      string
	dir       string // result directory; "" keeps file names absolute
	config    string // file, or "" for the defaults
	configAt  yamltree.Node
	overrides []config.Override // from the command line
	runs      int               // replications of each point
	runsAt    yamltree.Node
	axes      []axis
	metrics   []yamltree.Node // empty for the default metrics
	guard     gate.File
	site      *siteGoals // of a site search, otherwise nil
}

// axis is a setting with the values that the sweep gives it.
type axis struct {
	key     yamltree.Node
	values  []yamltree.Node
	written []string         // elements of a YAML list; nil unless specFile is written
	best    *bestSets        // if not nil, what to choose values by; see sweepSpec.choose
	sets    []*judge.SiteSet // by value, if they were chosen
	dropped []string         // sets that were not taken, with the reason
}

// DefaultSweepRuns is the default number of replications of each point.
const DefaultSweepRuns = 4

// readSweep reads a sweep file. overrides are the settings from the command line. Every error
// is a bad input error and names its position.
func readSweep(file string, overrides []config.Override) (*sweepSpec, error) {
	spec := &sweepSpec{name: file, overrides: overrides, runs: DefaultSweepRuns, guard: gate.DefaultGuard()}
	if err := spec.keys().Value().ReadRoot(yamltree.ReadFile(file)); err != nil {
		return nil, err
	}
	return spec, spec.checkOverridden()
}

// keys has the keys of a sweep file.
func (s *sweepSpec) keys() *value.Object {
	axes := Settings(&s.axes, "a mapping of keys of the configuration to values", []string{Judging}, true, s.axis)
	axes.Write = func(string) any { return written(s.axes) }
	file, guard := value.Required(value.At(&s.configAt, value.Path(&s.config, "the name of a file"))), gate.Guard(&s.guard)
	file.Unset = func() bool { return s.config == "" }
	guard.Unset = func() bool { return true } // flags set no guard
	return &value.Object{
		Expects: "a mapping with settings",
		Keys: []value.Key{
			value.Named("config", "the configuration to start from", file),
			value.Named("runs", "number of replications of each combination", value.At(&s.runsAt, value.Whole(&s.runs, 1, experiment.ReplicationsMax))),
			value.Named("settings", "keys of the configuration, each with its values", axes),
			value.Named("metrics", "metrics to show; \"mmsim help metrics\" lists them", MetricsOf(&s.metrics)),
			value.Named("guard", "how much worse than the best combination another may be and still be good, by metric", guard),
		},
		Check: func() error {
			if len(s.axes) == 0 {
				return errors.New("no settings, expected some such as settings: {match.size: [2, 4, 8]}")
			}
			return nil
		},
	}
}

// SweepKeys lists the keys at the top of sweep files.
func SweepKeys() []string { return new(sweepSpec).keys().Names() }

// SweepSchema returns the JSON Schema of sweep files.
func SweepSchema() value.Schema {
	r := RangeSchema(false).With("oneOf", value.Needs("step", "steps"))
	return new(sweepSpec).keys().Schema().With("required", []string{"settings"}).
		With("definitions", map[string]any{"range": r, "best": newBestSets().value().Schema(), "metric": gate.MetricSchema()})
}

// axis returns the Value of a setting with its values.
func (s *sweepSpec) axis(key yamltree.Node) (value.Value, error) {
	a := axis{key: key}
	return value.Value{Read: func(n yamltree.Node) (err error) {
		n.Path = key.Text
		if key.Text == judge.UseKey && n.Kind == yamltree.Mapping {
			a.best = newBestSets()
			err = a.best.value().ReadAt(n.Path, n)
		} else {
			a.values, err = Values(key, n)
		}
		if err == nil {
			s.axes = append(s.axes, a)
		}
		return err
	}}, CheckSimulated(key)
}

// checkOverridden returns an error if the command line sets a key that the sweep varies.
func (s *sweepSpec) checkOverridden() error {
	for _, a := range s.axes {
		if err := CheckOverridden(s.overrides, a.key); err != nil {
			return err
		}
	}
	return nil
}
