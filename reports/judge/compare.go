package judge

import (
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
)

// ComparisonSchema is the version of the JSON form of a Comparison.
const ComparisonSchema = 1

// A Comparison describes how two samples differ, metric by metric.
//
// Runs with the same seed and run number use the same random numbers for every player, so they
// are compared pair by pair: the interval is that of the mean difference (Student's t over
// pairs). Other samples are compared as independent ones (Welch's t).
//
// The verdict on a total depends only on its own 95 % interval, so that on average one in
// twenty totals that do not differ looks as if it did. Because there are many groups, their
// verdicts are corrected by Holm's method, over all groups of a division in one key (the mean
// waits of all hours): if none of them differ, the chance of any false finding is 5 %.
type Comparison struct {
	Schema     int           `json:"schema"`
	Complete   bool          `json:"complete"`          // false: interrupted, some pairs are missing
	Command    string        `json:"command,omitempty"` // repeats the comparison
	A          string        `json:"a"`
	B          string        `json:"b"`
	RunsA      int           `json:"runs_a"`
	RunsB      int           `json:"runs_b"`
	Pairs      int           `json:"pairs"` // 0: compared as independent samples
	Confidence float64       `json:"confidence"`
	Samples    []Origin      `json:"samples"` // of A and B
	Warnings   []string      `json:"warnings"`
	Settings   []SettingPair `json:"settings"` // that differ
	Metrics    Differences   `json:"metrics"`  // in the order of the summary
}

// SettingPair is one setting that differs between two configurations.
type SettingPair struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// Verdict is the conclusion about one metric, in words.
type Verdict string

// Verdicts. Better and worse are for metrics with a direction, higher and lower for
// the others; both say that the difference is more than chance.
const (
	VerdictBetter  Verdict = "better"
	VerdictWorse   Verdict = "worse"
	VerdictHigher  Verdict = "higher"
	VerdictLower   Verdict = "lower"
	VerdictUnshown Verdict = "no difference shown" // it may be chance
	VerdictEqual   Verdict = "no difference"       // equal in every pair
	VerdictUnknown Verdict = "not known"           // fewer than two runs have the metric
)

// Shown reports whether the verdict is that there is a difference.
func (v Verdict) Shown() bool {
	return v != VerdictUnshown && v != VerdictEqual && v != VerdictUnknown
}

// Difference is one metric of both samples.
type Difference struct {
	Name       string         `json:"-"`
	Unit       string         `json:"unit,omitempty"`   // of A, B, Difference and the interval; shares are fractions of 1
	Better     outcome.Better `json:"better,omitempty"` // "lower", "higher" or nothing
	Runs       int            `json:"runs"`             // pairs that have the metric on both sides
	A          Optional       `json:"a"`                // means
	B          Optional       `json:"b"`
	Difference Optional       `json:"difference"` // B - A
	Low        Optional       `json:"low"`        // 95 % confidence interval of the difference, uncorrected
	High       Optional       `json:"high"`
	P          Optional       `json:"p"`                     // of no difference
	PHolm      Optional       `json:"p_holm"`                // of groups: corrected for multiple comparisons
	RunsNeeded int            `json:"runs_needed,omitempty"` // number of runs that would show a difference as large as this one; 10,001: more than 10,000
	Verdict    Verdict        `json:"verdict"`

	In outcome.Unit `json:"-"` // of the metric
}

// Differences are in the order of the summary.
type Differences = outcome.Object[Difference]

// Optional is a number that may be missing: NaN here, null in JSON.
type Optional float64

// MarshalJSON writes 9 significant digits: few enough to hide the rounding errors of differences
// of decimal fractions.
func (x Optional) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) {
		return []byte("null"), nil
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'e', 8, 64), 64)
	if err != nil {
		return nil, err
	}
	return json.Marshal(rounded)
}

// UnmarshalJSON reads null as NaN.
func (x *Optional) UnmarshalJSON(text []byte) error {
	*x = Optional(math.NaN())
	if string(text) == "null" {
		return nil
	}
	return json.Unmarshal(text, (*float64)(x))
}

