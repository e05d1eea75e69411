package present

import (
	"fmt"
	"math"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// eventItems says what each event did to the players.
func eventItems(s *outcome.Summary) (items []Item) {
	for i := range s.Events {
		e := &s.Events[i]
		var did []string
		if e.Interrupted > 0 {
			did = append(did, words.Plural(e.Interrupted, "player")+" cut short")
		}
		if e.MatchedDuring > 0 {
			did = append(did, "wait "+change(e.MatchedBefore, float64(e.WaitBefore), float64(e.WaitDuring), "%.1f s"))
			if e.MatchedBefore > 0 && math.Round(float64(e.RTTBefore)) != math.Round(float64(e.RTTDuring)) {
				did = append(did, "RTT "+change(e.MatchedBefore, float64(e.RTTBefore), float64(e.RTTDuring), "%.0f ms"))
			}
		}
		switch {
		case math.IsNaN(float64(e.Recovery)):
		case e.Recovery == 0:
			did = append(did, "waits as before from its end on")
		default:
			did = append(did, "waits as before "+words.Span(e.Recovery)+" after its end")
		}
		text := e.Action
		if len(did) > 0 {
			text += ": " + strings.Join(did, "; ")
		}
		items = append(items, Say(eventTime(e.At), text))
	}
	return items
}

// change formats a mean during an event, and the one before it if there is any.
func change(matchedBefore outcome.Count, before, during float64, format string) string {
	text := fmt.Sprintf(format, during) + " during"
	if matchedBefore > 0 {
		text = fmt.Sprintf(format, before) + " before, " + text
	}
	return text
}

// eventTime formats the begin of an event, such as "20:00", or "day 2 20:00".
func eventTime(at outcome.Seconds) string {
	minutes := int(at) / 60
	clock := fmt.Sprintf("%02d:%02d", minutes/60%24, minutes%60)
	if day := minutes / (24 * 60); day > 0 {
		return fmt.Sprintf("day %d %s", day+1, clock)
	}
	return clock
}
