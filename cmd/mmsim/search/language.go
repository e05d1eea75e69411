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
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
)

// Settings returns the Value of a mapping of configuration keys to what of returns. The schema leaves
// out the keys in excluded. choosesSets is as in settingsSchema.
func Settings[T any](p *[]T, expects string, excluded []string, choosesSets bool, of func(key yamltree.Node) (value.Value, error)) value.Value {
	v := value.Entries(expects, func() { *p = nil }, nil, of)
	v.Schema = func() value.Schema { return settingsSchema(excluded, choosesSets) }
	v.Dotted, v.Parts = true, nil
	return v
}

// MetricsOf returns the Value of a list of metrics.
func MetricsOf(p *[]yamltree.Node) value.Value {
	list := value.NotEmpty(value.ListOf(p, "a list of metrics such as [wait_s.p95, rtt_ms.mean]", func(metric *yamltree.Node) value.Value {
		v := value.At(metric, value.Text(new(string)))
		v.Expects, v.Schema = "a metric such as rtt_ms.mean", func() value.Schema { return AnyMetric }
		v.Write = func(string) any { return metric.Text }
		return v.Then(func() { metric.Path = "" }) // messages say it in another way
	}))
	block := list.Write
	list.Write = func(folder string) any { return value.JSON(value.Flow(block(folder))) } // on one line
	return list
}

// CheckOverridden returns an error if the command line sets a key that the sweep or tuning
// varies.
func CheckOverridden(overrides []config.Override, key yamltree.Node) error {
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

// Judging is the section of the keys that control how reports rate results.
const Judging = "report"

// CheckSimulated rejects keys that control how reports rate results. Shares of good and poor
// results cannot be compared if their limits differ.
func CheckSimulated(key yamltree.Node) error {
	if section, _, _ := strings.Cut(key.Text, "."); section == Judging {
		return key.Errorf("settings: %s controls how results are rated, not what is simulated, expected it in the configuration or in --set", key.Text)
	}
	return nil
}

// Values reads the values of one setting, written as a list or a range.
func Values(key, n yamltree.Node) ([]yamltree.Node, error) {
	switch {
	case n.Kind == yamltree.Mapping:
		r, err := ReadRange(key, n, false)
		if err != nil {
			return nil, err
		}
		return r.Values(n), nil
	case n.Kind != yamltree.List || len(n.Elements) == 0:
		return nil, n.Errorf("got %s, expected a list such as [2, 4, 8] or a range such as {from: 2, to: 8, step: 2}", n)
	}
	return n.Elements, nil
}

// Range is a range of numbers, or of durations in seconds.
type Range struct {
	From, To, Step float64
	Steps          int  // number of values including both ends, or 0 if Step is set
	Log            bool // values have equal ratios instead of equal differences
	Durations      bool
	Whole          bool // values are whole numbers
}

// ReadRange reads a range such as {from: 2, to: 8, step: 2} or {from: 1, to: 100, steps: 5,
// scale: log}. If anyBetween is set, every value between the ends is allowed, and step and
// steps are optional.
func ReadRange(key, n yamltree.Node, anyBetween bool) (r Range, err error) {
	setting := config.SettingNamed(key.Text)
	r.Whole = setting != nil && setting.IsWhole
	return r, r.keys(anyBetween).Value().ReadAt(n.Path, n)
}

// keys has the keys of a range.
func (r *Range) keys(anyBetween bool) *value.Object {
	var given []string
	var kinds [2]bool // whether there are numbers, and durations
	end := func(key string, p *float64) value.Key {
		return value.Key{Path: key, Value: value.Value{
			Expects: "a number or a duration",
			Schema: func() value.Schema {
				return value.AnySchema(value.Schema{"type": "number"}, value.PatternSchema(value.DurationPattern))
			},
			Read: func(n yamltree.Node) (err error) {
				*p, r.Durations, err = Amount(n)
				given = append(given, key)
				kinds[0], kinds[1] = kinds[0] || !r.Durations, kinds[1] || r.Durations
				return err
			},
		}}
	}
	scale := ""
	return &value.Object{
		Keys: []value.Key{
			end("from", &r.From), end("to", &r.To), end("step", &r.Step),
			value.Named("steps", "number of values", value.Whole(&r.Steps, 2, PointsMax)),
			value.Named("scale", "whether values have equal differences or equal ratios", value.Choice(&scale, scales).Then(func() { r.Log = scale == "log" })),
		},
		Check: func() error { return r.fault(given, kinds, anyBetween) },
	}
}

// scales lists the scales of a range.
var scales = []string{"linear", "log"}

// Amount reads a number or a duration. It returns a duration in seconds.
func Amount(n yamltree.Node) (x float64, isDuration bool, err error) {
	if n.Kind == yamltree.Plain && yamltree.IsDecimal(n.Text) {
		if x, err = strconv.ParseFloat(n.Text, 64); err == nil {
			return x, false, nil
		}
	}
	d, err := value.ParseDuration(n.Text)
	if err != nil || n.Kind != yamltree.Plain && n.Kind != yamltree.Text {
		return 0, false, n.Misfit()
	}
	return d.Seconds(), true, nil
}

// fault returns the error about an invalid range.
func (r *Range) fault(given []string, kinds [2]bool, anyBetween bool) error {
	byStep, bySteps := slices.Contains(given, "step"), r.Steps > 0
	switch {
	case anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep && bySteps):
		return errors.New("expected from and to, and optionally either step or steps")
	case !anyBetween && (!slices.Contains(given, "from") || !slices.Contains(given, "to") || byStep == bySteps):
		return errors.New("expected from, to, and either step or steps")
	case kinds == [2]bool{true, true}:
		return errors.New("numbers and durations are mixed, expected only one of them")
	case r.To <= r.From:
		return errors.New("expected a range that ends (to) above its start (from)")
	case r.Log && (byStep || r.From <= 0):
		return errors.New("a logarithmic scale needs steps, and from above 0")
	case byStep && (r.Step <= 0 || !anyBetween && (r.To-r.From)/r.Step > PointsMax):
		return fmt.Errorf("expected a step above 0 that makes at most %d values", PointsMax)
	}
	return nil
}

