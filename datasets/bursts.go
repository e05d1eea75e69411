package datasets

import "mmsim/datasets/internal/draws"

// BurstOptions control which rows of a day a burst of joins copies.
type BurstOptions struct {
	Number int    // of the burst, which is part of every key
	Day    int    // day whose rows are copied, as in Day.Replay
	Joins  int    // number of players, at least 1
	From   []bool // by place, whether its rows are copied; nil for all
	// Parties has the shares of generated parties, as in ReplayOptions.
	Parties []float64
	Draws   Draws
}

// Burst yields joins in addition to those of a day: copies of its rows, drawn with replacement. A party
// of the data is drawn by its last row, as it joins with it, is copied as a whole, and counts by its
// size. The last party may be cut short. All draws are keyed by the number of the burst and of the player, so that a burst
// with more players begins with the same rows.
type Burst struct {
	o     BurstOptions
	day   *Day
	joins []Join // of the day
	// rows are the rows to draw from, as indexes into joins. It is nil if these are all joins.
	rows    []uint32
	sizes   sizeDraws
	next    int // number of the next player
	members []Member
}

// Burst returns a burst of joins. ok is false if there is no row to copy.
func (d *Day) Burst(o BurstOptions) (b *Burst, ok bool) {
	b = &Burst{o: o, day: d, joins: d.joinsOf(o.Day)}
	if d.hasParties() || o.From != nil {
		for i, j := range b.joins {
			if !d.follows(j) && (o.From == nil || o.From[j.Place]) {
				b.rows = append(b.rows, uint32(i))
			}
		}
		ok = len(b.rows) > 0
	} else {
		ok = len(b.joins) > 0
	}
	if !d.hasParties() && len(o.Parties) > 1 {
		b.sizes, _ = partySizes(o.Parties)
	}
	return b, ok
}

// Next returns the next party: the number of its first player, from 0, and its members, which are valid
// until the next call. Their Copy is that number.
func (b *Burst) Next() (first int, members []Member, ok bool) {
	if b.next >= b.o.Joins {
		return 0, nil, false
	}
	first = b.next
	j, c := b.draw(first), uint32(first)
	b.members = append(b.members[:0], Member{Row: j.Row, Copy: c, Place: j.Place})
	if party := b.day.partyWith(j); party != nil {
		b.members = b.members[:0]
		for _, m := range party {
			b.members = append(b.members, Member{Row: m.Row, Copy: c, Place: m.Place})
		}
	} else if b.sizes != nil {
		size := b.sizes.of(b.o.Draws.Burst(b.entity(), 2*uint64(first)+1))
		for i := 1; i < size; i++ {
			b.members = append(b.members, Member{Row: j.Row, Copy: c, Place: j.Place, Index: uint32(i)})
		}
	}
	b.members = b.members[:min(len(b.members), b.o.Joins-first)]
	b.next += len(b.members)
	return first, b.members, true
}

// draw draws the row that is copied for a player.
func (b *Burst) draw(player int) Join {
	draw := b.o.Draws.Burst(b.entity(), 2*uint64(player))
	if b.rows == nil {
		return b.joins[draws.Below(draw, uint64(len(b.joins)))]
	}
	return b.joins[b.rows[draws.Below(draw, uint64(len(b.rows)))]]
}

func (b *Burst) entity() uint64 { return uint64(b.o.Number) }
