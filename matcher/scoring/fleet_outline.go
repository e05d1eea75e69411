package scoring

import (
	"math"

	"mmsim/matcher"
)

// An outline is a row of numbers that bounds what a server, or any server of a
// group, is worth to a player whom nobody knows there. The outline of a group is,
// number by number, the highest of its servers'. That of a single server is exact,
// but for texts beyond textSlots and for sets of several texts.
//
// What bounds a signal is computed by the very operations that compute its value,
// on numbers that are not smaller; rounding never turns such an order around. So a
// bound is never below a score, and equals it where all servers are alike.
//
// Columns of an outline, by signal:
//   - Occupancy: its value.
//   - numbers: the lowest one with its sign turned, and the highest; both -Inf where
//     there are none. The value follows from the distance to the joining player's.
//   - texts and sets: the value for a player who has one text, by slot of the text.
//   - the others depend on the region or on the joining player alone: none.

// textSlots is how many columns there are for texts. Slot 0 is for texts that no
// server ever had, the last one for all that came after the others were taken.
const textSlots = 16

// layout says what the columns of outlines are.
type layout struct {
	aspects []*aspect // of the signals that have a weight, in their order
	width   int       // columns in all
}

// aspect is one signal as outlines keep it.
type aspect struct {
	signal  Signal
	tally   int // of a server, by place in Scorer.Signals
	at      int // first column
	columns int
	scale   float64 // difference in a column that is worth the whole weight
	slots   []uint8 // by text; 0: not seen yet
	used    uint8   // slots taken
}

func newLayout(scorer *Scorer) layout {
	var l layout
	for i, signal := range scorer.Signals {
		if signal.weighted().Weight == 0 {
			continue
		}
		a := &aspect{signal: signal, tally: i, at: l.width, scale: 1}
		switch s := signal.(type) {
		case *Occupancy:
			a.columns = 1
		case *PlayersNumber:
			a.columns, a.scale = 2, s.Scale
		case *ServerNumber:
			a.columns, a.scale = 2, s.Scale
		case *PlayersShare, *PlayersOverlap, *ServerText:
			a.columns = textSlots
		}
		l.aspects = append(l.aspects, a)
		l.width += a.columns
	}
	return l
}

// slot returns the slot of a text on a server, the next one at first sight.
func (a *aspect) slot(text matcher.Text) uint8 {
	for int(text) >= len(a.slots) {
		a.slots = append(a.slots, 0)
	}
	if a.slots[text] == 0 {
		a.used = min(a.used+1, textSlots-1)
		a.slots[text] = a.used
	}
	return a.slots[text]
}

// slotOf returns the slot of a player's text.
func (a *aspect) slotOf(text matcher.Text) int {
	if int(text) >= len(a.slots) {
		return 0
	}
	return int(a.slots[text])
}

// draw draws the outline of a server.
func (l *layout) draw(outline []float64, s *Server) {
	clear(outline)
	for _, a := range l.aspects {
		columns, t := outline[a.at:a.at+a.columns], &s.tallies[a.tally]
		switch signal := a.signal.(type) {
		case *Occupancy:
			columns[0] = signal.value(nil, s, t)
		case *PlayersNumber:
			number, some := signal.there(t)
			span(columns, number, some)
		case *ServerNumber:
			own := s.value(signal.Column)
			span(columns, own.Number, own.Kind == matcher.IsNumber)
		case *PlayersShare:
			a.shares(columns, signal, s, t)
		case *PlayersOverlap:
			a.overlaps(columns, s, t)
		case *ServerText:
			if own := s.value(signal.Column); own.Kind == matcher.IsText {
				columns[a.slot(own.Text)] = 1
			}
		}
	}
}

// span draws a number.
func span(columns []float64, number float64, some bool) {
	if !some {
		columns[0], columns[1] = math.Inf(-1), math.Inf(-1)
		return
	}
	columns[0], columns[1] = -number, number
}

// shares draws the shares of players by text.
func (a *aspect) shares(columns []float64, signal *PlayersShare, s *Server, t *tally) {
	if s.players == 0 {
		return
	}
	if signal.Others {
		for i := range columns {
			columns[i] = 1
		}
	}
	for i := range t.groups {
		slot, share := a.slot(t.groups[i].text), float64(t.groups[i].players)/float64(s.players)
		switch {
		case !signal.Others:
			columns[slot] = max(columns[slot], share)
		case slot < textSlots-1:
			columns[slot] = 1 - share
		}
	}
}

// overlaps draws the shares of players whose sets have a text.
func (a *aspect) overlaps(columns []float64, s *Server, t *tally) {
	for i := range t.groups {
		last := none // sets are sorted, but the texts of the last slot may stand anywhere
		for _, text := range t.groups[i].set {
			slot := int(a.slot(text))
			if slot == textSlots-1 {
				last = slot
				continue
			}
			columns[slot] += float64(t.groups[i].players)
		}
		if last != none {
			columns[last] += float64(t.groups[i].players)
		}
	}
	if s.players > 0 {
		for i := range columns {
			columns[i] /= float64(s.players)
		}
	}
}

// worth returns how much of its weight a signal gains between two values of one of
// its columns, at most all of it.
func (a *aspect) worth(low, high float64) float64 {
	weight := a.signal.weighted().Weight
	if math.IsInf(low, -1) && low < high {
		return weight // a number, or none
	}
	return float64(weight * min(1, (high-low)/a.scale))
}

// raise makes an outline bound another one too. It tells whether it did not before.
func raise(outline, other []float64) bool {
	raised := false
	for i, v := range other {
		if v > outline[i] {
			outline[i], raised = v, true
		}
	}
	return raised
}
