package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits of a sweep. A larger one is a slip of the keyboard.
const (
	sweepPointsMax = 10_000
	sweepJobsMax   = 100_000
)

// sweepSpec is the text of a sweep: which settings take which values.
//
//	config: mmsim.yaml
//	runs: 4
//	settings:
//	  players.play_again: {from: 0.6, to: 0.9, step: 0.05}
//	  states.ideal.rtt: [30ms, 50ms, 70ms]
//	metrics: [ccu.peak, wait_s.p95, rtt_ms.mean]
type sweepSpec struct {
	name    string
	config  string // file; "" is the defaults
	runs    int    // replications of every point
	axes    []axis
	metrics []node // none: the usual ones
}

// axis is one setting and the values that it takes.
type axis struct {
	key    node
	values []node
}

// sweepRunsUsual is how many replications every point has by default.
const sweepRunsUsual = 4

// readSweep reads a sweep. Every error is bad input and says where.
func readSweep(file string) (*sweepSpec, error) {
	root, err := readSpec(file)
	if err != nil {
		return nil, err
	}
	spec := &sweepSpec{name: file, runs: sweepRunsUsual}
	for _, e := range root.entries {
		if err := spec.apply(e); err != nil {
			return nil, err
		}
	}
	if len(spec.axes) == 0 {
		return nil, root.errorf("no settings, expected some such as settings: {match.size: [2, 4, 8]}")
	}
	return spec, nil
}

// readSpec reads the file of a sweep or of a tuning, which is a mapping. Every error is
// bad input and says where.
func readSpec(file string) (node, error) {
	root, err := readYAML(file)
	if err == nil && root.kind != kindMapping {
		err = root.errorf("got %s, expected a mapping with settings", root)
	}
	return root, err
}

// apply reads one key of the sweep.
func (s *sweepSpec) apply(e entry) error {
	known := []string{"config", "runs", "settings", "metrics"}
	n := e.value
	switch e.key.text {
	case "config":
		if err := required(path(&s.config, "the name of a file")).read(n); err != nil {
			return n.errorf("config: got %v, expected the name of a file", err)
		}
	case "runs":
		v := whole(&s.runs, 1, replicationsMax)
		if err := v.read(n); err != nil {
			return n.errorf("runs: got %v, expected %s", err, v.expects)
		}
	case "settings":
		if n.kind != kindMapping {
			return n.errorf("settings: got %s, expected a mapping of keys of the configuration to values", n)
		}
		for _, setting := range n.entries {
			values, err := axisValues(setting)
			if err != nil {
				return err
			}
			s.axes = append(s.axes, axis{setting.key, values})
		}
	case "metrics":
		if n.kind != kindList || len(n.elements) == 0 {
			return n.errorf("metrics: got %s, expected a list of numbers such as [wait_s.p95, rtt_ms.mean]", n)
		}
		s.metrics = n.elements
	default:
		return e.key.errorf("unknown key %q%s; expected %s", e.key.text, didYouMean(e.key.text, known), strings.Join(known, ", "))
	}
	return nil
}

// axisValues reads the values of one setting: a list, or a range.
func axisValues(e entry) ([]node, error) {
	values := e.value.elements
	switch {
	case e.value.kind == kindMapping:
		r, err := readSpread(e, false)
		if err != nil {
			return nil, err
		}
		return r.values(e), nil
	case e.value.kind != kindList || len(values) == 0:
		return nil, e.value.errorf("%s: got %s, expected a list such as [2, 4, 8] or a range such as {from: 2, to: 8, step: 2}", e.key.text, e.value)
	}
	return values, nil
}

// spread is a range of values: numbers, or durations in seconds.
type spread struct {
	from, to, step float64
	steps          int  // values, both ends counted; 0: by step
	log            bool // equal ratios
	durations      bool
	whole          bool // values are whole numbers
}

