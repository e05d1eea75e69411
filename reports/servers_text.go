package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// serversText writes the summary of players placed on servers: what a designer of
// such a game asks is who plays with whom and how far away, and what decides that.
func (t *text) serversText(s *Summary) {
	v := s.Servers
	fmt.Fprintf(t, "%s in %s: %s placed, %s of them on a server that was started for them.\n\n", plural(s.Players.Joins, "join"),
		span(s.Run.Reached), plural(v.Placed, "player"), thousands(v.Opening))
	if v.Placed > 0 {
		t.figures("", "mean", "p50", "p90", "p95", "p99", "max")
		if s.Wait.Max > 0 {
			t.waits("Wait for the start", &s.Wait)
		}
		t.rtts(s)
		t.thresholds(s)
	}
	t.line("Servers", "%s running on average, %s at the peak; %s of their seats are taken; %s opened after the warm-up",
		thousands(int(v.Mean+0.5)), thousands(v.Peak), percent(v.OccupancyMean), thousands(v.Opened))
	t.line("With a friend", "%s of joins are placed where a friend or somebody of the household plays", percent(v.PreferredMatch))
	for _, line := range v.alike() {
		t.line(line[0], "%s", line[1])
	}
	if custom := v.custom(); custom != "" {
		t.line("Custom signals", "%s", custom)
	}
	t.line("What decides", "%s", v.decides())
	t.line("Players online", "%s on average, %s at the peak, %s", thousands(int(s.CCU.Mean+0.5)), thousands(s.CCU.Peak), clock(s.CCU.PeakAt))
	if s.Players.Rejected > 0 {
		t.line("Rejected", "%s", t.styled(alarm, plural(s.Players.Rejected, "player")))
	}
	t.highestRTT(s)
}

// metric returns a metric by its name, nil when nobody has it.
func (v *Servers) metric(name string) *PlacementStat {
	for i := range v.Metrics {
		if m := &v.Metrics[i]; m.Name == name && m.Count > 0 {
			return m
		}
	}
	return nil
}

// alike says how alike the players are whom a join meets, in labels and sentences.
func (v *Servers) alike() (lines [][2]string) {
	if m := v.metric("occupancy_ratio"); m != nil {
		lines = append(lines, [2]string{"Seats taken", fmt.Sprintf("%s of the server when a player joins (p10 %s, p90 %s)",
			percent(Share(m.Avg)), percent(Share(m.P10)), percent(Share(m.P90)))})
	}
	var parts []string
	for _, ratio := range []struct{ name, what string }{
		{"common_language_ratio", "speak the language"}, {"common_device_type_ratio", "use the device"}, {"common_chat_group_ratio", "share a chat group"},
	} {
		if m := v.metric(ratio.name); m != nil {
			parts = append(parts, percent(Share(m.Avg))+" "+ratio.what)
		}
	}
	if len(parts) > 0 {
		lines = append(lines, [2]string{"Of those there", strings.Join(parts, ", ") + " of the joining player"})
	}
	parts = nil
	for _, difference := range []struct{ name, what string }{{"age_difference", "years of age"}, {"play_history_difference", "in the logarithm of minutes played"}} {
		if m := v.metric(difference.name); m != nil {
			parts = append(parts, fmt.Sprintf("%.2f %s (p90 %.2f)", float64(m.Avg), difference.what, float64(m.P90)))
		}
	}
	if len(parts) > 0 {
		lines = append(lines, [2]string{"Apart from them", strings.Join(parts, ", ")})
	}
	return lines
}

// custom says what the signals of the game's own found on the servers chosen: their
// measures have their names, those of the service's signals have not.
func (v *Servers) custom() string {
	var parts []string
	for _, s := range v.Signals {
		if m := v.metric(s.Name); m != nil {
			parts = append(parts, fmt.Sprintf("%s %s on average (p10 %s, p90 %s)", s.Name, m.Avg, m.P10, m.P90))
		}
	}
	return strings.Join(parts, ", ")
}

// signalsNamed is how many signals a sentence names.
const signalsNamed = 6

// decides says which signals decide most, the strongest first.
func (v *Servers) decides() string {
	if v.Contest == 0 {
		return "nobody had two servers to choose from"
	}
	signals := slices.Clone(v.Signals)
	slices.SortStableFunc(signals, func(a, b PlacementSignal) int { return cmp.Compare(b.Decided, a.Decided) })
	var parts []string
	for _, s := range signals[:min(signalsNamed, len(signals))] {
		if s.Decided >= 0.0005 {
			parts = append(parts, s.Name+" "+percent(s.Decided))
		}
	}
	if ties := v.ByAge + v.BySequence; ties >= 0.0005 {
		parts = append(parts, "the older of equals "+percent(ties))
	}
	return strings.Join(parts, ", ")
}
