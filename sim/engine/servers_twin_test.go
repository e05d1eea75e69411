package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
	"mmsim/sim"
	"mmsim/sim/engine/internal/world"
)

// twinPlayer is a player on a server of the twin.
type twinPlayer struct {
	sim.Person
	id, party uint64
	joined    sim.Instant
	lastMile  sim.RTT
	server    *twinServer
	first     bool
	plays     bool
	searches  int
	rest      sim.Duration // what an event left of the session; 0 for a new session
}

type twinServer struct {
	id      uint64
	opened  sim.Instant
	shape   scoring.Server
	players []*twinPlayer
}

type twinVisit struct {
	at     sim.Instant
	kind   int // 0: the session ends; 1: the player begins to play; 2: the player comes back
	order  int
	ends   sim.Instant // when the session would end without an event
	hit    bool        // whether an event cuts the session short, or stops the server before it starts
	player *twinPlayer
}

// twinHost is the simplest implementation of placement: it uses lists, without index or running
// sums.
type twinHost struct {
	cfg     sim.Config
	own     *sim.Servers
	places  *sim.Places
	servers []*twinServer
	timers  []twinVisit
	pushed  int
	made    uint64
	joined  uint64
	late    []sim.Arrival // joins that a maintenance has kept out
	now     sim.Instant
	log     strings.Builder
}

// twinServers runs the placement and writes a log in the format of placements.
func twinServers(cfg sim.Config, p *sim.Places, joins []sim.Arrival) string {
	w := &twinHost{cfg: cfg, own: cfg.Queues[0].Servers, places: p}
	next := 0
	for w.now = sim.Instant(-cfg.WarmUp); w.now < sim.Instant(cfg.Duration); w.now++ {
		w.kill()
		w.handleTimers()
		for _, a := range slices.Clone(w.late) {
			if a.At == w.now {
				w.join(a)
			}
		}
		for ; next < len(joins) && joins[next].At == w.now; next++ {
			w.join(joins[next])
		}
		if w.now >= 0 && w.now%sim.Instant(cfg.Sample) == 0 {
			w.sample()
		}
	}
	return w.log.String()
}

// join places the players of a party, unless there is a maintenance.
func (w *twinHost) join(a sim.Arrival) {
	if event := closedBy(&w.cfg, w.now); event >= 0 {
		if a.At = comesBack(&w.cfg, event, a.Members[0].Entity, 0); a.At != sim.Never {
			w.late = append(w.late, a)
		}
		return
	}
	id := w.joined
	var party []uint64
	for i := range a.Members {
		party = append(party, id+uint64(i))
	}
	w.logf("%d enters %v\n", w.now, party)
	var together []*twinServer
	for i, person := range a.Members {
		if s := w.place(&twinPlayer{Person: person, id: party[i], party: id, joined: w.now}, together); s != nil {
			together = append(together, s)
		}
	}
	w.joined += uint64(len(party))
}

// keepOut lets a player who is on no server come back after a maintenance.
func (w *twinHost) keepOut(p *twinPlayer, event int) {
	if at := comesBack(&w.cfg, event, p.Entity, p.searches+1); at != sim.Never {
		w.push(twinVisit{at: at, kind: 2, player: p})
	}
}

func (w *twinHost) logf(format string, args ...any) {
	if w.now >= 0 {
		fmt.Fprintf(&w.log, format, args...)
	}
}