// Member implements the interface of items of an [outcome.Object].
func (d *Difference) Member() (*string, any) { return &d.Name, d }

// Compare compares two samples of at least one run each; settings are the settings that differ.
// Equal samples give equal comparisons.
func Compare(a, b *Sample, settings []SettingPair) *Comparison {
	pairs, warnings := pairRuns(a, b)
	c := &Comparison{
		Schema: ComparisonSchema, Complete: true, A: a.Name, B: b.Name,
		RunsA: a.Replications(), RunsB: b.Replications(), Pairs: len(pairs), Confidence: confidence,
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
	var onlyA, onlyB []string
	for _, name := range merged(namesA, namesB) {
		switch {
		case unlike != "" && strings.HasPrefix(name, outcome.LimitsPrefix):
		case inB[name] == nil:
			onlyA = appendBlock(onlyA, name)
		case inA[name] == nil:
			onlyB = appendBlock(onlyB, name)
		default:
			c.Metrics = append(c.Metrics, compareFigure(name, inA[name], inB[name], pairs))
		}
	}
	c.Warnings = append(append(c.Warnings, onlyIn("A", onlyA)...), onlyIn("B", onlyB)...)
	c.correctGroups()
	return c
}

// unlikeLimits begins the warning about results whose report.limits differ.
const unlikeLimits = "what is good and fair differs, so that limits.* is not compared: "

// appendBlock adds the block or group to which a metric belongs, once.
func appendBlock(blocks []string, name string) []string {
	block := strings.SplitN(name, ".", 3)
	if outcome.IsGroup(name) && len(block) == 3 {
		block[0] += "." + block[1]
	}
	if slices.Contains(blocks, block[0]) {
		return blocks
	}
	return append(blocks, block[0])
}

// onlyIn returns a warning about what was not compared because one sample lacks it.
func onlyIn(arm string, blocks []string) []string {
	if len(blocks) == 0 {
		return nil
	}
	return []string{"only " + arm + " has " + strings.Join(blocks, ", ") + ": not compared"}
}

// merged joins two lists of names; a name that only the second list has follows the name that
// it follows there.
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

func compareFigure(name string, a, b *metricSample, pairs []pair) Difference {
	i := difference(a, b, pairs, 1, level)
	meanA, meanB := means(a, b, pairs)
	d := Difference{
		Name: name, Unit: a.Unit.Sign(), Better: a.Better, Runs: i.n, In: a.Unit,
		A: Optional(meanA), B: Optional(meanB),
		Difference: Optional(i.difference), Low: Optional(i.low), High: Optional(i.high),
		P: Optional(i.p), PHolm: Optional(math.NaN()),
	}
	d.Verdict = d.verdict(i.p)
	if d.Verdict == VerdictUnshown {
		d.RunsNeeded = i.runsNeeded()
	}
	if a.Unit == outcome.UnitShare {
		d.Unit = ""
	}
	return d
}

// verdict returns the verdict for the p-value of no difference.
func (d *Difference) verdict(p float64) Verdict {
	switch {
	case d.Runs > 0 && d.Difference == 0 && !(d.Low < 0):
		return VerdictEqual
	case d.Runs < 2:
		return VerdictUnknown
	case p >= level:
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

// family returns the name of the family of tests to which the metric of a group belongs: those
// of its division and key.
func (d *Difference) family() string {
	division, rest, _ := strings.Cut(d.Name, ".")
	return division + "." + rest[strings.LastIndexByte(rest, '.')+1:]
}

// correctGroups corrects the verdicts on groups for multiple comparisons, family by family.
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
		ps := make([]float64, len(members))
		for i, d := range members {
			ps[i] = float64(d.P)
		}
		for i, p := range holm(ps) {
			members[i].PHolm = Optional(p)
			members[i].Verdict = members[i].verdict(p)
		}
	}
}

// Write writes the comparison as JSON.
func (c *Comparison) Write(w io.Writer) error { return outcome.WriteJSON(w, c) }
