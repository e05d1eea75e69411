package present

import (
	"fmt"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// serversText writes the summary of a run on servers: which RTTs players get, how full servers are,
// how often players meet friends and similar players, and which signals decide the placements.
func (t *text) serversText(s *outcome.Summary) {
	v := s.Servers
	fmt.Fprintf(t, "%s in %s: %s placed, %s of them on a server that was started for them.\n\n", words.Plural(s.Players.Joins, "join"),
		words.Span(s.Run.Reached), words.Plural(v.Placed, "player"), words.Thousands(v.Opening))
	if v.Placed > 0 {
		var waits []namedWait
		if s.Wait.Max > 0 {
			waits = []namedWait{{name: "for the start", stats: &s.Wait}}
		}
		t.figures(statisticsRows(s, waits))
		t.rttThresholds(s)
	}
	t.line("Servers", "%s running on average, %s at the peak; %s of their seats are taken; %s started after the warm-up",
		words.MeanCount(float64(v.Mean)), words.Thousands(v.Peak), words.Percent(v.OccupancyMean), words.Thousands(v.Opened))
	t.line("With a friend", "%s of joins are placed where a friend or a player of the same household plays", words.Percent(v.PreferredMatch))
	for _, line := range serversAlike(v) {
		t.line(line[0], "%s", line[1])
	}
	if custom := customSignals(v); custom != "" {
		t.line("Custom signals", "%s", custom)
	}
	t.line("Deciding signal", "%s", decidingSignals(v))
	t.line("Players online", "%s on average, %s at the peak, %s", words.MeanCount(float64(s.CCU.Mean)), words.Thousands(s.CCU.Peak), words.Clock(s.CCU.PeakAt))
	if s.Players.Rejected > 0 {
		t.line("Rejected", "%s", t.styled(Alarm, words.Plural(s.Players.Rejected, "player")))
	}
	t.highestRTT(s)
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
// there are to the joining player. Each line is a label and a sentence.
func serversAlike(v *outcome.Servers) (lines [][2]string) {
	if m := placementStat(v, "occupancy_ratio"); m != nil {
		lines = append(lines, [2]string{"Seats taken", fmt.Sprintf("%s of the server when a player joins (p10 %s, p90 %s)",
			words.Percent(outcome.Share(m.Avg)), words.Percent(outcome.Share(m.P10)), words.Percent(outcome.Share(m.P90)))})
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
		lines = append(lines, [2]string{"Players there", strings.Join(parts, ", ") + " of the joining player"})
	}
	parts = nil
	for _, difference := range []struct{ name, phrase string }{{"age_difference", "years of age"}, {"play_history_difference", "in the logarithm of minutes played"}} {
		if m := placementStat(v, difference.name); m != nil {
			parts = append(parts, fmt.Sprintf("%.2f %s (p90 %.2f)", float64(m.Avg), difference.phrase, float64(m.P90)))
		}
	}
	if len(parts) > 0 {
		lines = append(lines, [2]string{"Mean difference", strings.Join(parts, ", ")})
	}
	return lines
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
