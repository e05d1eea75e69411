package expression

import (
	"testing"

	"mmsim/matcher"
)

// When a player leaves a session, the next session player must get the same entry, so that memory
// does not grow with the number of sessions. The entry must then have the new player's values.
func TestEntriesOfSessionPlayersAreReused(t *testing.T) {
	var c Columns
	skill, rtt := c.Column(0, matcher.PartyAvg), c.RTT(matcher.PartyAvg)
	player := func(skill, toHere float64) matcher.Player {
		return matcher.Player{Values: []matcher.Value{{Kind: matcher.IsNumber, Number: skill}}, RTTMS: []float64{toHere, 50}}
	}
	first, second := c.Seat(player(10, 20), 0), c.Seat(player(11, 21), 0)
	c.Unseat(first)
	if third := c.Seat(player(12, 22), 0); third != first {
		t.Errorf("third player: got entry %d, want the free entry %d", third, first)
	}
	for entry, want := range map[Entry]float64{first: 12, second: 11} {
		if got := c.Cell(skill, entry).Number; got != want {
			t.Errorf("entry %d: got skill %v, want %v", entry, got, want)
		}
		if got := c.RTTOf(rtt, entry)[0]; got != want+10 {
			t.Errorf("entry %d: got RTT %v, want %v", entry, got, want+10)
		}
	}
	if fourth := c.Seat(player(13, 23), 0); fourth == first || fourth == second {
		t.Errorf("fourth player: got entry %d, which is in use, want a new one", fourth)
	}
}
