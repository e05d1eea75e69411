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
		if e.MatchedBefore > 0 && e.MatchedDuring > 0 {
			did = append(did, fmt.Sprintf("wait %.1f s before, %.1f s during; RTT %.0f ms before, %.0f ms during", e.WaitBefore, e.WaitDuring, e.RTTBefore, e.RTTDuring))
		}
		if minutes := float64(e.Recovery) / 60; !math.IsNaN(minutes) {
			did = append(did, fmt.Sprintf("waits as before %.0f min after the end", minutes))
		}
		text := e.Action
		if len(did) > 0 {
			text += ": " + strings.Join(did, "; ")
		}
		items = append(items, Say(eventTime(e.At), text))
	}
	return items
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
