package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// headline lists the numbers that a reader looks at first, most important first; a star
// stands for any text. They are shown whether they differ or not.
var headline = []string{
	"wait_first_s.mean", "wait_first_s.p95", "wait_s.mean", "wait_s.p95", "wait_s.p99",
	"rtt_ms.mean", "rtt_ms.p95", "rtt_ms.share_le_50", "rtt_ms.share_le_100", "limits.*.share_good", "limits.*.share_poor", "delta_rtt_ms.mean",
	"players.failed", "players.expired", "players.rejected", "players.bots", "players.matched",
	"attributes.*.spread_mean", "attributes.*.team_gap_mean", "overlaps.*.share_any", "rules.share_relaxed", "queues.*.rules.share_relaxed",
	"matches.count", "matches.fill", "matches.with_warmbody", "matches.repeat_share", "states.*.share",
	"servers.occupancy_mean", "servers.preferred_player_match_ratio", "servers.metrics.*.avg", "servers.opened", "servers.server_hours",
	"ccu.peak", "ccu.searching_mean",
}

// headlines lists the differences of the headline, in its order. Those that are 0 on
// both sides, like the bots of a configuration without bots, say nothing; nor do
// matches where they are servers, of which others tell more.
func headlines(c *judge.Comparison) []*judge.Difference {
	servers := slices.ContainsFunc(c.Metrics, func(d judge.Difference) bool { return d.Name == "servers.opened" })
	var list []*judge.Difference
	for _, pattern := range headline {
		for i := range c.Metrics {
			d := &c.Metrics[i]
			if servers && strings.HasPrefix(d.Name, "matches.") {
				continue
			}
			if outcome.MatchName(pattern, d.Name) && !outcome.IsGroup(d.Name) && d.Runs > 0 && (d.A != 0 || d.B != 0) {
				list = append(list, d)
			}
		}
	}
	return list
}

// ComparisonConclusion says in a sentence what the headline shows.
func ComparisonConclusion(c *judge.Comparison) string {
	var better, worse []string
	other := 0
	for _, d := range headlines(c) {
		switch d.Verdict {
		case judge.VerdictBetter:
			better = append(better, d.Name)
		case judge.VerdictWorse:
			worse = append(worse, d.Name)
		case judge.VerdictHigher, judge.VerdictLower:
			other++
		}
	}
	var says []string
	if len(better) > 0 {
		says = append(says, "better in "+enumerate(better))
	}
	if len(worse) > 0 {
		says = append(says, "worse in "+enumerate(worse))
	}
	switch {
	case len(says) > 0:
		return "B is " + strings.Join(says, "; ") + "."
	case other > 0:
		return "B is neither better nor worse than A, but not the same."
	}
	return "No difference is shown."
}

// enumerate lists the first few of some names.
func enumerate(names []string) string {
	const most = 3
	names = words.PrintableAll(names)
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// ComparisonText returns the comparison for a terminal.
func ComparisonText(c *judge.Comparison, colour bool) string {
	t := &text{colour: colour}
	if !c.Complete {
		fmt.Fprintln(t, t.styled(alarm, "Interrupted: only the pairs that were finished are compared."))
	}
	fmt.Fprintf(t, "%s\n\nA  %s\nB  %s\n%s\n", t.styled(bold, ComparisonConclusion(c)), words.Printable(c.A), words.Printable(c.B), comparisonBasis(c))
	if len(c.Settings) > 0 {
		t.WriteString("\n" + settingsTable(c).text(nil))
	}
	t.WriteString("\n" + differenceTable(headlines(c)).text(t.verdict))
	if groups, left := groupPairs(c); len(groups) > 0 {
		fmt.Fprintf(t, "\n%s\n%s", groupsHeading, groupDifferenceTable(groups).text(t.verdict))
		if left > 0 {
			fmt.Fprintf(t, "and %s, which --json lists\n", words.Plural(left, "more group"))
		}
	}
	if len(c.Warnings) > 0 {
		t.WriteByte('\n')
	}
	for _, warning := range c.Warnings {
		t.line("Warning", "%s", words.Printable(warning))
	}
	return t.String()
}

// verdict colours a cell that is one.
func (t *text) verdict(cell string) string {
	switch judge.Verdict(cell) {
	case judge.VerdictBetter:
		return t.styled("32", cell)
	case judge.VerdictWorse:
		return t.styled(alarm, cell)
	}
	return cell
}

// ComparisonMarkdown returns the comparison for a page or a comment on a pull request.
func ComparisonMarkdown(c *judge.Comparison) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", inMarkdown(ComparisonConclusion(c)))
	if !c.Complete {
		b.WriteString("**Interrupted: only the pairs that were finished are compared.**\n\n")
	}
	fmt.Fprintf(&b, "A is %s, B is %s. %s\n\n", inMarkdown(c.A), inMarkdown(c.B), inMarkdown(comparisonBasis(c)))
	if len(c.Settings) > 0 {
		b.WriteString(settingsTable(c).markdown() + "\n")
	}
	b.WriteString(differenceTable(headlines(c)).markdown())
	if groups, left := groupPairs(c); len(groups) > 0 {
		fmt.Fprintf(&b, "\n%s\n\n%s", groupsHeading, groupDifferenceTable(groups).markdown())
		if left > 0 {
			fmt.Fprintf(&b, "\nand %s, which `--json` lists\n", words.Plural(left, "more group"))
		}
	}
	for _, warning := range c.Warnings {
		fmt.Fprintf(&b, "\n> Warning: %s\n", inMarkdown(warning))
	}
	return b.String()
}

