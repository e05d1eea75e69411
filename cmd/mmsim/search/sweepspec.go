package search

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
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
}

// axis is a setting with the values that the sweep gives it.
type axis struct {
	key    yamltree.Node
	values []yamltree.Node
}

// DefaultSweepRuns is the default number of replications of each point.
const DefaultSweepRuns = 4

// readSweep reads a sweep file. overrides are the settings from the command line. Every error
// is a bad input error and names its position.
func readSweep(file string, overrides []config.Override) (*sweepSpec, error) {
	root, err := readSpec(file)
	if err != nil {
		return nil, err
	}
	spec := &sweepSpec{name: file, overrides: overrides, runs: DefaultSweepRuns, guard: gate.DefaultGuard()}
	for _, e := range root.Entries {
		if err := spec.apply(e); err != nil {
			return nil, err
		}
	}
	if len(spec.axes) == 0 {
		return nil, root.Errorf("no settings, expected some such as settings: {match.size: [2, 4, 8]}")
	}
	return spec, spec.checkOverridden()
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

// addSetting adds a setting with its values.
func (s *sweepSpec) addSetting(setting yamltree.Entry) error {
	if err := checkSimulated(setting.Key); err != nil {
		return err
	}
	values, err := axisValues(setting)
	if err != nil {
		return err
	}
	s.axes = append(s.axes, axis{setting.Key, values})
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

// readSpec reads the file of a sweep or a tuning. Every error is a bad input error and names
// its position.
func readSpec(file string) (yamltree.Node, error) {
	root, err := yamltree.ReadFile(file)
	if err == nil && root.Kind != yamltree.Mapping {
		err = root.Errorf("got %s, expected a mapping with settings", root)
	}
	return root, err
}

// apply reads one key of the sweep file.
func (s *sweepSpec) apply(e yamltree.Entry) error {
	known := []string{"config", "runs", "settings", "metrics", "guard"}
	n := e.Value
	switch e.Key.Text {
	case "config":
		if err := value.Required(value.Path(&s.config, "the name of a file")).Read(n); err != nil {
			return n.Errorf("config: got %v, expected the name of a file", err)
		}
	case "runs":
		v := value.Whole(&s.runs, 1, experiment.ReplicationsMax)
		if err := v.Read(n); err != nil {
			return n.Errorf("runs: got %v, expected %s", err, v.Expects)
		}
	case "settings":
		if n.Kind != yamltree.Mapping {
			return n.Errorf("settings: got %s, expected a mapping of keys of the configuration to values", n)
		}
		for _, setting := range n.Entries {
			if err := s.addSetting(setting); err != nil {
				return err
			}
		}
	case "metrics":
		return s.setMetrics(n)
	case "guard":
		var err error
		s.guard, err = gate.ReadGuard(n)
		return err
	default:
		return e.Key.Errorf("unknown key %q%s; expected %s", e.Key.Text, input.DidYouMean(e.Key.Text, known), strings.Join(known, ", "))
	}
	return nil
}

// setMetrics sets the metrics to show.
func (s *sweepSpec) setMetrics(n yamltree.Node) error {
	if n.Kind != yamltree.List || len(n.Elements) == 0 {
		return n.Errorf("metrics: got %s, expected a list of metrics such as [wait_s.p95, rtt_ms.mean]", n)
	}
	s.metrics = n.Elements
	return nil
}

// axisValues reads the values of one setting, written as a list or a range.
func axisValues(e yamltree.Entry) ([]yamltree.Node, error) {
	values := e.Value.Elements
	switch {
	case e.Value.Kind == yamltree.Mapping:
		r, err := readRange(e, false)
		if err != nil {
			return nil, err
		}
		return r.values(e), nil
	case e.Value.Kind != yamltree.List || len(values) == 0:
		return nil, e.Value.Errorf("%s: got %s, expected a list such as [2, 4, 8] or a range such as {from: 2, to: 8, step: 2}", e.Key.Text, e.Value)
	}
	return values, nil
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
func readRange(e yamltree.Entry, anyBetween bool) (valueRange, error) {
	r := valueRange{}
	var given []string
	kinds := map[bool]bool{} // true for durations, false for plain numbers
	setting := config.SettingNamed(e.Key.Text)
	r.whole = setting != nil && setting.IsWhole
	for _, part := range e.Value.Entries {
		key, n := part.Key.Text, part.Value
		given = append(given, key)
		switch key {
		case "from", "to", "step":
			x, isDuration, err := amount(n)
			if err != nil {
				return r, n.Errorf("%s.%s: got %v, expected a number or a duration", e.Key.Text, key, err)
			}
			*map[string]*float64{"from": &r.from, "to": &r.to, "step": &r.step}[key] = x
			kinds[isDuration] = true
			r.durations = isDuration
		case "steps":
			if err := value.Whole(&r.steps, 2, sweepPointsMax).Read(n); err != nil {
				return r, n.Errorf("%s.steps: got %v, expected a whole number from 2 to %d", e.Key.Text, err, sweepPointsMax)
			}
		case "scale":
			var scale string
			if err := value.Choice(&scale, scales).Read(n); err != nil {
				return r, n.Errorf("%s.scale: got %v, expected linear or log", e.Key.Text, err)
			}
			r.log = scale == "log"
		default:
			return r, part.Key.Errorf("%s: unknown key %q; expected from, to, step, steps, scale", e.Key.Text, key)
		}
	}
	if fault := r.fault(given, len(kinds), anyBetween); fault != "" {
		return r, e.Value.Errorf("%s: %s", e.Key.Text, fault)
	}
	return r, nil
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

// fault returns the message about an invalid range, or "".
func (r valueRange) fault(given []string, kinds int, anyBetween bool) string {
	byStep, bySteps := slices.Contains(given, "step"), slices.Contains(given, "steps")
	switch {
	case anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep && bySteps):
		return "expected from and to, and optionally either step or steps"
	case !anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep == bySteps):
		return "expected from, to, and either step or steps"
	case kinds != 1:
		return "numbers and durations are mixed, expected only one of them"
	case r.to <= r.from:
		return "expected a range that ends (to) above its start (from)"
	case r.log && (byStep || r.from <= 0):
		return "a logarithmic scale needs steps, and from above 0"
	case byStep && (r.step <= 0 || (r.to-r.from)/r.step > sweepPointsMax):
		return fmt.Sprintf("expected a step above 0 that makes at most %d values", sweepPointsMax)
	}
	return ""
}

// values lists the distinct values of the range in ascending order, starting with r.from. The
// last value is r.to unless the steps miss it.
func (r valueRange) values(e yamltree.Entry) []yamltree.Node {
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
		n := yamltree.Node{Kind: yamltree.Plain, Text: r.write(x), From: e.Value.From, Line: e.Value.Line, Column: e.Value.Column}
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
