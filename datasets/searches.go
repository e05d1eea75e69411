package datasets

import "fmt"

// PlayerRows counts the rows of a day that name their player (player_id), and these players. It
// tells whether the rows are searches: a log of searches has several rows for most players, and a
// file of players who join has one.
type PlayerRows struct {
	Rows    int // rows with a player_id
	Players int // different values of player_id
	Days    int // days that the rows cover
}

// PlayerRows returns the counts of the day. merged is the number of days whose rows the file has
// as one day (see ReplayOptions.Days), or 1. The counts are exact. They take 2 ns per row and, for
// the time of the call, one bit for each different player_id: the column numbers these values
// already, so no other set of them, and no estimate of its size, is needed.
func (d *Day) PlayerRows(merged int) PlayerRows {
	p := PlayerRows{Days: max(d.Days(), merged)}
	ids, ok := d.Column(ColumnPlayer)
	if !ok {
		return p
	}
	// A malformed row may have left an unused entry in the dictionary, so its size is not the count.
	seen := make([]uint64, (len(ids.Dictionary)+63)/64)
	for _, id := range ids.Texts {
		if id == 0 {
			continue
		}
		p.Rows++
		if word, bit := &seen[id/64], uint64(1)<<(id%64); *word&bit == 0 {
			*word |= bit
			p.Players++
		}
	}
	return p
}

// Repeat reports whether players have so many rows that each row must be a search: 1.5 or more per
// player and day. If rows were sessions, a player with a second session on the same day would be
// as rare as a player with one search in a log of searches.
func (p PlayerRows) Repeat() bool { return p.Players > 0 && 2*p.Rows >= 3*p.Players*p.Days }

// PerPlayerAndDay returns the mean number of rows of a player on a day with at most two decimals,
// such as 2.9, or "" if no row names its player. It is rounded down, so that 1.5 is never shown for
// less.
func (p PlayerRows) PerPlayerAndDay() string {
	if p.Players == 0 {
		return ""
	}
	hundredths := 100 * p.Rows / (p.Players * p.Days)
	return fmt.Sprintf("%g", float64(hundredths)/100)
}
