package present

import (
	"fmt"
	"math"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// title says in one sentence how long players wait and which RTT they get.
func title(s *outcome.Summary) string {
	switch {
	case s.RTT.Count == 0:
		return "No match was made"
	case len(s.Queues) > 0:
		if waits := words.QueueWaits(s.Queues); waits != "" {
			return waits
		}
		return words.QueueRTTs(s.Queues)
	}
	limits, within, _ := grade.Within(s)
	rtt := fmt.Sprintf("%s of players get %s or better", words.Percent(within), words.Threshold(limits.Good))
	if s.WaitFirst.Count == 0 {
		return rtt
	}
	return fmt.Sprintf("90 %% of first searches that find a match take at most %s, and %s", words.Seconds(s.WaitFirst.P90), rtt)
}

// answers returns how long players wait, which RTT they get, how many leave without a match, and
// how many are online. Of several queues, the first two are those of the worst queue, with a note about
// the others.
func answers(s *outcome.Summary, blocks []block) []Answer {
	wait, rtt := Answer{Name: "Wait, first searches", Value: "–", Note: "No first search ended in a match."}, Answer{Name: "RTT", Value: "–", Note: "No player was matched."}
	var slowest outcome.WaitStats
	var worst outcome.RTTStats
	for i := range blocks {
		if first := blocks[i].waits[0].stats; first.Count > 0 && (slowest.Count == 0 || first.P90 >= slowest.P90) {
			slowest = *first
		}
		if of := blocks[i].rtt; of.Count > 0 && (worst.Count == 0 || of.P90 > worst.P90) {
			worst = *of
		}
	}
	if slowest.Count > 0 {
		wait.Value, wait.Note = words.Seconds(slowest.P90), waitNote(s)
		wait.Mark, wait.Limits = waitMark(s, slowest.P90)
	}
	if worst.Count > 0 {
		rtt.Value, rtt.Note = words.Millis(worst.P90), rttNote(s)
		rtt.Mark, rtt.Limits = rttMark(s, worst.P90)
	}
	if len(s.Queues) > 0 {
		wait.Name, rtt.Name = "Wait, slowest queue", "RTT, worst queue"
	}
	return []Answer{wait, rtt, unmatchedAnswer(s), onlineAnswer(s)}
}

func waitNote(s *outcome.Summary) string {
	if len(s.Queues) > 0 {
		return words.QueueWaits(s.Queues) + "."
	}
	note := fmt.Sprintf("or less for 90 %% of first searches that find a match; the mean is %s.", words.Seconds(s.WaitFirst.Mean))
	if s.WaitRepeat.Count > 0 {
		note += fmt.Sprintf(" The mean is %s after a match and %s over all searches.", words.Seconds(s.WaitRepeat.Mean), words.Seconds(s.Wait.Mean))
	}
	if s.Limits != nil && s.Limits.Wait != nil {
		note += " " + grade.ClassWords(&s.Limits.Wait.Classes) + "."
	}
	return note
}

func rttNote(s *outcome.Summary) string {
	if len(s.Queues) > 0 {
		return words.QueueRTTs(s.Queues) + "."
	}
	limits, within, _ := grade.Within(s)
	note := fmt.Sprintf("or better for 90 %% of players; the mean is %s. %s get %s or better.", words.Millis(s.RTT.Mean), words.Percent(within), words.Threshold(limits.Good))
	if limits.Own {
		note += " " + grade.ClassWords(&s.Limits.RTT.Classes) + "."
	}
	return note
}

func unmatchedAnswer(s *outcome.Summary) Answer {
	l := outcome.Unmatched(&s.Players)
	if l.Ended == 0 {
		return Answer{Name: "Without a match", Value: "–", Note: "No search ended."}
	}
	a := Answer{
		Name: "Without a match", Value: words.Percent(l.Share),
		Note: fmt.Sprintf("%s of %s ended searches: %s.", words.Thousands(l.Count), words.Thousands(l.Ended), unmatchedWords(&l)),
	}
	if l.Count == 0 {
		a.Note = fmt.Sprintf("All %s ended searches found a match.", words.Thousands(l.Ended))
	}
	a.Mark, a.Limits = unmatchedMark(s, &l)
	if s.Limits != nil && s.Limits.Unmatched != nil {
		a.Note += " By the hour in which they began, " + grade.ClassWords(&s.Limits.Unmatched.Classes) + "."
	}
	return a
}

func onlineAnswer(s *outcome.Summary) Answer {
	return Answer{
		Name: "Players online", Value: words.Thousands(s.CCU.Peak),
		Note: fmt.Sprintf("at the peak, %s; %s on average.", words.Clock(s.CCU.PeakAt, words.Zone(s.Run.TimeZone)), words.MeanCount(float64(s.CCU.Mean))),
	}
}

func onlineItem(s *outcome.Summary) Item {
	return Say("Players online", fmt.Sprintf("%s on average, %s at the peak, %s", words.MeanCount(float64(s.CCU.Mean)), words.Thousands(s.CCU.Peak), words.Clock(s.CCU.PeakAt, words.Zone(s.Run.TimeZone))))
}

// worst names the hour with the longest mean wait and the continent with the highest mean RTT. It omits
// the RTT if there are several queues.
func worst(s *outcome.Summary) (items []Item) {
	if hour := grade.LongestWaits(s.ByHour, s.Players.Matched); hour >= 0 && s.Servers == nil {
		g := &s.ByHour[hour]
		items = append(items, Say("Longest waits at", fmt.Sprintf("%02d:00 %s: all searches wait %s on average, p95 %s (%s)", hour, words.Zone(s.Run.TimeZone),
			words.Seconds(g.WaitMean), words.Seconds(g.WaitP95), words.Plural(g.Players, "player"))))
	}
	if continent := grade.HighestRTTs(s.ByContinent, s.Players.Matched); continent >= 0 && len(s.Queues) == 0 {
		g := &s.ByContinent[continent]
		items = append(items, Say("Highest RTTs in", fmt.Sprintf("%s: RTT %s on average, p95 %s (%s)", outcome.Continent(g.Name),
			words.Millis(g.RTTMean), words.Millis(g.RTTP95), words.Plural(g.Players, "player"))))
	}
	return items
}

// replicationsItems has the confidence intervals of the means over replications. It omits the RTT if
// there are several queues.
func replicationsItems(s *outcome.Summary) (items []Item) {
	r := s.Replications
	switch {
	case r == nil:
		return nil
	case r.Runs < 2:
		return []Item{Say("Means of", words.Plural(r.Runs, "replication")+": run a second one to see how much they vary by chance")}
	}
	margins := make([]string, 0, 2)
	for _, of := range []struct{ metric, name, unit string }{
		{"wait_first_s.mean", "mean wait of first searches", "s"},
		{"rtt_ms.mean", "mean RTT", "ms"},
	} {
		for _, m := range r.Metrics {
			if m.Name != of.metric || m.Mean == 0 || len(s.Queues) > 0 && of.unit != "s" { // the mean is 0 for waits on servers, where no player waits
				continue
			}
			margin := of.name + " in " + words.RunsWith(m.Runs, r.Runs)
			if low, high := m.Interval(); !math.IsNaN(low) {
				margin = fmt.Sprintf("%s %.3g to %.3g %s", of.name, low, high, of.unit)
			}
			margins = append(margins, margin)
		}
	}
	items = append(items, Say("Means of", fmt.Sprintf("%s; 95 %% confidence: %s", words.Plural(r.Runs, "replication"), strings.Join(margins, ", "))))
	return filled(append(items, Say("Confidence", words.Coverage(r.Joins))))
}
