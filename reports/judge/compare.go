package judge

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"mmsim/reports/estimate"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// ComparisonSchema is the version of a Comparison's JSON form.
const ComparisonSchema = 1

// A Comparison describes how two samples differ, metric by metric.
//
// Runs with the same seed and run number use the same random numbers for every player. Such runs
// are compared in pairs, and the interval is that of the mean difference (Student's t over
// pairs). Otherwise the samples are compared as independent ones (Welch's t).
//
// The verdict on a metric of the whole run depends only on the metric's own 95 % interval. So
// among metrics that do not really differ, about one in twenty is reported as different. There
// are many metrics of groups, so Holm's method corrects their verdicts. It does so for each
// family of metrics, such as the mean waits of all hours: if no metric of a family really
// differs, the chance that any of them is reported as different is 5 %.
//
// A difference that is shown, but smaller than what matters ([outcome.Matters]), is no difference
// that matters.
type Comparison struct {
	Schema     int           `json:"schema"`
	Complete   bool          `json:"complete"`          // false if the comparison was interrupted, so that pairs are missing
	Command    string        `json:"command,omitempty"` // the command that repeats the comparison
	A          string        `json:"a"`
	B          string        `json:"b"`
	RunsA      int           `json:"runs_a"`
	RunsB      int           `json:"runs_b"`
	Pairs      int           `json:"pairs"` // 0 if the samples are compared as independent ones
	Confidence float64       `json:"confidence"`
	Joins      outcome.Joins `json:"joins,omitempty"` // how the players of the runs of A and B are related
	Samples    []Origin      `json:"samples"`         // A and B
	Warnings   []string      `json:"warnings"`
	Settings   []SettingPair `json:"settings"` // only those that differ
	Metrics    Differences   `json:"metrics"`  // in the order of the summary
}

// SettingPair is a setting that differs between two configurations.
type SettingPair struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// Verdict is the conclusion about one metric.
type Verdict string

// Verdicts. Better and worse are for metrics that have a better direction, higher and lower for
// the others. All four mean that chance alone does not explain the difference.
const (
	VerdictBetter  Verdict = "better"
	VerdictWorse   Verdict = "worse"
	VerdictHigher  Verdict = "higher"
	VerdictLower   Verdict = "lower"
	VerdictSmall   Verdict = "no difference that matters" // smaller than Matters, and not by chance
	VerdictUnshown Verdict = "no difference shown"        // chance may explain it
	VerdictEqual   Verdict = "the same"                   // equal in every pair, or without pairs in all runs
	VerdictUnknown Verdict = "not known"                  // there is no interval
)

// Words lists the verdicts, for readers of decisions.
func (Verdict) Words() []string {
	return words.Each([]Verdict{VerdictBetter, VerdictWorse, VerdictHigher, VerdictLower, VerdictSmall, VerdictUnshown, VerdictEqual, VerdictUnknown}, text[Verdict])
}

// Shown reports whether the verdict says that there is a difference that matters.
func (v Verdict) Shown() bool {
	return v == VerdictBetter || v == VerdictWorse || v == VerdictHigher || v == VerdictLower
}

// Difference compares one metric of two samples.
type Difference struct {
	Name       string         `json:"-"`
	Unit       string         `json:"unit,omitempty"`    // of A, B, Difference, Low and High; shares are fractions of 1
	Better     outcome.Better `json:"better,omitempty"`  // "lower", "higher" or ""
	Runs       int            `json:"runs"`              // pairs in which both runs have the metric; without pairs, the runs of the smaller sample that have it
	Missing    int            `json:"missing,omitempty"` // pairs or runs without the metric; if there are any, there is no interval
	A          Optional       `json:"a"`                 // A and B are means over the runs
	B          Optional       `json:"b"`
	Difference Optional       `json:"difference"` // B - A
	Matters    Optional       `json:"matters"`    // smallest absolute difference that matters
	Low        Optional       `json:"low"`        // Low to High: 95 % confidence interval of the difference, uncorrected
	High       Optional       `json:"high"`
	P          Optional       `json:"p"`                     // p-value of the hypothesis that A and B do not differ
	PHolm      Optional       `json:"p_holm"`                // P corrected for multiple comparisons; for metrics of groups only
	RunsNeeded int            `json:"runs_needed,omitempty"` // if no difference is shown, and one as large as this matters: runs that would show it; 10,001 means more than 10,000
	Verdict    Verdict        `json:"verdict"`

	In   outcome.Unit `json:"-"` // of the metric
	same bool         // see estimate.Interval
}

// Differences is a list of differences in the order of the summary's metrics.
type Differences = outcome.Object[Difference]

// Optional is a number that may be missing. It is then NaN in memory and null in JSON.
type Optional = outcome.Optional

