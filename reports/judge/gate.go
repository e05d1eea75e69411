package judge

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// GateSchema is the version of a GateResult's JSON form.
const GateSchema = 1

// LimitKind says what a limit bounds.
type LimitKind string

// Kinds of limits. The last two bound how far a metric may move away from a baseline.
const (
	LimitMax         LimitKind = "max"
	LimitMin         LimitKind = "min"
	LimitMaxIncrease LimitKind = "max_increase"
	LimitMaxDecrease LimitKind = "max_decrease"
)

// LimitKinds lists the kinds for messages.
var LimitKinds = []LimitKind{LimitMax, LimitMin, LimitMaxIncrease, LimitMaxDecrease}

// NeedsBaseline reports whether the limit is relative to a baseline.
func (k LimitKind) NeedsBaseline() bool { return k == LimitMaxIncrease || k == LimitMaxDecrease }

// A Limit is a limit on one metric, from a gate or a tuning.
type Limit struct {
	Pattern    string // as written in the file: the name of a metric, or a name with stars
	Name       string // of the metric, without stars
	Kind       LimitKind
	Bound      float64 // in the unit of the metric
	Relative   bool    // whether Bound is a fraction of the metric in the baseline
	MinPlayers float64 // the limit is skipped if the metric describes fewer players
	Among      int     // how many metrics Pattern matches
	Line       int     // in the file
	Column     int
}

// LimitVerdict is the result of checking a limit.
type LimitVerdict string

const (
	LimitHeld    LimitVerdict = "held"
	LimitBroken  LimitVerdict = "broken"
	LimitSkipped LimitVerdict = "skipped" // not judged, see [CheckGate]
)

// GateResult is the result of checking a gate.
type GateResult struct {
	Schema       int           `json:"schema"`
	Complete     bool          `json:"complete"`          // always true, because an interrupted check has no result
	Command      string        `json:"command,omitempty"` // the command that repeats the check
	Passed       bool          `json:"passed"`            // whether no limit is broken
	Result       string        `json:"result"`
	Baseline     string        `json:"baseline,omitempty"`
	Runs         int           `json:"runs"`
	BaselineRuns int           `json:"baseline_runs,omitempty"`
	Pairs        int           `json:"pairs"` // runs with the same random numbers; 0 if the samples are independent
	Joins        outcome.Joins `json:"joins,omitempty"`
	Samples      []Origin      `json:"samples"` // the result and the baseline
	Warnings     []string      `json:"warnings"`
	Limits       []LimitResult `json:"limits"` // in the order of the gate
}

// LimitResult is the result of checking one limit, with the measured values.
type LimitResult struct {
	Metric     string       `json:"metric"`
	Pattern    string       `json:"pattern,omitempty"` // empty if it has no stars
	Kind       LimitKind    `json:"kind"`
	Bound      Optional     `json:"bound"`
	Relative   bool         `json:"relative,omitempty"` // whether Bound is a fraction of Baseline
	Verdict    LimitVerdict `json:"verdict"`
	Value      Optional     `json:"value"`
	Baseline   Optional     `json:"baseline"`
	Difference Optional     `json:"difference"` // Value - Baseline
	Low        Optional     `json:"low"`        // Low to High: confidence interval of Difference, 95 % or, if stars match several metrics, more
	High       Optional     `json:"high"`
	Reason     string       `json:"reason,omitempty"` // why the limit was not judged; empty if it was judged
	Line       int          `json:"line"`
	Column     int          `json:"-"`

	In outcome.Unit `json:"-"` // of the metric
}

