package present

import (
	"fmt"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// seatsItem says who was missing from matches.
func seatsItem(s *outcome.Summary) Item {
	l := s.Life
	if l == nil || s.Matches.Count == 0 {
		return Say("", "")
	}
	of := func(n outcome.Count) string { return words.Percent(outcome.ShareOf(n, s.Matches.Players)) }
	text := fmt.Sprintf("%s never appear, %s leave; %s of playing time missing; %s of matches stay complete",
		of(l.NoShows), of(l.Leavers), words.Percent(l.MissingShare), words.Percent(l.CompleteShare))
	if l.NoShows+l.Leavers == 0 {
		text = fmt.Sprintf("all players appear and nobody leaves; %s of playing time missing", words.Percent(l.MissingShare))
	}
	if l.CutShare > 0 {
		text += fmt.Sprintf("; %s of matches are cut short, for %s", words.Percent(l.CutShare), words.Plural(l.Interrupted, "player"))
	}
	if l.SeatEmptyMean != nil && *l.Emptied > 0 {
		text += fmt.Sprintf("; an empty seat is taken again after %s on average, or the match ends", words.Seconds(*l.SeatEmptyMean))
	}
	return Say("Seats", text)
}

// acceptanceItem says how many proposals start, and what the others cost.
func acceptanceItem(a *outcome.Acceptance, players outcome.Searches) Item {
	if a == nil || a.Proposals == 0 {
		return Say("", "")
	}
	text := words.Percent(a.ShareStarted) + " of proposals start"
	if a.Started > 0 {
		text += fmt.Sprintf(", %s proposals a match; %s lost per player", words.Digits(outcome.Value(a.PerStart)), words.Seconds(a.LostPerMatch))
	}
	lost := outcome.Unmatched(players)
	for _, kind := range lost.Kinds {
		if kind.Name == "declined" && kind.Count > 0 {
			text += "; " + words.Percent(outcome.ShareOf(kind.Count, lost.Ended)) + " of searches declined"
		}
	}
	return Say("Acceptance", text)
}

// acceptanceTable returns the table of proposals by what became of them.
func acceptanceTable(a *outcome.Acceptance) Table {
	return Table{
		Title: "Proposals",
		Note: fmt.Sprintf("Matches that were proposed to players. On average, a match takes %s proposals and starts %s after the accepted one. Dropped proposals cost each player of a match %s of wait.",
			words.Digits(outcome.Value(a.PerStart)), words.Seconds(a.AnswerMean), words.Seconds(a.LostPerMatch)),
		Head: []string{"outcome", "proposals"},
		Rows: [][]string{
			{"all players accepted", words.Thousands(a.Started)},
			{"a player refused", words.Thousands(a.Refused)},
			{"a player had not answered at the timeout", words.Thousands(a.TimedOut)},
			{"the time of a ticket was over, or the running match ended", words.Thousands(a.Lapsed)},
		},
	}
}
