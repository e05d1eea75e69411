package judge

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"mmsim/reports/estimate"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// GateSchema is the version of a GateResult's JSON form.
const GateSchema = 1

// LimitKind says what a limit bounds.
type LimitKind string

// Kinds of limits. The last three bound how far a metric, or the distribution of a measure, may move
// away from a baseline.
const (
	LimitMax         LimitKind = "max"
	LimitMin         LimitKind = "min"
	LimitMaxIncrease LimitKind = "max_increase"
	LimitMaxDecrease LimitKind = "max_decrease"
	LimitMaxDistance LimitKind = "max_distance" // see [LimitResult.Noise]
)

// LimitKinds lists the kinds for messages.
var LimitKinds = []LimitKind{LimitMax, LimitMin, LimitMaxIncrease, LimitMaxDecrease, LimitMaxDistance}

// Words lists the kinds for readers of decisions.
func (LimitKind) Words() []string { return words.Each(LimitKinds, text[LimitKind]) }

// IsChange reports whether the limit bounds the change of a metric from a baseline.
func (k LimitKind) IsChange() bool { return k == LimitMaxIncrease || k == LimitMaxDecrease }

// NeedsBaseline reports whether the limit needs a baseline.
func (k LimitKind) NeedsBaseline() bool { return k.IsChange() || k == LimitMaxDistance }

// A Limit is a limit on one metric, from a gate, a sweep or a tuning. JSON says what it bounds, but not
// where it is in a file.
type Limit struct {
	Name       string    `json:"metric"`  // without stars
	Pattern    string    `json:"pattern"` // as written in the file: the name of a metric, or a name with stars
	Kind       LimitKind `json:"kind"`
	Bound      Optional  `json:"bound"`    // in the unit of the metric
	Relative   bool      `json:"relative"` // whether Bound is a fraction of the metric in the baseline
	MinPlayers float64   `json:"-"`        // the limit is skipped if the metric describes fewer players
	Among      int       `json:"-"`        // how many metrics Pattern matches
	Line       int       `json:"-"`        // in the file
	Column     int       `json:"-"`
}

// LimitVerdict is the result of checking a limit.
type LimitVerdict string

const (
	LimitHeld      LimitVerdict = "held"
	LimitBroken    LimitVerdict = "broken"
	LimitUndecided LimitVerdict = "undecided" // chance does not let the runs decide, see [CheckGate]
	LimitSkipped   LimitVerdict = "skipped"   // not judged, see [CheckGate]
)

// LimitVerdicts lists the verdicts, the gravest first.
var LimitVerdicts = []LimitVerdict{LimitBroken, LimitUndecided, LimitHeld, LimitSkipped}

// Words lists the verdicts for readers of decisions.
func (LimitVerdict) Words() []string { return words.Each(LimitVerdicts, text[LimitVerdict]) }

func text[T ~string](word T) string { return string(word) }

// GateResult is the result of checking a gate.
type GateResult struct {
	Schema       int           `json:"schema"`
	Complete     bool          `json:"complete"`          // always true, because an interrupted check has no result
	Command      string        `json:"command,omitempty"` // the command that repeats the check
	Passed       bool          `json:"passed"`            // whether no limit is broken, and none undecided unless undecided limits pass
	Result       string        `json:"result"`
	Baseline     string        `json:"baseline,omitempty"`
	Runs         int           `json:"runs"`
	BaselineRuns int           `json:"baseline_runs,omitempty"`
	Pairs        int           `json:"pairs"` // runs with the same random numbers; 0 if the samples are independent
	Joins        outcome.Joins `json:"joins,omitempty"`
	Samples      []Origin      `json:"samples"` // the result and the baseline
	Warnings     []string      `json:"warnings"`
	Limits       []LimitResult `json:"limits"` // in the order of the gate

	// Unmatched compares players.unmatched_share, and that of each of several queues, with the
	// baseline. It does not change the verdicts: a limit may hold because fewer players are counted.
	Unmatched Differences `json:"unmatched,omitempty"`
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
	Low        Optional     `json:"low"`        // Low to High: 95 % confidence interval of Difference, or of Value for max and min
	High       Optional     `json:"high"`
	Excess     Optional     `json:"excess"`                // how far the estimate is beyond the limit, in the unit of the metric; negative within the limit
	RunsNeeded int          `json:"runs_needed,omitempty"` // if undecided: runs that would decide if the estimate is right; 0 if unknown, 10,001 means more than 10,000
	Missing    int          `json:"missing,omitempty"`     // runs or pairs without the metric; if there are any, there is no interval
	// Noise is how far the distribution of one run is from that of all the other runs, at most, in 95 %
	// of the runs. It is nil unless the limit is on a distance and there are several runs.
	Noise  *Optional `json:"noise,omitempty"`
	Reason string    `json:"reason,omitempty"` // why the limit was not judged; empty if it was judged
	Line   int       `json:"line"`
	Same   bool      `json:"-"` // whether no run differs from its baseline
	Column int       `json:"-"`

	In outcome.Unit `json:"-"` // of the metric
}

