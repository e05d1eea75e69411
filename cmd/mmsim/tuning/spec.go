package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// tuneSpec is a tuning file, which lists settings to change, goals and constraints:
//
//	config: mmsim.yaml
//	settings:
//	  states.ideal.rtt: {from: 20ms, to: 80ms}
//	  match.order: [shuffle, oldest]
//	minimise: rtt_ms.mean
//	constraints:
//	  wait_s.p95: {max_increase: 0%}
//	budget: {runs: 200}
type tuneSpec struct {
	name        string
	config      string // file, or "" for the defaults
	configAt    yamltree.Node
	overrides   []config.Override // from the command line
	runs        int               // replications of each trial
	settings    []tunable
	minimise    []yamltree.Node
	maximise    []yamltree.Node
	constraints gate.File
	guard       gate.File
	budgetRuns  int           // in runs over the whole day, or 0 if the budget is in minutes
	budgetTime  time.Duration // 0 if the budget is in runs
	start       int           // number of points in the Latin hypercube, or 0 for the default, see firstTrials
	halve       string        // how to make trials cheaper: halveHours, halveJoins or halveNone
}

// Defaults and limits of the keys in a tuning file.
const (
	DefaultRuns       = 1
	defaultTuneBudget = 200
	holdoutMin        = 4 // fewer runs give a wide interval
	startMin          = 4
)

// Values of tuneSpec.halve. They say whether cheap trials simulate fewer hours or fewer joins.
const (
	halveHours = "hours"
	halveJoins = "joins"
	halveNone  = "none"
)

var halves = []string{halveHours, halveJoins, halveNone}

// readTuning reads a tuning file. overrides are the settings from the command line. Every
// error is a bad input error and names its position.
func readTuning(file string, overrides []config.Override) (*tuneSpec, error) {
	s := &tuneSpec{name: file, overrides: overrides, runs: DefaultRuns, halve: halveHours, constraints: gate.File{Name: file}, guard: gate.DefaultGuard()}
	if err := s.keys().Value().ReadRoot(yamltree.ReadFile(file)); err != nil {
		return nil, err
	}
	if s.budgetRuns == 0 && s.budgetTime == 0 {
		s.budgetRuns = defaultTuneBudget
	}
	return s, s.checkSettings()
}

// keys has the keys of a tuning file.
func (s *tuneSpec) keys() *value.Object {
	const goal = " or a list; at most three metrics in minimise and maximise together"
	return &value.Object{
		Expects: "a mapping with settings",
		Keys: []value.Key{
			value.Named("config", "the initial configuration", value.Required(value.At(&s.configAt, value.Path(&s.config, "the name of a file")))),
			value.Named("runs", "number of replications of each trial", value.Whole(&s.runs, 1, experiment.ReplicationsMax)),
			value.Named("settings", "keys of the configuration to search, each with its range or its values", search.Settings(&s.settings, "a mapping of keys of the configuration to ranges or lists", slices.Concat(notTunable, []string{search.Judging}), false, s.tunable)),
			value.Named("minimise", "a metric to minimise,"+goal, oneOrMore(&s.minimise)),
			value.Named("maximise", "a metric to maximise,"+goal, oneOrMore(&s.maximise)),
			value.Named("constraints", "metrics and their limits, as in a gate file", gate.Constraints(&s.constraints)),
			value.Named("guard", "how much worse than the initial configuration the best may be, by metric", gate.Guard(&s.guard)),
			value.Named("budget", "how much to simulate: runs of the whole day, of which a trial with half of the day counts as one half; or minutes", s.budget()),
			value.Named("start", "number of first trials, which are spread over all ranges", value.Whole(&s.start, startMin, search.PointsMax)),
			value.Named("halve", "how the first trials are shortened: fewer hours, fewer joins, or not at all", value.Choice(&s.halve, halves)),
		},
		Check: func() error {
			switch goals := len(s.minimise) + len(s.maximise); {
			case len(s.settings) == 0:
				return errors.New("no settings, expected some such as settings: {states.ideal.rtt: {from: 20ms, to: 80ms}}")
			case goals == 0:
				return errors.New("nothing to minimise, expected a metric such as minimise: rtt_ms.mean")
			case goals > search.GoalsMax:
				return fmt.Errorf("%d metrics to minimise or maximise, expected one, or two or three to trade off", goals)
			}
			return nil
		},
	}
}

