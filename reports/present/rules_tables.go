package present

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

func externalTables(e *outcome.External) []Table {
	if e == nil {
		return nil
	}
	return []Table{{Title: "Matchmaker", Note: "Proposals of " + e.Matcher + ".", Head: matchmakerHead, Rows: matchmakerRows(e)}}
}

func rulesetTables(r *outcome.Rules, statistics *outcome.QueueStatistics) []Table {
	if r == nil {
		return nil
	}
	tables := []Table{rulesetTable(r), relaxationTable(r)}
	if len(r.Evaluations) > 0 {
		tables = append(tables, evaluationsTable(r.Evaluations))
	}
	if len(r.Layouts) > 0 {
		tables = append(tables, partsTable("Teams", "Matches by the sizes of their teams at the start.", "teams", "matches", r.Layouts))
	}
	if len(r.Sizes) > 1 {
		tables = append(tables, partsTable("Match sizes", "Matches by the number of players at the start.", "players", "matches", r.Sizes))
	}
	if r.Expiry.Explained > 0 {
		tables = append(tables, expiryTable(r))
	}
	if len(r.Refused) > 0 {
		tables = append(tables, partsTable("Refused", "Players whose ticket the service would refuse.", "reason", "players", r.Refused))
	}
	if statistics != nil {
		tables = append(tables, queueStatisticsTable(statistics))
	}
	return tables
}

func rulesetTable(r *outcome.Rules) Table {
	return Table{
		Title: "Ruleset",
		Head:  []string{"setting or count", "value"},
		Rows: [][]string{
			{"name", r.Name},
			{"dialect", strings.TrimSuffix(r.Dialect+", following the "+r.Follow, ", following the ")},
			{"placement", r.Placement},
			{"expansion by the wait of", "the " + r.ExpansionBasis + " waiting"},
			{"optional by the wait of", r.OptionalBasis},
			{"matches", words.Thousands(r.Matches)},
			{"fill at the start of matches", words.Percent(r.FillAtStart)},
			{"tickets that joined running matches", words.Thousands(r.Backfill.Tickets)},
			{"their players", words.Thousands(r.Backfill.Players)},
			{"searches for groups cut short", words.Thousands(r.BudgetHits.Groups)},
			{"searches for teams cut short", words.Thousands(r.BudgetHits.Teams)},
		},
	}
}

func evaluationsTable(evaluations outcome.Evaluations) Table {
	return Table{
		Title: "Evaluations of the rules",
		Note:  "Rules are evaluated when the search tries a ticket together with others, and for each complete match. The service reports these counts as ruleEvaluationMetrics in its events.",
		Head:  []string{"rule", "passed", "failed"},
		Rows: words.Each(evaluations, func(e outcome.Evaluation) []string {
			return []string{e.Name, words.Thousands(e.Passed), words.Thousands(e.Failed)}
		}),
	}
}

func relaxationTable(r *outcome.Rules) Table {
	return Table{
		Title: "How far rules were relaxed",
		Note:  "Shares of matches by how many steps the rule was relaxed when they were made. The last column has the matches for which the rule was no longer enforced.",
		Head:  append([]string{"rule", "relaxed"}, words.RelaxNames[:]...),
		Bars:  []int{1},
		Rows: words.Each(r.Relaxation, func(rule outcome.Relaxation) []string {
			classes := rule.ByClass()
			shares := words.Each(classes[:], func(part float64) string { return words.Percent(outcome.RoundShare(part)) })
			return append([]string{rule.Name, words.Percent(rule.ShareRelaxed)}, shares...)
		}),
	}
}

func expiryTable(r *outcome.Rules) Table {
	e := &r.Expiry
	t := Table{
		Title: "Why tickets " + words.EndedWord(r),
		Note: "Tickets are those that found no match before their time was over, by the rule that kept most other tickets apart from them at that time. " +
			"Pairs are such a ticket and another waiting ticket, by the first rule that kept the two apart.",
		Head: []string{"reason", "tickets", "share", "pairs", "share"},
		Bars: []int{2, 4},
	}
	pairs := slices.Concat(e.Pairs.ByRule, outcome.Parts{
		{Name: words.TooLarge, Count: e.Pairs.TooLarge.Count, Share: e.Pairs.TooLarge.Share},
		{Name: words.NoGroup, Count: e.Pairs.MayMeet.Count, Share: e.Pairs.MayMeet.Share},
	})
	reasons := words.ExpiryReasons(e)
	for _, p := range pairs { // add rules that were not the main reason for any ticket
		if p.Count > 0 && outcome.PartNamed(reasons, p.Name).Name == "" {
			reasons = append(reasons, outcome.Part{Name: p.Name})
		}
	}
	for _, reason := range reasons {
		p := outcome.PartNamed(pairs, reason.Name)
		t.Rows = append(t.Rows, []string{reason.Name, words.Thousands(reason.Count), words.Percent(reason.Share), words.Thousands(p.Count), words.Percent(p.Share)})
	}
	return t
}

func queueStatisticsTable(q *outcome.QueueStatistics) Table {
	row := func(name string, t *outcome.TimeToMatch) []string {
		return known(t.Tickets, 2, []string{name, words.Thousands(t.Tickets), t.Average.String(), t.P50.String(), t.P90.String(), t.P99.String()})
	}
	visible := "Players can request neither."
	if len(q.PlayersSee) > 0 {
		visible = fmt.Sprintf("Players see %s.", words.Some(q.PlayersSee))
	}
	return Table{
		Title: "Queue statistics",
		Note: fmt.Sprintf("What the service reports about the queue at the end: %s, and the time in which tickets were matched, in seconds. %s",
			words.Plural(q.PlayersMatching, "player")+" waiting", visible),
		Head: []string{"tickets matched", "tickets", "average", "p50", "p90", "p99"},
		Rows: [][]string{row("in the last "+words.Span(q.Window), &q.TimeToMatch), row("in the whole run", &q.WholeRun)},
	}
}

// partsTable returns a table of the parts of a whole.
func partsTable(title, note, kind, of string, parts outcome.Parts) Table {
	return Table{Title: title, Note: note, Head: []string{kind, of, "share"}, Bars: []int{2}, Rows: words.Each(parts, func(p outcome.Part) []string {
		return []string{p.Name, words.Thousands(p.Count), words.Percent(p.Share)}
	})}
}

// overlapsTable returns a table of what the players of a match have in common.
func overlapsTable(overlaps outcome.Overlaps) Table {
	return Table{
		Title: "In common",
		Note:  "What all players of a match have in common, for the texts and lists that rules use.",
		Head:  []string{"attribute", "matches", "elements in common, mean", "matches with at least one", "rules"},
		Rows: words.Each(overlaps, func(o outcome.Overlap) []string {
			return []string{o.Name, words.Thousands(o.Matches), o.SharedMean.String(), words.Percent(o.ShareAny), words.Some(o.Rules)}
		}),
	}
}