// CheckGate checks a sample against the limits of a gate. baseline may be nil if no limit needs
// one. Every limit must name a metric of the sample.
//
// A limit has three verdicts. It is held if the whole 95 % interval of the mean (max and min) or of
// the change (max_increase and max_decrease) is within the limit, broken if the whole interval is
// beyond it, and otherwise undecided. So if the true value is exactly at the limit, chance breaks
// it one time in forty, and holds it as often. The metrics that a star matches share the chance of
// a false alarm (Bonferroni), which makes it harder to break a limit, but not easier to hold it.
// Runs with the same seed and run number are compared in pairs, other runs as independent
// samples; see [Comparison].
//
// Without an interval, as for a single run, the value decides about max and min. A change within
// its limit is held, and one beyond it is undecided. The same is true of fewer than three equal
// changes. If no run differs from another, the value decides.
//
// The distance of two distributions is judged by its value, because it has a limit of its own and
// differs from 0 by chance.
//
// A metric that was not measured, such as the mean wait of a run without matches, breaks its
// limit: a gate must not pass because there is nothing to judge. A limit is skipped if its metric
// describes fewer players than Limit.MinPlayers; a limit that needs a baseline, only if that is
// true of both. For a limit with stars, metrics that were not measured are skipped too. But if
// none of the metrics that match the stars can be judged, all of them break the limit.
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
		g.Unmatched = Compare(baseline, s, nil).Unmatched()
	}
	g.Warnings = append(g.Warnings, s.Runs[0].Warnings...)
	for _, limit := range limits {
		if limit.Kind == LimitMaxDistance {
			g.Limits = append(g.Limits, limit.checkDistance(s, baseline, of, before))
		} else {
			g.Limits = append(g.Limits, limit.check(of, before, pairs))
		}
	}
	for _, line := range g.Lines() {
		line.leaveOut()
	}
	g.Passed = g.Count(LimitBroken)+g.Count(LimitUndecided) == 0
	return g
}

// PassUndecided lets the gate pass with undecided limits.
func (g *GateResult) PassUndecided() { g.Passed = g.Count(LimitBroken) == 0 }

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
	r := l.result(f.moments.Mean, f.Unit)
	if players := outcome.PlayersOf(l.Name); l.skips(&r, of[players], before[players]) {
		return r
	}
	if math.IsNaN(f.moments.Mean) {
		return r.unmeasured("not measured")
	}
	if l.Kind.IsChange() {
		l.checkAgainst(&r, f, before[l.Name], pairs)
	} else {
		l.checkValue(&r, f)
	}
	return r
}

// result returns the result of a limit that holds, with a measured value.
func (l *Limit) result(value float64, unit outcome.Unit) LimitResult {
	nothing := Optional(math.NaN())
	r := LimitResult{
		Metric: l.Name, Kind: l.Kind, Bound: l.Bound, Relative: l.Relative,
		Verdict: LimitHeld, Value: Optional(value), Line: l.Line, Column: l.Column, In: unit,
		Baseline: nothing, Difference: nothing, Low: nothing, High: nothing, Excess: nothing,
	}
	if l.Pattern != l.Name {
		r.Pattern = l.Pattern
	}
	return r
}

// skips marks the limit as skipped if the metric, or the distribution, describes too few players. For a
// limit on a change or a distance, that must be true of the baseline, too: a group that lost its players
// has changed.
func (l *Limit) skips(r *LimitResult, players, before *metricSample) bool {
	if l.MinPlayers == 0 {
		return false
	}
	n := players.moments.Mean
	if l.Kind.NeedsBaseline() && before != nil {
		n = max(n, before.moments.Mean)
	}
	if n >= l.MinPlayers {
		return false
	}
	r.Verdict = LimitSkipped
	r.Reason = fmt.Sprintf("%s players, fewer than %s", words.Number(outcome.UnitNone, n, 0, false), words.Number(outcome.UnitNone, l.MinPlayers, 0, false))
	return true
}

// unmeasured marks the limit as broken because its metric was not measured.
func (r *LimitResult) unmeasured(reason string) LimitResult {
	r.Verdict, r.Reason = LimitBroken, reason
	return *r
}

// missShared is the chance of a false alarm for one of the metrics that share a limit.
func (l *Limit) missShared() float64 { return estimate.Level / float64(max(1, l.Among)) }

