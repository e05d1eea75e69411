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