// Keys lists the keys at the top of tuning files.
func Keys() []string { return new(tuneSpec).keys().Names() }

// Schema returns the JSON Schema of tuning files.
func Schema() value.Schema {
	definitions, _ := gate.Definition(false)
	definitions["metric"] = gate.MetricSchema()
	definitions["range"] = search.RangeSchema(true).With("not", value.Schema{"required": []string{"step", "steps"}})
	return new(tuneSpec).keys().Schema().With("required", []string{"settings"}).
		With("anyOf", value.Needs("minimise", "maximise")).
		With("definitions", definitions)
}

// oneOrMore returns the Value of the name of a metric, or a list of names.
func oneOrMore(p *[]yamltree.Node) value.Value {
	list := search.MetricsOf(p)
	return value.Value{
		Expects: "a metric such as rtt_ms.mean, or a list of metrics",
		Schema: func() value.Schema {
			return value.AnySchema(search.AnyMetric, list.Schema().With("maxItems", search.GoalsMax))
		},
		Read: func(n yamltree.Node) error {
			switch n.Kind {
			case yamltree.List:
				return list.Read(n)
			case yamltree.Plain, yamltree.Text:
				n.Path = "" // messages say it in another way
				*p = []yamltree.Node{n}
				return nil
			}
			return n.Misfit()
		},
	}
}

// notTunable lists the keys of random numbers, duration and output. A sweep may vary them, but
// a search would just find the luckiest seed or the shortest run.
var notTunable = []string{"seed", "run", "clock.duration", "clock.warmup", "output"}

// tunable returns the Value of a setting to tune.
func (s *tuneSpec) tunable(key yamltree.Node) (value.Value, error) {
	if slices.ContainsFunc(notTunable, func(not string) bool { return key.Text == not || strings.HasPrefix(key.Text, not+".") }) {
		return value.Value{}, key.Errorf("settings: %s cannot be tuned: the search would find the luckiest seed or the shortest simulation", key.Text)
	}
	return value.Value{Read: func(n yamltree.Node) error {
		n.Path = key.Text
		t, err := readTunable(key, n)
		s.settings = append(s.settings, t)
		return err
	}}, search.CheckSimulated(key)
}

// budget returns the Value of the budget.
func (s *tuneSpec) budget() value.Value {
	minutes := 0.0
	return value.Object{
		Expects: "{runs: 200} or {minutes: 10}",
		One:     2,
		Keys: []value.Key{
			value.Named("runs", "", value.Whole(&s.budgetRuns, 1, search.JobsMax)),
			value.Named("minutes", "", value.Number(&minutes, value.Limits{High: 100_000, LowOpen: true}).Then(func() { s.budgetTime = time.Duration(minutes * float64(time.Minute)) })),
		},
	}.Value()
}

// checkSettings checks the ends of each setting's range, or the values of its list, one by one,
// to find invalid values before anything is simulated. Invalid combinations are only found
// during the search.
func (s *tuneSpec) checkSettings() error {
	for _, t := range s.settings {
		if err := search.CheckOverridden(s.overrides, t.key); err != nil {
			return err
		}
		for _, n := range t.ends() {
			if err := config.CheckKey(t.key, n); err != nil {
				return err
			}
		}
	}
	if _, _, err := s.load("", nil, nil); err != nil {
		return err
	}
	for _, t := range s.settings {
		if err := s.checkPlaced(t); err != nil {
			return err
		}
	}
	return nil
}

// load resolves the initial configuration with other values of some keys; see [config.Base.LoadWith].
func (s *tuneSpec) load(folder string, keys, values []yamltree.Node) (*config.Config, []string, error) {
	from, err := config.ReadBase(s.configAt, input.Shown(s.config), s.overrides)
	if err != nil {
		return nil, nil, err
	}
	return from.LoadWith(folder, keys, values)
}