// CheckGate checks a sample against the limits of a gate. baseline may be nil if no limit needs
// one. Every limit must name a metric of the sample.
//
// A maximum or minimum bounds the mean over the runs. A limit on the change from a baseline takes
// chance into account: it is broken only if the whole 95 % interval of the change is beyond the
// limit. So if the true change is exactly at the limit, chance breaks the limit one time in
// forty. If the true change is well within the limit, chance hardly ever breaks it. The metrics
// that a star matches share the chance of one in forty (Bonferroni). Runs with the same seed and
// run number are compared in pairs, other runs as independent samples; see [Comparison]. If
// either side has only one run, chance cannot be estimated. The change itself is then compared
// with the limit, and a warning says so.
//
// A metric that was not measured, such as the mean wait of a run without matches, breaks its
// limit: a gate must not pass because there is nothing to judge. A limit is skipped if its metric
// describes fewer players than Limit.MinPlayers. For a limit with stars, metrics that were not
// measured are skipped too. But if none of the metrics that match the stars can be judged, all of
// them break the limit.
func CheckGate(s, baseline *Sample, limits []Limit) *GateResult {
	g := &GateResult{Schema: GateSchema, Complete: true, Passed: true, Samples: []Origin{s.Origin()}, Result: s.Name, Runs: s.Replications(), Joins: joinsOf(s), Warnings: []string{}}
	_, of := metricsOf(s.Runs)
	var before map[string]*metricSample
	var pairs []pair
	if baseline != nil {
		g.Baseline, g.BaselineRuns, g.Samples = baseline.Name, baseline.Replications(), append(g.Samples, baseline.Origin())
		_, before = metricsOf(baseline.Runs)
		baseline.fillParts(before, of)
		var warnings []string
		pairs, warnings = pairRuns(baseline, s)
		g.Pairs, g.Joins = len(pairs), joinsOf(baseline, s)
		g.Warnings = slices.Concat(g.Warnings, warnings, differing(baseline, s, pairs), pairWarnings(pairs, baseline, s))
		if unlike := grade.Unlike(baseline.Runs[0], s.Runs[0]); unlike != "" {
			g.Warnings = append(g.Warnings, unlikeLimits+unlike+" (A is the baseline)")
			maps.DeleteFunc(before, func(name string, _ *metricSample) bool { return strings.HasPrefix(name, outcome.LimitsPrefix) })
		}
	}
	g.Warnings = append(g.Warnings, s.Runs[0].Warnings...)
	for _, limit := range limits {
		g.Limits = append(g.Limits, limit.check(of, before, pairs))
	}
	for _, line := range g.Lines() {
		line.leaveOut()
	}
	g.Passed = g.Count(LimitBroken) == 0
	return g
}

// leaveOut sets the verdicts of a limit with stars for the metrics that were not judged. They are
// skipped if any other metric was judged, and broken otherwise.
func (l GateLine) leaveOut() {
	if l[0].Pattern == "" {
		return
	}
	verdict := LimitBroken
	if slices.ContainsFunc(l, func(r LimitResult) bool { return r.Reason == "" }) {
		verdict = LimitSkipped
	}
	for i := range l {
		if l[i].Reason != "" {
			l[i].Verdict = verdict
		}
	}
}

// check judges the limit. of[l.Name] is its metric in the sample, and before[l.Name] is its metric
// in the baseline.
func (l *Limit) check(of, before map[string]*metricSample, pairs []pair) LimitResult {
	f := of[l.Name]
	nothing := Optional(math.NaN())
	r := LimitResult{
		Metric: l.Name, Kind: l.Kind, Bound: Optional(l.Bound), Relative: l.Relative,
		Verdict: LimitHeld, Value: Optional(f.moments.mean), Line: l.Line, Column: l.Column, In: f.Unit,
		Baseline: nothing, Difference: nothing, Low: nothing, High: nothing,
	}
	if l.Pattern != l.Name {
		r.Pattern = l.Pattern
	}
	if players := of[outcome.PlayersOf(l.Name)]; l.MinPlayers > 0 && !(players.moments.mean >= l.MinPlayers) {
		r.Verdict = LimitSkipped
		r.Reason = fmt.Sprintf("%s players, fewer than %s", words.Number(outcome.UnitNone, players.moments.mean, 0, false), words.Number(outcome.UnitNone, l.MinPlayers, 0, false))
		return r
	}
	if math.IsNaN(f.moments.mean) {
		return r.unmeasured("not measured")
	}
	switch {
	case l.Kind.NeedsBaseline():
		l.checkAgainst(&r, f, before[l.Name], pairs)
	case l.Kind == LimitMax && above(f.moments.mean, l.Bound), l.Kind == LimitMin && above(l.Bound, f.moments.mean):
		r.Verdict = LimitBroken
	}
	return r
}

