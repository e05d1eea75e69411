package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/matcher"
	"mmsim/sim"
)

// twinProposal is a match that its players must accept. The twin checks every player at every
// instant.
type twinProposal struct {
	group   []*twinTicket
	teams   []int16
	region  matcher.Region
	dc      int
	session *twinSession // session that the tickets would join, or nil for a new match
	began   sim.Instant
}

func (w *twin) propose(p *twinProposal) {
	p.began = w.now
	for _, t := range p.group {
		t.proposals++
	}
	w.proposals = append(w.proposals, p)
}

func (w *twin) isProposed(t *twinTicket) bool {
	return slices.ContainsFunc(w.proposals, func(p *twinProposal) bool { return slices.Contains(p.group, t) })
}

// answer reports whether a player has accepted (yes) or refused (no) a proposal by now.
func (w *twin) answer(p *twinProposal, t *twinTicket, person *twinPerson) (yes, no bool) {
	a := w.cfg.Queues[0].Acceptance
	delay := a.Delay.Draw(w.stream(sim.PurposeAnswerDelay), person.Entity, uint64(t.proposals))
	if w.now < p.began.Add(min(delay, a.Timeout)) {
		return false, false
	}
	u := w.stream(sim.PurposeAnswer).Uniform(person.Entity, uint64(t.proposals))
	return u < a.Accept, u >= a.Accept && u < a.Accept+(1-a.Accept)*a.Refuse
}

// decideProposals decides the proposals whose outcome is known by now.
func (w *twin) decideProposals() {
	for _, p := range slices.Clone(w.proposals) {
		into := w.decision(p)
		if into == nil {
			continue
		}
		w.proposals = slices.DeleteFunc(w.proposals, func(other *twinProposal) bool { return other == p })
		s := p.session
		joins := s != nil && !s.over
		if joins {
			s.proposed = false
			w.sessions = slices.DeleteFunc(w.sessions, func(other *twinSession) bool { return other == s })
		}
		switch {
		case into[0] != sim.StatePlaying || s != nil && s.over:
			w.rejectProposal(p, into)
		case joins:
			s.tickets, s.teams = append(s.tickets, p.group...), append(s.teams, p.teams...)
			w.joinSession(s, p.group, p.teams)
		case w.cfg.Queues[0].Placement == sim.PlaceDatacenters:
			w.match(p.dc, p.group)
		default:
			s = &twinSession{tickets: p.group, teams: p.teams, region: p.region, dc: p.dc, id: w.made, began: w.now, until: min(w.now.Add(w.length(p.group)), w.killed(p.dc))}
			w.logTeams(s, p.group, p.teams, false)
			w.match(s.dc, p.group)
			joins = true
		}
		if joins {
			w.addSessions(s)
		}
	}
}

// rejectProposal ends a proposal without a match. into has the next state of each ticket: the
// ticket continues to search (WAITING or PLAYING), or its search ends.
func (w *twin) rejectProposal(p *twinProposal, into []sim.State) {
	a := w.cfg.Queues[0].Acceptance
	for i, t := range p.group {
		if into[i] == sim.StateWaiting || into[i] == sim.StatePlaying {
			if a.Anew {
				t.since = w.now
			}
			if t.state == sim.StateWaiting {
				w.enterPool(t)
				continue
			}
			w.order++
			t.order = w.order
			w.expireIfUnreachable(t)
			continue
		}
		t.state = into[i]
		w.printf("%v %v", t.state, t.ids())
		switch {
		case t.state == sim.StateClosed:
			w.keepOut(t, closedBy(&w.cfg, w.now))
		case t.state == sim.StateBots:
			w.play([]*twinTicket{t}, -1)
		case t.state == sim.StateDeclined && w.stream(sim.PurposeDeclined).Uniform(t.people[0].Entity, uint64(t.searches)) < a.Again:
			t.state = sim.StateBetween
			w.after(max(1, w.cfg.Between, w.cfg.Penalty), twinAgain, []*twinTicket{t})
		}
	}
}

