// Package phrase says in words what package judge finds: conclusions with their sizes, what is wrong
// with a choice, and how a limit was met. Packages figure/decision and present/decision show these
// texts. No text ends with a full stop unless it is said to be a sentence.
package phrase

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/reports/estimate"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Metric returns the name of a metric in words.
func Metric(name string) string {
	if d, is := result.DistributionNamed(name); is {
		text := "distribution of the " + d.Measure.Words()
		if d.Queue != "" {
			text += " in queue " + d.Queue
		}
		return words.Printable(text)
	}
	return words.Printable(outcome.InWords(name))
}

// Group returns the name of a group of players, such as by_continent.EU, in words: "in Europe".
func Group(name string) string {
	return strings.TrimPrefix(Metric(name+".wait_mean_s"), "mean wait ")
}

// Upper begins a sentence with a capital letter, unless it begins with the key of a metric.
func Upper(sentence string) string {
	first, _, _ := strings.Cut(sentence, " ")
	if strings.ContainsAny(first, "._") {
		return sentence
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// effectsMax is the number of effects that a conclusion names. It counts the others.
const effectsMax = 3

// Comparison is the conclusion of a comparison. It says first if B leaves more players without a
// match, and then the largest effects of [judge.Headlines].
func Comparison(c *judge.Comparison) string {
	more, other, small := MoreUnmatched("B", c.Unmatched()), false, false
	var shown []*judge.Difference
	for _, d := range judge.Headlines(c) {
		switch d.Verdict {
		case judge.VerdictBetter, judge.VerdictWorse:
			if more == "" || !isAboutEnds(d.Name) {
				shown = append(shown, d)
			}
		case judge.VerdictHigher, judge.VerdictLower:
			other = true
		case judge.VerdictSmall:
			small = true
		}
	}
	switch {
	case len(shown) > 0:
		return strings.TrimPrefix(more+". "+effects("B", shown), ". ")
	case more != "":
		return more
	case other:
		return "B differs from A, but is neither better nor worse"
	case small:
		return "No difference that matters is shown"
	}
	return "No difference is shown"
}

// isAboutEnds reports whether a metric says how many searches ended without a match.
func isAboutEnds(name string) bool { return strings.Contains("."+name, ".players.") }

// effects names the most important of the differences in words, the largest first and with its size:
// "B: mean wait 31 % longer (7.1 s instead of 5.4 s), mean RTT 3.0 % lower; 4 more are better". The list
// is in the order of importance. Of the metrics of one kind, such as several percentiles of a wait,
// effects names only the first.
func effects(subject string, list []*judge.Difference) string {
	var named []*judge.Difference
	kinds := map[string]bool{}
	better, worse := 0, 0
	for _, d := range list {
		if kind := kindOf(d.Name); !kinds[kind] {
			kinds[kind], named = true, append(named, d)
		}
		if d.Verdict == judge.VerdictBetter {
			better++
		} else {
			worse++
		}
	}
	says := subject
	switch {
	case better == 0:
		says += " is worse"
	case worse == 0:
		says += " is better"
	}
	named = named[:min(effectsMax, len(named))]
	slices.SortStableFunc(named, func(a, b *judge.Difference) int { return cmp.Compare(size(b), size(a)) })
	parts := make([]string, len(named))
	for i, d := range named {
		parts[i] = Effect(d, i == 0)
		if d.Verdict == judge.VerdictBetter {
			better--
		} else {
			worse--
		}
	}
	says += ": " + strings.Join(parts, ", ")
	var rest []string
	if worse > 0 {
		rest = append(rest, fmt.Sprintf("%d more %s worse", worse, words.Verb(worse, "is", "are")))
	}
	if better > 0 {
		rest = append(rest, fmt.Sprintf("%d more %s better", better, words.Verb(better, "is", "are")))
	}
	if len(rest) > 0 {
		says += "; " + strings.Join(rest, ", ")
	}
	return says
}

// kindOf returns what a metric is about: its block, in which all waits are one and all RTTs are one.
func kindOf(name string) string {
	queue := ""
	if rest, is := strings.CutPrefix(name, "queues."); is {
		key, of, _ := strings.Cut(rest, ".")
		queue, name = key+".", of
	}
	block, _, _ := strings.Cut(name, ".")
	switch {
	case strings.Contains(block, "wait"):
		block = "wait"
	case strings.Contains(block, "rtt"):
		block = "rtt"
	}
	return queue + block
}

// size returns how large a difference is: in percentage points for shares, and relative to A for
// other metrics.
func size(d *judge.Difference) float64 {
	if d.In == outcome.UnitShare || d.A == 0 {
		return math.Abs(float64(d.Difference))
	}
	return math.Abs(float64(d.Difference / d.A))
}

// Effect says how a metric changes: "mean wait 31 % longer". If sized is true, the two values follow.
// A share has no relative change, so its values always follow.
func Effect(d *judge.Difference, sized bool) string {
	decimals := words.Decimals(d.In, math.Abs(float64(d.Difference)))
	values := fmt.Sprintf("%s instead of %s", words.Quantity(d.In, float64(d.B), decimals, false), words.Quantity(d.In, float64(d.A), decimals, false))
	if d.In == outcome.UnitShare || d.A == 0 {
		return Metric(d.Name) + " " + values
	}
	directions := [...]string{"lower", "higher"}
	if d.In == outcome.UnitSeconds {
		directions = [...]string{"shorter", "longer"}
	}
	direction := directions[0]
	if d.Difference > 0 {
		direction = directions[1]
	}
	percent := 100 * size(d)
	says := fmt.Sprintf("%s %s %% %s", Metric(d.Name), words.Number(outcome.UnitNone, percent, words.Decimals(outcome.UnitNone, percent), false), direction)
	if sized {
		says += " (" + values + ")"
	}
	return says
}

// MoreUnmatched says that more players are left without a match, if any of the differences shows
// it: "B leaves more players without a match: 2.8 % instead of 0.1 % (+2.6 to +2.8 pp)". If queues
// show it, it names them instead of the whole run. It returns "" if none shows it.
func MoreUnmatched(subject string, list judge.Differences) string {
	var all, queues []string
	for i := range list {
		d := &list[i]
		if d.Verdict != judge.VerdictWorse {
			continue
		}
		cells := DifferenceCells(d)
		says := fmt.Sprintf("%s instead of %s (%s)", cells[2], cells[1], cells[5])
		if name, is := strings.CutPrefix(d.Name, "queues."); is {
			queues = append(queues, says+" in "+words.Name(strings.TrimSuffix(name, "."+judge.Unmatched)))
		} else {
			all = append(all, says)
		}
	}
	if len(queues) > 0 {
		all = queues
	}
	if len(all) == 0 {
		return ""
	}
	return subject + " leaves more players without a match: " + Enumerate(all)
}

// Enumerate joins the first three names and counts the rest.
func Enumerate(names []string) string {
	const most = 3
	names = words.PrintableAll(names)
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// DifferenceCells returns the cells of a difference's table row. Numbers have as many decimals as
// the width of the interval justifies.
func DifferenceCells(d *judge.Difference) []string {
	low, high := d.Low, d.High
	if d.Verdict == judge.VerdictEqual { // an interval around 0 would only say how exact the metric is
		low, high = judge.Optional(math.NaN()), judge.Optional(math.NaN())
	}
	decimals := Decimals(d.In, d.Difference, low, high, d.A)
	verdict := string(d.Verdict)
	if n := d.RunsNeeded; n > 0 && n <= estimate.RunsMax {
		verdict += fmt.Sprintf("; %s might show one", words.Plural(n, "run"))
	}
	interval, relative := "", ""
	switch {
	case d.Missing > 0:
		interval = words.RunsWith(d.Runs, d.Runs+d.Missing)
	case !math.IsNaN(float64(low)):
		interval = words.Number(d.In, float64(low), decimals, true) + " to " + words.Change(d.In, float64(high), decimals)
	}
	if d.A != 0 && d.Difference != 0 && !math.IsNaN(float64(d.Difference)) && d.In != outcome.UnitShare {
		relative = words.SignedPercent(float64(d.Difference) / math.Abs(float64(d.A)))
	}
	return []string{d.Name, words.Quantity(d.In, float64(d.A), decimals, false), words.Quantity(d.In, float64(d.B), decimals, false),
		words.Change(d.In, float64(d.Difference), decimals), relative, interval, verdict}
}

// Decimals returns the number of decimals to show for a difference: enough for two digits of
// half its interval. If the interval is unknown or empty, it uses a tenth of the difference
// instead, or a hundredth of from if the difference is 0. Whole counts without an interval have none, nor
// have counts of at least 100 that the interval does not justify.
func Decimals(u outcome.Unit, difference, low, high, from judge.Optional) int {
	margin := float64(high-low) / 2
	if !(margin > 0) {
		if isCount(u) && isWhole(difference) && isWhole(from) {
			return 0
		}
		margin = cmp.Or(math.Abs(float64(difference))/10, math.Abs(float64(from))/100)
	}
	if of := math.Abs(float64(difference)); isCount(u) && math.Abs(float64(from)) >= 100 && margin >= 1 && (of == 0 || of >= 0.5) {
		return 0
	}
	return words.Decimals(u, margin)
}

// Means formats both means of a difference with three digits, or with as many as show that they differ.
func Means(d *judge.Difference) (a, b string) {
	x, y := float64(d.A), float64(d.B)
	decimals := ThreeDigits(d.In, max(math.Abs(x), math.Abs(y)), y-x)
	return words.Quantity(d.In, x, decimals, false), words.Quantity(d.In, y, decimals, false)
}

// ThreeDigits returns the number of decimals that shows three digits of high, or the first digit of a
// difference if that is smaller.
func ThreeDigits(u outcome.Unit, high, difference float64) int {
	margin := math.Abs(high) / 10
	if difference != 0 {
		margin = min(margin, 10*math.Abs(difference))
	}
	return words.Decimals(u, margin) // two digits of margin
}

// isCount reports whether a unit is a thing that is counted.
func isCount(u outcome.Unit) bool { return u.Sign() == "" && u != outcome.UnitNone }

func isWhole(x judge.Optional) bool { return float64(x) == math.Trunc(float64(x)) }

// NoClaim says that no difference in a metric can be claimed, and why.
func NoClaim(metric string, v judge.Verdict) string {
	switch v {
	case judge.VerdictEqual:
		return metric + " is the same"
	case judge.VerdictSmall:
		return "no difference in " + metric + " that matters"
	case judge.VerdictUnknown:
		return "too few runs to tell a difference in " + metric + " from chance"
	}
	return "no difference in " + metric + " is shown"
}
