package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/reports/outcome"
)

// matchCommand is `mmsim match`.
type matchCommand struct {
	*terminal.Streams
	rules         ruleFlags
	matcher       matcherFlag
	json, explain bool
}

func newMatchCommand(s *terminal.Streams) *cobra.Command {
	m := &matchCommand{Streams: s}
	c := &cobra.Command{
		Use:   "match [flags] CASE.json",
		Short: "Make one matching pass over the scene in a case file",
		Long: `Make one matching pass over the waiting tickets and open sessions of a case file and
print the result: matches, sessions that took tickets, and tickets that still wait, gave up
or were rejected. The expectations of the case are ignored.

--explain prints a table for each ticket that still waits, with the rule that keeps it apart
from every other ticket, by how much, and when that ends. For Roblox server scoring it prints
one row for each server and signal. For a FlexMatch rule set it also prints how often each
rule passed and failed, like the service's ruleEvaluationMetrics. A rule is evaluated each
time the search tries to add a ticket to a group, and once for each complete match.

"mmsim help case" describes the format of case files.`,
		Example: `  mmsim match scene.json
  mmsim match --explain scene.json
  mmsim match --json scene.json | jq .matches`,
		Args: exactArgs("CASE.json"),
		RunE: func(_ *cobra.Command, args []string) error { return m.match(args[0]) },
	}
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&m.json, "json", false, "print JSON instead of words")
	c.Flags().BoolVar(&m.explain, "explain", false, "say which rule separates each waiting ticket from every other ticket")
	m.rules.add(c)
	m.matcher.add(c)
	grouped(c.Flags(), groupOutput, "json", "explain")
	return c
}

// matchResult is the output of --json.
type matchResult struct {
	*casefile.Outcome
	Explanations []casefile.Explanation `json:"explanations,omitempty"`
	Evaluations  outcome.Evaluations    `json:"evaluations,omitempty"`
}

func (m *matchCommand) match(file string) error {
	options, err := m.rules.options()
	if err != nil {
		return err
	}
	c, err := readCase(file)
	if err != nil {
		return input.Bad(err)
	}
	rules, err := c.Compile(options)
	if err != nil {
		return input.Bad(err)
	}
	if err := m.matcher.take(m.Streams)(c, rules); err != nil {
		return err
	}
	decided, err := rules.Run(&c.Scene)
	if err != nil {
		return input.Bad(err)
	}
	decided.Warnings = slices.Concat(rules.Warnings, decided.Warnings)
	result := matchResult{Outcome: decided}
	if m.explain {
		if result.Explanations, err = rules.Explain(&c.Scene, decided); err != nil {
			return input.Bad(err)
		}
		for _, e := range decided.Evaluations {
			result.Evaluations = append(result.Evaluations, outcome.Evaluation{Name: e.Rule, Passed: outcome.Count(e.Passed), Failed: outcome.Count(e.Failed)})
		}
	}
	if m.json {
		encoder := json.NewEncoder(m.Out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(result)
	}
	writeWarnings(m.Streams, decided.Warnings)
	var text strings.Builder
	terminal.PrintTo(&text, "%s at %s: %s", c.Name, casefile.FormatInstant(c.Scene.AtMS), rules.Description)
	if rules.Queue != nil && rules.Queue.WaitBases {
		terminal.PrintTo(&text, "; expansion basis %s, optional basis %s", m.rules.expansionBasis, m.rules.optionalBasis)
	}
	text.WriteByte('\n')
	writeOutcome(&text, decided)
	writeEvaluations(&text, decided.Evaluations)
	if n := len(result.Explanations); m.explain && n < len(decided.Unmatched) {
		terminal.PrintTo(&text, "\nthe first %d of %d tickets that wait:\n", n, len(decided.Unmatched))
	}
	for i := range result.Explanations {
		writeExplanation(&text, &result.Explanations[i], c.Scene.AtMS)
	}
	_, err = io.WriteString(m.Out, text.String())
	return err
}

// writeOutcome writes one line for each result of the pass.
func writeOutcome(w io.Writer, o *casefile.Outcome) {
	for _, match := range o.Matches {
		terminal.PrintTo(w, "match     %v\n", match)
	}
	for _, backfill := range o.Backfills {
		terminal.PrintTo(w, "backfill  %v\n", backfill)
	}
	for _, score := range o.Scores {
		terminal.PrintTo(w, "score     %s %g\n", score.Session, score.Value)
	}
	if o.Chosen != "" {
		terminal.PrintTo(w, "chosen    %s\n", o.Chosen)
	}
	rejected := make(map[string]bool)
	for _, r := range o.Rejected {
		rejected[r.Ticket] = true
		terminal.PrintTo(w, "rejected  %s: %s\n", r.Ticket, r.Reason)
	}
	for _, dropped := range o.Dropped {
		terminal.PrintTo(w, "dropped   %s\n", dropped)
	}
	for _, ticket := range o.Expired {
		terminal.PrintTo(w, "expired   %s\n", ticket)
	}
	for _, ticket := range o.Unmatched {
		if !rejected[ticket] {
			terminal.PrintTo(w, "waits     %s\n", ticket)
		}
	}
}

// writeEvaluations writes a table of how often the pass evaluated each rule.
func writeEvaluations(w io.Writer, evaluations []casefile.RuleEvaluations) {
	if len(evaluations) == 0 {
		return
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "rule\tpassed\tfailed")
	for _, e := range evaluations {
		terminal.PrintTo(table, "%s\t%d\t%d\n", e.Rule, e.Passed, e.Failed)
	}
	table.Flush() // cannot fail: w is a buffer
}

// explainedMax is the maximum number of rows printed for one ticket; --json prints all.
const explainedMax = 50

// writeExplanation writes the table of one ticket: for each other ticket, the first rule that
// separates the two, by how much, and the instant from which it no longer does.
func writeExplanation(w io.Writer, e *casefile.Explanation, nowMS int64) {
	terminal.PrintTo(w, "\n%s has waited %g s", e.Ticket, e.WaitedS)
	switch {
	case e.Placements != nil:
		writePlacements(w, e.Placements)
		return
	case e.Rejected != "":
		terminal.PrintTo(w, " and is rejected: %s\n", e.Rejected)
		return
	case len(e.Others) == 0 && e.Note != "":
		terminal.PrintTo(w, ": %s\n", e.Note)
		return
	case len(e.Others) == 0:
		fmt.Fprintln(w, "; no other ticket waits")
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
			untilMS := int64(math.Round(*other.UntilS * 1000))
			until = fmt.Sprintf("%s (in %g s)", casefile.FormatInstant(untilMS), float64(untilMS-nowMS)/1000)
		}
		terminal.PrintTo(table, "  %s\t%s\t%s\t%s\n", name, rule, other.Because, until)
	}
	table.Flush() // cannot fail: w is a buffer
	terminal.PrintTo(w, "  %s\n", e.Note)
}

// writePlacements writes, for each player of a ticket, one row for each server and signal,
// and the signal that decided.
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
		table.Flush() // cannot fail: w is a buffer
		terminal.PrintTo(w, "  %s\n", p.Decided)
	}
}
