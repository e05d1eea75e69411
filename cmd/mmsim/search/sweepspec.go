package search

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/judge"
)

// A sweep above these limits is probably a typing error.
const (
	sweepPointsMax = 10_000
	sweepJobsMax   = 100_000
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
	dir       string            // result directory; "" keeps file names absolute
	config    string            // file, or "" for the defaults
	overrides []config.Override // from the command line
	runs      int               // replications of each point
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
	axes := settings(&s.axes, "a mapping of keys of the configuration to values", []string{judging}, true, s.axis)
	axes.Write = func() any { return written(s.axes) }
	file, guard := value.Required(value.Path(&s.config, "the name of a file")), gate.Guard(&s.guard)
	file.Unset = func() bool { return s.config == "" }
	guard.Unset = func() bool { return true } // flags set no guard
	return &value.Object{
		Expects: "a mapping with settings",
		Keys: []value.Key{
			value.Named("config", "the configuration to start from", file),
			value.Named("runs", "number of replications of each combination", value.Whole(&s.runs, 1, experiment.ReplicationsMax)),
			value.Named("settings", "keys of the configuration, each with its values", axes),
			value.Named("metrics", "metrics to show; \"mmsim help metrics\" lists them", metricsOf(&s.metrics)),
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
func SweepSchema() schema.Schema {
	r := new(valueRange).keys(false).Schema().With("required", []string{"from", "to"}).With("oneOf", schema.Needs("step", "steps"))
	return new(sweepSpec).keys().Schema().With("required", []string{"settings"}).
		With("definitions", map[string]any{"range": r, "best": newBestSets().value().Schema(), "metric": gate.MetricSchema()})
}

// settings returns the Value of a mapping of configuration keys to what of returns. The schema leaves
// out the keys in excluded. choosesSets is as in settingsSchema.
func settings[T any](p *[]T, expects string, excluded []string, choosesSets bool, of func(key yamltree.Node) (value.Value, error)) value.Value {
	v := value.Entries(expects, func() { *p = nil }, nil, of)
	v.Schema = func() schema.Schema { return settingsSchema(excluded, choosesSets) }
	v.Dotted, v.Parts = true, nil
	return v
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
			a.values, err = axisValues(key, n)
		}
		if err == nil {
			s.axes = append(s.axes, a)
		}
		return err
	}}, checkSimulated(key)
}

// metricsOf returns the Value of a list of metrics.
func metricsOf(p *[]yamltree.Node) value.Value {
	list := value.NotEmpty(value.ListOf(p, "a list of metrics such as [wait_s.p95, rtt_ms.mean]", func(metric *yamltree.Node) value.Value {
		v := value.At(metric, value.Text(new(string)))
		v.Expects, v.Schema = "a metric such as rtt_ms.mean", func() schema.Schema { return anyMetric }
		v.Write = func() any { return metric.Text }
		return v.Then(func() { metric.Path = "" }) // messages say it in another way
	}))
	block := list.From
	list.From = func(folder string) any { return value.JSON(value.Flow(block(folder))) } // on one line
	return list
}

// checkOverridden returns an error if the command line sets a key that the sweep varies.
func (s *sweepSpec) checkOverridden() error {
	for _, a := range s.axes {
		if err := checkOverridden(s.overrides, a.key); err != nil {
			return err
		}
	}
	return nil
}

// checkOverridden returns an error if the command line sets a key that the sweep or tuning
// varies.
func checkOverridden(overrides []config.Override, key yamltree.Node) error {
	for _, o := range overrides {
		if strings.HasSuffix("."+o.Key, ".rules") && o.Key != key.Text {
			continue // setting the ruleset is allowed if only keys inside it are varied
		}
		if o.Key == key.Text || strings.HasPrefix(o.Key, key.Text+".") || strings.HasPrefix(key.Text, o.Key+".") {
			return key.Errorf("%s is in settings and also set by %s, expected only one of them", key.Text, o.Flag)
		}
	}
	return nil
}

// judging is the section of the keys that control how reports rate results.
const judging = "report"

// checkSimulated rejects keys that control how reports rate results. Shares of good and poor
// results cannot be compared if their limits differ.
func checkSimulated(key yamltree.Node) error {
	if section, _, _ := strings.Cut(key.Text, "."); section == judging {
		return key.Errorf("settings: %s controls how results are rated, not what is simulated, expected it in the configuration or in --set", key.Text)
	}
	return nil
}

// axisValues reads the values of one setting, written as a list or a range.
func axisValues(key, n yamltree.Node) ([]yamltree.Node, error) {
	switch {
	case n.Kind == yamltree.Mapping:
		r, err := readRange(key, n, false)
		if err != nil {
			return nil, err
		}
		return r.values(n), nil
	case n.Kind != yamltree.List || len(n.Elements) == 0:
		return nil, n.Errorf("got %s, expected a list such as [2, 4, 8] or a range such as {from: 2, to: 8, step: 2}", n)
	}
	return n.Elements, nil
}

// valueRange is a range of numbers, or of durations in seconds.
type valueRange struct {
	from, to, step float64
	steps          int  // number of values including both ends, or 0 if step is set
	log            bool // values have equal ratios instead of equal differences
	durations      bool
	whole          bool // values are whole numbers
}

