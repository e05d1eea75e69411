package present

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// ofQueues adds a section for each of several queues. From the other sections it removes RTTs and
// spreads, because they would be means over queues with different rules.
func ofQueues(s *outcome.Summary, sections []Section) []Section {
	for i := range sections {
		for j := range sections[i].Tables {
			sections[i].Tables[j].LeaveOut([]string{"mean RTT, ms", "p95 RTT", "mean spread"})
			sections[i].Tables[j].Note = withoutSpread.Replace(sections[i].Tables[j].Note)
		}
	}
	var queues []Section
	for i := range s.Queues {
		queues = append(queues, Section{figure.QueueSection(i), "Queue " + s.Queues[i].Name, queueTables(s, &s.Queues[i])})
	}
	return slices.Insert(sections, 0, queues...)
}

var withoutSpread = strings.NewReplacer(spreadNote, "")

// queueTables returns the tables of one of several queues.
func queueTables(s *outcome.Summary, q *outcome.QueueStats) []Table {
	p := &q.Players
	players := Table{
		Title: "Players",
		Note:  fmt.Sprintf("%s were made, %s full.", words.Plural(q.Matches.Count, "match"), words.Percent(q.Matches.Fill)),
		Head:  []string{"", "searches"},
		Rows: [][]string{
			{"began", words.Thousands(p.Entries)}, {"matched", words.Thousands(p.Matched)}, {"failed", words.Thousands(p.Failed)},
			{"expired", words.Thousands(p.Expired)}, {"bots", words.Thousands(p.Bots)}, {"rejected", words.Thousands(p.Rejected)},
		},
	}
	if p.Declined != nil {
		players.Rows = append(players.Rows, []string{"declined", words.Thousands(*p.Declined)})
	}
	waits := Table{Title: "Wait", Note: "Seconds from the start of the search to the start of the match.", Head: waitHead}
	for _, w := range queueWaits(q) {
		waits.Rows = append(waits.Rows, waitCells(w.stats, w.name))
	}
	tables := []Table{players, waits, queueRTTTable(s, q)}
	if len(q.Attributes) > 0 {
		tables = append(tables, attributesTable(q.Attributes))
	}
	if len(q.Overlaps) > 0 {
		tables = append(tables, overlapsTable(q.Overlaps))
	}
	return slices.Concat(tables, externalTables(q.External), rulesetTables(q.Rules, q.QueueStatistics))
}

// queueRTTTable returns the table of the RTTs in one of several queues. It has no shares of
// players within report.limits, because those are not counted by queue.
func queueRTTTable(s *outcome.Summary, q *outcome.QueueStats) Table {
	t := Table{Title: "RTT", Note: "Milliseconds to the datacenter where they play.", Head: rttHead}
	row := rttCells("RTT", &q.RTT)
	if limits := grade.RTTsOf(s.Thresholds, s.Limits); !limits.Own {
		t.Head = append(slices.Clone(t.Head), "≤ "+words.Threshold(limits.Good), "≤ "+words.Threshold(limits.Fair))
		row = append(row, words.Percent(q.RTT.ShareLEIdeal), words.Percent(q.RTT.ShareLEExpand))
	}
	t.Rows = [][]string{row}
	return t
}
