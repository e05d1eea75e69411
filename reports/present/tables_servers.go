package present

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// serversTitle returns the Title of a run on servers.
func serversTitle(s *outcome.Summary) string {
	limits, within, _ := grade.Within(s)
	return fmt.Sprintf("%s of seats are taken, %s of players meet a friend and %s get %s or better",
		words.Percent(s.Servers.OccupancyMean), words.Percent(s.Servers.PreferredMatch), words.Percent(within), words.Threshold(limits.Good))
}

// serversAnswers returns the Answers of a run on servers.
func serversAnswers(s *outcome.Summary) []Answer {
	v := s.Servers
	return []Answer{
		{Name: "Seats taken", Value: words.Percent(v.OccupancyMean),
			Note: fmt.Sprintf("of all seats of running servers, over time. %s servers run on average, %s at the peak; %s were started.",
				words.MeanCount(float64(v.Mean)), words.Thousands(v.Peak), words.Thousands(v.Opened))},
		{Name: "With a friend", Value: words.Percent(v.PreferredMatch),
			Note: "of joins are placed where a friend or a player of the same household plays."},
		rttAnswer(s),
		onlineAnswer(s),
	}
}

// serversWords returns the Sentences about a run on servers.
func serversWords(s *outcome.Summary) []string {
	v := s.Servers
	return []string{
		fmt.Sprintf("%s joined; %s were placed, %s of them on a server that was started for them, and %s were rejected. All servers together ran for %s hours.",
			words.Plural(s.Players.Joins, "player"), words.Thousands(v.Placed), words.Thousands(v.Opening), words.Thousands(s.Players.Rejected), words.Thousands(int(v.Hours+0.5))),
		fmt.Sprintf("Of %s joins with two or more servers to choose from, these signals decided: %s. "+
			"On average, a player's RTT is %s above the RTT to the best datacenter.",
			words.Thousands(v.Contest), decidingSignals(v), words.Millis(s.DeltaRTT.Mean)),
	}
}

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

// leaveOutUnused removes the columns with these heads in which every row is 0.
func (t *Table) leaveOutUnused(heads []string) {
	for _, head := range heads {
		at := slices.Index(t.Head, head)
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[at] != "0" }) {
			t.LeaveOut([]string{head})
		}
	}
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
