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

// GateSchema is the version of the JSON form of a GateResult.
const GateSchema = 1

// LimitKind is what a limit bounds.
type LimitKind string

// Kinds of limits. The last two bound how far a metric may move from a baseline.
const (
	LimitMax         LimitKind = "max"
	LimitMin         LimitKind = "min"
	LimitMaxIncrease LimitKind = "max_increase"
	LimitMaxDecrease LimitKind = "max_decrease"
)

// LimitKinds lists them for messages.
var LimitKinds = []LimitKind{LimitMax, LimitMin, LimitMaxIncrease, LimitMaxDecrease}

// NeedsBaseline tells whether the limit is relative to a baseline.
func (k LimitKind) NeedsBaseline() bool { return k == LimitMaxIncrease || k == LimitMaxDecrease }

// A Limit is one limit of a gate on one metric.
type Limit struct {
	Pattern    string // as the gate has it: the name, or one with stars
	Name       string // of the metric
	Kind       LimitKind
	Bound      float64 // in the unit of the metric
	Relative   bool    // Bound is a share of the metric of the baseline
	MinPlayers float64 // fewer players are not judged
	Among      int     // how many metrics the pattern stands for
	Line       int     // in the gate's file
	Column     int
}

// LimitVerdict is the outcome of a limit.
type LimitVerdict string

// Outcomes of a limit.
const (
	LimitHeld    LimitVerdict = "held"
	LimitBroken  LimitVerdict = "broken"
	LimitSkipped LimitVerdict = "skipped" // one that need not be judged
)

// GateResult says which limits of a gate hold.
type GateResult struct {
	Schema       int           `json:"schema"`
	Complete     bool          `json:"complete"`          // always: an interrupted check judges nothing
	Command      string        `json:"command,omitempty"` // that checks again
	Passed       bool          `json:"passed"`            // no limit is broken
	Result       string        `json:"result"`
	Baseline     string        `json:"baseline,omitempty"`
	Runs         int           `json:"runs"`
	BaselineRuns int           `json:"baseline_runs,omitempty"`
	Pairs        int           `json:"pairs"`   // of runs that share their draws; 0: independent samples
	Samples      []Origin      `json:"samples"` // of the result and the baseline
	Warnings     []string      `json:"warnings"`
	Limits       []LimitResult `json:"limits"` // in the order of the gate
}

// LimitResult is one limit with what was measured.
type LimitResult struct {
	Metric     string       `json:"metric"`
	Pattern    string       `json:"pattern,omitempty"` // where it has stars
	Kind       LimitKind    `json:"kind"`
	Bound      Optional     `json:"bound"`
	Relative   bool         `json:"relative,omitempty"` // the bound is a share of the baseline
	Verdict    LimitVerdict `json:"verdict"`
	Value      Optional     `json:"value"`
	Baseline   Optional     `json:"baseline"`
	Difference Optional     `json:"difference"` // from the baseline
	Low        Optional     `json:"low"`        // confidence interval of the difference
	High       Optional     `json:"high"`
	Reason     string       `json:"reason,omitempty"` // why it was not judged; it is skipped or broken then
	Line       int          `json:"line"`
	Column     int          `json:"-"`

	In outcome.Unit `json:"-"` // of the metric
}

