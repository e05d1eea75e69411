package records

import (
	"slices"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// heldRows is a queue of the rows of a season that are not written yet: those of running matches, and
// those behind them.
type heldRows struct {
	rating  func(p *sim.Player) float64
	rows    []recordRow // rows[:head] are written
	head    int
	running map[uint64]*result // by sim.Match.ID
	ended   bool               // whether the run has ended, so that no match gets a result any more
}

// result is that of a match.
type result struct {
	over      bool           // whether nothing more will be known
	finishers []sim.Finisher // empty if the match has no result
}

// newHeldRows returns an empty queue, or nil without a season.
func newHeldRows(run *setup.Run, attributes []Attribute) *heldRows {
	if !run.Season {
		return nil
	}
	rating := slices.IndexFunc(attributes, func(a Attribute) bool { return a.Rating })
	return &heldRows{rating: attributes[rating].Number, running: map[uint64]*result{}}
}

// started returns a copy of the record of a match for its rows, and the result that the match will have.
func (h *heldRows) started(m *sim.Match) (*sim.Match, *result) {
	own := *m
	own.Players, own.Seats, own.Relaxed = slices.Clone(m.Players), slices.Clone(m.Seats), nil
	if m.Cut { // a match that is cut short is not decided
		return &own, &result{over: true}
	}
	r := h.running[m.ID] // there is one if the players join a running match
	if r == nil {
		r = &result{}
		h.running[m.ID] = r
	}
	return &own, r
}

// finished completes the result of a match.
func (h *heldRows) finished(m *sim.Finished) {
	r := h.running[m.Match]
	if r == nil {
		return // the match started in the warm-up period
	}
	delete(h.running, m.Match)
	r.over = true
	if m.Decided {
		r.finishers = slices.Clone(m.Players)
	}
}

// add adds a row at the end of the queue.
func (h *heldRows) add(row recordRow) {
	row.rating = h.rating(row.player)
	if row.match == nil {
		player := *row.player
		row.player = &player
	}
	h.rows = append(h.rows, row)
}

// complete reports whether the first row is complete.
func (h *heldRows) complete() bool {
	if h.head == len(h.rows) {
		return false
	}
	first := &h.rows[h.head]
	return h.ended || first.result == nil || first.result.over
}

// take removes the first row and returns it. It is valid until the next call of add or take.
func (h *heldRows) take() *recordRow {
	if h.head > len(h.rows)/2 {
		n := copy(h.rows, h.rows[h.head:])
		clear(h.rows[n:])
		h.rows, h.head = h.rows[:n], 0
	}
	row := &h.rows[h.head]
	h.head++
	if row.result != nil {
		i := slices.IndexFunc(row.result.finishers, func(f sim.Finisher) bool { return f.Number == row.player.Number })
		if i >= 0 {
			row.finisher = &row.result.finishers[i]
		}
	}
	return row
}