// readSpread reads {from: …, to: …, step: … or steps: N, scale: log}. Where any value
// between will do, neither step nor steps is needed.
func readSpread(e entry, anyBetween bool) (spread, error) {
	r := spread{}
	var given []string
	kinds := map[bool]bool{} // durations or not
	setting := newLoader().find(e.key.text)
	r.whole = setting != nil && setting.isWhole
	for _, part := range e.value.entries {
		key, n := part.key.text, part.value
		given = append(given, key)
		switch key {
		case "from", "to", "step":
			x, isDuration, err := amount(n)
			if err != nil {
				return r, n.errorf("%s.%s: got %v, expected a number or a duration", e.key.text, key, err)
			}
			*map[string]*float64{"from": &r.from, "to": &r.to, "step": &r.step}[key] = x
			kinds[isDuration] = true
			r.durations = isDuration
		case "steps":
			if err := whole(&r.steps, 2, sweepPointsMax).read(n); err != nil {
				return r, n.errorf("%s.steps: got %v, expected a whole number from 2 to %d", e.key.text, err, sweepPointsMax)
			}
		case "scale":
			var scale string
			if err := choice(&scale, []string{"linear", "log"}).read(n); err != nil {
				return r, n.errorf("%s.scale: got %v, expected linear or log", e.key.text, err)
			}
			r.log = scale == "log"
		default:
			return r, part.key.errorf("%s: unknown key %q; expected from, to, step, steps, scale", e.key.text, key)
		}
	}
	if fault := r.fault(given, len(kinds), anyBetween); fault != "" {
		return r, e.value.errorf("%s: %s", e.key.text, fault)
	}
	return r, nil
}

// amount reads a number, or a duration as seconds.
func amount(n node) (x float64, isDuration bool, err error) {
	if n.kind == kindPlain && isDecimal(n.text) {
		if x, err = strconv.ParseFloat(n.text, 64); err == nil {
			return x, false, nil
		}
	}
	d, err := time.ParseDuration(n.text)
	if err != nil || n.kind != kindPlain && n.kind != kindText {
		return 0, false, n.misfit()
	}
	return d.Seconds(), true, nil
}

// fault says what is wrong with a range, "" if it is sound.
func (r spread) fault(given []string, kinds int, anyBetween bool) string {
	byStep, bySteps := slices.Contains(given, "step"), slices.Contains(given, "steps")
	switch {
	case anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep && bySteps):
		return "expected from and to, and step or steps where not every value between will do"
	case !anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep == bySteps):
		return "expected from, to, and either step or steps"
	case kinds != 1:
		return "numbers and durations are mixed, expected one of them"
	case r.to <= r.from:
		return "expected to above from"
	case r.log && (byStep || r.from <= 0):
		return "expected steps, and from above 0, on a logarithmic scale"
	case byStep && (r.step <= 0 || (r.to-r.from)/r.step > sweepPointsMax):
		return fmt.Sprintf("expected a step above 0 that makes at most %d values", sweepPointsMax)
	}
	return ""
}

// values lists the values of a range, each once, in ascending order: those of a step
// begin at from, and reach to where a step ends there.
func (r spread) values(e entry) []node {
	count := r.steps
	if count == 0 {
		count = 1 + int(math.Floor((r.to-r.from)/r.step+1e-9))
	}
	var list []node
	for i := range count {
		var x float64
		switch {
		case r.steps == 0:
			x = r.from + float64(i)*r.step
		default:
			x = r.at(float64(i) / float64(r.steps-1))
		}
		n := node{kind: kindPlain, text: r.write(x), from: e.value.from, line: e.value.line, column: e.value.column}
		if len(list) == 0 || list[len(list)-1].text != n.text {
			list = append(list, n)
		}
	}
	return list
}

// at is the value at a share of the way.
func (r spread) at(share float64) float64 {
	if r.log {
		return r.from * math.Pow(r.to/r.from, share)
	}
	return r.from + (r.to-r.from)*share
}

// share is how much of the way a value is, the inverse of at.
func (r spread) share(x float64) float64 {
	if r.log {
		return math.Log(x/r.from) / math.Log(r.to/r.from)
	}
	return (x - r.from) / (r.to - r.from)
}

// write writes a value without the dust of binary fractions: 6 digits, whole where the
// setting is, and durations to a millisecond, or a microsecond below ten of those.
func (r spread) write(x float64) string {
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
	return short(time.Duration(math.Round(x * 1e9)).Round(step))
}