func (w *twinHost) handleTimers() {
	for {
		due := -1
		for i, t := range w.timers {
			if t.at != w.now {
				continue
			}
			if due < 0 || cmp.Or(cmp.Compare(t.kind, w.timers[due].kind), cmp.Compare(t.order, w.timers[due].order)) < 0 {
				due = i
			}
		}
		if due < 0 {
			return
		}
		t := w.timers[due]
		w.timers = slices.Delete(w.timers, due, due+1)
		p, event := t.player, closedBy(&w.cfg, w.now)
		switch {
		case t.kind == 2 && event >= 0:
			w.keepOut(p, event)
		case t.kind == 2:
			p.joined, p.party = w.now, p.id
			p.searches++
			w.logf("%d enters %v\n", w.now, []uint64{p.id})
			w.place(p, nil)
		case t.kind == 1 && t.hit && event >= 0:
			w.leave(p)
			w.logf("%d %v %v\n", w.now, sim.StateClosed, []uint64{p.id})
			w.keepOut(p, event)
		case t.kind == 1 && t.hit:
			w.leave(p)
			w.place(p, nil)
		case t.kind == 1:
			w.play(p)
		default:
			w.leave(p)
			again := sim.NewStream(w.cfg.Seed, w.cfg.Run, sim.PurposeInterrupted).Uniform(p.Entity, uint64(p.searches)) < w.cfg.InterruptedAgain
			if event = maintenanceFrom(&w.cfg, w.now, w.now); t.hit && event >= 0 {
				p.rest = t.ends.Sub(w.now)
				w.keepOut(p, event)
			} else if t.hit && again {
				p.rest = t.ends.Sub(w.now)
				w.push(twinVisit{at: w.now.Add(max(1, w.cfg.InterruptedAfter)), kind: 2, player: p})
			}
		}
	}
}

// kill lets the sessions in datacenters that an event stops now end now, and the servers there never
// start.
func (w *twinHost) kill() {
	for _, e := range w.cfg.Events {
		for i := range w.timers {
			if t := &w.timers[i]; e.From == w.now && t.kind < 2 && (t.at > w.now || t.kind == 1) && (e.Maintenance || e.Kill && e.Outage>>t.player.server.shape.Region&1 == 1) {
				t.at, t.hit = w.now, true
			}
		}
	}
}

// leave removes a player from a server.
func (w *twinHost) leave(p *twinPlayer) {
	s := p.server
	p.plays = false
	s.players = slices.DeleteFunc(s.players, func(other *twinPlayer) bool { return other == p })
	if len(s.players) == 0 {
		w.servers = slices.DeleteFunc(w.servers, func(o *twinServer) bool { return o == s })
	}
}

// killed returns the next instant after now at which an event cuts sessions in a datacenter short.
func (w *twinHost) killed(dc int) sim.Instant { return (&twin{cfg: w.cfg, now: w.now}).killed(dc) }

func (w *twinHost) describe(p *sim.Person) (matcher.Player, matcher.Text, bool) {
	var player matcher.Player
	class, ok := w.own.People.Describe(p, &player)
	return player, class, ok
}

// knows reports whether one of two persons lists the other as a friend, or whether both are in the
// same household.
func (w *twinHost) knows(a, b *sim.Person) bool {
	people := w.own.People
	at := people.Household(a)
	return a.Copy == b.Copy && (slices.Contains(people.Friends(a, nil), b.Row) || slices.Contains(people.Friends(b, nil), a.Row) ||
		at != 0 && at == people.Household(b))
}

func (w *twinHost) rtt(p *twinPlayer, dc int) sim.RTT {
	return rttAt(&w.cfg, w.places, p.joined, p.Place, p.lastMile, dc)
}

