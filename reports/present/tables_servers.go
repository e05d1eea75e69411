package present

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/figure"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// serversSections returns the Sections about a run on servers. It omits columns that mean nothing
// there: no player fails or returns after a match, and no two players start a match together.
func serversSections(r *result.Result) []Section {
	s := &r.Summary
	sections := []Section{
		{figure.PlacesSection, "By datacenter and region", []Table{datacentersTable(r), continentsTable(s)}},
		{figure.ServersSection, "Servers", serversTables(s.Servers)},
		{figure.SearchesSection, "Joins", append(joinsTables(s), partiesTables(s)...)},
		{figure.HoursSection, "By hour", []Table{hoursTable(s)}},
		{figure.AttributesSection, "By attribute", decilesTables(s)},
		{figure.SourcesSection, "Sources", []Table{latencyTable(s)}},
	}
	const serversNote = "A server counts once, in the group of the player for whom it was started."
	notes := strings.NewReplacer(spreadNote, "", waitsNote+" ", "", waitsNote, "", matchesNote, serversNote)
	unusedColumns := []string{"failed", "expired", "bots", "mean spread"}
	if s.Wait.Max == 0 {
		unusedColumns = append(unusedColumns, "mean wait, s", "p95 wait")
	}
	for i := range sections {
		for j := range sections[i].Tables {
			t := &sections[i].Tables[j]
			t.Note = strings.TrimSpace(notes.Replace(t.Note))
			t.LeaveOut(unusedColumns)
			if at := slices.Index(t.Head, "matches"); at >= 0 {
				t.Head[at] = "servers started"
			}
		}
	}
	return sections
}

// joinsTables returns tables of what happened to the players who joined.
func joinsTables(s *outcome.Summary) []Table {
	p := &s.Players
	tables := []Table{{
		Title: "Players",
		Note:  "The first two counts are players who joined, and the others say what happened to them. Both have the same total.",
		Head:  []string{"", "players"},
		Rows: [][]string{
			{"joins", words.Thousands(p.Joins)},
			{"waiting for a server at the start", words.Thousands(p.SearchingAtStart)},
			{"on a server", words.Thousands(p.Matched)},
			{"rejected", words.Thousands(p.Rejected)},
			{"waiting for a server at the end", words.Thousands(p.SearchingAtEnd)},
		},
	}}
	if s.Wait.Max > 0 {
		tables = append(tables, Table{
			Title: "Wait", Note: "Seconds from joining until the server has started.",
			Head: waitHead, Rows: [][]string{waitCells(&s.Wait, "for the start")},
		})
	}
	return append(tables, rttTable(s))
}

// serversTables returns the tables of placements.
func serversTables(v *outcome.Servers) []Table {
	metrics := Table{
		Title: "Placements",
		Note: fmt.Sprintf("The metrics of the service's analytics (revision %s). They describe a server as it is just before a player joins it. "+
			"%s that started a server count in ping_ms only.", v.Revision, words.Plural(v.Opening, "join")),
		Head: []string{"metric", "joins", "average", "p10", "p50", "p90"},
	}
	for _, m := range v.Metrics {
		metrics.Rows = append(metrics.Rows, known(m.Count, 2, []string{m.Name, words.Thousands(m.Count), m.Avg.String(), m.P10.String(), m.P50.String(), m.P90.String()}))
	}
	signals := Table{
		Title: "Signals",
		Note:  "What each signal added to the score of the chosen server, how much more than to the score of the runner-up, and the share of joins in which it favoured the winner most. A signal without numbers had nothing to compare.",
		Head:  []string{"signal", "weight", "mean contribution", "mean advantage", "decided"},
	}
	for _, g := range v.Signals {
		row := []string{g.Name, g.Weight.String(), g.Contribution.String(), g.Advantage.String(), words.Percent(g.Decided)}
		if g.Unknown() {
			clear(row[2:])
		}
		signals.Rows = append(signals.Rows, row)
	}
	return []Table{metrics, signals}
}
