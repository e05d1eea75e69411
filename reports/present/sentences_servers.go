package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/grade"
	"mmsim/reports/outcome"
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
