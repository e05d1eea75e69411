package binding

import (
	"mmsim/datasets"
	"mmsim/sim"
)

// Overlaps is an observer that counts overlapping searches in a run whose rows are searches. A
// search overlaps if its player is already searching or in a match when the row comes. In the log,
// this rarely happens; in the run, it means that a player is at two places at once, because the
// simulated wait or match lasts longer than the real one did.
//
// Players are told apart by the player_id of their row. A row without one overlaps with nothing, and
// neither do the further players of a generated party, who have no row. Copies of a row (see
// datasets.ReplayOptions) are different players, and so are those of each repetition of the data,
// such as the warm-up. A search that begins at the instant at which the player's match ends does not
// overlap. The pause after a match and matches against bots do not count as a match.
//
// The cost is about 0.1 µs for each search, and 40 bytes for each player who is online.
type Overlaps struct {
	ids     []uint32 // number of each row's player, or 0; see datasets.Column.Texts
	days    int32    // days of the data
	ownRows bool     // whether each player of a party has a row
	busy    map[identity]activity
	swept   int // size of busy when finished players were last removed from it
	Count   int // overlapping searches so far
}

// identity tells the players of a run apart: by player_id, by repetition of the data, and by copy.
type identity struct{ id, repetition, replica uint32 }

// activity says what a player does.
type activity struct {
	searches int         // searches that have not ended
	until    sim.Instant // end of the last match
}

func (a activity) lasts(at sim.Instant) bool { return a.searches > 0 || a.until > at }

// NewOverlaps returns an observer for a run of the day, or nil if its rows do not name their players.
func NewOverlaps(day *datasets.Day) *Overlaps {
	ids, ok := day.Column(datasets.ColumnPlayer)
	if !ok {
		return nil
	}
	return &Overlaps{ids: ids.Texts, days: int32(day.Days()), ownRows: day.PartySizes() != nil, busy: map[identity]activity{}}
}

// of returns the identity of a player, and false if it is unknown.
func (o *Overlaps) of(p *sim.Person) (identity, bool) {
	id := o.ids[p.Row]
	replica, day := p.Copy%datasets.MaxCopies, int32(p.Copy/datasets.MaxCopies)-1 // as CopyOf has joined them
	return identity{id, uint32((day + o.days) / o.days), replica}, id != 0 && (o.ownRows || p.Party == p.Entity)
}

// Entered implements sim.Observer.
func (o *Overlaps) Entered(s *sim.Search) {
	for i := range s.Players {
		if player, ok := o.of(&s.Players[i].Person); ok {
			a := o.busy[player]
			if a.lasts(s.Began) {
				o.Count++
			}
			a.searches++
			o.busy[player] = a
		}
	}
	o.sweep(s.Began)
}

// Matched implements sim.Observer.
func (o *Overlaps) Matched(m *sim.Match) {
	for i := range m.Players {
		o.end(&m.Players[i].Person, m.Players[i].Began, m.LeftAt(i))
	}
}

// Ended implements sim.Observer.
func (o *Overlaps) Ended(e *sim.Ended) {
	for i := range e.Players {
		o.end(&e.Players[i].Person, e.Began, e.At)
	}
}

// CopyOf returns a number for the given copy of a row on the given day. Players can be friends
// only if they have the same number.
func CopyOf(replica uint32, day int32) uint32 { return uint32(day+1)*datasets.MaxCopies + replica }

// Sampled implements sim.Observer.
func (o *Overlaps) Sampled(*sim.Census) {}

// end ends a search of a player, who plays until the given instant. The beginning of a search in the
// warm-up was not reported.
func (o *Overlaps) end(p *sim.Person, began, until sim.Instant) {
	player, ok := o.of(p)
	if !ok || began < 0 {
		return
	}
	a := o.busy[player]
	a.searches--
	a.until = max(a.until, until)
	o.busy[player] = a
}

// sweep forgets the players who are no longer busy. It waits until the number of players has doubled
// since the last time, so that the cost per player is constant.
func (o *Overlaps) sweep(now sim.Instant) {
	const least = 1024
	if len(o.busy) < max(2*o.swept, least) {
		return
	}
	for player, a := range o.busy { // in any order
		if !a.lasts(now) {
			delete(o.busy, player)
		}
	}
	o.swept = len(o.busy)
}