// comparisonBasis says what the intervals are made from.
func comparisonBasis(c *judge.Comparison) string {
	switch {
	case c.Pairs > 1:
		return fmt.Sprintf("%d pairs of runs that share seed and draws; differences are B less A, with 95 %% intervals (Student's t over pairs).", c.Pairs)
	case c.Pairs == 1:
		return "One pair of runs that share seed and draws; differences are B less A."
	}
	return fmt.Sprintf("%s of A, %s of B, independent of each other; differences are B less A, with 95 %% intervals (Welch's t).",
		words.Plural(c.RunsA, "run"), words.Plural(c.RunsB, "run"))
}

func settingsTable(c *judge.Comparison) *textTable {
	g := &textTable{head: []string{"setting", "A", "B"}, left: []int{1, 2}}
	for _, s := range c.Settings {
		g.rows = append(g.rows, []string{s.Key, s.A, s.B})
	}
	return g
}

func differenceTable(list []*judge.Difference) *textTable {
	g := &textTable{head: []string{"metric", "A", "B", "difference", "", "95 % interval", "verdict"}, left: []int{6}}
	for _, d := range list {
		g.rows = append(g.rows, differenceCells(d))
	}
	return g
}

// differenceCells writes a difference with as many decimals as its interval deserves.
func differenceCells(d *judge.Difference) []string {
	decimals := decimalsOf(d.In, d.Difference, d.Low, d.High, d.A)
	verdict := string(d.Verdict)
	if n := d.RunsNeeded; n > 0 && n <= judge.RunsMost {
		verdict += fmt.Sprintf(", %s might", words.Plural(n, "run"))
	}
	interval, relative := "", ""
	if !math.IsNaN(float64(d.Low)) && d.Verdict != judge.VerdictEqual {
		interval = words.Number(d.In, float64(d.Low), decimals, true) + " to " + words.Quantity(d.In, float64(d.High), decimals, true)
	}
	if d.A != 0 && d.Difference != 0 && d.In != outcome.UnitShare {
		relative = words.SignedPercent(float64(d.Difference) / math.Abs(float64(d.A)))
	}
	return []string{d.Name, words.Quantity(d.In, float64(d.A), decimals, false), words.Quantity(d.In, float64(d.B), decimals, false),
		words.Quantity(d.In, float64(d.Difference), decimals, true), relative, interval, verdict}
}

// decimalsOf is how many decimals a difference from a number deserves: two digits of
// what it may be off by; where that is not known or 0, of itself, else of the number.
func decimalsOf(u outcome.Unit, difference, low, high, from judge.Optional) int {
	margin := float64(high-low) / 2
	if !(margin > 0) {
		margin = cmp.Or(math.Abs(float64(difference))/10, math.Abs(float64(from))/100)
	}
	return words.Decimals(u, margin)
}