// decision returns the states that a proposal's tickets enter now, or nil if the proposal stays
// open.
func (w *twin) decision(p *twinProposal) []sim.State {
	own, over := w.cfg.Queues[0], sim.StateExpired
	if own.Placement == sim.PlaceDatacenters {
		over = w.cfg.Then
	}
	all, anyRefused, anyLeaves := true, false, false
	into := make([]sim.State, len(p.group))
	for i, t := range p.group {
		into[i] = sim.StateWaiting
		for k := range t.people {
			yes, no := w.answer(p, t, &t.people[k])
			all = all && yes
			if no {
				anyRefused = true
				into[i] = sim.StateDeclined
			}
		}
	}
	dc := p.dc
	if p.session != nil {
		dc = p.session.dc
	}
	switch {
	case closedBy(&w.cfg, w.now) >= 0:
		return slices.Repeat([]sim.State{sim.StateClosed}, len(p.group))
	case !isUsable(&w.cfg, w.now, dc):
		return slices.Repeat([]sim.State{sim.StateWaiting}, len(p.group))
	case all:
		return slices.Repeat([]sim.State{sim.StatePlaying}, len(p.group))
	case anyRefused:
		return into
	case w.now == p.began.Add(own.Acceptance.Timeout):
		for i, t := range p.group {
			for k := range t.people {
				if yes, _ := w.answer(p, t, &t.people[k]); !yes {
					into[i] = sim.StateDeclined
				}
			}
		}
		return into
	}
	for i, t := range p.group {
		switch at := w.patience(t); {
		case w.now.CeilTo(w.cfg.Tick) != w.now:
		case at <= w.now && at < w.over(t):
			into[i], anyLeaves = sim.StateCancelled, true
		case w.over(t) <= w.now:
			into[i], anyLeaves = over, true
		}
	}
	if anyLeaves {
		return into
	}
	return nil
}

// acceptanceSetup returns a small configuration of a pool in which players must accept matches.
func acceptanceSetup(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg, places, joins := ruledSetup(seed, sim.PlacePool)
	ask(&cfg, seed)
	return cfg, places, joins
}

// askingStatesSetup returns a small configuration of a queue with states, with or without a ruleset,
// in which players must accept matches.
func askingStatesSetup(seed uint64) (sim.Config, *sim.Places, []sim.Arrival) {
	cfg, places, joins := randomSetup(seed)
	if seed%2 == 0 {
		cfg, places, joins = ruledSetup(seed, sim.PlaceDatacenters)
	}
	ask(&cfg, seed)
	return cfg, places, joins
}

// ask makes the players of a configuration accept matches.
func ask(cfg *sim.Config, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 4))
	cfg.Queues[0].Acceptance = &sim.Acceptance{
		Timeout: sim.Duration(1 + r.IntN(60)),
		Accept:  []float64{0.5, 0.8, 0.95, 1}[r.IntN(4)], Refuse: []float64{0, 0.5, 1}[r.IntN(3)],
		Delay: sim.Length{Mean: sim.Duration(1 + r.IntN(30)), SD: sim.Duration(r.IntN(2) * 10)},
		Anew:  r.IntN(2) == 0, Again: []float64{0, 0.5, 1}[r.IntN(3)],
	}
	cfg.Penalty = sim.Duration(r.IntN(2) * 40)
}

// TestTwinAcceptance compares the engine with a twin. The engine draws all answers when a proposal
// begins, while the twin checks every player at every instant. Each run is verified at every
// instant, including that no player is lost.
func TestTwinAcceptance(t *testing.T) {
	compareWithTwin(t, 100, []string{"DECLINED", "backfill true", "EXPIRED", " match ", "return true"}, acceptanceSetup)
}

// TestTwinAcceptanceInStates is like TestTwinAcceptance for queues with states.
func TestTwinAcceptanceInStates(t *testing.T) {
	compareWithTwin(t, 150, []string{"DECLINED", "FAILED", "BOTS", "WARMBODY", "EXPAND", " match ", "return true"}, askingStatesSetup)
}

