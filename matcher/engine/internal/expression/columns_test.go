package expression

import (
	"testing"

	"mmsim/matcher"
)

// When a player leaves a session, the next session player must get the same entry, so that memory
// does not grow with the number of sessions. The entry must then have the new player's values.
func TestEntriesOfSessionPlayersAreReused(t *testing.T) {
	var c Columns
	skill := c.Column(0, matcher.PartyAvg)
	player := func(skill float64) matcher.Player {
		return matcher.Player{Values: []matcher.Value{{Kind: matcher.IsNumber, Number: skill}}}
	}
	first, second := c.Enter(player(10)), c.Enter(player(11))
	c.Leave(first)
	if third := c.Enter(player(12)); third != first {
		t.Errorf("third player: got entry %d, want the free entry %d", third, first)
	}
	for entry, want := range map[Entry]float64{first: 12, second: 11} {
		if got := c.Cell(skill, entry).Number; got != want {
			t.Errorf("entry %d: got skill %v, want %v", entry, got, want)
		}
	}
	if fourth := c.Enter(player(13)); fourth == first || fourth == second {
		t.Errorf("fourth player: got entry %d, which is in use, want a new one", fourth)
	}
}
