package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
)

// explainedMax bounds the rows that are printed for one ticket; --json has all.
const explainedMax = 50

// writeExplanation writes the table of one ticket: each other ticket, the first
// rule that keeps them apart, by how much, and from which instant on it would not.
func writeExplanation(w io.Writer, e *casefile.Explanation) {
	terminal.PrintTo(w, "\n%s has waited %g s", e.Ticket, e.WaitedS)
	switch {
	case e.Placements != nil:
		writePlacements(w, e.Placements)
		return
	case e.Rejected != "":
		terminal.PrintTo(w, " and is rejected: %s\n", e.Rejected)
		return
	case len(e.Others) == 0:
		fmt.Fprintln(w, "; there is nobody else")
		return
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  other\tkept apart by\tbecause\tuntil")
	for i, other := range e.Others {
		if i == explainedMax {
			terminal.PrintTo(table, "  and %d more\n", len(e.Others)-i)
			break
		}
		name, rule, until := other.Ticket, other.Rule, "never"
		if other.Session != "" {
			name = "session " + other.Session
		}
		switch {
		case other.Rule == "":
			rule, until = "-", "-"
		case other.UntilS != nil:
			until = fmt.Sprintf("%g s", *other.UntilS)
		}
		terminal.PrintTo(table, "  %s\t%s\t%s\t%s\n", name, rule, other.Because, until)
	}
	table.Flush() // cannot fail: w collects in memory
	terminal.PrintTo(w, "  %s\n", e.Note)
}