// checkValue judges a limit on the value itself.
func (l *Limit) checkValue(r *LimitResult, f *metricSample) {
	sign := 1.0
	if l.Kind == LimitMin {
		sign = -1
	}
	mean, shared := estimate.Single(f.moments, f.precision, estimate.Level), estimate.Single(f.moments, f.precision, l.missShared())
	if mean.Constant { // no run differs from another
		mean.Low, mean.High = math.NaN(), math.NaN()
	}
	r.Low, r.High, r.Missing = Optional(f.within(mean.Low)), Optional(f.within(mean.High)), mean.Of-mean.N
	excess := beyond(mean, float64(l.Bound), sign)
	r.judge(excess, beyond(shared, float64(l.Bound), sign), l.missShared())
	if r.Verdict == LimitUndecided && !mean.Known() {
		r.Verdict = LimitBroken // the value decides
	}
}

// tolerance is the rounding error of a sum near x.
func tolerance(x float64) float64 { return 1e-9 * math.Abs(x) }

// beyond returns how far an estimate is beyond a bound. sign is 1 for an upper bound, and -1 for a
// lower one.
func beyond(i estimate.Interval, bound, sign float64) estimate.Interval {
	i.Difference, i.Low, i.High = sign*(i.Difference-bound), sign*(i.Low-bound), sign*(i.High-bound)
	if sign < 0 {
		i.Low, i.High = i.High, i.Low
	}
	return i
}

// judge sets the verdict. own is the interval of how far the metric is beyond the limit, and shared
// is that interval at the level miss, which is wider if the limit has several metrics.
func (r *LimitResult) judge(own, shared estimate.Interval, miss float64) {
	r.Excess = Optional(own.Difference)
	slack := tolerance(float64(r.Bound)) + tolerance(float64(r.Value))
	switch {
	case !own.Known() && own.Difference <= slack, own.High <= slack:
		r.Verdict = LimitHeld
	case shared.Low > slack:
		r.Verdict = LimitBroken
	default:
		r.Verdict = LimitUndecided
		if own.Difference < 0 {
			miss = estimate.Level // to be held, the metric needs only its own interval
		}
		r.RunsNeeded = own.RunsNeeded(miss)
	}
}

// checkAgainst judges a limit on the change from a baseline.
func (l *Limit) checkAgainst(r *LimitResult, f, before *metricSample, pairs []pair) {
	if before == nil || math.IsNaN(before.moments.Mean) {
		reason := "not measured in the baseline"
		if strings.HasPrefix(l.Name, outcome.LimitsPrefix) {
			reason += " by the same limits"
		}
		r.unmeasured(reason)
		return
	}
	plain := difference(before, f, pairs, 1, estimate.Level)
	if plain.N == 0 {
		r.unmeasured("not measured in both runs of any pair")
		return
	}
	meanBefore, mean := means(before, f, pairs)
	r.Value, r.Baseline = Optional(mean), Optional(meanBefore)
	r.Difference, r.Low, r.High, r.Missing = Optional(plain.Difference), Optional(plain.Low), Optional(plain.High), plain.Of-plain.N
	// An increase exceeds the limit by b - factor*a - bound, and a decrease by factor*a - b -
	// bound, where a is the baseline's mean and b is the sample's. The factor multiplies both a
	// and its noise.
	factor, bound, sign := 1.0, float64(l.Bound), 1.0
	if l.Kind == LimitMaxDecrease {
		sign = -1
	}
	if l.Relative { // Bound is a fraction of the baseline's absolute value
		factor, bound = 1+float64(sign*math.Copysign(bound, meanBefore)), 0
	}
	own := beyond(difference(before, f, pairs, factor, estimate.Level), sign*bound, sign)
	if r.Same = plain.Same(); r.Same { // no run differs, which no chance explains
		own.Low, own.High = math.NaN(), math.NaN()
	}
	r.judge(own, beyond(difference(before, f, pairs, factor, l.missShared()), sign*bound, sign), l.missShared())
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

// With returns the limits of the line that have this verdict, the one that is farthest beyond its
// limit first.
func (l GateLine) With(v LimitVerdict) []LimitResult {
	list := slices.DeleteFunc(slices.Clone(l), func(r LimitResult) bool { return r.Verdict != v })
	slices.SortStableFunc(list, func(a, b LimitResult) int { return cmp.Compare(b.rank(), a.rank()) })
	return list
}

// rank returns how far a limit is exceeded. Metrics that were not measured come last.
func (r *LimitResult) rank() float64 {
	if math.IsNaN(float64(r.Excess)) {
		return math.Inf(-1)
	}
	return float64(r.Excess)
}

// Write writes the result as JSON.
func (g *GateResult) Write(w io.Writer) error { return outcome.WriteJSON(w, g) }