// Compare compares two samples, each of which has at least one run. settings lists the settings in
// which their configurations differ.
func Compare(a, b *Sample, settings []SettingPair) *Comparison {
	pairs, warnings := pairRuns(a, b)
	c := &Comparison{
		Schema: ComparisonSchema, Complete: true, A: a.Name, B: b.Name,
		RunsA: a.Replications(), RunsB: b.Replications(), Pairs: len(pairs), Confidence: estimate.Confidence, Joins: joinsOf(a, b),
		Samples:  []Origin{a.Origin(), b.Origin()},
		Warnings: slices.Concat([]string{}, warnings, differing(a, b, pairs), pairWarnings(pairs, a, b), runWarnings(a, b)),
		Settings: append([]SettingPair{}, settings...),
	}
	namesA, inA := metricsOf(a.Runs)
	namesB, inB := metricsOf(b.Runs)
	unlike := grade.Unlike(a.Runs[0], b.Runs[0])
	if unlike != "" {
		c.Warnings = append(c.Warnings, unlikeLimits+unlike)
	}
	a.fillParts(inA, inB)
	b.fillParts(inB, inA)
	blocksA, blocksB := blocksOf(inA), blocksOf(inB)
	var onlyA, onlyB []string
	for _, name := range merged(namesA, namesB) {
		switch {
		case unlike != "" && strings.HasPrefix(name, outcome.LimitsPrefix):
		case inB[name] == nil:
			onlyA = appendBlock(onlyA, name, blocksB)
		case inA[name] == nil:
			onlyB = appendBlock(onlyB, name, blocksA)
		default:
			matters := slices.Concat(a.Matters, b.Matters).least(inA[name], func(name string) float64 { return meanOf(inA[name]) })
			c.Metrics = append(c.Metrics, compareFigure(name, inA[name], inB[name], pairs, matters))
		}
	}
	c.Warnings = append(append(c.Warnings, onlyIn("A", onlyA)...), onlyIn("B", onlyB)...)
	c.correctGroups()
	return c
}

// unlikeLimits is the start of the warning about two results with different report.limits.
const unlikeLimits = "the limits of good and fair differ, so limits.* is not compared: "

// appendBlock appends the block or group to which a metric belongs, unless it is in blocks
// already. Of the blocks that contain the metric, it is the largest that the other sample does not
// have.
func appendBlock(blocks []string, name string, other map[string]bool) []string {
	parts := strings.Split(name, ".")
	block := parts[0]
	for i := 1; i < len(parts) && other[block]; i++ {
		block += "." + parts[i]
	}
	if slices.Contains(blocks, block) {
		return blocks
	}
	return append(blocks, block)
}

// onlyIn returns a warning about blocks that only one sample has and that are therefore not
// compared.
func onlyIn(arm string, blocks []string) []string {
	if len(blocks) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("only %s has %s, which %s not compared", arm, strings.Join(blocks, ", "), words.Verb(len(blocks), "is", "are"))}
}

// merged merges two lists of names. A name that is only in second is inserted after the name that
// precedes it in second.
func merged(first, second []string) []string {
	names, at := slices.Clone(first), 0
	for _, name := range second {
		if i := slices.Index(names[at:], name); i >= 0 {
			at += i + 1
		} else if !slices.Contains(names[:at], name) {
			names = slices.Insert(names, at, name)
			at++
		}
	}
	return names
}

// compareFigure compares one metric. matters is the smallest difference that matters.
func compareFigure(name string, a, b *metricSample, pairs []pair, matters float64) Difference {
	i := difference(a, b, pairs, 1, estimate.Level)
	meanA, meanB := means(a, b, pairs)
	d := Difference{Name: name, Unit: a.Unit.Sign(), Better: a.Better, In: a.Unit, Matters: Optional(matters)}
	d.set(&i, meanA, meanB)
	if d.Verdict == VerdictUnshown && d.large() {
		d.RunsNeeded = i.RunsNeeded(estimate.Level)
	}
	if a.Unit == outcome.UnitShare {
		d.Unit = ""
	}
	return d
}

// set sets what is estimated from the runs: the means of A and B, and the interval of their difference.
func (d *Difference) set(i *estimate.Interval, a, b float64) {
	d.Runs, d.Missing, d.same = i.N, i.Of-i.N, i.Same()
	d.A, d.B, d.PHolm = Optional(a), Optional(b), Optional(math.NaN())
	d.Difference, d.Low, d.High, d.P = Optional(i.Difference), Optional(i.Low), Optional(i.High), Optional(i.P)
	d.Verdict = d.verdict(i.P)
}

// large reports whether a difference of this size matters.
func (d *Difference) large() bool { return math.Abs(float64(d.Difference)) >= float64(d.Matters) }

// small reports whether the whole interval is too small to matter.
func (d *Difference) small() bool { return d.Low > -d.Matters && d.High < d.Matters }

// verdict returns the verdict for the p-value of the hypothesis of no difference.
func (d *Difference) verdict(p float64) Verdict {
	switch {
	case d.same:
		return VerdictEqual
	case math.IsNaN(p):
		return VerdictUnknown
	case d.small(), p < estimate.Level && !d.large():
		return VerdictSmall
	case p >= estimate.Level:
		return VerdictUnshown
	case d.Better == outcome.BetterNot && d.Difference > 0:
		return VerdictHigher
	case d.Better == outcome.BetterNot:
		return VerdictLower
	case (d.Difference > 0) == (d.Better == outcome.BetterHigher):
		return VerdictBetter
	}
	return VerdictWorse
}

// family returns the family of tests to which the metric of a group belongs. A family has the
// same metric of all groups of one kind, such as by_hour.wait_mean_s for all hours.
func (d *Difference) family() string {
	division, rest, _ := strings.Cut(d.Name, ".")
	return division + "." + rest[strings.LastIndexByte(rest, '.')+1:]
}

// correctGroups corrects the verdicts on groups for multiple comparisons, one family at a time.
func (c *Comparison) correctGroups() {
	families := map[string][]*Difference{}
	var order []string
	for i := range c.Metrics {
		if d := &c.Metrics[i]; outcome.IsGroup(d.Name) {
			family := d.family()
			if families[family] == nil {
				order = append(order, family)
			}
			families[family] = append(families[family], d)
		}
	}
	for _, family := range order {
		members := families[family]
		for i, p := range estimate.Holm(words.Each(members, func(d *Difference) float64 { return float64(d.P) })) {
			members[i].PHolm = Optional(p)
			members[i].Verdict = members[i].verdict(p)
		}
	}
}

// Write writes the comparison as JSON.
func (c *Comparison) Write(w io.Writer) error { return outcome.WriteJSON(w, c) }
