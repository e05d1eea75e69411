package decision

import (
	"fmt"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// ComparisonText formats the comparison for a terminal.
func ComparisonText(c *judge.Comparison, colour bool) string {
	t := &strings.Builder{}
	if !c.Complete {
		fmt.Fprintln(t, present.Styled(colour, present.Alarm, "Interrupted: only finished pairs are compared."))
	}
	fmt.Fprintf(t, "%s\n\nA  %s\nB  %s\n%s\n", present.Styled(colour, present.Bold, judge.ComparisonConclusion(c)), words.Printable(c.A), words.Printable(c.B), comparisonBasis(c))
	if len(c.Settings) > 0 {
		t.WriteString("\n" + settingsTable(c).Text(nil))
	}
	t.WriteString("\n" + differenceTable(judge.Headlines(c)).Text(verdictStyle(colour)))
	if groups, left := groupPairs(c, groupRowsMax); len(groups) > 0 {
		fmt.Fprintf(t, "\n%s\n%s", groupsHeading, groupDifferenceTable(groups).Text(verdictStyle(colour)))
		if left > 0 {
			fmt.Fprintf(t, "and %s, which --json lists\n", words.Plural(left, "more group"))
		}
	}
	if len(c.Warnings) > 0 {
		t.WriteByte('\n')
	}
	for _, warning := range c.Warnings {
		t.WriteString(present.WarningLine(colour, warning))
	}
	return t.String()
}

// verdictStyle returns a function that colours cells that are verdicts.
func verdictStyle(colour bool) func(cell string) string {
	return func(cell string) string {
		switch judge.Verdict(cell) {
		case judge.VerdictBetter:
			return present.Styled(colour, present.Green, cell)
		case judge.VerdictWorse:
			return present.Styled(colour, present.Alarm, cell)
		}
		return cell
	}
}

// ComparisonMarkdown formats the comparison for a markdown page or a pull request comment.
func ComparisonMarkdown(c *judge.Comparison) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", present.InMarkdown(judge.ComparisonConclusion(c)))
	if !c.Complete {
		b.WriteString("**Interrupted: only finished pairs are compared.**\n\n")
	}
	fmt.Fprintf(&b, "A is %s, B is %s. %s\n\n", present.InMarkdown(c.A), present.InMarkdown(c.B), present.InMarkdown(comparisonBasis(c)))
	if len(c.Settings) > 0 {
		b.WriteString(settingsTable(c).Markdown() + "\n")
	}
	b.WriteString(differenceTable(judge.Headlines(c)).Markdown())
	if groups, left := groupPairs(c, groupRowsMax); len(groups) > 0 {
		b.WriteString(worseOff(groups))
		fmt.Fprintf(&b, "\n%s\n\n%s", groupsHeading, groupDifferenceTable(groups).Markdown())
		if left > 0 {
			fmt.Fprintf(&b, "\nand %s, which `--json` lists\n", words.Plural(left, "more group"))
		}
	}
	for _, warning := range c.Warnings {
		fmt.Fprintf(&b, "\n> %s: %s\n", present.WarningLabel(warning), present.InMarkdown(warning))
	}
	return b.String()
}

// worseOff returns lines that name the groups for which B is worse, or nothing.
func worseOff(groups []groupPair) string {
	var waits, rtts []string
	for _, g := range groups {
		name := present.InMarkdown(g.division + "." + g.group)
		if g.wait != nil && g.wait.Verdict == judge.VerdictWorse {
			waits = append(waits, name)
		}
		if g.rtt != nil && g.rtt.Verdict == judge.VerdictWorse {
			rtts = append(rtts, name)
		}
	}
	text := ""
	if len(waits) > 0 {
		text += "\n**Wait longer in B:** " + strings.Join(waits, ", ") + "\n"
	}
	if len(rtts) > 0 {
		text += "\n**Higher RTT in B:** " + strings.Join(rtts, ", ") + "\n"
	}
	return text
}

// comparisonBasis describes the runs from which the intervals are computed, and what the intervals
// cover.
func comparisonBasis(c *judge.Comparison) string {
	if c.Pairs == 1 {
		return "One pair of runs with the same seed and random numbers; differences are B minus A."
	}
	basis := fmt.Sprintf("%s of A, %s of B, independent of each other; differences are B minus A, with 95 %% intervals (Welch's t).",
		words.Plural(c.RunsA, "run"), words.Plural(c.RunsB, "run"))
	if c.Pairs > 1 {
		basis = fmt.Sprintf("%d pairs of runs with the same seed and random numbers; differences are B minus A, with 95 %% intervals (Student's t over pairs).", c.Pairs)
	}
	return strings.Join(append([]string{basis}, coverage(c.Joins)...), " ")
}

// coverage returns the sentence of words.Coverage, or nothing if there is none.
func coverage(joins outcome.Joins) []string {
	if sentence := words.Coverage(joins); sentence != "" {
		return []string{sentence}
	}
	return nil
}

func settingsTable(c *judge.Comparison) *present.Table {
	g := &present.Table{Head: []string{"setting", "A", "B"}, Left: []int{1, 2}}
	for _, s := range c.Settings {
		g.Rows = append(g.Rows, []string{s.Key, s.A, s.B})
	}
	return g
}

func differenceTable(list []*judge.Difference) *present.Table {
	g := &present.Table{Head: []string{"metric", "A", "B", "difference", "", "95 % interval", "verdict"}, Left: []int{6}, Verdicts: []int{6}}
	for _, d := range list {
		g.Rows = append(g.Rows, judge.DifferenceCells(d))
	}
	return g
}
