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

// NeedsBaseline reports whether the limit is relative to a baseline.
func (k LimitKind) NeedsBaseline() bool { return k == LimitMaxIncrease || k == LimitMaxDecrease }

// A Limit is one limit of a gate on one metric.
type Limit struct {
	Pattern    string // as written in the gate: the name of a metric, or a name with stars
	Name       string // of the metric
	Kind       LimitKind
	Bound      float64 // in the unit of the metric
	Relative   bool    // Bound is a share of the metric of the baseline
	MinPlayers float64 // a metric that describes fewer players is not judged
	Among      int     // how many metrics the pattern matches
	Line       int     // in the gate's file
	Column     int
}

// LimitVerdict is the outcome of a limit.
type LimitVerdict string

// Outcomes of a limit.
const (
	LimitHeld    LimitVerdict = "held"
	LimitBroken  LimitVerdict = "broken"
	LimitSkipped LimitVerdict = "skipped" // the metric need not be judged
)

// GateResult says which limits of a gate hold.
type GateResult struct {
	Schema       int           `json:"schema"`
	Complete     bool          `json:"complete"`          // always: an interrupted check judges nothing
	Command      string        `json:"command,omitempty"` // repeats the check
	Passed       bool          `json:"passed"`            // no limit is broken
	Result       string        `json:"result"`
	Baseline     string        `json:"baseline,omitempty"`
	Runs         int           `json:"runs"`
	BaselineRuns int           `json:"baseline_runs,omitempty"`
	Pairs        int           `json:"pairs"`   // of runs with the same random numbers; 0: independent samples
	Samples      []Origin      `json:"samples"` // of the result and the baseline
	Warnings     []string      `json:"warnings"`
	Limits       []LimitResult `json:"limits"` // in the order of the gate
}

// LimitResult is one limit with the measured values.
type LimitResult struct {
	Metric     string       `json:"metric"`
	Pattern    string       `json:"pattern,omitempty"` // set if it has stars
	Kind       LimitKind    `json:"kind"`
	Bound      Optional     `json:"bound"`
	Relative   bool         `json:"relative,omitempty"` // the bound is a share of the baseline
	Verdict    LimitVerdict `json:"verdict"`
	Value      Optional     `json:"value"`
	Baseline   Optional     `json:"baseline"`
	Difference Optional     `json:"difference"` // from the baseline
	Low        Optional     `json:"low"`        // confidence interval of the difference
	High       Optional     `json:"high"`
	Reason     string       `json:"reason,omitempty"` // why it was not judged; then it is skipped or broken
	Line       int          `json:"line"`
	Column     int          `json:"-"`

	In outcome.Unit `json:"-"` // of the metric
}

// CheckGate checks a sample against limits. baseline may be nil if no limit needs it. Every limit
// names a metric of the sample.
//
// A maximum or minimum bounds the mean over the runs. A limit on the change from a baseline
// takes chance into account: it is broken only if the whole 95 % interval of the change lies
// beyond it. So noise breaks one in forty limits that are just met, and hardly any limit with
// room to spare. A limit with stars shares that chance among its metrics (Bonferroni). Runs with
// the same seed and number are paired; others are compared as independent samples (see
// [Comparison]). A single run on either side does not show how much chance matters: then the
// change itself is compared with the limit, with a warning.
//
// A metric that was not measured, such as the mean wait of a run without matches, breaks its
// limit: a gate must not pass because there is nothing to judge. Limit.MinPlayers exempts
// metrics of few players. Among the metrics that a star matches, those that were not measured
// or have too few players are skipped, unless that is true of all of them.
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

// leaveOut skips those metrics matched by a star that were not judged; if none was judged, it
// breaks all of their limits.
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

// unmeasured breaks a limit because its metric was not measured.
func (r *LimitResult) unmeasured(reason string) LimitResult {
	r.Verdict, r.Reason = LimitBroken, reason
	return *r
}

// above reports whether x exceeds a bound by more than the rounding error of sums.
func above(x, bound float64) bool { return x > bound+1e-9*math.Abs(bound) }

// holdAgainst judges a limit on the change from a baseline.
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
	// The excess is b - factor*a - bound, or the negative of it for a decrease; the noise of
	// the baseline is multiplied by the same factor as the baseline.
	factor, bound, sign := 1.0, l.Bound, 1.0
	if l.Kind == LimitMaxDecrease {
		sign = -1
	}
	if l.Relative { // to the magnitude of the baseline, whatever its sign
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

// GateLine holds the limits of one line and kind of a gate: one limit, or one for each metric
// that its stars match.
type GateLine []LimitResult

// Lines groups the limits by the lines of the gate.
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
