package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// headline lists the numbers that a reader looks at first, most important first; a star
// stands for any text. They are shown whether they differ or not.
var headline = []string{
	"wait_first_s.mean", "wait_first_s.p95", "wait_s.mean", "wait_s.p95", "wait_s.p99",
	"rtt_ms.mean", "rtt_ms.p95", "rtt_ms.share_le_50", "rtt_ms.share_le_100", "delta_rtt_ms.mean",
	"players.failed", "players.expired", "players.rejected", "players.bots", "players.matched",
	"attributes.*.spread_mean", "attributes.*.team_gap_mean", "overlaps.*.share_any", "rules.share_relaxed", "queues.*.rules.share_relaxed",
	"matches.count", "matches.fill", "matches.with_warmbody", "matches.repeat_share", "states.*.share",
	"servers.occupancy_mean", "servers.preferred_player_match_ratio", "servers.metrics.*.avg", "servers.opened", "servers.server_hours",
	"ccu.peak", "ccu.searching_mean",
}

// headlines lists the differences of the headline, in its order. Those that are 0 on
// both sides, like the bots of a configuration without bots, say nothing; nor do
// matches where they are servers, of which others tell more.
func (c *Comparison) headlines() []*Difference {
	servers := slices.ContainsFunc(c.Metrics, func(d Difference) bool { return d.Name == "servers.opened" })
	var list []*Difference
	for _, pattern := range headline {
		for i := range c.Metrics {
			d := &c.Metrics[i]
			if servers && strings.HasPrefix(d.Name, "matches.") {
				continue
			}
			if MatchName(pattern, d.Name) && !isGroup(d.Name) && d.Runs > 0 && (d.A != 0 || d.B != 0) {
				list = append(list, d)
			}
		}
	}
	return list
}

