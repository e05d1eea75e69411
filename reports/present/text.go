package present

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Text returns the summary for a terminal, in about a dozen lines. How long players wait and which
// RTT they get comes first; the lines after that help to interpret these numbers. Waits of first
// searches precede other waits, because most other players return from a match and are matched in
// the next pass. If colour is true, labels, marks and alarms are highlighted.
func Text(s *outcome.Summary, colour bool) string {
	t := &text{colour: colour}
	t.interrupted(s)
	alarms, warnings := outcome.Alarms(s.Warnings)
	t.warnings(alarms)
	if len(alarms) > 0 {
		t.WriteByte('\n')
	}
	switch {
	case s.Unmeasured(): // print no numbers, because nothing was measured
	case s.Servers != nil:
		t.serversText(s)
	default:
		t.matchesText(s)
	}
	if s.Replications != nil && !s.Unmeasured() {
		t.intervals(s.Replications, s.Queues)
	}
	t.warnings(warnings)
	return t.String()
}

func (t *text) warnings(list []string) {
	for _, warning := range list {
		t.WriteString(WarningLine(t.colour, warning))
	}
}

// matchesText writes the summary of a run that matches players.
func (t *text) matchesText(s *outcome.Summary) {
	t.headline(s)
	switch {
	case s.Players.Matched == 0:
	case len(s.Queues) > 0: // show waits and RTTs by queue, because only counts make sense over all queues
		t.figures(queueRows(s))
		t.queuesQuality(s)
	default:
		t.figures(statisticsRows(s, searchWaits(s)))
		t.quality(s)
	}
	t.line("Players online", "%s on average, %s at the peak, %s", words.MeanCount(float64(s.CCU.Mean)),
		words.Thousands(s.CCU.Peak), words.Clock(s.CCU.PeakAt))
	t.unmatched(s)
	t.expiry(s.Rules)
	if s.External != nil {
		t.line("Matchmaker", "%s", matchmakerLine(s.External))
	}
	t.unusual(s)
	t.queues(s)
	t.worst(s)
}

func (t *text) interrupted(s *outcome.Summary) {
	says := ""
	switch {
	case s.Complete:
		return
	case s.Unmeasured():
		says = "Interrupted before the measured window began: nothing was measured."
	case s.Run.Reached == s.Run.Duration: // an aggregate of the replications that finished
		says = "Interrupted before all replications had finished: a partial result."
	default:
		says = fmt.Sprintf("Interrupted after %s of %s: a partial result.", words.Span(s.Run.Reached), words.Span(s.Run.Duration))
	}
	fmt.Fprintln(t, t.styled(Alarm, says))
}

func (t *text) headline(s *outcome.Summary) {
	fmt.Fprintf(t, "%s and %s in %s: %s matched.\n\n", words.Plural(s.Players.Joins, "join"),
		words.Plural(s.Players.Returns, "return"), words.Span(s.Run.Reached), words.Plural(s.Players.Matched, "player"))
}

// figures writes a table of waits and RTTs; see waitRows and rttRow. The last column has the marks of
// the rows that are graded, which are the same as on the page.
func (t *text) figures(rows [][]string) {
	g := Table{Head: []string{strings.Repeat(" ", labelWidth), "mean", "p50", "p90", "p95", "p99", "max", "p90 is"}, Left: []int{7}, Rows: rows}
	t.WriteString(g.Text(func(cell string) string {
		if slices.ContainsFunc(g.Rows, func(row []string) bool { return row[0] == cell }) {
			return t.styled(Bold, cell)
		}
		return t.mark(cell)
	}))
}

// statisticsRows returns the rows of the waits, followed by the rows of the RTTs.
func statisticsRows(s *outcome.Summary, waits []namedWait) [][]string {
	d := &s.DeltaRTT
	return append(waitRows(s, "Wait, ", waits), rttRow(s, "RTT", &s.RTT),
		[]string{"RTT above own best", words.Millis(d.Mean), words.Millis(d.P50), words.Millis(d.P90), words.Millis(d.P95), words.Millis(d.P99), "", ""})
}

// waitRows returns a row for each kind of search with any players. Each name begins with before.
func waitRows(s *outcome.Summary, before string, waits []namedWait) (rows [][]string) {
	for _, w := range waits {
		v := w.stats
		if v.Count == 0 {
			continue
		}
		mark := ""
		if w.graded {
			mark, _ = waitMark(s, v.P90)
		}
		rows = append(rows, []string{before + w.name, words.Seconds(v.Mean), words.Seconds(v.P50), words.Seconds(v.P90), words.Seconds(v.P95), words.Seconds(v.P99), words.Seconds(v.Max), mark})
	}
	return rows
}

func rttRow(s *outcome.Summary, name string, v *outcome.RTTStats) []string {
	mark := ""
	if v.Count > 0 {
		mark, _ = rttMark(s, v.P90)
	}
	return []string{name, words.Millis(v.Mean), words.Millis(v.P50), words.Millis(v.P90), words.Millis(v.P95), words.Millis(v.P99), words.Millis(v.Max), mark}
}

