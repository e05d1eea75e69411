package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/sim"
)

// lives is an observer that checks when players search again after a match that they left, or that
// was cut short.
type lives struct {
	t    *testing.T
	cfg  *sim.Config
	due  map[uint64]sim.Instant // earliest and only instant at which a player may search again
	ends map[uint64]sim.Instant // end of each match
	left int
	cut  int

	seats    map[uint64][]sim.Instant // of each match, when the players who were in it so far leave it
	refilled map[uint64]int           // of each match, how many players took seats that became empty
	refills  int
}

// refill checks the players who join a running match: there are seats for them, and no more of them take
// seats that became empty than there are such seats that the game has seen.
func (l *lives) refill(m *sim.Match) {
	q := &l.cfg.Queues[m.Queue]
	taken, seen, refills := len(m.Players), 0, 0
	for _, left := range l.seats[m.ID] {
		if left.Add(q.Leave.Notice) <= m.At {
			seen++
		} else {
			taken++
		}
	}
	for i := range m.Seats {
		if m.Seats[i].Refill {
			refills++
		}
	}
	l.refilled[m.ID] += refills
	l.refills += refills
	_, known := l.seats[m.ID]
	if known && (taken > q.Rules.Set.MaxPlayers || l.refilled[m.ID] > seen) || refills > 0 && !q.Refills() {
		l.t.Errorf("match %d at %d: %d seats taken, %d became empty, %d refilled now, %d in all", m.ID, m.At, taken, seen, refills, l.refilled[m.ID])
	}
}

func (l *lives) Entered(s *sim.Search) {
	for _, p := range s.Players {
		if due, ok := l.due[p.ID]; ok && s.Began != due {
			l.t.Errorf("player %d searches again at %d ms, want %d", p.ID, s.Began, due)
		}
		delete(l.due, p.ID)
	}
}

func (l *lives) Matched(m *sim.Match) {
	if ends, ok := l.ends[m.ID]; m.Backfill && ok && ends != m.Ends { // unknown if the match began in the warm-up
		l.t.Errorf("match %d ends at %d for those who join it, and at %d for the others", m.ID, m.Ends, ends)
	}
	l.ends[m.ID] = m.Ends
	if m.Backfill && l.cfg.Queues[m.Queue].Leave != nil {
		l.refill(m)
	}
	for i := range m.Seats {
		left := m.Seats[i].Left
		if !m.Seats[i].Leaves {
			left = sim.Never - 1_000_000 // stays until the end
		}
		if _, known := l.seats[m.ID]; known || !m.Backfill {
			l.seats[m.ID] = append(l.seats[m.ID], left)
		}
	}
	if m.Seats == nil && (m.Cut || m.Ends != m.Drawn || m.Incomplete) || m.Seats != nil && len(m.Seats) != len(m.Players) ||
		m.Ends > m.Drawn || m.Cut && m.Ends == m.Drawn && !m.Backfill {
		l.t.Fatalf("match %+v", m)
	}
	stays, leaves := 0, 0
	for i := range m.Players {
		s, pause := m.SeatOf(i), l.cfg.Between
		switch {
		case s.Left < m.At || s.Left > m.Ends || s.Dead && (!s.Leaves || s.Left != m.At):
			l.t.Errorf("match from %d to %d: seat %+v", m.At, m.Ends, s)
		case s.Leaves && !s.Dead && l.cfg.Queues[m.Queue].Leave == nil:
			l.t.Errorf("a player leaves a match of a queue in which all stay: %+v", s)
		case s.Leaves:
			leaves++
			pause += l.cfg.Penalty
		case m.Cut:
			stays++
			pause = l.cfg.InterruptedAfter
		default:
			stays++
			if s.Left != m.Ends {
				l.t.Errorf("match from %d to %d: seat %+v of a player who stays", m.At, m.Ends, s)
			}
		}
		if s.Leaves || m.Cut {
			pause = max(1, pause)
		}
		l.due[m.Players[i].ID] = s.Left.Add(pause)
		if i > 0 && m.Players[i].Party == m.Players[i-1].Party && s != m.SeatOf(i-1) {
			l.t.Errorf("party %d leaves in parts: %+v", m.Players[i].Party, m.Seats)
		}
	}
	l.left += leaves
	if m.Cut {
		l.cut++
		if stays == 0 {
			l.t.Errorf("match %d is cut short for nobody", m.ID)
		}
	}
	if m.Incomplete && leaves == 0 || !m.Incomplete && leaves > 0 && !m.Backfill {
		l.t.Errorf("match %d: incomplete %v with %d who leave", m.ID, m.Incomplete, leaves)
	}
}

func (l *lives) Ended(*sim.Ended)    {}
func (l *lives) Sampled(*sim.Census) {}

// TestMissingPlayers runs random configurations of all kinds of queues in which players do not
// appear, leave or have no client. Every player must be in one place at every instant, and return
// exactly when the rules say.
func TestMissingPlayers(t *testing.T) {
	left, cut, refills := 0, 0, 0
	for seed := range uint64(120) {
		cfg, places, joins := randomSetup(seed)
		switch seed % 3 {
		case 1:
			cfg, places, joins = ruledSetup(seed, sim.PlacePool)
		case 2:
			cfg, places, joins = ruledSetup(seed, sim.PlaceDatacenters)
		}
		r := rand.New(rand.NewPCG(seed, 38))
		q := &cfg.Queues[0]
		q.KeepTogether = false // its players are a party with new members after each match
		q.Leave = &sim.Leave{
			NoShow: []float64{0, 0.1, 1}[r.IntN(3)], PerMinute: []float64{0, 0.9, 1 - 1e-15}[r.IntN(3)],
			Notice: sim.Duration(r.IntN(3) * 20), EndWithin: []sim.Duration{50, sim.Day}[r.IntN(2)],
		}
		if q.Backfills() {
			q.Leave.Then = []sim.AfterLeave{sim.MatchGoesOn, sim.MatchRefills}[r.IntN(2)]
		} else {
			q.Leave.Then = sim.AfterLeave(r.IntN(2))
		}
		if q.Rules == nil { // another queue, whose players stay
			other := *q
			other.Leave = nil
			cfg.Queues = append(cfg.Queues, other)
			for i := range joins {
				joins[i].Queue = i % 2
			}
		}
		// During a maintenance, players return later; TestTwinMaintenance checks when.
		cfg.Events = slices.DeleteFunc(cfg.Events, func(e sim.Event) bool { return e.Maintenance })
		cfg.Penalty, cfg.Dead = sim.Duration(r.IntN(2)*70), []float64{0, 0.2}[r.IntN(2)]
		cfg.InterruptedAgain, cfg.InterruptedAfter = []float64{0, 0.5, 1}[r.IntN(3)], sim.Duration(r.IntN(2)*30)
		l := &lives{t: t, cfg: &cfg, due: map[uint64]sim.Instant{}, ends: map[uint64]sim.Instant{}, seats: map[uint64][]sim.Instant{}, refilled: map[uint64]int{}}
		arrivals := list(joins)
		e, err := New(cfg, places, &arrivals, l)
		if err != nil {
			t.Fatal(err)
		}
		for e.Now() < sim.Instant(cfg.Duration) {
			if err := e.RunUntil(e.Now() + 1); err != nil {
				t.Fatal(err)
			}
			if err := e.Verify(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %+v", seed, cfg)
		}
		left, cut, refills = left+l.left, cut+l.cut, refills+l.refills
	}
	if left < 100 || cut < 10 || refills < 10 {
		t.Errorf("%d players left, %d seats were refilled and %d matches were cut short, want more", left, refills, cut)
	}
}
