package ticketlog

import (
	"cmp"
	"math"
	"slices"

	"mmsim/datasets"
)

// Seen is a search as the log reports it. Times are in milliseconds since the window began; a search
// that began before it has a negative Began. A Seen is reused after the call that receives it.
type Seen struct {
	Began   int64
	Ended   int64 // if it has ended
	End     End   // Lost for a search that was cut, because the log does not tell how it would have ended
	Return  bool
	Queue   int    // index into Options.Queues
	Ticket  uint32 // number of the ticket
	Players []Player
}

// Player is a player of a search who has a place.
type Player struct {
	Number uint32  // of the player
	Row    uint32  // of the attributes, see Log.Attributes
	Place  uint32  // index into the places of Log.Places
	RTT    float32 // to the datacenter of the match as the log has it, in ms; 0 if it does not
	Before uint32  // number of the match, from 1, after which the player returned; otherwise 0
}

// Made is a match as the log reports it. At is as in Seen.
type Made struct {
	At, Ends   int64
	Number     uint32 // of the match, from 1
	Queue      int    // index into Options.Queues
	Datacenter string // of a region, or of a datacenter; "" if the log has none
	Searches   []Seen
}

// Observer receives the searches and matches of the window in order of time.
type Observer interface {
	Entered(s *Seen) // a search begins
	Matched(m *Made) // searches end with a match
	Ended(s *Seen)   // a search ends without a match
}

// Replay reports everything that happened in the window. Players without a place are left out, as in
// Day.
func (l *Log) Replay(o Observer) {
	ends := l.ends()
	var seen Seen
	var made Made
	for begun, ended := 0, 0; ; {
		for ended < len(ends) && l.endAt(ends[ended]) < l.From {
			ended++
		}
		var t *ticket
		if begun < len(l.order) {
			t = l.tickets.at(l.order[begun])
		}
		at := int64(math.MaxInt64)
		if ended < len(ends) {
			at = l.endAt(ends[ended])
		}
		switch {
		case t != nil && t.created <= at:
			if t.created >= l.To {
				t, begun = nil, len(l.order)
				continue
			}
			if t.created >= l.From && l.see(&seen, l.order[begun]) {
				o.Entered(&seen)
			}
			begun++
		case at >= l.To:
			return
		case l.tickets.at(ends[ended]).end != Matched:
			if l.see(&seen, ends[ended]) {
				o.Ended(&seen)
			}
			ended++
		default:
			next := ended + 1
			for match := l.tickets.at(ends[ended]).match; next < len(ends) && l.tickets.at(ends[next]).end == Matched && l.tickets.at(ends[next]).match == match; next++ {
			}
			if l.seeMatch(&made, ends[ended:next]) {
				o.Matched(&made)
			}
			ended = next
		}
	}
}

// ends returns the tickets that have ended, in order of time. Those of a match are side by side.
func (l *Log) ends() []uint32 {
	type key struct {
		at          int64
		match, rank uint32 // rank is the index into order
	}
	keys := make([]key, 0, len(l.order))
	for rank, i := range l.order {
		if l.tickets.at(i).end != Searching {
			keys = append(keys, key{l.endAt(i), l.matchOf(i), uint32(rank)})
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.match, b.match), cmp.Compare(a.rank, b.rank))
	})
	list := make([]uint32, len(keys))
	for i := range keys {
		list[i] = l.order[keys[i].rank]
	}
	return list
}

// matchOf returns the number of a ticket's match, or 0.
func (l *Log) matchOf(i uint32) uint32 {
	if t := l.tickets.at(i); t.end == Matched {
		return t.match
	}
	return 0
}

// endAt returns the instant at which a ticket ended. All tickets of a match end when it is made, also if
// the clocks of the log differ.
func (l *Log) endAt(i uint32) int64 {
	t := l.tickets.at(i)
	switch {
	case t.end == Searching:
		return math.MaxInt64
	case t.end == Matched:
		return l.matches[t.match-1].made
	}
	return t.ended
}

