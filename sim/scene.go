package sim

import (
	"fmt"
	"slices"

	"mmsim/matcher"
)

// Scene is a matching pass under rules as it begins, and what came of it: the pass of
// a pool, or the regular groups in the turn of a datacenter. Nothing in it is reused.
type Scene struct {
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int           // whose turn it is; below 0: the pass of a pool
	Tickets    []SceneTicket // who waits, in the order of the rules: by age
	Sessions   []SceneSession

	Matches []Match  // that were made or proposed, and tickets that joined sessions
	Expired []Search // tickets that gave up as the pass began
}

// SceneTicket is a ticket that waits.
type SceneTicket struct {
	Search
	RTTMS [][]float64 // by player and region; nil in the turn of a datacenter, where rules do not look at RTTs
}

// SceneSession is a match with free seats, in the terms of the rules.
type SceneSession struct {
	ID      uint64 // of the match
	Players []Player
	matcher.Session
}

// wholePool stands where no datacenter has a turn.
const wholePool = -1

// capture is a scene that somebody asked for.
type capture struct {
	at         Instant
	datacenter int
	tell       func(*Scene)
}

// captures are the scenes that a queue still owes. They are few.
type captures []capture

// next returns the instant of the first one.
func (c captures) next() Instant {
	first := Never
	for i := range c {
		first = min(first, c[i].at)
	}
	return first
}

// Capture asks for the scene of a queue's pass at an instant, or at the first tick
// after it; where the queue waits by datacenter, of the turn of one. tell is called
// when it is over. Who waits plays as without it.
//
// The error tells what of it there will not be: a queue without rules, an instant
// that is over or outside the measured window, a turn in a pool, or a pass in which
// datacenters have turns.
func (e *Engine) Capture(queue int, at Instant, datacenter int, tell func(*Scene)) error {
	if queue < 0 || queue >= len(e.queues) {
		return fmt.Errorf("sim: capture in queue %d of %d", queue, len(e.queues))
	}
	own := &e.cfg.Queues[queue]
	turns := own.Placement == PlaceDatacenters
	tick := at.ceilTo(e.cfg.Tick)
	switch {
	case own.Rules == nil || own.Servers != nil:
		return fmt.Errorf("sim: capture in queue %d, which has no rules", queue)
	case at < 0 || at < e.now || tick >= Instant(e.cfg.Duration):
		return fmt.Errorf("sim: capture at %.3f s, want an instant to come, from 0 and with a tick before %.3f s", at.Seconds(), Instant(e.cfg.Duration).Seconds())
	case turns && (datacenter < 0 || datacenter >= e.places.Datacenters):
		return fmt.Errorf("sim: capture of the turn of datacenter %d of %d", datacenter, e.places.Datacenters)
	case !turns && datacenter >= 0:
		return fmt.Errorf("sim: capture of a turn in queue %d, where datacenters have none", queue)
	}
	if !turns {
		datacenter = wholePool
	}
	e.queues[queue].(debtor).owe(capture{tick, datacenter, tell}) // every queue with rules is one
	return nil
}

// debtor is a queue that can be asked for scenes.
type debtor interface{ owe(c capture) }

func (q *matchQueue) owe(c capture) { q.captures = append(q.captures, c) }

// film lets happen what a scene is of, writes down who waits for it, by age, and what
// comes of it, and tells it to those to whom it is owed.
func (r *rulePool) film(s *Scene, rows []matcher.Row, happen func()) {
	q := r.queue
	s.Queue, s.At = q.index, q.now
	for _, row := range rows {
		s.Tickets = append(s.Tickets, r.sceneTicket(r.holds[row].what))
	}
	observers := q.observers
	q.observers = append(slices.Clip(observers), (*witness)(s))
	happen()
	q.observers = observers
	q.captures = slices.DeleteFunc(q.captures, func(c capture) bool {
		owed := c.at == s.At && c.datacenter == s.Datacenter
		if owed {
			c.tell(s)
		}
		return owed
	})
}

func (r *rulePool) sceneTicket(t ticketID) SceneTicket {
	q := r.queue
	ticket := SceneTicket{Search: *q.search(t)}
	ticket.Players = slices.Clone(ticket.Players)
	if !r.rtts {
		return ticket
	}
	members := q.players.members(t)
	for i := range members {
		ticket.RTTMS = append(ticket.RTTMS, q.appendRTTs(nil, &members[i], q.own.Rules.Regions))
	}
	return ticket
}

// film makes the pass of a pool of which scenes are owed.
func (q *poolQueue) film() {
	s := &Scene{Datacenter: wholePool}
	for _, row := range q.rules.pool.AppendSessions(nil) {
		match := q.rules.holds[row].what
		session := SceneSession{ID: q.open[match].id, Session: q.session(match)}
		for _, t := range q.matches.of(match) {
			for i := range q.players.members(t) {
				session.Players = append(session.Players, q.players.slots[t+uint32(i)].record())
			}
		}
		s.Sessions = append(s.Sessions, session)
	}
	q.rules.film(s, q.rules.pool.AppendWaiting(nil), q.pass)
}

// film lets a datacenter of whose turn scenes are owed form its regular groups.
func (r *ruledTurns) film(at Instant, dc int) {
	queue := r.queues[dc]
	r.rules.film(&Scene{Datacenter: dc}, queue.AppendRows(nil), func() { r.apply(queue.Match(int64(at), 0), dc) })
}

// owes tells whether the scene of a datacenter's turn is owed.
func (c captures) owes(at Instant, datacenter int) bool {
	return slices.ContainsFunc(c, func(c capture) bool { return c.at == at && c.datacenter == datacenter })
}

// witness is an observer that writes down what happens in a scene.
type witness Scene

func (*witness) Entered(*Search) {}
func (*witness) Sampled(*Census) {}

// Matched implements Observer.
func (w *witness) Matched(m *Match) {
	match := *m
	match.Players, match.Relaxed = slices.Clone(m.Players), slices.Clone(m.Relaxed)
	w.Matches = append(w.Matches, match)
}

// tellProposed tells the scene that is written down of a match that players are asked about.
func (q *matchQueue) tellProposed(f *formed, id uint64, backfill bool) {
	observers := q.observers
	for _, o := range observers {
		if _, is := o.(*witness); is {
			q.observers = []Observer{o}
			q.gather(f.tickets)
			q.tellMatched(f, id, Never, backfill)
		}
	}
	q.observers = observers
}

// Ended implements Observer.
func (w *witness) Ended(e *Ended) {
	search := e.Search
	search.Players = slices.Clone(e.Players)
	w.Expired = append(w.Expired, search)
}