// checkPlaced checks a key inside a ruleset or a queue. It returns an error if none of the
// values can be loaded, because the key is then unknown or no value is valid. A value that is
// invalid alone may be valid together with values of other settings.
func (s *tuneSpec) checkPlaced(t tunable) error {
	if !config.IsPlacedKey(t.key.Text) {
		return nil
	}
	var first error
	for _, n := range t.ends() {
		_, _, err := s.load("", []yamltree.Node{t.key}, []yamltree.Node{n})
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

// goals returns the metrics to optimise.
func (s *tuneSpec) goals() []judge.Goal {
	var list []judge.Goal
	for _, n := range s.minimise {
		list = append(list, judge.Goal{Name: n.Text})
	}
	for _, n := range s.maximise {
		list = append(list, judge.Goal{Name: n.Text, Maximise: true})
	}
	return list
}

// check rejects goals, constraints and a guard with metrics that no run has, and goals in the wrong
// direction.
func (s *tuneSpec) check(base *experiment.Inputs) error {
	known := base.Metrics()
	_, constraints := s.constraints.Limits(known, true)
	_, guard := s.guard.Limits(known, true)
	if err := value.Joined([]error{gate.CheckMetrics(known, "minimise", s.minimise), gate.CheckMetrics(known, "maximise", s.maximise), constraints, guard}); err != nil {
		return err
	}
	for _, n := range s.minimise {
		if outcome.BetterOf(n.Text) == outcome.BetterHigher {
			return n.Errorf("minimise: %s is better when it is higher, expected it under maximise", n.Text)
		}
	}
	for _, n := range s.maximise {
		if outcome.BetterOf(n.Text) == outcome.BetterLower {
			return n.Errorf("maximise: %s is better when it is lower, expected it under minimise", n.Text)
		}
	}
	if _, err := s.firstTrials(base.Config); err != nil {
		return err
	}
	return s.checkTwice()
}

// baselineCost returns the cost of the baseline, which is simulated for each share of the day.
func (s *tuneSpec) baselineCost(base *config.Config) (cost float64) {
	for _, share := range s.shares() {
		cost += float64(float64(s.runs) * s.cost(base, share))
	}
	return cost
}

// firstTrials returns the number of first trials. By default there are six for each setting, and at
// least eight. If successive halving would use more than half of the budget, there are fewer,
// but at least four. A budget that does not suffice for them is an error.
func (s *tuneSpec) firstTrials(base *config.Config) (int, error) {
	const least, perSetting = 4, 6
	n := cmp.Or(s.start, max(8, perSetting*len(s.settings)))
	if s.budgetRuns == 0 {
		return n, nil
	}
	each, part := 0.0, float64(s.runs)
	for _, share := range s.shares() {
		each += float64(part * s.cost(base, share))
		part /= 2
	}
	spent := s.baselineCost(base)
	left := float64(s.budgetRuns) - spent
	if s.start == 0 {
		n = max(least, min(n, int(left/2/each)))
	}
	if rounds := float64(len(s.shares()) * s.runs); float64(float64(n)*each)+rounds > left {
		return 0, input.Badf("%s: budget: %d runs, expected at least %.0f for %d first trials in %s", s.name, s.budgetRuns,
			math.Ceil(spent+float64(float64(n)*each)+rounds), n, input.Counted(s.runs, "replication"))
	}
	return n, nil
}

// checkTwice rejects duplicate goals.
func (s *tuneSpec) checkTwice() error {
	var seen []string
	for _, n := range slices.Concat(s.minimise, s.maximise) {
		if slices.Contains(seen, n.Text) {
			return n.Errorf("%s is listed twice, expected it once", n.Text)
		}
		seen = append(seen, n.Text)
	}
	return nil
}

// holdout returns the number of runs that the search does not use. They are used to compare the
// best settings with the baseline.
func (s *tuneSpec) holdout() int { return max(s.runs, holdoutMin) }

// shares returns the share of the day that each round of successive halving simulates.
func (s *tuneSpec) shares() []float64 {
	if s.halve == halveNone {
		return []float64{1}
	}
	return []float64{0.25, 0.5, 1}
}

// shorten makes c simulate only a share of the day. The parameter day is the duration of the
// whole day.
func (s *tuneSpec) shorten(c *config.Config, share float64, day time.Duration) {
	switch {
	case share == 1:
	case s.halve == halveJoins:
		c.Dataset.Scale *= share
	default:
		part := time.Duration(float64(day) * share)
		c.Limit(max(c.Clock.Tick, part.Truncate(max(c.Clock.Tick, time.Second))))
	}
}

// cost returns the cost of simulating a share of the day, relative to the whole day.
func (s *tuneSpec) cost(c *config.Config, share float64) float64 {
	if s.halve == halveJoins {
		return share
	}
	warmup, duration := c.Clock.Warmup.Seconds(), c.Clock.Duration.Seconds()
	return (warmup + float64(share*duration)) / (warmup + duration)
}