// see fills in a search. It reports whether a player of it has a place.
func (l *Log) see(s *Seen, i uint32) bool {
	t := l.tickets.at(i)
	players := s.Players[:0]
	for _, m := range l.of(t) {
		if m.row == 0 || l.rows.places[m.row-1] == 0 {
			continue
		}
		p := Player{Number: m.player, Row: m.row - 1, Place: l.rows.places[m.row-1] - 1, Before: m.before}
		if int(m.row) <= len(l.rows.rtt) {
			p.RTT = l.rows.rtt[m.row-1]
		}
		players = append(players, p)
	}
	*s = Seen{Began: t.created - l.From, Ended: t.ended - l.From, End: t.end, Return: t.isReturn, Queue: int(t.queue), Ticket: i, Players: players}
	if t.end == Cut {
		s.End = Lost
	}
	return len(players) > 0
}

// seeMatch fills in a match of tickets. It reports whether a player of it has a place. The wait of each
// ticket is its own: if the clocks differ, it began as much earlier as its own end is before the match.
func (l *Log) seeMatch(m *Made, tickets []uint32) bool {
	number := l.tickets.at(tickets[0]).match
	of := &l.matches[number-1]
	list := m.Searches[:0]
	for _, i := range tickets {
		if len(list) < cap(list) {
			list = list[:len(list)+1] // with the Players of an earlier match
		} else {
			list = append(list, Seen{})
		}
		s := &list[len(list)-1]
		if !l.see(s, i) {
			list = list[:len(list)-1]
			continue
		}
		s.Began = l.endAt(i) - l.From - (s.Ended - s.Began)
	}
	*m = Made{At: l.endAt(tickets[0]) - l.From, Ends: l.over(l.tickets.at(tickets[0])) - l.From, Number: number, Queue: int(of.queue), Searches: list}
	if of.datacenter > 0 {
		m.Datacenter = l.datacenters[of.datacenter-1]
	}
	return len(list) > 0
}

// over returns the end of a ticket's match. If only this match has none in the log, it lasts as long as
// the others do on average.
func (l *Log) over(t *ticket) int64 {
	if end := l.endOf(t); end > 0 {
		return end
	}
	return l.matches[t.match-1].made + l.meanLength
}

// Activity is what players do.
type Activity uint8

// Activities.
const (
	InSearch Activity = iota
	InMatch
	InPause // after a match, if they return
	Activities
)

// Spans calls yield with what players with a place did, if it was in the window at least in part. from
// and to are in milliseconds since the window began. A player who does not return has no pause, because
// the log does not tell when the player left.
func (l *Log) Spans(yield func(a Activity, from, to int64, players int)) {
	var seen Seen
	report := func(a Activity, from, to int64) {
		if to = min(to, l.To); from < to && to >= l.From {
			yield(a, from-l.From, to-l.From, len(seen.Players))
		}
	}
	for _, i := range l.order {
		t := l.tickets.at(i)
		if t.created >= l.To || !l.see(&seen, i) {
			continue
		}
		at := l.endAt(i)
		report(InSearch, t.created, at)
		if t.end != Matched {
			continue
		}
		over := l.over(t)
		if !t.returned {
			report(InMatch, at, over)
			continue
		}
		back := over + int64(t.pause)
		report(InMatch, at, min(over, back))
		report(InPause, over, back)
	}
}

// Places returns a day with the places of all searches and the joins of the window. Its rows have no
// attributes.
func (l *Log) Places() *datasets.Day {
	b := &l.rows.known
	for _, j := range l.joins() {
		b.Join(j.second*1000, true, j.place)
	}
	d := b.Day(datasets.Finishing{WholeSeconds: true})
	d.Datacenters = l.rows.datacenters
	return d
}

// Attributes returns the attributes of the rows that Player.Row names.
func (l *Log) Attributes() []*datasets.Column { return l.rows.columns }

// JoinRows returns the row of the attributes of each join of the window.
func (l *Log) JoinRows() []uint32 {
	joins := l.joins()
	list := make([]uint32, len(joins))
	for i := range joins {
		list[i] = joins[i].row
	}
	return list
}