// unmeasured marks the limit as broken because its metric was not measured.
func (r *LimitResult) unmeasured(reason string) LimitResult {
	r.Verdict, r.Reason = LimitBroken, reason
	return *r
}

// above reports whether x exceeds bound by more than the rounding error of a sum.
func above(x, bound float64) bool { return x > bound+1e-9*math.Abs(bound) }

// checkAgainst judges a limit on the change from a baseline.
func (l *Limit) checkAgainst(r *LimitResult, f, before *metricSample, pairs []pair) {
	if before == nil || math.IsNaN(before.moments.mean) {
		reason := "not measured in the baseline"
		if strings.HasPrefix(l.Name, outcome.LimitsPrefix) {
			reason += " by the same limits"
		}
		r.unmeasured(reason)
		return
	}
	miss := level / float64(max(1, l.Among))
	plain := difference(before, f, pairs, 1, miss)
	if plain.n == 0 {
		r.unmeasured("not measured in both runs of any pair")
		return
	}
	meanBefore, mean := means(before, f, pairs)
	r.Value, r.Baseline = Optional(mean), Optional(meanBefore)
	r.Difference, r.Low, r.High = Optional(plain.difference), Optional(plain.low), Optional(plain.high)
	// An increase exceeds the limit by b - factor*a - bound, and a decrease by factor*a - b -
	// bound, where a is the baseline's mean and b is the sample's. The factor multiplies both a
	// and its noise.
	factor, bound, sign := 1.0, l.Bound, 1.0
	if l.Kind == LimitMaxDecrease {
		sign = -1
	}
	if l.Relative { // Bound is a fraction of the baseline's absolute value
		factor, bound = 1+sign*math.Copysign(l.Bound, meanBefore), 0
	}
	excess := difference(before, f, pairs, factor, miss)
	nearest := sign * excess.difference
	switch {
	case excess.n > 1 && sign > 0:
		nearest = excess.low
	case excess.n > 1:
		nearest = -excess.high
	}
	if nearest > bound+1e-9*(math.Abs(bound)+math.Abs(mean)) {
		r.Verdict = LimitBroken
	}
}

// Count returns the number of limits that have this verdict.
func (g *GateResult) Count(v LimitVerdict) int {
	n := 0
	for i := range g.Limits {
		if g.Limits[i].Verdict == v {
			n++
		}
	}
	return n
}

// GateLine has the results of one limit in a gate file: one result, or one for each metric that
// its stars match.
type GateLine []LimitResult

// Lines groups the results by the limits in the gate file.
func (g *GateResult) Lines() []GateLine {
	var lines []GateLine
	for first := 0; first < len(g.Limits); {
		r, last := &g.Limits[first], first+1
		for last < len(g.Limits) && r.Pattern != "" && g.Limits[last].Pattern == r.Pattern && g.Limits[last].Kind == r.Kind {
			last++
		}
		lines = append(lines, g.Limits[first:last])
		first = last
	}
	return lines
}

// Broken returns the broken limits of the line.
func (l GateLine) Broken() []LimitResult {
	return slices.DeleteFunc(slices.Clone(l), func(r LimitResult) bool { return r.Verdict != LimitBroken })
}

// Write writes the result as JSON.
func (g *GateResult) Write(w io.Writer) error { return outcome.WriteJSON(w, g) }