// CheckGate holds a sample against limits; baseline is nil where there is none, and
// then no limit may need it. Every limit names a metric of the sample.
//
// A maximum or minimum bounds the mean over the runs. A limit on the distance from a
// baseline takes chance into account: it is broken only if the whole 95 % interval of
// the distance lies beyond it, so that noise breaks one of forty limits that are just
// met, and hardly any with room. A limit with stars shares that chance among its metrics
// (Bonferroni). Runs of one seed and number are paired, others compared as independent
// samples (see [Comparison]). With a single run on either side nothing is known of
// chance: then the distance itself is held against the limit, with a warning.
//
// A metric that was not measured, such as the mean wait where nobody was matched, breaks
// its limit: a gate must not pass because there is nothing to look at. Limit.MinPlayers
// says which metrics need not be looked at. Of the metrics that a star stands for, those
// that were not measured or have too few players are skipped, unless that is all of them.
func CheckGate(s, baseline *Sample, limits []Limit) *GateResult {
	g := &GateResult{Schema: GateSchema, Complete: true, Passed: true, Samples: []Origin{s.Origin()}, Result: s.Name, Runs: s.Replications(), Warnings: []string{}}
	_, of := metricsOf(s.Runs)
	var before map[string]*metricSample
	var pairs []pair
	if baseline != nil {
		g.Baseline, g.BaselineRuns, g.Samples = baseline.Name, baseline.Replications(), append(g.Samples, baseline.Origin())
		_, before = metricsOf(baseline.Runs)
		baseline.fillParts(before, of)
		var warnings []string
		pairs, warnings = pairRuns(baseline, s)
		g.Pairs = len(pairs)
		g.Warnings = slices.Concat(g.Warnings, warnings, differing(baseline, s, pairs), pairWarnings(pairs, baseline, s))
		if unlike := grade.Unlike(baseline.Runs[0], s.Runs[0]); unlike != "" {
			g.Warnings = append(g.Warnings, unlikeLimits+unlike+" (A is the baseline)")
			maps.DeleteFunc(before, func(name string, _ *metricSample) bool { return strings.HasPrefix(name, outcome.LimitsPrefix) })
		}
	}
	g.Warnings = append(g.Warnings, s.Runs[0].Warnings...)
	for _, limit := range limits {
		g.Limits = append(g.Limits, limit.hold(of, before, pairs))
	}
	for _, line := range g.Lines() {
		line.leaveOut()
	}
	g.Passed = g.Count(LimitBroken) == 0
	return g
}

// leaveOut skips the metrics that a star stands for and that were not judged, or breaks
// all of their limits where none was judged.
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

// hold judges one limit.
func (l *Limit) hold(of, before map[string]*metricSample, pairs []pair) LimitResult {
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
		l.holdAgainst(&r, f, before[l.Name], pairs)
	case l.Kind == LimitMax && above(f.moments.mean, l.Bound), l.Kind == LimitMin && above(l.Bound, f.moments.mean):
		r.Verdict = LimitBroken
	}
	return r
}

// unmeasured breaks a limit for which there is nothing to judge.
func (r *LimitResult) unmeasured(reason string) LimitResult {
	r.Verdict, r.Reason = LimitBroken, reason
	return *r
}

// above tells whether x lies above a bound by more than the rounding of sums.
func above(x, bound float64) bool { return x > bound+1e-9*math.Abs(bound) }

// holdAgainst judges a limit on the distance from a baseline.
func (l *Limit) holdAgainst(r *LimitResult, f, before *metricSample, pairs []pair) {
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
	// The excess is b - factor*a - bound, or its opposite for a decrease; the noise of
	// the baseline is in it as many times as the baseline is.
	factor, bound, sign := 1.0, l.Bound, 1.0
	if l.Kind == LimitMaxDecrease {
		sign = -1
	}
	if l.Relative { // of what was, however far from 0 on either side
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

// Count counts the limits of a verdict.
func (g *GateResult) Count(v LimitVerdict) int {
	n := 0
	for i := range g.Limits {
		if g.Limits[i].Verdict == v {
			n++
		}
	}
	return n
}

// GateLine is the limits of one line and kind of a gate: one, or those of all metrics
// that its stars chose.
type GateLine []LimitResult

// Lines groups the limits as the gate has them.
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

// Broken lists the broken limits of the line.
func (l GateLine) Broken() []LimitResult {
	return slices.DeleteFunc(slices.Clone(l), func(r LimitResult) bool { return r.Verdict != LimitBroken })
}

// Write writes the result as JSON.
func (g *GateResult) Write(w io.Writer) error { return outcome.WriteJSON(w, g) }
