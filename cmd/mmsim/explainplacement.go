package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
)

// writePlacements writes for each player of a ticket one row for each server and
// signal, and what decided.
func writePlacements(w io.Writer, placements []casefile.Placement) {
	fmt.Fprintln(w)
	for _, p := range placements {
		terminal.PrintTo(w, "%s goes to %s\n", p.Player, p.Chosen)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "  server\tsignal\tvalue\tweight\tweighted\tformula")
		for i, s := range p.Servers {
			if i == explainedMax {
				terminal.PrintTo(table, "  and %d more\n", len(p.Servers)-i)
				break
			}
			if s.Score == nil {
				terminal.PrintTo(table, "  %s\t-\t-\t-\t-\t%s\n", s.Session, s.Because)
				continue
			}
			for _, signal := range s.Signals {
				terminal.PrintTo(table, "  %s\t%s\t%.6g\t%.6g\t%.6g\t%s\n",
					s.Session, signal.Signal, signal.Value, signal.Weight, signal.Weighted, signal.Formula)
			}
			terminal.PrintTo(table, "  %s\tscore\t\t\t%.6g\tsum\n", s.Session, *s.Score)
		}
		table.Flush() // cannot fail: w collects in memory
		terminal.PrintTo(w, "  %s\n", p.Decided)
	}
}
