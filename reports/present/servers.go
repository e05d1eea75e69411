package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// serversItems describes a run on servers: which RTTs players get, how full servers are, how often
// players meet friends and similar players, and which signals decide the placements.
func serversItems(s *outcome.Summary) (items []Item) {
	v := s.Servers
	if v.Placed > 0 {
		b := &block{of: s, waits: serversWaits(s), rtt: &s.RTT, whole: s}
		items = append(items, Show(b.statisticsTable()), thresholdsItem(b))
	}
	items = append(items,
		Say("Servers", fmt.Sprintf("%s running on average, %s at the peak; %s of their seats are taken; %s started after the warm-up",
			words.MeanCount(float64(v.Mean)), words.Thousands(v.Peak), words.Percent(v.OccupancyMean), words.Thousands(v.Opened))),
		Say("With a friend", words.Percent(v.PreferredMatch)+" of joins are placed where a friend or a player of the same household plays"))
	items = append(items, serversAlike(v)...)
	items = append(items, Say("Custom signals", customSignals(v)), Say("Deciding signal", decidingSignals(v)), onlineItem(s))
	if s.Players.Rejected > 0 {
		items = append(items, Say("Rejected", words.Plural(s.Players.Rejected, "player")))
	}
	items = append(filled(items), worst(s)...)
	return append(items, Tell(fmt.Sprintf("All servers together ran for %s hours. %s had two or more servers to choose from.",
		words.Thousands(int(v.Hours+0.5)), words.Plural(v.Contest, "join")))...)
}

// serversWaits returns the waits for servers to start, or none if nobody waited.
func serversWaits(s *outcome.Summary) []namedWait {
	if !(s.Wait.Max > 0) {
		return nil
	}
	return []namedWait{{name: "for the start", stats: &s.Wait}}
}

// placementStat returns the measure with this name, or nil if no player has it.
func placementStat(v *outcome.Servers, name string) *outcome.PlacementStat {
	for i := range v.Metrics {
		if m := &v.Metrics[i]; m.Name == name && m.Count > 0 {
			return m
		}
	}
	return nil
}

// serversAlike says how full the chosen server is when a player joins, and how similar the players
// there are to the joining player.
func serversAlike(v *outcome.Servers) (items []Item) {
	if m := placementStat(v, "occupancy_ratio"); m != nil {
		items = append(items, Say("Seats taken", fmt.Sprintf("%s of the server when a player joins (p10 %s, p90 %s)",
			words.Percent(outcome.Share(m.Avg)), words.Percent(outcome.Share(m.P10)), words.Percent(outcome.Share(m.P90)))))
	}
	var parts []string
	for _, ratio := range []struct{ name, phrase string }{
		{"common_language_ratio", "speak the language"}, {"common_device_type_ratio", "use the device"}, {"common_chat_group_ratio", "share a chat group"},
	} {
		if m := placementStat(v, ratio.name); m != nil {
			parts = append(parts, words.Percent(outcome.Share(m.Avg))+" "+ratio.phrase)
		}
	}
	if len(parts) > 0 {
		items = append(items, Say("Players there", strings.Join(parts, ", ")+" of the joining player"))
	}
	parts = nil
	for _, difference := range []struct{ name, phrase string }{{"age_difference", "years of age"}, {"play_history_difference", "in the logarithm of minutes played"}} {
		if m := placementStat(v, difference.name); m != nil {
			parts = append(parts, fmt.Sprintf("%.2f %s (p90 %.2f)", float64(m.Avg), difference.phrase, float64(m.P90)))
		}
	}
	if len(parts) > 0 {
		items = append(items, Say("Mean difference", strings.Join(parts, ", ")))
	}
	return items
}