// Conclusion says in a sentence what the headline shows.
func (c *Comparison) Conclusion() string {
	var better, worse []string
	other := 0
	for _, d := range c.headlines() {
		switch d.Verdict {
		case VerdictBetter:
			better = append(better, d.Name)
		case VerdictWorse:
			worse = append(worse, d.Name)
		case VerdictHigher, VerdictLower:
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
	names = printableAll(names)
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Text returns the comparison for a terminal.
func (c *Comparison) Text(colour bool) string {
	t := &text{colour: colour}
	if !c.Complete {
		fmt.Fprintln(t, t.styled(alarm, "Interrupted: only the pairs that were finished are compared."))
	}
	fmt.Fprintf(t, "%s\n\nA  %s\nB  %s\n%s\n", t.styled(bold, c.Conclusion()), Printable(c.A), Printable(c.B), c.basis())
	if len(c.Settings) > 0 {
		t.WriteString("\n" + c.settingsTable().text(nil))
	}
	t.WriteString("\n" + differenceTable(c.headlines()).text(t.verdict))
	if groups, left := c.groupPairs(); len(groups) > 0 {
		fmt.Fprintf(t, "\n%s\n%s", groupsHeading, groupDifferenceTable(groups).text(t.verdict))
		if left > 0 {
			fmt.Fprintf(t, "and %s, which --json lists\n", plural(left, "more group"))
		}
	}
	if len(c.Warnings) > 0 {
		t.WriteByte('\n')
	}
	for _, warning := range c.Warnings {
		t.line("Warning", "%s", Printable(warning))
	}
	return t.String()
}

// verdict colours a cell that is one.
func (t *text) verdict(cell string) string {
	switch Verdict(cell) {
	case VerdictBetter:
		return t.styled("32", cell)
	case VerdictWorse:
		return t.styled(alarm, cell)
	}
	return cell
}

// Markdown returns the comparison for a page or a comment on a pull request.
func (c *Comparison) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", inMarkdown(c.Conclusion()))
	if !c.Complete {
		b.WriteString("**Interrupted: only the pairs that were finished are compared.**\n\n")
	}
	fmt.Fprintf(&b, "A is %s, B is %s. %s\n\n", inMarkdown(c.A), inMarkdown(c.B), inMarkdown(c.basis()))
	if len(c.Settings) > 0 {
		b.WriteString(c.settingsTable().markdown() + "\n")
	}
	b.WriteString(differenceTable(c.headlines()).markdown())
	if groups, left := c.groupPairs(); len(groups) > 0 {
		fmt.Fprintf(&b, "\n%s\n\n%s", groupsHeading, groupDifferenceTable(groups).markdown())
		if left > 0 {
			fmt.Fprintf(&b, "\nand %s, which `--json` lists\n", plural(left, "more group"))
		}
	}
	for _, warning := range c.Warnings {
		fmt.Fprintf(&b, "\n> Warning: %s\n", inMarkdown(warning))
	}
	return b.String()
}

// basis says what the intervals are made from.
func (c *Comparison) basis() string {
	switch {
	case c.Pairs > 1:
		return fmt.Sprintf("%d pairs of runs that share seed and draws; differences are B less A, with 95 %% intervals (Student's t over pairs).", c.Pairs)
	case c.Pairs == 1:
		return "One pair of runs that share seed and draws; differences are B less A."
	}
	return fmt.Sprintf("%s of A, %s of B, independent of each other; differences are B less A, with 95 %% intervals (Welch's t).",
		plural(c.RunsA, "run"), plural(c.RunsB, "run"))
}

func (c *Comparison) settingsTable() *textTable {
	g := &textTable{head: []string{"setting", "A", "B"}, left: []int{1, 2}}
	for _, s := range c.Settings {
		g.rows = append(g.rows, []string{s.Key, s.A, s.B})
	}
	return g
}

func differenceTable(list []*Difference) *textTable {
	g := &textTable{head: []string{"metric", "A", "B", "difference", "", "95 % interval", "verdict"}, left: []int{6}}
	for _, d := range list {
		g.rows = append(g.rows, d.row())
	}
	return g
}

// row writes a difference with as many decimals as its interval deserves.
func (d *Difference) row() []string {
	decimals := d.unit.decimalsOf(d.Difference, d.Low, d.High, d.A)
	verdict := string(d.Verdict)
	if n := d.RunsNeeded; n > 0 && n <= runsMost {
		verdict += fmt.Sprintf(", %s might", plural(n, "run"))
	}
	interval, relative := "", ""
	if !math.IsNaN(float64(d.Low)) && d.Verdict != VerdictEqual {
		interval = d.unit.number(float64(d.Low), decimals, true) + " to " + d.unit.quantity(float64(d.High), decimals, true)
	}
	if d.A != 0 && d.Difference != 0 && d.unit != UnitShare {
		relative = signedPercent(float64(d.Difference) / math.Abs(float64(d.A)))
	}
	return []string{d.Name, d.unit.quantity(float64(d.A), decimals, false), d.unit.quantity(float64(d.B), decimals, false),
		d.unit.quantity(float64(d.Difference), decimals, true), relative, interval, verdict}
}

// signedPercent writes a change as a share of what was; one too small to show has no sign.
func signedPercent(share float64) string {
	if math.Abs(share) < 0.0005 {
		return "0.0 %"
	}
	return fmt.Sprintf("%+.1f %%", 100*share)
}

// decimalsOf is how many decimals a difference from a number deserves: two digits of
// what it may be off by; where that is not known or 0, of itself, else of the number.
func (u Unit) decimalsOf(difference, low, high, from optional) int {
	margin := float64(high-low) / 2
	if !(margin > 0) {
		margin = cmp.Or(math.Abs(float64(difference))/10, math.Abs(float64(from))/100)
	}
	return u.decimals(margin)
}

// decimals is how many decimals show two digits of a margin, and no more than files
// have; 0 without one.
func (u Unit) decimals(margin float64) int {
	most := [...]int{6, 3, 2, 3}[u]
	if u == UnitShare {
		margin *= 100
	}
	if !(margin > 0) {
		return 0
	}
	return max(0, min(most, 1-int(math.Floor(math.Log10(margin)))))
}

// number writes a number in its unit, without the sign of the unit; plus asks for a
// sign in front of what is above 0.
func (u Unit) number(x float64, decimals int, plus bool) string {
	if u == UnitShare {
		x *= 100
	}
	written := strconv.FormatFloat(x, 'f', decimals, 64)
	if whole, rest, isFraction := strings.Cut(written, "."); isFraction {
		written = inThrees(whole) + "." + rest
	} else {
		written = inThrees(whole)
	}
	if plus && x > 0 {
		written = "+" + written
	}
	return written
}

// quantity writes a number with the sign of its unit; a dash where there is none.
func (u Unit) quantity(x float64, decimals int, plus bool) string {
	if math.IsNaN(x) {
		return "-"
	}
	if sign := u.String(); sign != "" {
		return u.number(x, decimals, plus) + " " + sign
	}
	return u.number(x, decimals, plus)
}