// Values lists the distinct values of the range in ascending order, starting with r.From. The
// last value is r.To unless the steps miss it.
func (r Range) Values(at yamltree.Node) []yamltree.Node {
	count := r.Steps
	if count == 0 {
		count = 1 + int(math.Floor((r.To-r.From)/r.Step+1e-9))
	}
	var list []yamltree.Node
	for i := range count {
		var x float64
		switch {
		case r.Steps == 0:
			x = r.From + float64(float64(i)*r.Step)
		default:
			x = r.At(float64(i) / float64(r.Steps-1))
		}
		n := yamltree.Node{Kind: yamltree.Plain, Text: r.Write(x), From: at.From, Line: at.Line, Column: at.Column}
		if len(list) == 0 || list[len(list)-1].Text != n.Text {
			list = append(list, n)
		}
	}
	return list
}

// At returns the value at a fraction of the range.
func (r Range) At(share float64) float64 {
	if r.Log {
		return r.From * math.Pow(r.To/r.From, share)
	}
	return r.From + float64((r.To-r.From)*share)
}

// Share returns the fraction of the range at which x lies. It is the inverse of At.
func (r Range) Share(x float64) float64 {
	if r.Log {
		return math.Log(x/r.From) / math.Log(r.To/r.From)
	}
	return (x - r.From) / (r.To - r.From)
}

// Write formats a value without the rounding errors of binary fractions. Whole numbers have
// all their digits, and other numbers 6 digits. Durations are rounded to milliseconds or,
// below 10 ms, to microseconds.
func (r Range) Write(x float64) string {
	if r.Whole {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if !r.Durations {
		return text
	}
	x, _ = strconv.ParseFloat(text, 64)
	step := time.Millisecond
	if x < 0.01 {
		step = time.Microsecond
	}
	return value.Short(time.Duration(math.Round(x * 1e9)).Round(step))
}

// RangeSchema returns the JSON Schema of a range. anyBetween is as in ReadRange.
func RangeSchema(anyBetween bool) value.Schema {
	return new(Range).keys(anyBetween).Schema().With("required", []string{"from", "to"})
}

// GoalsMax is the maximum number of metrics to optimise.
const GoalsMax = 3

// A sweep or a tuning above these limits is probably a typing error.
const (
	PointsMax = 10_000
	JobsMax   = 100_000
)