func TestCaptureChangesNoProposal(t *testing.T) {
	for seed := range uint64(20) {
		cfg, places, joins := acceptanceSetup(seed)
		want := runVerified(t, cfg, places, joins)
		cfg, places, joins = acceptanceSetup(seed)
		arrivals, log := list(joins), &logger{}
		e, err := New(cfg, places, &arrivals, log)
		if err != nil {
			t.Fatal(err)
		}
		proposed := 0
		for at := sim.Instant(0).CeilTo(cfg.Tick); at < sim.Instant(cfg.Duration); at = at.Add(cfg.Tick) {
			if err := e.Capture(0, at, -1, func(s *sim.Scene) { proposed += len(s.Matches) }); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
			t.Fatal(err)
		}
		totals := e.Finish()
		if got := log.String(); got != want {
			t.Fatalf("seed %d: the log with captured scenes differs from the log without: %s", seed, firstDifference(got, want))
		}
		a := totals.Acceptance[0]
		if cfg.WarmUp > 0 || totals.SearchingAtEnd > 0 {
			continue // decided proposals and captured scenes need not be the same
		}
		if all := a.Started + a.Refused + a.TimedOut + a.Lapsed; all != proposed {
			t.Errorf("seed %d: the scenes contain %d proposals, want %d, the number of decided ones", seed, proposed, all)
		}
	}
}

// identicalPlayers returns a pool in which any players make a match.
func identicalPlayers(size int, giveUp sim.Duration) sim.Queue {
	return sim.Queue{
		Placement: sim.PlacePool, GiveUp: giveUp, MatchLength: sim.Length{Mean: sim.Second},
		Rules: &sim.Rules{
			Set: &matcher.Ruleset{MinPlayers: size, MaxPlayers: size}, Schema: &matcher.Schema{},
			Describe: func(*sim.Person, []matcher.Value, []matcher.Value) {},
			Refuse:   func(int) error { return nil },
		},
	}
}

// runIdenticalPlayers runs a pool in which n identical players join at each tick, and returns the
// log and the totals.
func runIdenticalPlayers(t *testing.T, a sim.Acceptance, size, n, ticks int, duration, giveUp sim.Duration) (string, sim.Totals) {
	t.Helper()
	cfg := sim.Config{
		Seed: 1, Tick: sim.Second, Duration: duration, Sample: sim.Minute, Then: sim.StateFailed,
		Queues: []sim.Queue{identicalPlayers(size, giveUp)},
	}
	cfg.Queues[0].Acceptance = &a
	places := &sim.Places{Datacenters: 1, RTT: []sim.RTT{0}, Best: []sim.RTT{0}, Reach: []sim.Reach{{Ideal: 1, Expand: 1}}}
	arrivals, log := make(list, 0, ticks*n), &logger{}
	for row := range uint32(ticks * n) {
		at := sim.Instant(int(row)/n) * sim.Instant(sim.Second)
		arrivals = append(arrivals, sim.Arrival{At: at, Members: []sim.Person{{Entity: sim.Entity(row, 0, 0, 0), Row: row}}})
	}
	observers := []sim.Observer{log}
	if len(arrivals) > 1000 {
		observers = nil
	}
	e, err := New(cfg, places, &arrivals, observers...)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.RunUntil(sim.Instant(cfg.Duration)); err != nil {
		t.Fatal(err)
	}
	if err := e.Verify(); err != nil {
		t.Fatal(err)
	}
	return log.String(), e.Finish()
}