// quality describes how good the matches are.
func (t *text) quality(s *outcome.Summary) {
	t.rttThresholds(s)
	t.waitLimits(s)
	withWarmBody := ""
	if s.States.Used() {
		t.states(s)
		withWarmBody = fmt.Sprintf(", %s with a warm body", words.Percent(outcome.ShareOf(s.Matches.WithWarmBody, s.Matches.Count)))
	}
	m := &s.Matches
	t.line("Matches", "%s, %s full%s; %s of returning players meet someone again",
		words.Thousands(m.Count), words.Percent(m.Fill), withWarmBody, words.Percent(m.RepeatShare))
	t.alike(s.Attributes, s.Overlaps)
	t.rules(s.Rules)
}

// rttThresholds says how many players are within the limits of RTTs.
func (t *text) rttThresholds(s *outcome.Summary) {
	limits, good, fair := grade.Within(s)
	label := "RTT thresholds"
	if limits.Own {
		label = "RTT limits"
	}
	t.line(label, "%s of players get %s or better, %s get %s or better",
		words.Percent(good), words.Threshold(limits.Good), words.Percent(fair), words.Threshold(limits.Fair))
}

// waitLimits says how many first searches are within the limits of waits.
func (t *text) waitLimits(s *outcome.Summary) {
	if s.Limits != nil && s.Limits.Wait != nil && s.WaitFirst.Count > 0 {
		w := s.Limits.Wait
		t.line("Wait limits", "%s of first searches take %g s or less, %s take %g s or less",
			words.Percent(w.ShareGood), float64(w.Good), words.Percent(w.WithinFair()), float64(w.Fair))
	}
}

// states says in which states players were matched. It omits RTTs if there are several queues.
func (t *text) states(s *outcome.Summary) {
	state := func(name string, st *outcome.StateStats) string {
		return fmt.Sprintf("%s %s%s", words.Percent(st.Share), name, words.RTTInBrackets(s, st, " (RTT %s)"))
	}
	pooled := ""
	if share := s.Pooled(); share >= 0.0005 {
		pooled = fmt.Sprintf(", %s in a pool", words.Percent(share))
	}
	t.line("State when matched", "%s, %s, %s%s", state("ideal", &s.States.Ideal),
		state("expand", &s.States.Expand), state("warm body", &s.States.WarmBody), pooled)
}

// unmatched says which share of the searches ended without a match, and how.
func (t *text) unmatched(s *outcome.Summary) {
	l := outcome.Unmatched(&s.Players)
	if l.Ended == 0 {
		t.line("Without a match", "no search ended")
		return
	}
	text := words.Percent(l.Share) + " of searches"
	if l.Count > 0 {
		text += " (" + unmatchedWords(&l) + ")"
	}
	mark, _ := unmatchedMark(s, &l)
	t.line("Without a match", "%s: %s", text, t.mark(mark))
}

// worst writes the hour with the longest mean wait and the continent with the highest mean RTT.
func (t *text) worst(s *outcome.Summary) {
	if hour := outcome.LongestWaits(s.ByHour, s.Players.Matched); hour >= 0 {
		g := &s.ByHour[hour]
		t.line("Longest waits at", "%02d:00 UTC: all searches wait %s on average, p95 %s (%s)", hour,
			words.Seconds(g.WaitMean), words.Seconds(g.WaitP95), words.Plural(g.Players, "player"))
	}
	t.highestRTT(s)
}

func (t *text) highestRTT(s *outcome.Summary) {
	if len(s.Queues) > 0 {
		return
	}
	if continent := outcome.HighestRTTs(s.ByContinent, s.Players.Matched); continent >= 0 {
		g := &s.ByContinent[continent]
		t.line("Highest RTTs in", "%s: RTT %s on average, p95 %s (%s)", outcome.Continent(g.Name),
			words.Millis(g.RTTMean), words.Millis(g.RTTP95), words.Plural(g.Players, "player"))
	}
}

// intervals writes the confidence intervals of the means over replications. It omits the RTT if there
// are several queues.
func (t *text) intervals(r *outcome.Replications, queues outcome.QueueList) {
	if r.Runs < 2 {
		t.line("Means of", "%s: run a second one to see how much they vary by chance", words.Plural(r.Runs, "replication"))
		return
	}
	margins := make([]string, 0, 2)
	for _, of := range []struct{ metric, name, unit string }{
		{"wait_first_s.mean", "mean wait of first searches", "s"},
		{"rtt_ms.mean", "mean RTT", "ms"},
	} {
		for _, m := range r.Metrics {
			if m.Name != of.metric || m.Mean == 0 || len(queues) > 0 && of.unit != "s" { // the mean is 0 for waits on servers, where no player waits
				continue
			}
			margin := of.name + " in " + words.RunsWith(m.Runs, r.Runs)
			if low, high := m.Interval(); !math.IsNaN(low) {
				margin = fmt.Sprintf("%s %.3g to %.3g %s", of.name, low, high, of.unit)
			}
			margins = append(margins, margin)
		}
	}
	t.line("Means of", "%s; 95 %% confidence: %s", words.Plural(r.Runs, "replication"), strings.Join(margins, ", "))
	if coverage := words.Coverage(r.Joins); coverage != "" {
		t.line("Confidence", "%s", coverage)
	}
}
