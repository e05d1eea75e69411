package reports

import (
	"fmt"
	"slices"
	"strings"
)

// rulesWords tell in sentences how the ruleset fared.
func rulesWords(r *Rules) []string {
	words := []string{fmt.Sprintf("%s went by the rules of %s, which had given way %s.", plural(r.Matches, "match"), nameOf(r.Name), r.inWords())}
	if reasons := r.Expiry.reasons(); len(reasons) > 0 {
		words = append(words, fmt.Sprintf("%s gave up. What kept most others apart from them: %s.", plural(r.Expiry.Tickets, "ticket"), largestParts(reasons)))
	}
	return words
}

// rulesTables are the tables of the rulesets, none without any.
func rulesTables(s *Summary) []pageTable {
	tables := rulesetTables(s.Rules, s.QueueStatistics)
	for i := range s.Queues {
		q := &s.Queues[i]
		own := rulesetTables(q.Rules, q.QueueStatistics)
		for j := range own {
			own[j].Title = q.Name + ": " + own[j].Title
		}
		tables = append(tables, own...)
	}
	return tables
}

func rulesetTables(r *Rules, statistics *QueueStatistics) []pageTable {
	if r == nil {
		return nil
	}
	tables := []pageTable{rulesetTable(r), relaxationTable(r)}
	if len(r.Layouts) > 0 {
		tables = append(tables, partsTable("Teams", "Matches by the players of their teams, as they start.", "teams", "matches", r.Layouts))
	}
	if len(r.Sizes) > 1 {
		tables = append(tables, partsTable("Match sizes", "Matches by their players, as they start.", "players", "matches", r.Sizes))
	}
	if r.Expiry.Explained > 0 {
		tables = append(tables, expiryTable(&r.Expiry))
	}
	if len(r.Refused) > 0 {
		tables = append(tables, partsTable("Refused", "Players whose ticket the service would not take.", "reason", "players", r.Refused))
	}
	if statistics != nil {
		tables = append(tables, statisticsTable(statistics))
	}
	return tables
}

func rulesetTable(r *Rules) pageTable {
	return pageTable{
		Title: "Ruleset",
		Head:  []string{"setting or count", "value"},
		Rows: [][]string{
			{"name", r.Name},
			{"dialect", strings.TrimSuffix(r.Dialect+", following the "+r.Follow, ", following the ")},
			{"placement", r.Placement},
			{"expansion by the wait of", "the " + r.ExpansionBasis + " waiting"},
			{"optional when these waited long enough", r.OptionalBasis},
			{"matches", thousands(r.Matches)},
			{"fill at the start of matches", percent(r.FillAtStart)},
			{"tickets that joined running matches", thousands(r.Backfill.Tickets)},
			{"their players", thousands(r.Backfill.Players)},
			{"searches for groups cut short", thousands(r.BudgetHits.Groups)},
			{"searches for teams cut short", thousands(r.BudgetHits.Teams)},
		},
	}
}

func relaxationTable(r *Rules) pageTable {
	t := pageTable{
		Title: "How far rules gave way",
		Note:  "Shares of matches by the steps that a rule had taken when they were made, or whether it was not enforced any more.",
		Head:  append([]string{"rule", "gave way"}, relaxNames[:]...),
		Bars:  []int{1},
	}
	for i := range r.Relaxation {
		rule := &r.Relaxation[i]
		row := []string{rule.Name, percent(rule.ShareRelaxed)}
		for _, part := range rule.byClass() {
			row = append(row, percent(share(part)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func expiryTable(e *Expiry) pageTable {
	t := pageTable{
		Title: "Why tickets expired",
		Note: "Every ticket that gave up by what kept most others apart from it then, and all pairs of such a ticket and another " +
			"that waited by the first rule that kept them apart.",
		Head: []string{"reason", "tickets", "share", "pairs", "share"},
		Bars: []int{2, 4},
	}
	pairs := slices.Concat(e.Pairs.ByRule, Parts{
		{tooLargeWords, e.Pairs.TooLarge.Count, e.Pairs.TooLarge.Share},
		{groupWords, e.Pairs.MayMeet.Count, e.Pairs.MayMeet.Share},
	})
	reasons := e.reasons()
	for _, p := range pairs { // rules that were nobody's main reason
		if p.Count > 0 && reasons.named(p.Name).Name == "" {
			reasons = append(reasons, Part{Name: p.Name})
		}
	}
	for _, reason := range reasons {
		p := pairs.named(reason.Name)
		t.Rows = append(t.Rows, []string{reason.Name, thousands(reason.Count), percent(reason.Share), thousands(p.Count), percent(p.Share)})
	}
	return t
}

func statisticsTable(q *QueueStatistics) pageTable {
	row := func(name string, t *TimeToMatch) []string {
		return []string{name, thousands(t.Tickets), t.Average.String(), t.P50.String(), t.P90.String(), t.P99.String()}
	}
	see := "Players are refused both."
	if len(q.PlayersSee) > 0 {
		see = fmt.Sprintf("Players see %s.", someOf(q.PlayersSee))
	}
	return pageTable{
		Title: "Queue statistics",
		Note: fmt.Sprintf("What the service tells of the queue at the end: %s; and the time to match of tickets, in seconds. %s",
			plural(q.PlayersMatching, "player")+" waiting", see),
		Head: []string{"tickets matched", "tickets", "average", "p50", "p90", "p99"},
		Rows: [][]string{row("in the last "+span(q.Window), &q.TimeToMatch), row("in the whole run", &q.WholeRun)},
	}
}

// partsTable shows the parts of a whole.
func partsTable(title, note, kind, of string, parts Parts) pageTable {
	t := pageTable{Title: title, Note: note, Head: []string{kind, of, "share"}, Bars: []int{2}}
	for _, p := range parts {
		t.Rows = append(t.Rows, []string{p.Name, thousands(p.Count), percent(p.Share)})
	}
	return t
}

// overlapsTable tells what players of a match have in common.
func overlapsTable(overlaps Overlaps) pageTable {
	t := pageTable{
		Title: "In common",
		Note:  "What all players of a match have of the texts and lists that rules look at.",
		Head:  []string{"attribute", "matches", "elements in common, mean", "matches with one at least", "rules"},
	}
	for i := range overlaps {
		o := &overlaps[i]
		t.Rows = append(t.Rows, []string{o.Name, thousands(o.Matches), o.SharedMean.String(), percent(o.ShareAny), someOf(o.Rules)})
	}
	return t
}