// If each of k players accepts with probability a, a proposal starts a match with probability a^k.
// So there are a^-k proposals per match.
func TestAcceptanceIsIndependent(t *testing.T) {
	for _, c := range []struct {
		k      int
		accept float64
		refuse float64
	}{{2, 0.7, 1}, {5, 0.9, 0.5}, {10, 0.95, 0}} {
		const ticks = 1200
		_, totals := runIdenticalPlayers(t, sim.Acceptance{Timeout: 2 * sim.Second, Accept: c.accept, Refuse: c.refuse, Delay: sim.Length{Mean: sim.Second}},
			c.k, 70*c.k, ticks, (ticks+100)*sim.Second, sim.Hour)
		a := totals.Acceptance[0]
		all := a.Started + a.Refused + a.TimedOut + a.Lapsed
		if all < 100_000 || a.Lapsed > 0 {
			t.Fatalf("%d players: got %d proposals, %d of them lapsed; want at least 100,000 and none lapsed", c.k, all, a.Lapsed)
		}
		share, want := float64(a.Started)/float64(all), math.Pow(c.accept, float64(c.k))
		if math.Abs(share/want-1) > 0.01 {
			t.Errorf("%d players who accept with probability %v: got share %.4f of %d proposals that start a match, want %.4f", c.k, c.accept, share, all, want)
		}
		if per := float64(all) / float64(a.Started); math.Abs(per*want-1) > 0.01 {
			t.Errorf("%d players: got %.4f proposals per match, want %.4f", c.k, per, 1/want)
		}
	}
}

// In each case, a single cause ends a proposal. Two players join at 0 and are asked at once.
func TestProposalEnds(t *testing.T) {
	for _, c := range []struct {
		name           string
		accept, refuse float64
		giveUp         sim.Duration
		want           string // the instant, and what happens then
	}{
		{"all accept", 1, 0, sim.Minute, "5000 match 0"},
		{"all refuse", 0, 1, sim.Minute, "5000 DECLINED [0]\n5000 DECLINED [1]"},
		{"no answers", 0, 0, sim.Minute, "30000 DECLINED [0]\n30000 DECLINED [1]"},
		{"the give-up time passes while a proposal is open", 0, 0, 10 * sim.Second, "10000 EXPIRED [0]\n10000 EXPIRED [1]"},
		{"an answer at the timeout counts", 1, 0, 5 * sim.Second, "5000 match 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log, _ := runIdenticalPlayers(t, sim.Acceptance{Timeout: 30 * sim.Second, Accept: c.accept, Refuse: c.refuse, Delay: sim.Length{Mean: 5 * sim.Second}}, 2, 2, 1, sim.Minute, c.giveUp)
			if !strings.Contains(log, c.want) {
				t.Errorf("got log\n%swant a log that contains %q", log, c.want)
			}
		})
	}
}

// Players of a proposal that is open when the window ends count as searching.
func TestOpenProposalIsUnfinished(t *testing.T) {
	_, totals := runIdenticalPlayers(t, sim.Acceptance{Timeout: 30 * sim.Second, Accept: 1, Delay: sim.Length{Mean: 20 * sim.Second}}, 4, 4, 3, 3*sim.Second, sim.Minute)
	if totals.SearchingAtEnd != 12 || totals.Rules[0].SearchingAtEnd != 12 {
		t.Errorf("SearchingAtEnd: got %d in total and %d in the queue, want 12, the players in open proposals", totals.SearchingAtEnd, totals.Rules[0].SearchingAtEnd)
	}
	if a := *totals.Acceptance[0]; a != (sim.AcceptanceTotals{}) {
		t.Errorf("got decided proposals %+v, want none", a)
	}
}

func TestAcceptanceConfig(t *testing.T) {
	good := sim.Acceptance{Timeout: sim.Second, Accept: 0.5, Delay: sim.Length{Mean: sim.Second}}
	for field, change := range map[string]func(*sim.Acceptance){
		"Timeout": func(a *sim.Acceptance) { a.Timeout = 0 }, "Accept": func(a *sim.Acceptance) { a.Accept = 1.1 },
		"Refuse": func(a *sim.Acceptance) { a.Refuse = -1 }, "Delay.Mean": func(a *sim.Acceptance) { a.Delay.Mean = 0 },
		"Delay.SD": func(a *sim.Acceptance) { a.Delay.SD = -1 }, "Again": func(a *sim.Acceptance) { a.Again = 1.1 },
	} {
		cfg, places, _ := acceptanceSetup(1)
		bad := good
		change(&bad)
		cfg.Queues[0].Acceptance = &bad
		_, err := New(cfg, places, &list{})
		if want := fmt.Sprintf("sim: Queues[0].Acceptance.%s is ", field); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got error %v, want prefix %q", err, want)
		}
	}
}
