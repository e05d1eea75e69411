package datasets

import (
	"cmp"
	"math"
	"slices"
)

// MatchLife is what a file with the ends or the lengths of matches tells about the life of a match.
type MatchLife struct {
	Column  string  `json:"column"`
	Matches int     `json:"matches"` // rows with a valid end
	Odd     int     `json:"odd"`     // rows whose end is before their start, or more than a day after it
	Mean    float64 `json:"length_mean_s"`
	Median  float64 `json:"length_median_s"`

	// The following need player_id. A player plays again if the player's next row begins at most
	// AgainMS after the end of the match. Matches that end later than AgainMS before the last join
	// of the file do not count, because the file may lack the next row.
	Asked     int     `json:"followed"` // matches of which the file tells whether the player plays again
	Again     int     `json:"again"`
	PauseMean float64 `json:"pause_mean_s"` // of those who play again
}

// AgainMS is the longest pause after which a player still counts as playing again.
const AgainMS = 10 * 60 * 1000

// PlayAgain returns the share of players who play again.
func (l *MatchLife) PlayAgain() float64 { return float64(l.Again) / float64(max(l.Asked, 1)) }

// MatchLife estimates the life of a match. endOf returns the end of the match of a row that begins at
// start, or false if it has none. Both are in ms since the first midnight of the day.
func (d *Day) MatchLife(column string, endOf func(row uint32, start int64) (end int64, ok bool)) MatchLife {
	type match struct {
		player     uint32
		start, end int64
	}
	l := MatchLife{Column: column}
	players, hasPlayers := d.Column(ColumnPlayer)
	var lengths []float64
	var matches []match
	last := int64(0)
	for _, j := range d.joins {
		start := int64(j.stamp.ms())
		last = max(last, start)
		m := match{start: start, end: math.MaxInt64}
		if end, ok := endOf(j.Row, start); ok && end >= start && end-start <= MillisPerDay {
			m.end = end
			lengths = append(lengths, float64(end-start)/1000)
		} else if ok {
			l.Odd++
		}
		if hasPlayers && players.Texts[j.Row] != 0 {
			m.player = players.Texts[j.Row]
			matches = append(matches, m)
		}
	}
	if l.Matches = len(lengths); l.Matches == 0 {
		return l
	}
	slices.Sort(lengths)
	l.Median = (lengths[(len(lengths)-1)/2] + lengths[len(lengths)/2]) / 2
	for _, length := range lengths {
		l.Mean += length / float64(len(lengths))
	}
	slices.SortStableFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.player, b.player), cmp.Compare(a.start, b.start))
	})
	for i, m := range matches {
		if m.end > last-AgainMS { // also a row without an end
			continue
		}
		pause := int64(math.MaxInt64)
		if i+1 < len(matches) && matches[i+1].player == m.player {
			if pause = matches[i+1].start - m.end; pause < 0 {
				continue // the rows of this player overlap
			}
		}
		l.Asked++
		if pause <= AgainMS {
			l.Again++
			l.PauseMean += float64(pause) / 1000
		}
	}
	l.PauseMean /= float64(max(l.Again, 1))
	return l
}