// readRange reads a range such as {from: 2, to: 8, step: 2} or {from: 1, to: 100, steps: 5,
// scale: log}. If anyBetween is set, every value between the ends is allowed, and step and
// steps are optional.
func readRange(key, n yamltree.Node, anyBetween bool) (r valueRange, err error) {
	setting := config.SettingNamed(key.Text)
	r.whole = setting != nil && setting.IsWhole
	return r, r.keys(anyBetween).Value().ReadAt(n.Path, n)
}

// keys has the keys of a range.
func (r *valueRange) keys(anyBetween bool) *value.Object {
	var given []string
	var kinds [2]bool // whether there are numbers, and durations
	end := func(key string, p *float64) value.Key {
		return value.Key{Path: key, Value: value.Value{
			Expects: "a number or a duration",
			Schema: func() schema.Schema {
				return schema.Any(schema.Schema{"type": "number"}, schema.Pattern(value.DurationPattern))
			},
			Read: func(n yamltree.Node) (err error) {
				*p, r.durations, err = amount(n)
				given = append(given, key)
				kinds[0], kinds[1] = kinds[0] || !r.durations, kinds[1] || r.durations
				return err
			},
		}}
	}
	scale := ""
	return &value.Object{
		Keys: []value.Key{
			end("from", &r.from), end("to", &r.to), end("step", &r.step),
			value.Named("steps", "number of values", value.Whole(&r.steps, 2, sweepPointsMax)),
			value.Named("scale", "whether values have equal differences or equal ratios", value.Choice(&scale, scales).Then(func() { r.log = scale == "log" })),
		},
		Check: func() error { return r.fault(given, kinds, anyBetween) },
	}
}

// scales lists the scales of a range.
var scales = []string{"linear", "log"}

// amount reads a number or a duration. It returns a duration in seconds.
func amount(n yamltree.Node) (x float64, isDuration bool, err error) {
	if n.Kind == yamltree.Plain && yamltree.IsDecimal(n.Text) {
		if x, err = strconv.ParseFloat(n.Text, 64); err == nil {
			return x, false, nil
		}
	}
	d, err := time.ParseDuration(n.Text)
	if err != nil || n.Kind != yamltree.Plain && n.Kind != yamltree.Text {
		return 0, false, n.Misfit()
	}
	return d.Seconds(), true, nil
}

// fault returns the error about an invalid range.
func (r *valueRange) fault(given []string, kinds [2]bool, anyBetween bool) error {
	byStep, bySteps := slices.Contains(given, "step"), r.steps > 0
	switch {
	case anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep && bySteps):
		return errors.New("expected from and to, and optionally either step or steps")
	case !anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep == bySteps):
		return errors.New("expected from, to, and either step or steps")
	case kinds == [2]bool{true, true}:
		return errors.New("numbers and durations are mixed, expected only one of them")
	case r.to <= r.from:
		return errors.New("expected a range that ends (to) above its start (from)")
	case r.log && (byStep || r.from <= 0):
		return errors.New("a logarithmic scale needs steps, and from above 0")
	case byStep && (r.step <= 0 || !anyBetween && (r.to-r.from)/r.step > sweepPointsMax):
		return fmt.Errorf("expected a step above 0 that makes at most %d values", sweepPointsMax)
	}
	return nil
}

// values lists the distinct values of the range in ascending order, starting with r.from. The
// last value is r.to unless the steps miss it.
func (r valueRange) values(at yamltree.Node) []yamltree.Node {
	count := r.steps
	if count == 0 {
		count = 1 + int(math.Floor((r.to-r.from)/r.step+1e-9))
	}
	var list []yamltree.Node
	for i := range count {
		var x float64
		switch {
		case r.steps == 0:
			x = r.from + float64(i)*r.step
		default:
			x = r.at(float64(i) / float64(r.steps-1))
		}
		n := yamltree.Node{Kind: yamltree.Plain, Text: r.write(x), From: at.From, Line: at.Line, Column: at.Column}
		if len(list) == 0 || list[len(list)-1].Text != n.Text {
			list = append(list, n)
		}
	}
	return list
}

// at returns the value at a fraction of the range.
func (r valueRange) at(share float64) float64 {
	if r.log {
		return r.from * math.Pow(r.to/r.from, share)
	}
	return r.from + (r.to-r.from)*share
}

// share returns the fraction of the range at which x lies. It is the inverse of at.
func (r valueRange) share(x float64) float64 {
	if r.log {
		return math.Log(x/r.from) / math.Log(r.to/r.from)
	}
	return (x - r.from) / (r.to - r.from)
}

// write formats a value without the rounding errors of binary fractions. Whole numbers have
// all their digits, and other numbers 6 digits. Durations are rounded to milliseconds or,
// below 10 ms, to microseconds.
func (r valueRange) write(x float64) string {
	if r.whole {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if !r.durations {
		return text
	}
	x, _ = strconv.ParseFloat(text, 64)
	step := time.Millisecond
	if x < 0.01 {
		step = time.Microsecond
	}
	return value.Short(time.Duration(math.Round(x * 1e9)).Round(step))
}