// customSignals lists the measures of the game's own signals on the chosen servers. Such a measure
// has the name of its signal, unlike the measures of the service's own signals.
func customSignals(v *outcome.Servers) string {
	var parts []string
	for _, s := range v.Signals {
		if m := placementStat(v, s.Name); m != nil {
			parts = append(parts, fmt.Sprintf("%s %s on average (p10 %s, p90 %s)", s.Name, m.Avg, m.P10, m.P90))
		}
	}
	return strings.Join(parts, ", ")
}

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
		answers(s, []block{{waits: []namedWait{{stats: &s.Wait}}, rtt: &s.RTT}})[1],
		onlineAnswer(s),
	}
}

// signalsNamed limits how many signals a sentence names.
const signalsNamed = 6

// decidingSignals lists the signals that decide, the most frequent first.
func decidingSignals(v *outcome.Servers) string {
	if v.Contest == 0 {
		return "no player had two servers to choose from"
	}
	signals := slices.Clone(v.Signals)
	slices.SortStableFunc(signals, func(a, b outcome.PlacementSignal) int { return cmp.Compare(b.Decided, a.Decided) })
	var parts []string
	for _, s := range signals[:min(signalsNamed, len(signals))] {
		if s.Decided >= 0.0005 {
			parts = append(parts, s.Name+" "+words.Percent(s.Decided))
		}
	}
	if ties := v.ByAge + v.BySequence; ties >= 0.0005 {
		parts = append(parts, "the older of equals "+words.Percent(ties))
	}
	return strings.Join(parts, ", ")
}

// serversSections returns the sections about a run on servers. It omits columns that mean nothing
// there: no player fails or returns after a match, and no two players start a match together.
func serversSections(r *result.Result) []Section {
	s := &r.Summary
	groups := groupSections(r)
	const serversNote = "A server counts once, in the group of the player for whom it was started."
	unusedColumns := []string{"failed", "expired", "bots", "mean spread"}
	if !(s.Wait.Max > 0) {
		unusedColumns = append(unusedColumns, "mean wait, s", "p95 wait")
	}
	adapt(groups, strings.NewReplacer(spreadNote, "", waitsNote+" ", "", waitsNote, "", matchesNote, serversNote), unusedColumns...)
	for _, group := range groups {
		for _, item := range group.More {
			if at := slices.Index(item.Table.Head, "matches"); at >= 0 {
				item.Table.Head[at] = "servers started"
			}
		}
	}
	return append([]Section{
		{ID: figure.ServersSection, Title: "Servers", More: Tables(serversTables(s.Servers)...)},
		{ID: figure.SearchesSection, Title: "Joins", More: Tables(joinsTable(s))},
	}, groups...)
}

// joinsTable returns the table of what happened to the players who joined.
func joinsTable(s *outcome.Summary) Table {
	p := &s.Players
	return Table{
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
	}
}

// serversTables returns the tables of placements.
func serversTables(v *outcome.Servers) []Table {
	metrics := Table{
		Title: "Placements",
		Note: fmt.Sprintf("The metrics of the service's analytics (revision %s). They describe a server as it is just before a player joins it. "+
			"%s that started a server count in ping_ms only.", v.Revision, words.Plural(v.Opening, "join")),
		Head: []string{"metric", "joins", "average", "p10", "p50", "p90"},
		Rows: words.Each(v.Metrics, func(m outcome.PlacementStat) []string {
			return known(m.Count, 2, []string{m.Name, words.Thousands(m.Count), m.Avg.String(), m.P10.String(), m.P50.String(), m.P90.String()})
		}),
	}
	signals := Table{
		Title: "Signals",
		Note:  "What each signal added to the score of the chosen server, how much more than to the score of the runner-up, and the share of joins in which it favoured the winner most. A signal without numbers had nothing to compare.",
		Head:  []string{"signal", "weight", "mean contribution", "mean advantage", "decided"},
		Rows: words.Each(v.Signals, func(g outcome.PlacementSignal) []string {
			row := []string{g.Name, g.Weight.String(), g.Contribution.String(), g.Advantage.String(), words.Percent(g.Decided)}
			if g.Unknown() {
				clear(row[2:])
			}
			return row
		}),
	}
	return []Table{metrics, signals}
}
