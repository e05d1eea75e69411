package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Headline lists the metrics that a comparison shows first, the most important one first, whether
// they differ or not. A star matches any text.
var Headline = []string{
	"wait_first_s.mean", "wait_first_s.p95", "wait_s.mean", "wait_s.p95", "wait_s.p99", "queues.*.wait_first_s.mean", "queues.*.wait_first_s.p95",
	"queues.*.rtt_ms.mean", "queues.*.rtt_ms.p95",
	"rtt_ms.mean", "rtt_ms.p95", "rtt_ms.share_le_50", "rtt_ms.share_le_100", "limits.*.share_good", "limits.*.share_poor", "delta_rtt_ms.mean",
	Unmatched, unmatchedInQueue, "players.failed", "players.expired", "players.rejected", "players.declined", "players.bots", "players.matched",
	"queues.*.attributes.*.spread_mean", "attributes.*.spread_mean", "attributes.*.team_gap_mean", "overlaps.*.share_any", "rules.share_relaxed", "queues.*.rules.share_relaxed",
	"matches.count", "matches.fill", "matches.with_warmbody", "matches.repeat_share", "states.*.share",
	"servers.occupancy_mean", "servers.preferred_player_match_ratio", "servers.metrics.*.avg", "servers.opened", "servers.server_hours",
	"ccu.peak", "ccu.searching_mean",
}

// Pooled reports whether a metric is meaningless over several queues, because their rules differ.
// That is true of RTTs, of the blocks that describe them, such as rtt_ms, and of metrics of how
// similar players are.
func Pooled(name string) bool {
	if m, _ := outcome.Find(name); m.Unit == outcome.UnitMillis {
		return !strings.HasPrefix(name, "queues.")
	}
	for _, block := range [...]string{"limits.rtt.", "attributes.", "overlaps."} {
		if strings.HasPrefix(name, block) {
			return true
		}
	}
	block, _, _ := strings.Cut(name, ".")
	return strings.HasSuffix(block, "_ms")
}

// HasQueues reports whether the comparison has metrics of single queues. It has them if both
// configurations have several queues and at least one queue has the same name in both.
func (c *Comparison) HasQueues() bool {
	return slices.ContainsFunc(c.Metrics, func(d Difference) bool { return strings.HasPrefix(d.Name, "queues.") })
}

// Headlines returns the differences of the metrics in Headline, in that order. It omits:
//
//   - metrics that are 0 in both samples, such as the bots of configurations without bots;
//   - metrics that no pair has in both runs;
//   - metrics of matches if players are placed on servers, because servers have metrics of their
//     own;
//   - metrics for which Pooled is true if there are several queues.
func Headlines(c *Comparison) []*Difference {
	servers := slices.ContainsFunc(c.Metrics, func(d Difference) bool { return d.Name == "servers.opened" })
	queues := c.HasQueues()
	var list []*Difference
	for _, pattern := range Headline {
		for i := range c.Metrics {
			d := &c.Metrics[i]
			if servers && strings.HasPrefix(d.Name, "matches.") || queues && Pooled(d.Name) {
				continue
			}
			if outcome.MatchName(pattern, d.Name) && !outcome.IsGroup(d.Name) && d.Runs > 0 && (d.A != 0 || d.B != 0) {
				list = append(list, d)
			}
		}
	}
	return list
}

// ComparisonConclusion summarises Headlines. It says first if B leaves more players without a match.
func ComparisonConclusion(c *Comparison) string {
	var better, worse []string
	other, small, more := 0, 0, MoreUnmatched("B", c.Unmatched())
	for _, d := range Headlines(c) {
		switch d.Verdict {
		case VerdictBetter:
			better = append(better, d.Name)
		case VerdictWorse:
			if more == "" || !isUnmatchedShare(d.Name) {
				worse = append(worse, d.Name)
			}
		case VerdictHigher, VerdictLower:
			other++
		case VerdictSmall:
			small++
		}
	}
	var says []string
	if len(better) > 0 {
		says = append(says, "better in "+enumerate(better))
	}
	if len(worse) > 0 {
		says = append(says, "worse in "+enumerate(worse))
	}
	var sentences []string
	if more != "" {
		sentences = append(sentences, more+".")
	}
	if len(says) > 0 {
		sentences = append(sentences, "B is "+strings.Join(says, "; ")+".")
	}
	switch {
	case len(sentences) > 0:
		return strings.Join(sentences, " ")
	case other > 0:
		return "B differs from A, but is neither better nor worse."
	case small > 0:
		return "No difference that matters is shown."
	}
	return "No difference is shown."
}

// enumerate joins the first three names and counts the rest.
func enumerate(names []string) string {
	const most = 3
	names = words.PrintableAll(names)
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// DifferenceCells returns the cells of a difference's table row. Numbers have as many decimals as
// the width of the interval justifies.
func DifferenceCells(d *Difference) []string {
	low, high := d.Low, d.High
	if d.Verdict == VerdictEqual { // an interval around 0 would only say how exact the metric is
		low, high = Optional(math.NaN()), Optional(math.NaN())
	}
	decimals := DecimalsOf(d.In, d.Difference, low, high, d.A)
	verdict := string(d.Verdict)
	if n := d.RunsNeeded; n > 0 && n <= RunsMax {
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

// DecimalsOf returns the number of decimals to show for a difference: enough for two digits of
// half its interval. If the interval is unknown or empty, it uses a tenth of the difference
// instead, or a hundredth of from if the difference is 0.
func DecimalsOf(u outcome.Unit, difference, low, high, from Optional) int {
	margin := float64(high-low) / 2
	if !(margin > 0) {
		margin = cmp.Or(math.Abs(float64(difference))/10, math.Abs(float64(from))/100)
	}
	return words.Decimals(u, margin)
}

// GuardMark says what is wrong with a choice that is worse in a guarded metric than the guard
// allows.
func GuardMark(metric string) string {
	if metric == Unmatched {
		return "leaves more players without a match"
	}
	return "worse in " + words.Printable(metric) + " by more than the guard allows"
}

// gaps says which metrics of a choice are not comparable because not every run has them. Metrics
// that equally many runs have share a phrase.
func gaps(metrics []string, of func(name string) *Estimate) []string {
	var list []string
	for first := 0; first < len(metrics); {
		e, last := of(metrics[first]), first+1
		for last < len(metrics) && of(metrics[last]).Runs == e.Runs {
			last++
		}
		list = append(list, "not comparable: "+enumerate(metrics[first:last])+" in "+words.RunsWith(e.Runs, e.Of))
		first = last
	}
	return list
}

// IfSeveral returns its argument, a text about intervals, if each point of the sweep has several
// runs. Otherwise it returns "", because a single run has no interval.
func IfSeveral(s *Sweep, says string) string {
	if len(s.Points[0].Runs) < 2 {
		return ""
	}
	return says
}