func (w *twinHost) place(p *twinPlayer, together []*twinServer) *twinServer {
	player, class, ok := w.describe(&p.Person)
	if !ok || (&twin{cfg: w.cfg, places: w.places, now: w.now}).fairest(matcher.NoRegion, nil) < 0 {
		w.logf("%d %v %v\n", w.now, sim.StateRejected, []uint64{p.id})
		return nil
	}
	if w.cfg.LastMileMedian > 0 {
		p.lastMile = world.LastMile(&w.cfg, sim.NewStream(w.cfg.Seed, w.cfg.Run, sim.PurposeLastMile), p.Entity)
	}
	best := -1
	for dc := range w.places.Datacenters {
		if !isUsable(&w.cfg, w.now, dc) {
			player.RTTMS = append(player.RTTMS, math.NaN())
			continue
		}
		player.RTTMS = append(player.RTTMS, float64(w.rtt(p, dc))/16)
		if best < 0 || w.rtt(p, dc) < w.rtt(p, best) {
			best = dc
		}
	}
	var scored []*scoring.Server
	var known []int32
	for i, s := range w.servers {
		shape := s.shape
		if !isUsable(&w.cfg, w.now, int(shape.Region)) {
			shape.Closed = "outage"
		}
		shape.Sequence, shape.CreatedMS = int32(i), int64(s.opened) // the list is in the order in which servers opened
		server := w.own.Scoring.Open(shape)
		for _, there := range s.players {
			values, _, _ := w.describe(&there.Person)
			w.own.Scoring.Join(server, &values)
			if w.knows(&p.Person, &there.Person) {
				known = append(known, int32(i))
			}
		}
		if slices.Contains(together, s) {
			known = append(known, int32(i))
		}
		scored = append(scored, server)
	}
	joiner := scoring.NewJoiner(player, class, known)
	scores := w.own.Scoring.Scores(nil, &joiner, scored)
	chosen := w.own.Scoring.Best(scored, scores)
	if chosen < 0 {
		p.server, p.first = w.open(&joiner, best), true
		w.logf("%d player %d placed at %d opened true score 0.000000 runner-up false by 0 0.000000\n", w.now, p.id, best)
	} else {
		p.server, p.first = w.servers[chosen], false
		w.logDecision(p, &joiner, scored, scores, chosen)
	}
	p.server.players = append(p.server.players, p)
	if up := p.server.opened.Add(w.own.Start); up > w.now {
		w.push(twinVisit{at: up, kind: 1, player: p})
	} else {
		w.play(p)
	}
	return p.server
}

func (w *twinHost) open(j *scoring.Joiner, dc int) *twinServer {
	s := &twinServer{id: w.made, opened: w.now, shape: w.own.New(j)}
	s.shape.Region = matcher.Region(dc)
	w.made++
	w.servers = append(w.servers, s)
	return s
}

func (w *twinHost) logDecision(p *twinPlayer, j *scoring.Joiner, servers []*scoring.Server, scores []float64, chosen int) {
	rest := slices.Clone(scores)
	rest[chosen] = math.NaN()
	scorer := *w.own.Scoring
	scorer.MinScore = 0
	var d scoring.Decision
	second := scorer.Best(servers, rest)
	if second >= 0 {
		d = scoring.Decide(servers[chosen], servers[second], scorer.Contributions(nil, j, servers[chosen]), scorer.Contributions(nil, j, servers[second]))
	}
	w.logf("%d player %d placed at %d opened false score %.6f runner-up %v by %v %.6f\n",
		w.now, p.id, servers[chosen].Region, scores[chosen], second >= 0, d.Reason, d.Margin)
}

func (w *twinHost) push(t twinVisit) {
	t.order = w.pushed
	w.pushed++
	w.timers = append(w.timers, t)
}

func (w *twinHost) play(p *twinPlayer) {
	p.plays = true
	length := p.rest
	if length == 0 {
		length = w.own.People.Session(&p.Person)
	}
	if length == 0 {
		length = w.own.Session.Draw(sim.NewStream(w.cfg.Seed, w.cfg.Run, sim.PurposeSession), p.Entity)
	}
	dc, ends := int(p.server.shape.Region), w.now.Add(length)
	at := min(ends, w.killed(dc))
	w.logf("%d player %d of %d plays on %d at %d until %d backfill %v rtt %d began %d\n",
		w.now, p.id, p.party, p.server.id, dc, at, !p.first, w.rtt(p, dc), p.joined)
	w.push(twinVisit{at: ends, ends: ends, player: p})
}

func (w *twinHost) sample() {
	c := sim.Census{At: w.now}
	for _, s := range w.servers {
		c.Servers.Running++
		c.Servers.Seats += s.shape.Capacity
		c.Servers.Taken += len(s.players)
		for _, p := range s.players {
			if p.plays {
				c.Playing++
			} else {
				c.Waiting++
			}
		}
	}
	w.logf("%d playing %d waiting %d servers %+v\n", c.At, c.Playing, c.Waiting, c.Servers)
}
