package command

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/vendor"
	"mmsim/reports/outcome"
)

// matchCommand holds the flags of "mmsim match".
type matchCommand struct {
	*terminal.Streams
	rules         cli.ConfigFlags // only the flags about rules
	matcher       matcherFlag
	json, explain bool
}

func newMatchCommand(s *terminal.Streams) *cobra.Command {
	m := &matchCommand{Streams: s}
	c := &cobra.Command{
		Use:   "match [flags] CASE.json",
		Short: "Run one matching pass on a case file",
		Long: `Run one matching pass on a case file, and print the result: the new matches, the sessions that took
tickets, and the tickets that still wait, gave up or were rejected. A ticket is a player or a party
that searches for a match. A session is a running match with free seats.

A case file has a ruleset and a few tickets. "mmsim help case" describes the format, and "mmsim run
--capture" writes a case file from a simulated day. match ignores the expected result in the file;
"mmsim test" compares it with the actual result.

--explain says why tickets still wait. For each waiting ticket, it prints a table with a row for
every other ticket and every session. A row names the first rule that keeps the two apart, both
values that the rule compares, and the first instant at which no rule keeps them apart any more. If
only two tickets wait, a pass at that instant matches them. For Roblox, which places players on
servers, the table has a row for every server and signal (a part of a server's score).

For FlexMatch, --explain also prints how often each rule passed and failed, like the service's
ruleEvaluationMetrics. A rule is evaluated each time the search tries to add a ticket to a group,
and once for each complete match.`,
		Example: `  mmsim match case.json
  mmsim match --explain case.json
  mmsim match --json case.json | jq .matches`,
		RunE: func(_ *cobra.Command, args []string) error { return m.match(args[0]) },
	}
	c.Flags().SortFlags = false
	out := cli.Under(c, cli.GroupOutput)
	out.Bool(&m.json, "json", "print JSON instead of text")
	out.Bool(&m.explain, "explain", "explain why tickets still wait")
	m.rules.AddShort(c, cli.PassFlags...)
	m.matcher.add(c)
	return c
}

// matchResult is the output of --json.
type matchResult struct {
	*casefile.Outcome
	Explanations []casefile.Explanation `json:"explanations,omitempty"`
	Evaluations  outcome.Evaluations    `json:"evaluations,omitempty"`
}

func (m *matchCommand) match(file string) error {
	options, err := m.rules.RulesetOptions()
	if err != nil {
		return err
	}
	c, err := cli.ReadCase(file)
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
	decided.Warnings = slices.Concat(rules.Warnings, rules.Followed(input.Shown(file), vendor.FollowInCase), decided.Warnings)
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
	cli.WriteWarnings(m.Streams, decided.Warnings)
	var text strings.Builder
	terminal.PrintTo(&text, "%s at %s: %s", c.Name, casefile.FormatInstant(c.Scene.AtMS), rules.Description)
	if rules.Queue != nil && rules.Queue.WaitBases {
		terminal.PrintTo(&text, "; expansion basis %s, optional basis %s", options.ExpansionBasis, options.OptionalBasis)
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
	if o.Partitions > 0 {
		terminal.PrintTo(w, "parts     %d, matched separately\n", o.Partitions)
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

// explainedMax is the maximum number of rows in the table of one ticket. --json prints all rows.
const explainedMax = 50

// writeExplanation writes the table of one ticket. For each other ticket or session, the table has
// the first rule that keeps the two apart, the reason, and the time at which the rule stops
// doing so.
func writeExplanation(w io.Writer, e *casefile.Explanation, nowMS int64) {
	terminal.PrintTo(w, "\n%s has waited %g s", e.Ticket, e.WaitedS)
	if e.OwnRule != "" {
		terminal.PrintTo(w, "; %s keeps its own players apart, so that no match can hold it", e.OwnRule)
	}
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

// writePlacements writes a table for each player of a ticket, with a row for each server and
// signal, and the signal that decided.
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
